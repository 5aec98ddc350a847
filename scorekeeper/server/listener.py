"""New connections: the system's queue is emptied at once, and the addresses take turns.

Serving a connection costs the event loop far more than taking it from the system's queue. So
connections wait here, and those of an address that costs much wait behind those of others.
Together, new connections get a share of the loop's time. None of it is spent on a client that is
gone when its turn comes.
"""

import asyncio
import errno
import socket
from asyncio import Handle
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

from scorekeeper.base.fair_queue import FairQueue
from scorekeeper.base.time_share import TimeShare
from scorekeeper.http.client import address_of
from scorekeeper.server.tcp import TCP_CLOSE, TCP_CLOSE_WAIT, tcp_state

MAX_ACCEPT_SECONDS_PER_TURN: Final = 0.005  # for taking connections from the system's queue
MAX_OPENED_PER_TURN: Final = 16  # connections that begin to be served in one turn of the loop
MAX_WAITING_CONNECTIONS: Final = 2048  # connections that wait to be served
MAX_HALF_CLOSED_ACCEPTED: Final = 64  # of waiting connections, those of half-closed clients
ESTIMATED_SECONDS_PER_CONNECTION: Final = 3e-4  # of the loop, for opening and closing one
NEW_CONNECTION_SHARE: Final = 0.3  # of the time that passes, for new connections
NEW_CONNECTION_BURST_SECONDS: Final = 0.1
NEXT_TURN_DELAY_SECONDS: Final = 0.01  # until more connections are opened if the share is spent
ACCEPT_RETRY_SECONDS: Final = 1.0  # until connections are accepted again after files ran out
OUT_OF_RESOURCES_ERRNOS: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
# What Linux reports of a connection that failed before it was accepted.
FAILED_CONNECTION_ERRNOS: Final = (
    errno.ECONNABORTED, errno.EHOSTDOWN, errno.EHOSTUNREACH, errno.ENETDOWN, errno.ENETUNREACH,
    errno.ENOPROTOOPT, errno.EOPNOTSUPP, errno.EPERM, errno.EPROTO, errno.ETIMEDOUT,
)  # fmt: skip

OpenConnection = Callable[[socket.socket], Awaitable[Any]]


class AcceptedConnection(NamedTuple):
    """A connection that is accepted and waits to be served, with its client's address."""

    address: str
    socket: socket.socket


class PacedListener:
    """Listening sockets, and the accepted connections that wait to be served.

    ``open_connection`` serves a socket; ``most_waiting`` connections may wait; ``on_close`` is
    called when it closes. gunicorn uses it like an ``asyncio.Server``.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        open_connection: OpenConnection,
        most_waiting: int = MAX_WAITING_CONNECTIONS,
        on_close: Callable[[], None] = lambda: None,
    ) -> None:
        self._loop, self._open, self._most_waiting = loop, open_connection, most_waiting
        self._on_close = on_close
        self._sockets: list[socket.socket] = []
        self._waiting: FairQueue[AcceptedConnection] = FairQueue(loop.time)
        self._half_closed: deque[AcceptedConnection] = deque()  # those whose turn it was once
        self._share = TimeShare(NEW_CONNECTION_SHARE, NEW_CONNECTION_BURST_SECONDS, loop.time)
        self._next_turn: Handle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def listen(self, listening: socket.socket, backlog: int) -> None:
        """Accept connections from a bound socket; the system queues ``backlog`` of them."""
        listening.settimeout(0)
        listening.listen(backlog)
        self._sockets.append(listening)
        self._resume(listening)

    def close(self) -> None:
        """Accept no more connections, and begin to serve all that wait."""
        self._on_close()
        for listening in self._sockets:
            self._loop.remove_reader(listening)
            listening.close()
        self._sockets.clear()
        while (accepted := self._waiting.take()) or self._half_closed:
            self._serve(accepted or self._half_closed.popleft())

    async def wait_closed(self) -> None:
        """Wait until all accepted connections are open or closed."""
        if self._tasks:
            await asyncio.wait(self._tasks)

    def charge(self, address: str, seconds: float) -> None:
        """Count loop time that opening a connection of this address took beyond the estimate."""
        self._share.spend(seconds)
        self._waiting.charge(address, seconds)

    def _resume(self, listening: socket.socket) -> None:
        """Accept connections from a socket again, unless it is closed."""
        if listening in self._sockets:
            self._loop.add_reader(listening, self._accept, listening)

    def _accept(self, listening: socket.socket) -> None:
        """Accept the connections that the system has queued, for a limited time.

        Begin to serve some of them, unless a turn for that is due anyway.
        """
        end = self._loop.time() + MAX_ACCEPT_SECONDS_PER_TURN
        try:
            while self._loop.time() < end and self._accept_one(listening):
                pass
        finally:
            if self._next_turn is None:
                self._open_some()

    def _accept_one(self, listening: socket.socket) -> bool:
        """Accept one connection and queue it. Return whether there may be another one.

        If too many wait, one of the address with most of them is closed.
        """
        try:
            client, peer = listening.accept()
        except (BlockingIOError, InterruptedError):
            return False
        except OSError as error:
            if error.errno in FAILED_CONNECTION_ERRNOS:
                return True
            if error.errno not in OUT_OF_RESOURCES_ERRNOS:
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
        """Accept nothing for ``ACCEPT_RETRY_SECONDS``: the system has no more files or memory."""
        self._loop.remove_reader(listening)
        self._loop.call_later(ACCEPT_RETRY_SECONDS, self._resume, listening)
        message = "New connections have to wait: the system has no more files or memory"
        self._loop.call_exception_handler({"message": message, "exception": error})

    def _open_some(self) -> None:
        """Begin to serve as many connections as one turn of the loop has time for.

        Those of half-closed clients are served when no other waits. If any are left, another turn
        is scheduled.
        """
        self._next_turn, opened = None, 0
        while opened < MAX_OPENED_PER_TURN and not self._share.is_spent:
            accepted = self._waiting.take()
            if accepted is None and self._half_closed:
                accepted = self._half_closed.popleft()
            elif accepted is None:
                break
            elif self._waiting and tcp_state(accepted.socket) == TCP_CLOSE_WAIT:
                self._half_closed.append(accepted)
                if len(self._half_closed) > MAX_HALF_CLOSED_ACCEPTED:
                    self._half_closed.popleft().socket.close()
                continue
            opened += self._serve(accepted)
        if self._waiting or self._half_closed:
            delay = NEXT_TURN_DELAY_SECONDS if self._share.is_spent else 0.0
            self._next_turn = self._loop.call_later(delay, self._open_some)

    def _serve(self, accepted: AcceptedConnection) -> bool:
        """Begin to serve a connection, unless its client is gone; return whether it is served."""
        if tcp_state(accepted.socket) == TCP_CLOSE:
            accepted.socket.close()
            return False
        self.charge(accepted.address, ESTIMATED_SECONDS_PER_CONNECTION)
        task = self._loop.create_task(self._open_or_close(accepted.socket))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def _open_or_close(self, client: socket.socket) -> None:
        """Open a connection; close its socket if that fails."""
        try:
            await self._open(client)
        except (OSError, asyncio.CancelledError):  # the client is gone, or TLS failed
            client.close()
