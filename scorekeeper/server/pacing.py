"""A bound on the time that the event loop spends on parsing what clients send.

The loop serves all clients in one thread. Some input costs far more than its size suggests, such as
a body in chunks of one byte. So the time of parsing is measured. A connection that cost more than a
little lately has to wait while the input of all such connections exceeds a share of the time that
passes. It is then parsed in small slices: the address that cost least has its turn first, so that
one that sends little keeps waiting for nobody. Of one address, new connections take turns with the
costly ones, of which those that cost most wait longer than others, but not for ever. A client that
begins anew whenever it has to wait gains nothing: what its address cost is remembered, and new
connections together have a share, too.

A request begins at once unless many do in the same turn of the loop. Then the addresses take turns
in the same way, within a share of the time. Requests of clients that send nothing more begin last:
most of these clients are gone, which only an answer would show.
"""

import time
from asyncio import Handle, TimerHandle
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from scorekeeper.base.fair_queue import FairQueue
from scorekeeper.server.time_share import TimeShare

FREE_SECONDS: Final = 2e-3  # that a connection may cost before its input has to wait
SHARE: Final = 0.25  # of the time that passes, for parsing what costs more
BURST_SECONDS: Final = 0.02  # beyond the share, before input has to wait
TICK_SECONDS: Final = 0.02  # between two rounds of parsing for connections that wait
READ_SECONDS: Final = 50e-6  # that the loop spends on each read beside parsing, about
REFUND: Final = 2e-4  # of the time that passes: how fast the cost of a connection is forgotten
DELAY: Final = 100  # times its cost, for which a connection stands behind cheaper ones
MOST_DELAY_SECONDS: Final = 2.0
FREE_SECONDS_OF_ALL: Final = 0.03  # that connections together may cost, each below its own bound
FREE_SHARE: Final = 0.1  # of the time that passes: how fast that is forgotten
TURN_SECONDS: Final = 0.005  # of one turn of the loop, for beginning requests or for parsing
REQUEST_SECONDS: Final = 5e-4  # that the loop spends on each request beside parsing, about
BEGIN_SHARE: Final = 0.5  # of the time that passes, for beginning requests where others wait
MOST_BEGIN_SHARE: Final = 2.0  # where the loop is prompt: the seconds of a request are a guess
BEGIN_BURST_SECONDS: Final = 0.1
MOST_HALF_CLOSED: Final = 64  # requests of clients that send nothing more and wait to begin


class PacedConnection(Protocol):
    """A connection whose input may have to wait."""

    address: str
    cost: float  # seconds of processor time, as of ``cost_at``
    cost_at: float

    @property
    def has_input(self) -> bool:
        """Return whether bytes have arrived that are not parsed yet."""

    @property
    def is_beginning(self) -> bool:
        """Return whether nothing of the next request is parsed yet."""

    @property
    def is_half_closed(self) -> bool:
        """Return whether the client sends nothing more, and may be gone."""

    @property
    def is_closed(self) -> bool:
        """Return whether the connection has ended."""

    def abort(self) -> None:
        """End the connection at once."""

    def parse_slice(self) -> None:
        """Parse a few of these bytes, and charge the pace for it."""

    def hold(self) -> None:
        """Read no more for now."""

    def release(self) -> None:
        """Read again."""


class ParsingPace:
    """Parses the input of all connections within a share of the loop's time."""

    def __init__(
        self,
        call_later: Callable[[float, Callable[[], None]], TimerHandle],
        call_soon: Callable[[Callable[[], None]], Handle],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._call_later, self._call_soon, self._clock = call_later, call_soon, clock
        self._costly = TimeShare(SHARE, BURST_SECONDS, clock)
        self._free = TimeShare(FREE_SHARE, FREE_SECONDS_OF_ALL, clock)
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
        """Parse what has arrived on a connection, now or when it is its turn."""
        if connection in self._queued:
            return
        while connection.has_input:
            if connection.is_beginning:
                if self._is_turn_over() or self._beginning or connection.is_half_closed:
                    self._let_begin_later(connection)
                    return
                self._begin(connection)
            elif not self._is_free(connection) and (self._waiting or self._costly.is_spent):
                connection.hold()
                self._enqueue(connection)
                self._timer = self._timer or self._call_later(TICK_SECONDS, self._take_turns)
                return
            else:
                connection.parse_slice()
        connection.release()

    def _begin(self, connection: PacedConnection) -> None:
        """Parse the beginning of a request."""
        began = self._clock()
        self._begin_soon()
        self._is_beginning = True
        try:
            connection.parse_slice()
        finally:
            self._is_beginning = False
            seconds = self._clock() - began + REQUEST_SECONDS
            self._begun += seconds
            self._beginnings.spend(seconds)
            self._beginning.charge(connection.address, seconds)

    def _let_begin_later(self, connection: PacedConnection) -> None:
        connection.hold()
        self._queued.add(connection)
        self._begin_soon()
        if not connection.is_half_closed:
            self._beginning.put(connection.address, connection)
            return
        self._half_closed.append(connection)
        if len(self._half_closed) > MOST_HALF_CLOSED:
            oldest = self._half_closed.popleft()
            self._queued.discard(oldest)
            oldest.abort()

    def _is_turn_over(self) -> bool:
        return self._begun >= TURN_SECONDS or self._beginnings.is_spent

    def _begin_soon(self) -> None:
        if self._next_turn is not None:
            return
        self._next_turn_due = self._clock()
        if self._beginnings.is_spent:
            self._next_turn_due += TICK_SECONDS
            self._next_turn = self._call_later(TICK_SECONDS, self._begin_some)
        else:
            self._next_turn = self._call_soon(self._begin_some)

    def _begin_some(self) -> None:
        """Let as many requests begin as one turn of the loop has time for."""
        self._next_turn, self._begun = None, 0.0
        self._beginnings.adapt(self._next_turn_due, MOST_BEGIN_SHARE)
        try:
            while not self._is_turn_over() and (connection := self._beginning.take()):
                if connection.is_half_closed:
                    self._let_begin_later(connection)
                else:
                    self._begin_waiting(connection)
            if not self._beginning and self._half_closed and not self._is_turn_over():
                self._begin_waiting(self._half_closed.popleft())
        finally:
            if self._beginning or self._half_closed:
                self._begin_soon()

    def _begin_waiting(self, connection: PacedConnection) -> None:
        self._queued.discard(connection)
        if connection.is_closed:
            connection.abort()
        elif connection.has_input:
            self._begin(connection)
            self.parse(connection)

    def charge(self, connection: PacedConnection, seconds: float, processor_seconds: float) -> None:
        """Count the time that was spent on the input of a connection.

        What the loop lost counts for all, also if other processes had the processor meanwhile. The
        connection is charged for its own part alone.
        """
        if not self._is_beginning:  # which has a share of its own
            share = self._free if self._is_free(connection) else self._costly
            share.spend(seconds + READ_SECONDS)
        connection.cost += processor_seconds + READ_SECONDS
        self._waiting.charge(queue_name(connection), processor_seconds + READ_SECONDS)

    def refund(self, connection: PacedConnection) -> None:
        """Take back what an ordinary request costs, as a whole one has arrived."""
        connection.cost = max(0.0, connection.cost - REQUEST_SECONDS)
        self._waiting.charge(queue_name(connection), -REQUEST_SECONDS)
        self._beginning.charge(connection.address, -REQUEST_SECONDS)

    def _is_free(self, connection: PacedConnection) -> bool:
        """Return whether the input of a connection need not wait.

        A new connection costs nothing yet, but many new ones may cost much together.
        """
        now = self._clock()
        refunded = (now - connection.cost_at) * REFUND
        connection.cost, connection.cost_at = max(0.0, connection.cost - refunded), now
        return connection.cost < FREE_SECONDS and not self._free.is_spent

    def _enqueue(self, connection: PacedConnection) -> None:
        self._queued.add(connection)
        due = self._clock() + min(DELAY * connection.cost, MOST_DELAY_SECONDS)
        self._waiting.put(queue_name(connection), connection, due)

    def _take_turns(self) -> None:
        self._timer = None
        end = self._clock() + TURN_SECONDS
        try:
            while (
                self._clock() < end
                and not self._costly.is_spent
                and (connection := self._waiting.take())
            ):
                self._parse_waiting(connection)
        finally:
            if self._waiting:
                self._timer = self._call_later(TICK_SECONDS, self._take_turns)

    def _parse_waiting(self, connection: PacedConnection) -> None:
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
    """Return the name under which a connection waits for its turn.

    The costly connections of an address take turns with its other ones, so that many new
    connections do not stop a large body.
    """
    return f"{connection.address} costly" if connection.cost >= FREE_SECONDS else connection.address
