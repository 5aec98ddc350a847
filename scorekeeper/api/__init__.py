"""The HTTP API: what comes in is decoded, handed on, and the answer written as JSON."""

from flask import Flask

from scorekeeper.api import games, logs
from scorekeeper.api.document import new_api

PREFIX = "/api"


def init_app(app: Flask) -> None:
    """Serve the API, and the document that describes it, under ``/api``."""
    api = new_api(app, PREFIX)
    for room in (logs, games):
        api.register_blueprint(room.blueprint, url_prefix=PREFIX)
