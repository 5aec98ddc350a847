"""Turns at the event loop for streams that wake, so that thousands do not delay everything else.

A change wakes all streams of its session at once, and each takes a part of a millisecond of the
loop that also serves requests. So a few streams begin in each turn of the loop. The address whose
streams cost least lately goes first: one with thousands of streams, at tables that change without
end, does not delay the updates of others. Where the loop has too much to do, all streams together
get a share of its time, and their changes are reported together, later.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from scorekeeper.base.fair_queue import FairQueue
from scorekeeper.base.time_share import TimeShare

ESTIMATED_SECONDS_PER_STREAM: Final = 2e-4  # of the loop, to read, to send, and to wait again
STREAMS_PER_TURN: Final = 20  # of the loop
LATE_SHARE: Final = 0.25  # of the time that passes, for all streams if the loop is late
MAX_SHARE: Final = 2.0  # if the loop is prompt; over 1, as the seconds are estimates
BURST_SECONDS: Final = 0.05  # beyond the share, before streams have to wait
ROUND_DELAY_SECONDS: Final = 0.02  # between two turns if the share is spent


class WaitingStream(NamedTuple):
    """A stream that waits for its turn: its address, and the function that lets it go on."""

    address: str
    begin: Callable[[], object]


class StreamTurns:
    """The turns of all streams of one event loop. All methods run in that loop."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.loop = loop
        self._clock = clock
        self._waiting: FairQueue[WaitingStream] = FairQueue(clock)
        self._share = TimeShare(LATE_SHARE, BURST_SECONDS, clock)
        self._is_scheduled = False
        self._due = 0.0

    def ask(self, address: str, begin: Callable[[], object]) -> None:
        """Call ``begin`` when a stream of this address has its turn."""
        self._waiting.put(address, WaitingStream(address, begin))
        self._schedule()

    def _schedule(self) -> None:
        """Schedule `_give` for the next turn of the loop, unless it is scheduled.

        If the share of time is spent, it comes ``ROUND_DELAY_SECONDS`` later.
        """
        if self._is_scheduled:
            return
        self._is_scheduled = True
        self._due = self._clock()
        if self._share.is_spent:
            self._due += ROUND_DELAY_SECONDS
            self.loop.call_later(ROUND_DELAY_SECONDS, self._give)
        else:
            self.loop.call_soon(self._give)

    def _give(self) -> None:
        """Let a few streams begin, and schedule the next turn if others wait."""
        self._is_scheduled = False
        self._share.adapt(self._due, MAX_SHARE)
        for _ in range(STREAMS_PER_TURN):
            if self._share.is_spent or not (stream := self._waiting.take()):
                break
            stream.begin()
            self._share.spend(ESTIMATED_SECONDS_PER_STREAM)
            self._waiting.charge(stream.address, ESTIMATED_SECONDS_PER_STREAM)
        if self._waiting:
            self._schedule()
