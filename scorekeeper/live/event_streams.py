"""Streams of changes, by the thousand: each waits in the event loop of its server, in no thread.

All streams that follow the same session share one read of its state.
"""

import asyncio
import logging
import random
import time
from collections.abc import AsyncGenerator, Callable
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

from scorekeeper.base.errors import BusyError, ScorekeeperError, StorageUnavailableError
from scorekeeper.live.notifier import Notifier
from scorekeeper.live.shared_reads import SharedReads
from scorekeeper.live.slots import StreamSlot, StreamSlots
from scorekeeper.live.turns import StreamTurns
from scorekeeper.store import Position

STREAM_LIFE_SECONDS: Final = 60.0  # then the stream ends, and its client opens another
LIFE_FACTORS: Final = (0.8, 1.2)  # random, so that clients that began together spread out
MIN_GAP_SECONDS: Final = 0.2  # between two changes that one stream reports
FOLLOWED_POLL_SECONDS: Final = 2.0  # between two reads of sessions that a club stream follows
HEARTBEAT_SECONDS: Final = 5.0  # without a change, after which a heartbeat is due
STATE_RETRY_SECONDS: Final = 1.0  # after the store could not be read

logger = logging.getLogger(__name__)


class StreamState(NamedTuple):
    """The state of a watched session or club."""

    position: Position
    keys: frozenset[str]  # ids of the keys that open it
    tag: str = ""  # changes when the sessions that a club follows change


class WatchedStream(NamedTuple):
    """A watched session or club: its id, and a function that reads its state."""

    id: str
    read_state: Callable[[], StreamState]
    follows_others: bool = False  # other sessions, whose changes are not notified under this id


class LatestState:
    """The state that streams of the same session or club read last, for those that wake later."""

    def __init__(self) -> None:
        self.state: StreamState | None = None
        self.read_after = float("-inf")  # a time of the monotonic clock


class LoopListener:
    """Lets a coroutine wait for a notification that any thread may send, and then for its turn.

    ``notified_at`` is when the latest notification came, or the time for it was over.
    """

    def __init__(self, turns: StreamTurns, address: str) -> None:
        self.notified_at = time.monotonic()
        self._turns, self._address = turns, address
        self._is_woken = False  # since the last `clear`; set in any thread
        self._awaits_notification = False
        self._turn = asyncio.Event()

    def wake(self) -> None:
        """End the wait when the stream has its turn. May be called in any thread."""
        self.notified_at = time.monotonic()
        if not self._is_woken and not self._turns.loop.is_closed():
            self._is_woken = True
            self._turns.loop.call_soon_threadsafe(self._ask)

    async def wait(self, seconds: float) -> None:
        """Wait for the next notification, at most ``seconds``, and then for a turn."""
        self._awaits_notification = True
        if self._is_woken:
            self._ask()
        timer = self._turns.loop.call_later(seconds, self._time_out)
        await self._turn.wait()
        timer.cancel()

    def clear(self) -> None:
        """Forget earlier notifications."""
        self._is_woken = False
        self._turn.clear()

    def _time_out(self) -> None:
        """Ask for a turn, as the time to wait for a notification is over."""
        self.notified_at = time.monotonic()
        self._ask()

    def _ask(self) -> None:
        """Ask for a turn, if the coroutine waits and has not asked."""
        if self._awaits_notification:
            self._awaits_notification = False
            self._turns.ask(self._address, self._turn.set)


class Streams:
    """The open streams of this process, each in one of ``slots``; the notifier wakes them."""

    def __init__(self, notifier: Notifier, slots: StreamSlots) -> None:
        self.slots = slots
        self._notifier = notifier
        self._reads = SharedReads()
        self._latest: WeakValueDictionary[str, LatestState] = WeakValueDictionary()  # by watched id
        self._turns: StreamTurns | None = None

    async def states(
        self, watched: WatchedStream, slot: StreamSlot, key: str, since: int | None = None
    ) -> AsyncGenerator[StreamState | None, None]:
        """Yield the current state, unless it is at version ``since``; then each new state.

        Yields None as a heartbeat. Changes in quick succession are reported together, because each
        report makes every client request the session. Ends after `STREAM_LIFE_SECONDS`, or when
        the key with this id no longer opens the session, the slot is evicted, or the server stops.
        """
        life = STREAM_LIFE_SECONDS * random.uniform(*LIFE_FACTORS)  # noqa: S311  # no secret
        end = time.monotonic() + life
        known = (-1 if since is None else since, "")
        listener = LoopListener(self._turns_of_loop(), slot.address)
        latest = self._latest.setdefault(watched.id, LatestState())
        slot.wake = listener.wake
        self._notifier.subscribe(watched.id, listener.wake)
        try:
            while (left := end - time.monotonic()) > 0 and not self._is_over(slot):
                listener.clear()
                state = await self._read(watched, latest, listener.notified_at)
                if state is not None and key not in state.keys:
                    return
                if state is None or (state.position.version, state.tag) == known:
                    yield None
                else:
                    known = state.position.version, state.tag
                    yield state
                    await asyncio.sleep(MIN_GAP_SECONDS)
                await listener.wait(min(seconds_to_next_read(watched, state), left))
        except ScorekeeperError:
            logger.info("a watched session or club no longer exists")
        finally:
            self._notifier.unsubscribe(watched.id, listener.wake)

    def _turns_of_loop(self) -> StreamTurns:
        """Return the turns of the running loop. Our own server has one loop for all streams."""
        loop, turns = asyncio.get_running_loop(), self._turns
        if turns is None or turns.loop is not loop:
            turns = self._turns = StreamTurns(loop)
        return turns

    def _is_over(self, slot: StreamSlot) -> bool:
        """Return whether a stream has to end: its slot is evicted, or the server stops."""
        return slot.evicted or self._notifier.stopped

    async def _read(
        self, watched: WatchedStream, latest: LatestState, notified_at: float
    ) -> StreamState | None:
        """Return a state that was read after ``notified_at``; None if it cannot be read now.

        It is the latest one if that is new enough, or read once for all streams that ask.
        """
        if latest.read_after > notified_at:
            return latest.state
        asked_at = time.monotonic()
        future = asyncio.wrap_future(self._reads.read(watched.id, watched.read_state))
        try:
            state = await asyncio.shield(future)  # a stream that ends must not cancel it for others
        except (StorageUnavailableError, BusyError):
            return None
        if asked_at > latest.read_after:
            latest.state, latest.read_after = state, asked_at
        return state


def seconds_to_next_read(watched: WatchedStream, state: StreamState | None) -> float:
    """Return the seconds after which a stream reads the state again without a notification.

    ``state`` is None if the last read failed.
    """
    if state is None:
        return STATE_RETRY_SECONDS
    return FOLLOWED_POLL_SECONDS if watched.follows_others else HEARTBEAT_SECONDS
