"""The settings of Python's garbage collector: a pause, and how a server collects."""

import gc
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

# When a server collects each generation: the first in new objects, as many as a long page makes,
# the others in collections of the generation before. Full collections are frequent and short.
GC_THRESHOLDS: Final = (5_000, 10, 2)
OLDEST: Final = 2  # the generation of a full collection
SECONDS_BETWEEN_FULL_SEARCHES: Final = 3_600.0
# A search is also due once the process has twice as many blocks of memory, and this many more, as
# after the last search: objects that are not searched may have become garbage.
BLOCKS_BETWEEN_FULL_SEARCHES: Final = 50_000
MAX_GROWTH: Final = 12  # factor of blocks after which a process that is never idle searches, too
LOOK_SECONDS: Final = 1.0  # between two looks at whether the process is idle
MAX_IDLE_SHARE: Final = 0.05  # of a processor, that an idle process uses


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause garbage collection within the block.

    The parts of a file are all in use until the file is done, and imported modules stay; searching
    them again and again takes a fifth of the time.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class SurvivorSearch:
    """Lets full collections search what is new, and seldom everything.

    A full collection stops all threads. With a cache of several million objects it takes seconds,
    so everything is searched while the process is idle: once an hour, or after growth. Cached
    sessions have no reference cycles, so they are freed without the collector.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        count_blocks: Callable[[], int] = sys.getallocatedblocks,
        processor: Callable[[], float] = time.process_time,
    ) -> None:
        self._clock, self._count_blocks, self._processor = clock, count_blocks, processor
        self._searched_at, self._blocks = clock(), count_blocks()
        self._looked_at, self._used = clock(), processor()
        self._searches_all = False

    def begin(self) -> None:
        """Freeze what survives full collections from now on."""
        gc.callbacks.append(self.freeze)

    def run(self) -> None:
        """Search everything when that is due and the process is idle; this never ends."""
        while True:
            time.sleep(LOOK_SECONDS)
            self.look()

    def look(self) -> None:
        """Search everything if that is due, and the process has been idle since the last look."""
        passed, used = self._clock() - self._looked_at, self._processor() - self._used
        self._looked_at, self._used = self._clock(), self._processor()
        if self._is_due() and used <= MAX_IDLE_SHARE * passed:
            self._searches_all = True
            gc.collect()
            self._searches_all = False  # also if another thread was collecting, so this did nothing
            # Python searches next when a quarter as many objects are new as were searched last.
            gc.collect()

    def freeze(self, phase: str, info: Mapping[str, Any]) -> None:
        """Exclude all objects from the next collections; Python calls this before and after one."""
        if info["generation"] != OLDEST:
            return
        if phase == "start":
            if self._has_grown(MAX_GROWTH):
                self._searches_all = True
            if self._searches_all:
                gc.unfreeze()
            return
        if self._searches_all:
            self._searches_all = False
            self._searched_at, self._blocks = self._clock(), self._count_blocks()
        gc.freeze()

    def _is_due(self) -> bool:
        """Return whether everything should be searched at the next opportunity."""
        passed = self._clock() - self._searched_at
        return self._has_grown(2) or passed > SECONDS_BETWEEN_FULL_SEARCHES

    def _has_grown(self, factor: int) -> bool:
        """Return whether the memory has grown by a factor since everything was searched."""
        return self._count_blocks() > factor * self._blocks + BLOCKS_BETWEEN_FULL_SEARCHES


def search_survivors_seldom() -> None:
    """Let a `SurvivorSearch` decide from now on what the process searches."""
    search = SurvivorSearch()
    search.begin()
    threading.Thread(target=search.run, name="collector", daemon=True).start()
