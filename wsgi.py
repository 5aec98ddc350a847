"""The entrance for any WSGI server, as ``wsgi:app``."""

from scorekeeper.app import create_app

app = create_app()
