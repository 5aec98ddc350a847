"""Streams of changes, in thousands: each waits in the event loop of its server, in no thread.

What one of them looks up, all look up that follow the same session, once for all.
"""

import asyncio
import logging
import random
import time
from collections.abc import AsyncGenerator, Callable
from typing import Final, NamedTuple

from scorekeeper.base.errors import Busy, ScorekeeperError, StorageUnavailable
from scorekeeper.live.looks import Looks
from scorekeeper.live.notifier import Notifier
from scorekeeper.live.places import StreamPlace, StreamPlaces
from scorekeeper.store import Position

LIFE: Final = 60.0  # seconds until a stream ends, and who still watches begins another
APART: Final = (0.8, 1.2)  # of that: those that began together do not come back together
GAP: Final = 0.2  # seconds at least between two changes that one stream tells of
LOOK: Final = 2.0  # seconds after which to look again at others that a stream follows
HEARTBEAT: Final = 5.0  # seconds without a change after which a sign of life is due
AGAIN: Final = 1.0  # seconds after which to look again where the storage did not tell

logger = logging.getLogger(__name__)


class StreamState(NamedTuple):
    """How it stands with what is watched."""

    position: Position
    keys: frozenset[str]  # ids of those that open it
    tag: str = ""  # another one where what it follows is otherwise


class WatchedStream(NamedTuple):
    """What a stream is of: the id of a session or a club, and how to see how it stands."""

    id: str
    look: Callable[[], StreamState]
    follows_others: bool = False  # of which no change of its own tells


class LoopListener:
    """Waits in an event loop for what is told in any thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._heard = asyncio.Event()

    def wake(self) -> None:
        """Let it wait no more."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._heard.set)

    async def wait(self, seconds: float) -> None:
        """Wait for the next time it is told, at most so long."""
        timer = self._loop.call_later(seconds, self._heard.set)
        await self._heard.wait()
        timer.cancel()

    def begin(self) -> None:
        """What is told from now on is new."""
        self._heard.clear()


class Streams:
    """The streams that are open in this process, at most a given number."""

    def __init__(self, notifier: Notifier, most: int) -> None:
        self.places = StreamPlaces(most)
        self._notifier = notifier
        self._looks = Looks()

    async def sights(
        self, watched: WatchedStream, place: StreamPlace, key: str, since: int | None = None
    ) -> AsyncGenerator[StreamState | None, None]:
        """How it stands, unless that is at version ``since``; then each time it is otherwise.

        Of changes that come fast on one another it tells together: each makes all who watch ask
        for the report. None is a sign of life. Ends after a while, once the key with this id opens
        it no more, when the place is given up, or when the server is to stop.
        """
        end = time.monotonic() + LIFE * random.uniform(*APART)  # noqa: S311  # no secret
        known = (-1 if since is None else since, "")
        ear = LoopListener()
        place.wake = ear.wake
        self._notifier.follow(watched.id, ear.wake)
        try:
            while (left := end - time.monotonic()) > 0 and not self._is_over(place):
                ear.begin()
                sight = await self._seen(watched)
                if sight is not None and key not in sight.keys:
                    return
                if sight is None or (sight.position.version, sight.tag) == known:
                    yield None
                else:
                    known = sight.position.version, sight.tag
                    yield sight
                    await asyncio.sleep(GAP)
                await ear.wait(min(patience(watched, sight), left))
        except ScorekeeperError:
            logger.info("what was watched is there no more")
        finally:
            self._notifier.leave(watched.id, ear.wake)

    def _is_over(self, place: StreamPlace) -> bool:
        return place.given_up or self._notifier.stopped

    async def _seen(self, watched: WatchedStream) -> StreamState | None:
        """Return how it stands; None where that cannot be seen now, and can perhaps next time."""
        look = asyncio.wrap_future(self._looks.ask(watched.id, watched.look))
        try:
            return await asyncio.shield(look)  # who leaves does not take it from the others
        except (StorageUnavailable, Busy):
            return None


def patience(watched: WatchedStream, sight: StreamState | None) -> float:
    """Seconds after which to look again, though nothing was told."""
    if sight is None:
        return AGAIN
    return LOOK if watched.follows_others else HEARTBEAT
