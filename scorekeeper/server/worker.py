"""gunicorn's own asynchronous worker, with limits on what clients keep open and cost."""

import resource
import socket
import time
from functools import partial
from itertools import islice
from typing import Any, Final

from gunicorn.glogging import Logger
from gunicorn.workers import gasgi

from scorekeeper.operation.log_throttle import LogThrottle
from scorekeeper.server.bridge import Bridge
from scorekeeper.server.connection import MOST_READ, ClientConnection, Spared
from scorekeeper.server.listener import MOST_WAITING, PacedListener
from scorekeeper.server.pacing import ParsingPace

OTHER_FILES: Final = 256  # that a process has open beside its connections
MOST_LOOKED_AT: Final = 128  # connections, for the one that ends where there are too many


class ServerLog(Logger):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's log without a line for each request, which it would make and then drop.

    By itself it leaves them out only where its log is configured by no dictionary.
    """

    access_log_enabled = False


gasgi.ASGIProtocol = ClientConnection  # the worker makes its connections by this name


class Worker(gasgi.ASGIWorker):  # type: ignore[misc]
    """Serves a WSGI application, in as many threads as gunicorn is told."""

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        """Take threads, of which the worker itself has one."""

    def init_process(self) -> None:
        """Begin, with room for as many open files as connections may be."""
        self._open: dict[str, dict[ClientConnection, None]] = {}  # by address
        self.log_throttle = LogThrottle()
        self.inbox = memoryview(bytearray(MOST_READ))  # into which all connections read
        self.listener: PacedListener | None = None
        self.worker_connections: int
        self.asgi: Any
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.most_waiting = MOST_WAITING
        wanted = self.worker_connections + MOST_WAITING + OTHER_FILES
        if soft != resource.RLIM_INFINITY and soft < wanted:
            highest = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (highest, hard))
            self.worker_connections, self.most_waiting = divide_files(
                highest, self.worker_connections
            )
        super().init_process()

    def load_wsgi(self) -> None:
        """Load the application, and put it behind the bridge."""
        super().load_wsgi()
        self.wsgi = self.asgi
        config = self.wsgi.config
        self.secure: bool = config["SESSION_COOKIE_SECURE"]
        self.pace = ParsingPace(self.loop.call_later, self.loop.call_soon)
        slots = self.wsgi.extensions["streams"].slots
        slots.max_streams = min(slots.max_streams, self.worker_connections // 2)
        self.asgi = Bridge(
            self.wsgi, self.cfg.threads, config["MAX_CONTENT_LENGTH"], config["PROXIES"]
        )

    def enter(self, connection: ClientConnection) -> bool:
        """Count a connection. Return whether there is capacity for it.

        If its address, or the process, has too many, one that waits for its client ends instead.
        """
        began = time.thread_time()
        try:
            return self._enter(connection)
        finally:
            if self.listener is not None:
                self.listener.charge(connection.address, time.thread_time() - began)

    def _enter(self, connection: ClientConnection) -> bool:
        of_address = self._open.setdefault(connection.address, {})
        of_address[connection] = None
        most = self.wsgi.config["CONNECTIONS_AN_ADDRESS"] or self.worker_connections
        if len(of_address) > most:
            return end_one(of_address, connection)
        if self.nr_conns > self.worker_connections:
            return end_one(max(self._open.values(), key=len), connection)
        return True

    def leave(self, connection: ClientConnection) -> None:
        """Count it no longer."""
        of_address = self._open.get(connection.address, {})
        of_address.pop(connection, None)
        if not of_address:
            self._open.pop(connection.address, None)

    def handle_exit_signal(self) -> None:
        """Begin to stop: as at an interrupt, end what would last."""
        self.cfg.worker_int(self)
        super().handle_exit_signal()

    async def _serve(self) -> None:
        self.loop.create_server = self._listen  # by which gunicorn listens, see `PacedListener`
        await super()._serve()

    async def _listen(
        self, factory: Any, *, sock: socket.socket, ssl: Any, **_: Any
    ) -> PacedListener:
        """Let as many connections wait as gunicorn is told.

        asyncio lets 100 wait, and the system of a phone tries again after a whole second.
        """
        if self.listener is None:
            open_connection = partial(self.loop.connect_accepted_socket, factory, ssl=ssl)
            self.listener = PacedListener(self.loop, open_connection, self.most_waiting)
        self.listener.listen(sock, self.cfg.backlog)
        return self.listener

    async def _shutdown(self) -> None:
        for connection in [one for some in self._open.values() for one in some if one.is_idle]:
            connection.end()
        await super()._shutdown()


def divide_files(files: int, connections: int) -> tuple[int, int]:
    """Divide open files: return how many connections may be open, and how many more may wait.

    >>> divide_files(65536, connections=3000)
    (3000, 2048)
    >>> divide_files(1024, connections=3000)
    (576, 192)
    """
    files -= OTHER_FILES
    waiting = max(1, min(MOST_WAITING, files // 4))
    return max(1, min(connections, files - waiting)), waiting


def end_one(connections: dict[ClientConnection, None], newcomer: ClientConnection) -> bool:
    """End a connection that can be spared. Return whether there was one.

    Of those that were not looked at for longest, the one that can best be spared ends.
    """
    best: tuple[Spared, ClientConnection] | None = None
    looked_at: list[ClientConnection] = []
    for connection in islice(connections, MOST_LOOKED_AT):
        looked_at.append(connection)
        spared = None if connection is newcomer else connection.spared
        if spared is not None and (best is None or spared < best[0]):
            best = spared, connection
            if spared is Spared.SILENT:
                break
    for connection in looked_at:
        connections[connection] = connections.pop(connection)  # behind the others
    if best is None:
        return False
    best[1].abort()
    del connections[best[1]]
    return True
