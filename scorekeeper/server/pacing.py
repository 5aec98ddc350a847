"""A bound on the time that the event loop spends on parsing what clients send.

The loop serves all clients in one thread. Some input costs far more than its size suggests, such as
a body in chunks of one byte. So the time of parsing is measured. A connection that has cost more
than a little lately is *costly*: its input waits while the input of all costly connections exceeds
a share of the time that passes. It is then parsed in small slices. The address that cost least has
the first turn, so a client that sends little does not wait long. New connections of an address take
turns with its costly ones; of these, the costliest wait longer than others, but not for ever. A
client gains nothing by a new connection: the cost of its address is remembered, and new connections
together have a share, too.

A request begins at once unless many begin in the same turn of the loop. Then the addresses take
turns in the same way, within a share of the time. Requests of half-closed clients begin last: most
of these clients are gone, which would show only when they are answered.
"""

import time
from asyncio import Handle, TimerHandle
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from scorekeeper.base.fair_queue import FairQueue
from scorekeeper.base.time_share import TimeShare

FREE_SECONDS_PER_CONNECTION: Final = 2e-3  # that one may cost before its input has to wait
COSTLY_SHARE: Final = 0.25  # of the time that passes, for parsing input of costly connections
COSTLY_BURST_SECONDS: Final = 0.02  # beyond the share, before input has to wait
ROUND_DELAY_SECONDS: Final = 0.02  # between two rounds of parsing for connections that wait
ESTIMATED_SECONDS_PER_READ: Final = 50e-6  # of the loop, beside parsing
COST_FORGOTTEN_PER_SECOND: Final = 2e-4  # seconds of a connection's cost forgotten in each second
DELAY_PER_COST: Final = 100  # seconds of delay behind cheaper connections, for each second of cost
MAX_DELAY_SECONDS: Final = 2.0  # of the delay that grows with the cost
FREE_BURST_SECONDS: Final = 0.03  # that cheap connections together may cost beyond FREE_SHARE
FREE_SHARE: Final = 0.1  # of the time that passes, for parsing input of cheap connections
MAX_TURN_SECONDS: Final = 0.005  # of one turn of the loop, for beginning requests or for a round
ESTIMATED_SECONDS_PER_REQUEST: Final = 5e-4  # of the loop, beside parsing
BEGIN_SHARE: Final = 0.5  # of the time that passes, for beginning requests if the loop is late
MAX_BEGIN_SHARE: Final = 2.0  # if the loop is prompt; over 1, as the seconds are estimates
BEGIN_BURST_SECONDS: Final = 0.1  # beyond the share, before requests wait to begin
MAX_HALF_CLOSED_UNPARSED: Final = 64  # requests of half-closed clients that wait to begin


class PacedConnection(Protocol):
    """A connection whose input may have to wait, as the pace uses it."""

    address: str
    cost: float  # seconds of processor time, as of ``cost_at``
    cost_at: float

    @property
    def has_input(self) -> bool:
        """Return whether there are bytes that may be parsed now."""

    @property
    def is_beginning(self) -> bool:
        """Return whether no byte of the next request has been parsed."""

    @property
    def is_half_closed(self) -> bool:
        """Return whether the client sends nothing more, and may be gone."""

    @property
    def is_closed(self) -> bool:
        """Return whether the connection has ended."""

    def abort(self) -> None:
        """Close the connection at once."""

    def parse_slice(self) -> None:
        """Parse a small part of the input, and charge the pace for the time."""

    def hold(self) -> None:
        """Stop reading from the client."""

    def release(self) -> None:
        """Read from the client again."""


class ParsingPace:
    """Parses the input of all connections within a share of the loop's time.

    ``call_later`` and ``call_soon`` are those of the loop, ``clock`` counts seconds.
    """

    def __init__(
        self,
        call_later: Callable[[float, Callable[[], None]], TimerHandle],
        call_soon: Callable[[Callable[[], None]], Handle],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._call_later, self._call_soon, self._clock = call_later, call_soon, clock
        self._costly = TimeShare(COSTLY_SHARE, COSTLY_BURST_SECONDS, clock)
        self._free = TimeShare(FREE_SHARE, FREE_BURST_SECONDS, clock)
        self._beginnings = TimeShare(BEGIN_SHARE, BEGIN_BURST_SECONDS, clock)
        self._waiting: FairQueue[PacedConnection] = FairQueue(clock)
        self._timer: TimerHandle | None = None
        self._beginning: FairQueue[PacedConnection] = FairQueue(clock)
        self._half_closed: deque[PacedConnection] = deque()
        self._queued: set[PacedConnection] = set()  # those that wait, for whatever reason
        self._begun = 0.0  # seconds for requests that began in this turn of the loop
        self._next_turn: Handle | None = None
        self._next_turn_due = 0.0
        self._is_beginning = False  # whether a request begins at this moment

    def parse(self, connection: PacedConnection) -> None:
        """Parse the input of a connection now, or queue the connection if it has to wait.

        A queued connection is held, and released when its input is parsed.
        """
        if connection in self._queued:
            return
        while connection.has_input:
            if connection.is_beginning:
                if self._is_turn_used_up() or self._beginning or connection.is_half_closed:
                    self._queue_beginning(connection)
                    return
                self._begin(connection)
            elif not self._is_free(connection) and (self._waiting or self._costly.is_spent):
                connection.hold()
                self._enqueue(connection)
                self._timer = self._timer or self._call_later(
                    ROUND_DELAY_SECONDS, self._parse_round
                )
                return
            else:
                connection.parse_slice()
        connection.release()

    def _begin(self, connection: PacedConnection) -> None:
        """Parse the first slice of a request, and count its time and the estimate for a request."""
        began = self._clock()
        self._schedule_beginnings()
        self._is_beginning = True
        try:
            connection.parse_slice()
        finally:
            self._is_beginning = False
            seconds = self._clock() - began + ESTIMATED_SECONDS_PER_REQUEST
            self._begun += seconds
            self._beginnings.spend(seconds)
            self._beginning.charge(connection.address, seconds)

    def _queue_beginning(self, connection: PacedConnection) -> None:
        """Hold a connection, and queue it until its request may begin.

        If too many half-closed ones wait, abort the oldest.
        """
        connection.hold()
        self._queued.add(connection)
        self._schedule_beginnings()
        if not connection.is_half_closed:
            self._beginning.put(connection.address, connection)
            return
        self._half_closed.append(connection)
        if len(self._half_closed) > MAX_HALF_CLOSED_UNPARSED:
            oldest = self._half_closed.popleft()
            self._queued.discard(oldest)
            oldest.abort()

    def _is_turn_used_up(self) -> bool:
        """Return whether no more requests may begin in this turn of the loop."""
        return self._begun >= MAX_TURN_SECONDS or self._beginnings.is_spent

    def _schedule_beginnings(self) -> None:
        """Schedule `_begin_queued` for the next turn of the loop, unless it is scheduled.

        If the share of time is spent, it comes ``ROUND_DELAY_SECONDS`` later.
        """
        if self._next_turn is not None:
            return
        self._next_turn_due = self._clock()
        if self._beginnings.is_spent:
            self._next_turn_due += ROUND_DELAY_SECONDS
            self._next_turn = self._call_later(ROUND_DELAY_SECONDS, self._begin_queued)
        else:
            self._next_turn = self._call_soon(self._begin_queued)

    def _begin_queued(self) -> None:
        """Let as many queued requests begin as one turn of the loop has time for.

        One request of a half-closed client begins if no other waits.
        """
        self._next_turn, self._begun = None, 0.0
        self._beginnings.adapt(self._next_turn_due, MAX_BEGIN_SHARE)
        try:
            while not self._is_turn_used_up() and (connection := self._beginning.take()):
                if connection.is_half_closed:
                    self._queue_beginning(connection)
                else:
                    self._begin_unless_closed(connection)
            if not self._beginning and self._half_closed and not self._is_turn_used_up():
                self._begin_unless_closed(self._half_closed.popleft())
        finally:
            if self._beginning or self._half_closed:
                self._schedule_beginnings()

    def _begin_unless_closed(self, connection: PacedConnection) -> None:
        """Take a connection from the queue and begin its request; abort it if the client left."""
        self._queued.discard(connection)
        if connection.is_closed:
            connection.abort()
        elif connection.has_input:
            self._begin(connection)
            self.parse(connection)

    def charge(self, connection: PacedConnection, seconds: float, processor_seconds: float) -> None:
        """Count the time that parsing the input of a connection took.

        ``seconds`` of the clock count for the shares of all connections, even if other processes
        had the processor meanwhile. ``processor_seconds`` of the thread count for this connection
        and its address.
        """
        if not self._is_beginning:  # which has a share of its own
            share = self._free if self._is_free(connection) else self._costly
            share.spend(seconds + ESTIMATED_SECONDS_PER_READ)
        connection.cost += processor_seconds + ESTIMATED_SECONDS_PER_READ
        self._waiting.charge(queue_name(connection), processor_seconds + ESTIMATED_SECONDS_PER_READ)

    def refund(self, connection: PacedConnection) -> None:
        """Reduce a connection's cost by the estimate for a request, as a whole one has arrived."""
        connection.cost = max(0.0, connection.cost - ESTIMATED_SECONDS_PER_REQUEST)
        self._waiting.charge(queue_name(connection), -ESTIMATED_SECONDS_PER_REQUEST)
        self._beginning.charge(connection.address, -ESTIMATED_SECONDS_PER_REQUEST)

    def _is_free(self, connection: PacedConnection) -> bool:
        """Return whether the input of a connection need not wait.

        This needs a low cost of its own, and time in the share of all cheap connections: many new
        ones may cost much together. It also reduces the connection's cost by the time that has
        passed.
        """
        now = self._clock()
        refunded = (now - connection.cost_at) * COST_FORGOTTEN_PER_SECOND
        connection.cost, connection.cost_at = max(0.0, connection.cost - refunded), now
        return connection.cost < FREE_SECONDS_PER_CONNECTION and not self._free.is_spent

    def _enqueue(self, connection: PacedConnection) -> None:
        """Queue a connection for the next rounds, later the more it has cost."""
        self._queued.add(connection)
        due = self._clock() + min(DELAY_PER_COST * connection.cost, MAX_DELAY_SECONDS)
        self._waiting.put(queue_name(connection), connection, due)

    def _parse_round(self) -> None:
        """Parse slices of queued connections, within one turn and the share of costly input.

        If connections are left, another round is scheduled.
        """
        self._timer = None
        end = self._clock() + MAX_TURN_SECONDS
        try:
            while (
                self._clock() < end
                and not self._costly.is_spent
                and (connection := self._waiting.take())
            ):
                self._parse_waiting(connection)
        finally:
            if self._waiting:
                self._timer = self._call_later(ROUND_DELAY_SECONDS, self._parse_round)

    def _parse_waiting(self, connection: PacedConnection) -> None:
        """Parse a slice of a connection from the queue, and queue it again if input is left.

        Abort the connection if the client left.
        """
        self._queued.discard(connection)
        if connection.is_closed:
            connection.abort()
            return
        if connection.has_input:
            connection.parse_slice()
        if not connection.has_input:
            connection.release()
        elif connection.is_beginning:
            self.parse(connection)
        else:
            self._enqueue(connection)


def queue_name(connection: PacedConnection) -> str:
    """Return the name under which a connection waits: its address, with a suffix if it is costly.

    The costly connections of an address take turns with its other ones, so that many new
    connections do not stop a large body.
    """
    return (
        f"{connection.address} costly"
        if connection.cost >= FREE_SECONDS_PER_CONNECTION
        else connection.address
    )
