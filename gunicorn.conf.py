"""How gunicorn serves Scorekeeper, by its settings; what its command line says goes before."""

import gc
import os
import shutil
import sys
from importlib import import_module
from typing import Any, Final

from scorekeeper.base.collector import GC_THRESHOLD, gc_paused
from scorekeeper.config import make_data_dir, read_settings
from scorekeeper.operation import server_log
from scorekeeper.operation.allocator import return_large_blocks
from scorekeeper.operation.orphans import kill_with_parent

SETTINGS: Final = read_settings()
SWITCH_INTERVAL: Final = 0.001  # seconds that a thread may compute while others wait to go on
FIGURES: Final = (SETTINGS.data_dir / "metrics").absolute()

# Not wsgi:app, which lies only in a checkout: this is found in an installed package, too.
wsgi_app = "scorekeeper.app:create_app()"

bind = f"{f'[{SETTINGS.host}]' if ':' in SETTINGS.host else SETTINGS.host}:{SETTINGS.port}"

# The network in one thread, which waits for any number of clients, and the application in others:
# who sends or takes a byte now and then keeps none of these.
worker_class = "scorekeeper.server.worker.Worker"
worker_connections = 2000 + SETTINGS.most_streams
backlog = 4096  # connections that wait in the system; it drops more, and phones retry after 1 s
workers = SETTINGS.workers
threads = SETTINGS.threads
asgi_loop = "asyncio"
asgi_lifespan = "off"

# Not the one in C, which gunicorn takes where it is installed: what a client may cost, and what is
# refused, is tested with this one.
http_parser = "python"

# Each process opens the database for itself, and starts its own threads.
preload_app = False

# Where a worker shows, many times a second, that it is alive: in memory, where the system has
# such a place. On a disk it would wait whenever the database has the disk write.
IN_MEMORY: Final = "/dev/shm"  # noqa: S108  # gunicorn makes a file of its own there, without a name
worker_tmp_dir = IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None

# Seconds: for a worker that gives no sign of life, and for the requests under way at a stop.
timeout = 30
graceful_timeout = 10

# Seconds that a connection may be idle: longer than pages wait between two looks at the score.
keepalive = 15

# Bytes of a header at most. Phones that joined many tables when each had a cookie of its own send
# as many as the 180 that a browser keeps of a site, until they are moved over.
limit_request_field_size = 16 * 1024

# What a proxy says is up to the setting PROXIES. By itself gunicorn would believe every client
# from this machine.
secure_scheme_headers: dict[str, str] = {}
forwarder_headers = ""

# By default every gunicorn of a user listens on the same control socket, and the newest takes it.
control_socket_disable = True

# No access log: a path may hold a link that is itself the key to a table.
accesslog = None
logger_class = "scorekeeper.server.worker.ServerLog"
logconfig_dict = server_log.logging_config(SETTINGS.log_level, SETTINGS.log_format)

if SETTINGS.metrics:  # prometheus_client looks for it when it is imported
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(FIGURES)


def on_starting(server: Any) -> None:
    """Begin to count anew, and load what each worker needs, so that one begins in no time."""
    return_large_blocks()  # in the workers, too, which are forked
    make_data_dir(SETTINGS)
    shutil.rmtree(FIGURES, ignore_errors=True)
    if SETTINGS.metrics:
        FIGURES.mkdir()
    with gc_paused():
        import_module("scorekeeper.app")
    gc.freeze()  # what is shared with the workers: nobody looks through it again, even at the end
    gc.set_threshold(GC_THRESHOLD)


def post_fork(server: Any, worker: Any) -> None:
    """Let a worker end at once with a master that was killed, so that the port is free again."""
    kill_with_parent(worker.ppid)


def post_worker_init(worker: Any) -> None:
    """Start what works out beside a worker what takes long, so that the first need not wait."""
    from scorekeeper.answers.helper import helpers  # noqa: PLC0415  # not before settings are read
    from scorekeeper.web.frame.templates import load_templates_in_background  # noqa: PLC0415

    sys.setswitchinterval(SWITCH_INTERVAL)  # a fifth of Python's own: many threads only wait
    load_templates_in_background(worker.wsgi)  # first, while this process has one thread
    helpers()[0].start()  # the other one starts when the first computes for long


def worker_int(worker: Any) -> None:
    """Let a worker that is to stop end its streams, which would keep it for a minute."""
    app = getattr(worker, "wsgi", None)
    if app is not None:
        app.extensions["notifier"].stop()


def child_exit(server: Any, worker: Any) -> None:
    """Forget the streams that a worker had open."""
    if SETTINGS.metrics:
        from prometheus_client import multiprocess  # noqa: PLC0415  # not before the folder is known

        multiprocess.mark_process_dead(worker.pid, str(FIGURES))  # type: ignore[no-untyped-call]
