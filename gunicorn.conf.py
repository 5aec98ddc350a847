"""The configuration of gunicorn for Scorekeeper; options of its command line take precedence."""

import gc
import os
import shutil
import sys
from importlib import import_module
from typing import Any, Final

from scorekeeper.base.collector import GC_THRESHOLDS, gc_paused, search_survivors_seldom
from scorekeeper.config import make_data_dir, read_settings
from scorekeeper.demo.files import prepare_demo_store, remove_demo_store
from scorekeeper.operation import server_log
from scorekeeper.operation.allocator import return_large_blocks
from scorekeeper.operation.orphans import kill_with_parent

SETTINGS: Final = read_settings()
SWITCH_INTERVAL: Final = 0.001  # seconds that a thread may compute while others wait to go on
FIGURES: Final = (SETTINGS.data_dir / "metrics").absolute()

# Not wsgi:app, which lies only in a checkout: this is found in an installed package, too.
wsgi_app = "scorekeeper.app:create_app()"

bind = f"{f'[{SETTINGS.host}]' if ':' in SETTINGS.host else SETTINGS.host}:{SETTINGS.port}"

# One thread waits for all clients, and other threads run the application: a client that sends or
# reads slowly occupies none of them.
worker_class = "scorekeeper.server.worker.Worker"
worker_connections = 2000 + SETTINGS.most_streams
backlog = 4096  # connections that wait in the system; it drops more, and phones retry after 1 s
workers = SETTINGS.workers
threads = SETTINGS.threads
asgi_loop = "asyncio"
asgi_lifespan = "off"

# Gunicorn prefers its parser in C where that is installed; the limits on what a client may cost are
# tested with the Python parser.
http_parser = "python"

# Each worker process opens the database itself, and starts its own threads.
preload_app = False

# The file that a worker touches many times a second to show that it is alive; in memory where the
# system has such a place, since on disk the worker would wait for writes of the database.
IN_MEMORY: Final = "/dev/shm"  # noqa: S108  # gunicorn makes its own file there, without a name
worker_tmp_dir = IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None

# Seconds until a worker without a sign of life is replaced, and until requests are cut at a stop.
timeout = 30
graceful_timeout = 10

# Seconds that a connection may be idle: longer than the interval at which pages poll the score.
keepalive = 15

# The setting PROXIES decides which headers of proxies are trusted. By default gunicorn trusts every
# client on this machine.
secure_scheme_headers: dict[str, str] = {}
forwarder_headers = ""

# By default every gunicorn of a user opens the same control socket, and the newest takes it over.
control_socket_disable = True

# No access log: a path may contain a key to a table.
accesslog = None
logger_class = "scorekeeper.server.worker.ServerLog"
logconfig_dict = server_log.logging_config(SETTINGS.log_level, SETTINGS.log_format)

if SETTINGS.metrics:  # prometheus_client looks for it when it is imported
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(FIGURES)


def on_starting(server: Any) -> None:
    """Reset metrics and demos, and import the application, so that workers start at once."""
    return_large_blocks()  # workers inherit it, since they are forked
    make_data_dir(SETTINGS)
    prepare_demo_store(SETTINGS)
    shutil.rmtree(FIGURES, ignore_errors=True)
    if SETTINGS.metrics:
        FIGURES.mkdir()
    with gc_paused():
        import_module("scorekeeper.app")
    gc.freeze()  # shared with the workers: never collected again, even at exit
    gc.set_threshold(*GC_THRESHOLDS)


def post_fork(server: Any, worker: Any) -> None:
    """Make a worker end at once when its master is killed, so that the port becomes free."""
    kill_with_parent(worker.ppid)


def post_worker_init(worker: Any) -> None:
    """Start the helper process for long computations, so that the first one need not wait."""
    from scorekeeper.answers.helper import helpers  # noqa: PLC0415  # after the settings are read

    search_survivors_seldom()
    sys.setswitchinterval(SWITCH_INTERVAL)  # a fifth of Python's default: many threads only wait
    helpers()[0].start()  # the second one starts while the first computes for long


def worker_int(worker: Any) -> None:
    """End the streams of a worker that is to stop; they would delay its end by a minute."""
    app = getattr(worker, "wsgi", None)
    if app is not None:
        app.extensions["notifier"].stop()
        if app.extensions["demos"] is not None:
            app.extensions["demos"].stop()


def child_exit(server: Any, worker: Any) -> None:
    """Remove the open streams of an ended worker from the metrics."""
    if SETTINGS.metrics:
        from prometheus_client import multiprocess  # noqa: PLC0415  # after the folder is known

        multiprocess.mark_process_dead(worker.pid, str(FIGURES))  # type: ignore[no-untyped-call]


def on_exit(server: Any) -> None:
    """Remove the demos."""
    remove_demo_store(SETTINGS)
