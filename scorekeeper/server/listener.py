"""New connections: the system's queue is emptied at once, and the addresses take turns.

To serve a connection costs the event loop far more than to take it from the system's queue. So the
connections of an address that comes again and again wait here, and those of others go before them.
Together they get a share of the loop's time. Nothing is spent on a client that is gone by then.
"""

import asyncio
import errno
import socket
from asyncio import Handle
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

from scorekeeper.base.fair_queue import FairQueue
from scorekeeper.http.client import address_of
from scorekeeper.server.tcp import TCP_CLOSE, TCP_CLOSE_WAIT, tcp_state
from scorekeeper.server.time_share import TimeShare

ACCEPT_SECONDS: Final = 0.005  # of one turn of the loop, for taking connections
OPENED_AT_ONCE: Final = 16  # connections that begin to be served in one turn
MOST_WAITING: Final = 2048  # connections that wait to be served
MOST_HALF_CLOSED: Final = 64  # of them, those of clients that send nothing more
CONNECTION_SECONDS: Final = 3e-4  # that the loop spends on beginning and ending one, about
SHARE: Final = 0.3  # of the time that passes, for new connections
BURST_SECONDS: Final = 0.1
TICK_SECONDS: Final = 0.01  # until more are opened where the share is spent
RETRY_SECONDS: Final = 1.0  # until more are taken where the system has no more files
SCARCE: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
# What Linux reports of a connection that failed before it was accepted.
FAILED: Final = (
    errno.ECONNABORTED, errno.EHOSTDOWN, errno.EHOSTUNREACH, errno.ENETDOWN, errno.ENETUNREACH,
    errno.ENOPROTOOPT, errno.EOPNOTSUPP, errno.EPERM, errno.EPROTO, errno.ETIMEDOUT,
)  # fmt: skip

Open = Callable[[socket.socket], Awaitable[Any]]


class AcceptedConnection(NamedTuple):
    """A connection that waits to be served."""

    address: str
    socket: socket.socket


class PacedListener:
    """Listening sockets, and the connections that wait to be served.

    gunicorn uses it like an ``asyncio.Server``.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        open_connection: Open,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self._loop, self._open, self._most_waiting = loop, open_connection, most_waiting
        self._sockets: list[socket.socket] = []
        self._waiting: FairQueue[AcceptedConnection] = FairQueue(loop.time)
        self._half_closed: deque[AcceptedConnection] = deque()  # those whose turn it was once
        self._share = TimeShare(SHARE, BURST_SECONDS, loop.time)
        self._next_turn: Handle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def listen(self, listening: socket.socket, backlog: int) -> None:
        """Accept connections from a bound socket."""
        listening.settimeout(0)
        listening.listen(backlog)
        self._sockets.append(listening)
        self._resume(listening)

    def close(self) -> None:
        """Accept no more; what was accepted is still served."""
        for listening in self._sockets:
            self._loop.remove_reader(listening)
            listening.close()
        self._sockets.clear()
        while (accepted := self._waiting.take()) or self._half_closed:
            self._serve(accepted or self._half_closed.popleft())

    async def wait_closed(self) -> None:
        """Wait for what was accepted to be served."""
        if self._tasks:
            await asyncio.wait(self._tasks)

    def charge(self, address: str, seconds: float) -> None:
        """Count more time that a connection of this address cost the loop at its beginning."""
        self._share.spend(seconds)
        self._waiting.charge(address, seconds)

    def _resume(self, listening: socket.socket) -> None:
        if listening in self._sockets:
            self._loop.add_reader(listening, self._accept, listening)

    def _accept(self, listening: socket.socket) -> None:
        end = self._loop.time() + ACCEPT_SECONDS
        try:
            while self._loop.time() < end and self._accept_one(listening):
                pass
        finally:
            if self._next_turn is None:
                self._open_some()

    def _accept_one(self, listening: socket.socket) -> bool:
        """Accept a connection. Return whether there may be another one."""
        try:
            client, peer = listening.accept()
        except (BlockingIOError, InterruptedError):
            return False
        except OSError as error:
            if error.errno in FAILED:
                return True
            if error.errno not in SCARCE:
                raise
            self._pause(listening, error)
            return False
        if tcp_state(client) == TCP_CLOSE:
            client.close()
            return True
        client.settimeout(0)
        address = address_of(str(peer[0])) if peer else ""
        self._waiting.put(address, AcceptedConnection(address, client))
        if len(self._waiting) > self._most_waiting:
            self._waiting.drop_one().socket.close()
        return True

    def _pause(self, listening: socket.socket, error: OSError) -> None:
        """Accept nothing for a while, as the system has no more files or memory."""
        self._loop.remove_reader(listening)
        self._loop.call_later(RETRY_SECONDS, self._resume, listening)
        message = "New connections have to wait: the system has no more files or memory"
        self._loop.call_exception_handler({"message": message, "exception": error})

    def _open_some(self) -> None:
        """Begin to serve as many connections as one turn of the loop has time for."""
        self._next_turn, opened = None, 0
        while opened < OPENED_AT_ONCE and not self._share.is_spent:
            accepted = self._waiting.take()
            if accepted is None and self._half_closed:
                accepted = self._half_closed.popleft()
            elif accepted is None:
                break
            elif self._waiting and tcp_state(accepted.socket) == TCP_CLOSE_WAIT:
                self._half_closed.append(accepted)
                if len(self._half_closed) > MOST_HALF_CLOSED:
                    self._half_closed.popleft().socket.close()
                continue
            opened += self._serve(accepted)
        if self._waiting or self._half_closed:
            delay = TICK_SECONDS if self._share.is_spent else 0.0
            self._next_turn = self._loop.call_later(delay, self._open_some)

    def _serve(self, accepted: AcceptedConnection) -> bool:
        """Serve a connection unless its client is gone. Return whether it is served."""
        if tcp_state(accepted.socket) == TCP_CLOSE:
            accepted.socket.close()
            return False
        self.charge(accepted.address, CONNECTION_SECONDS)
        task = self._loop.create_task(self._open_or_close(accepted.socket))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def _open_or_close(self, client: socket.socket) -> None:
        try:
            await self._open(client)
        except (OSError, asyncio.CancelledError):  # the client is gone, or TLS failed
            client.close()
