"""gunicorn's own asynchronous worker, with limits on open connections and their cost."""

import resource
import socket
import time
from functools import partial
from itertools import islice
from typing import Any, Final

from gunicorn.glogging import Logger
from gunicorn.workers.gasgi import ASGIWorker

from scorekeeper.operation.log_throttle import LogThrottle
from scorekeeper.server.bridge import Bridge
from scorekeeper.server.connection import MAX_READ_BYTES, ClientConnection, EvictableState
from scorekeeper.server.listener import MAX_WAITING_CONNECTIONS, PacedListener
from scorekeeper.server.pacing import ParsingPace

RESERVED_FILES: Final = 256  # open files of a process beside its connections
MAX_EVICTION_CANDIDATES: Final = 128  # connections examined to find the one to end


class ServerLog(Logger):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's log without a line for each request, which would be formatted and then dropped.

    gunicorn itself leaves these lines out only if its log is configured without a dictionary.
    """

    access_log_enabled = False


class Worker(ASGIWorker):  # type: ignore[misc]
    """Serves a WSGI application: ``cfg.threads`` threads for reads, and as many for writes."""

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        """Accept the setting ``threads``, which gunicorn's own worker does not support."""

    def init_process(self) -> None:
        """Start the worker, and raise the limit of open files to what its connections may need.

        If the system does not allow that, the numbers of open and waiting connections are reduced.
        """
        self._open: dict[str, dict[ClientConnection, None]] = {}  # by address
        self.log_throttle = LogThrottle()
        self.inbox = memoryview(bytearray(MAX_READ_BYTES))  # into which all connections read
        self.listener: PacedListener | None = None
        self.worker_connections: int
        self.asgi: Any
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.most_waiting = MAX_WAITING_CONNECTIONS
        wanted = self.worker_connections + MAX_WAITING_CONNECTIONS + RESERVED_FILES
        if soft != resource.RLIM_INFINITY and soft < wanted:
            highest = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (highest, hard))
            self.worker_connections, self.most_waiting = divide_files(
                highest, self.worker_connections
            )
        super().init_process()

    def load_wsgi(self) -> None:
        """Load the application, put it behind the `Bridge`, and limit its live updates.

        From now on the loop accepts connections by `_listen`.
        """
        super().load_wsgi()
        self.loop.create_server = self._listen  # by which gunicorn listens, see `PacedListener`
        self.wsgi = self.asgi
        config = self.wsgi.config
        self.secure: bool = config["SESSION_COOKIE_SECURE"]
        self.pace = ParsingPace(self.loop.call_later, self.loop.call_soon)
        slots = self.wsgi.extensions["streams"].slots
        slots.max_streams = min(slots.max_streams, self.worker_connections // 2)
        self.asgi = Bridge(
            self.wsgi,
            self.cfg.threads,
            config["MAX_CONTENT_LENGTH"],
            self.wsgi.extensions["turns"],
            config["PROXIES"],
        )

    def enter(self, connection: ClientConnection) -> bool:
        """Count a new connection, and return whether it may stay.

        If its address, or the process, has too many, another one that waits for its client ends
        instead. The time that this takes is charged to the listener.
        """
        began = time.thread_time()
        try:
            return self._enter(connection)
        finally:
            if self.listener is not None:
                self.listener.charge(connection.address, time.thread_time() - began)

    def _enter(self, connection: ClientConnection) -> bool:
        """Count a new connection, and return whether it may stay; see `enter`."""
        of_address = self._open.setdefault(connection.address, {})
        of_address[connection] = None
        most = self.wsgi.config["CONNECTIONS_AN_ADDRESS"] or self.worker_connections
        if len(of_address) > most:
            return evict_one(of_address, connection)
        if self.nr_conns > self.worker_connections:
            return evict_one(max(self._open.values(), key=len), connection)
        return True

    def leave(self, connection: ClientConnection) -> None:
        """Stop counting a closed connection."""
        of_address = self._open.get(connection.address, {})
        of_address.pop(connection, None)
        if not of_address:
            self._open.pop(connection.address, None)

    def handle_exit_signal(self) -> None:
        """Begin to stop: end live updates by the hook ``worker_int``, and let gunicorn stop."""
        self.cfg.worker_int(self)
        super().handle_exit_signal()

    async def _listen(self, _: Any, *, sock: socket.socket, ssl: Any, **__: Any) -> PacedListener:
        """Accept connections from ``sock``, as ``loop.create_server``; return the listener.

        Their protocol is `ClientConnection` instead of gunicorn's. The system queues
        ``cfg.backlog`` connections; asyncio would let 100 wait, and a phone's system tries again
        only after a second.
        """
        if self.listener is None:
            factory = partial(ClientConnection, self)
            open_connection = partial(self.loop.connect_accepted_socket, factory, ssl=ssl)
            self.listener = PacedListener(
                self.loop, open_connection, self.most_waiting, self.end_idle_connections
            )
        self.listener.listen(sock, self.cfg.backlog)
        return self.listener

    def end_idle_connections(self) -> None:
        """Close all connections that wait for a request; gunicorn then waits for the others."""
        for connection in [
            connection for some in self._open.values() for connection in some if connection.is_idle
        ]:
            connection.transport.close()


def divide_files(files: int, connections: int) -> tuple[int, int]:
    """Divide open files: return how many connections may be open, and how many more may wait.

    >>> divide_files(65536, connections=3000)
    (3000, 2048)
    >>> divide_files(1024, connections=3000)
    (576, 192)
    """
    files -= RESERVED_FILES
    waiting = max(1, min(MAX_WAITING_CONNECTIONS, files // 4))
    return max(1, min(connections, files - waiting)), waiting


def evict_one(connections: dict[ClientConnection, None], newcomer: ClientConnection) -> bool:
    """Abort one of these connections to make place for ``newcomer``; return whether one was found.

    Of those that were not examined for longest, the one with the lowest `EvictableState` is
    aborted. The newcomer itself, and connections that are being served, are not.
    """
    best: tuple[EvictableState, ClientConnection] | None = None
    looked_at: list[ClientConnection] = []
    for connection in islice(connections, MAX_EVICTION_CANDIDATES):
        looked_at.append(connection)
        state = None if connection is newcomer else connection.evictable_state
        if state is not None and (best is None or state < best[0]):
            best = state, connection
            if state is EvictableState.SILENT:
                break
    for connection in looked_at:
        connections[connection] = connections.pop(connection)  # behind the others
    if best is None:
        return False
    best[1].abort()
    del connections[best[1]]
    return True
