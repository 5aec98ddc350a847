"""A bound on the time that the event loop spends on parsing what clients send.

The loop serves all clients in one thread. Some input costs far more than its size suggests, such as
a body in chunks of one byte. So the time of parsing is measured. A connection that cost more than a
little lately has to wait while the input of all such connections exceeds a share of the time that
passes. It is then parsed in small slices: addresses take turns, and of one address the connections
that cost most wait longer than others, but not for ever. Cheap input never waits.
"""

import heapq
import time
from asyncio import TimerHandle
from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from typing import Final, Protocol

FREE_SECONDS: Final = 2e-3  # that a connection may cost before its input has to wait
SHARE: Final = 0.25  # of the time that passes, for parsing what costs more
BURST_SECONDS: Final = 0.02  # beyond the share, before input has to wait
TICK_SECONDS: Final = 0.02  # between two rounds of parsing for connections that wait
READ_SECONDS: Final = 50e-6  # that the loop spends on each read beside parsing, about
REFUND: Final = 2e-4  # of the time that passes: how fast the cost of a connection is forgotten
DELAY: Final = 100  # times its cost, for which a connection stands behind cheaper ones
MOST_DELAY_SECONDS: Final = 2.0


class PacedConnection(Protocol):
    """A connection whose input may have to wait."""

    address: str
    cost: float  # seconds of processor time, as of ``cost_at``
    cost_at: float

    @property
    def has_input(self) -> bool:
        """Return whether bytes have arrived that are not parsed yet."""

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
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._call_later, self._clock = call_later, clock
        self._debt, self._debt_at = 0.0, clock()  # seconds
        # By address, in the order of their turns: a heap of connections by when each is due.
        self._waiting: OrderedDict[str, list[tuple[float, int, PacedConnection]]] = OrderedDict()
        self._numbers = count()  # for connections that are due at the same time
        self._timer: TimerHandle | None = None

    def parse(self, connection: PacedConnection) -> None:
        """Parse what has arrived on a connection, now or when it is its turn."""
        while connection.has_input:
            if not self._is_cheap(connection) and (self._waiting or self._is_spent()):
                connection.hold()
                self._enqueue(connection)
                self._timer = self._timer or self._call_later(TICK_SECONDS, self._take_turns)
                return
            connection.parse_slice()

    def charge(self, connection: PacedConnection, seconds: float, processor_seconds: float) -> None:
        """Count the time that was spent on the input of a connection.

        What the loop lost counts for all, also if other processes had the processor meanwhile. The
        connection is charged for its own part alone.
        """
        if not self._is_cheap(connection):
            self._debt += seconds + READ_SECONDS
        connection.cost += processor_seconds + READ_SECONDS

    def _is_cheap(self, connection: PacedConnection) -> bool:
        now = self._clock()
        refunded = (now - connection.cost_at) * REFUND
        connection.cost, connection.cost_at = max(0.0, connection.cost - refunded), now
        return connection.cost < FREE_SECONDS

    def _is_spent(self) -> bool:
        now = self._clock()
        self._debt = max(0.0, self._debt - (now - self._debt_at) * SHARE)
        self._debt_at = now
        return self._debt >= BURST_SECONDS

    def _enqueue(self, connection: PacedConnection) -> None:
        heap = self._waiting.setdefault(connection.address, [])
        due = self._clock() + min(DELAY * connection.cost, MOST_DELAY_SECONDS)
        heapq.heappush(heap, (due, next(self._numbers), connection))

    def _take_turns(self) -> None:
        self._timer = None
        try:
            while self._waiting and not self._is_spent():
                self._take_turn()
        finally:
            if self._waiting:
                self._timer = self._call_later(TICK_SECONDS, self._take_turns)

    def _take_turn(self) -> None:
        address, heap = self._waiting.popitem(last=False)
        connection = heapq.heappop(heap)[-1]
        if heap:
            self._waiting[address] = heap  # behind the other addresses
        connection.parse_slice()
        if connection.has_input:
            self._enqueue(connection)
        else:
            connection.release()
