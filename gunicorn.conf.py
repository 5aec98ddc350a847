"""How gunicorn serves Scorekeeper; what its command line says goes before."""

import os

# Not wsgi:app, which lies only in a checkout: this is found in an installed package, too.
wsgi_app = "scorekeeper.app:create_app()"

_host = os.environ.get("SCOREKEEPER_HOST", "127.0.0.1")
_port = os.environ.get("SCOREKEEPER_PORT", "8000")
bind = f"[{_host}]:{_port}" if ":" in _host else f"{_host}:{_port}"

# One process: in SQLite, which is embedded, a second writing process gains nothing, and the two
# wait for each other's lock, at times for more than a second. Threads share one writer.
workers = 1

# Threads, because an open page keeps one for its live updates.
worker_class = "gthread"
threads = 32

# Long enough for a request under way, short enough for a restart between two hands.
graceful_timeout = 10

# By default every gunicorn of a user listens on the same control socket, and the newest takes it.
control_socket_disable = True

# No access log: a path may hold a link that is itself the key to a table.
accesslog = None
