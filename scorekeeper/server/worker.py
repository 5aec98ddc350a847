"""gunicorn's own asynchronous worker, with limits of time and number on what clients keep open.

The worker waits for any number of clients in one thread, and leaves it to whoever runs it for how
long. Here each wait has an end: for the head of a request as long as a connection may be idle, for
a body as ``intake`` says, for whoever takes nothing of an answer ``SILENCE``.
"""

import asyncio
import resource
import socket
import struct
from asyncio import BaseTransport, TimerHandle
from collections import Counter
from contextlib import suppress
from typing import Any, Final

from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.glogging import Logger
from gunicorn.workers import gasgi

from scorekeeper.http.headers import always
from scorekeeper.server.bridge import Bridge

SILENCE: Final = 15.0  # seconds for which a client may take nothing of what is sent to it
BESIDE: Final = 256  # files that a process has open beside its connections
SENT_AHEAD: Final = 1 << 17  # bytes, and as many again: what the system keeps of an answer
AT_ONCE: Final = struct.pack("ii", 1, 0)  # of a socket that is closed: on, seconds
CUT: Final = "the connection ended before the body did"


class ServerLog(Logger):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's log without a line for each request, which it would make and then drop.

    By itself it leaves them out only where its log is configured by no dictionary.
    """

    access_log_enabled = False


class Protocol(ASGIProtocol):  # type: ignore[misc]
    """One connection."""

    address = ""
    left: asyncio.Future[None] | None = None  # done once nothing more comes of who asks
    _limit: TimerHandle | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """Let it in if there is room, and let it ask for something soon."""
        super().connection_made(transport)
        self.address = str((transport.get_extra_info("peername") or ("",))[0])
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT_AHEAD)
        if self.worker.enter(self):
            self._arm_keepalive_timer()
        else:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._leave()
        self.resume_writing()
        self.worker.leave(self)
        super().connection_lost(exc)

    def eof_received(self) -> bool:
        """Answer whom more is sent to, though nothing more comes; refuse a body that was cut."""
        self._leave()
        receiver = self._body_receiver
        if receiver is None:
            return False
        if not receiver._complete:  # noqa: SLF001
            self._send_error_response(400, CUT)
            return False
        self._keepalive = 0
        return True

    def pause_writing(self) -> None:
        """Let go of whoever takes nothing for long."""
        super().pause_writing()
        self._limit = self._limit or self._abort_later()

    def resume_writing(self) -> None:
        """Go on, as something was taken."""
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
        super().resume_writing()

    def _leave(self) -> None:
        if self.left is not None and not self.left.done():
            self.left.set_result(None)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is asked at this moment."""
        return bool(self._awaiting_request)

    def end(self) -> None:
        """Close an idle connection."""
        self._keepalive_timeout()

    def _abort_later(self) -> TimerHandle:
        handle: TimerHandle = self.worker.loop.call_later(SILENCE, self._abort)
        return handle

    def _abort(self) -> None:
        """Close it, and let the system forget what is still to be sent."""
        connection = self.transport.get_extra_info("socket")
        with suppress(OSError):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
        self.transport.abort()

    def _close_transport(self) -> None:
        super()._close_transport()
        self.transport.close()  # not yet done where the other end had gone
        if self._limit is None and self.transport.get_write_buffer_size():
            self._limit = self._abort_later()

    def _send_error_response(self, status: int, message: str, extra_headers: Any = ()) -> None:
        """Answer what is no request; ``message`` quotes it, and is not logged."""
        self.log.warning("Invalid request, answered with %d", status)
        headers = always(secure=self.worker.secure).items()
        super()._send_error_response(status, message, (*extra_headers, *headers))

    def _is_websocket_upgrade(self, _: Any) -> bool:
        return False

    def _build_http_scope(self, *request: Any) -> Any:
        self.left = self.worker.loop.create_future()
        return super()._build_http_scope(*request) | {
            "gunicorn.socket": self.transport.get_extra_info("socket"),
            "scorekeeper.gone": lambda: self._closed,
            "scorekeeper.left": self.left,
        }


gasgi.ASGIProtocol = Protocol  # the worker makes its connections by this name


class Worker(gasgi.ASGIWorker):  # type: ignore[misc]
    """Serves a WSGI application, in as many threads as gunicorn is told."""

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        """Take threads, of which the worker itself has one."""

    def init_process(self) -> None:
        """Begin, with room for as many open files as connections may be."""
        self._open: set[Protocol] = set()
        self._from: Counter[str] = Counter()
        self.worker_connections: int
        self.asgi: Any
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = self.worker_connections + BESIDE
        if soft != resource.RLIM_INFINITY and soft < wanted:
            highest = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (highest, hard))
            self.worker_connections = max(1, highest - BESIDE)
        super().init_process()

    def load_wsgi(self) -> None:
        """Load the application, and put it behind the bridge."""
        super().load_wsgi()
        self.wsgi = self.asgi
        self.secure: bool = self.wsgi.config["SESSION_COOKIE_SECURE"]
        places = self.wsgi.extensions["streams"].places
        places.most = min(places.most, self.worker_connections // 2)
        self.asgi = Bridge(self.wsgi, self.cfg.threads, self.wsgi.config["MAX_CONTENT_LENGTH"])

    def enter(self, connection: Protocol) -> bool:
        """Count a connection; whether there is room for it."""
        self._open.add(connection)
        self._from[connection.address] += 1
        most = self.wsgi.config["CONNECTIONS_AN_ADDRESS"] or self.worker_connections
        return len(self._open) <= self.worker_connections and self._from[connection.address] <= most

    def leave(self, connection: Protocol) -> None:
        """Count it no longer."""
        self._open.discard(connection)
        self._from[connection.address] -= 1
        if not self._from[connection.address]:
            del self._from[connection.address]

    def handle_exit_signal(self) -> None:
        """Begin to stop: as at an interrupt, end what would last."""
        self.cfg.worker_int(self)
        super().handle_exit_signal()

    async def _shutdown(self) -> None:
        for connection in [one for one in self._open if one.is_idle]:
            connection.end()
        await super()._shutdown()
