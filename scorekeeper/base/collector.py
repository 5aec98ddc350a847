"""The settings of Python's garbage collector: a pause, and how a server collects."""

import gc
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

# When a server collects each generation: the first in new objects, as many as a long page makes,
# the others in collections of the generation before. Full collections are frequent and short.
GC_THRESHOLDS: Final = (5_000, 10, 2)
OLDEST: Final = 2  # the generation of a full collection
SECONDS_BETWEEN_FULL_SEARCHES: Final = 3_600.0
# Everything is searched earlier once the process has twice as many blocks of memory, and this many
# more, as after the last search: objects that are not searched may have become garbage.
BLOCKS_BETWEEN_FULL_SEARCHES: Final = 50_000


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


def search_survivors_seldom(
    clock: Callable[[], float] = time.monotonic,
    count_blocks: Callable[[], int] = sys.getallocatedblocks,
) -> None:
    """Let full collections search what is new, and everything once an hour or after growth.

    A full collection stops all threads. With a cache of a million objects it takes most of a
    second. Cached sessions have no reference cycles, so they are freed without the collector.
    """
    searched_at, blocks, searches_all = clock(), count_blocks(), False

    def freeze(phase: str, info: Mapping[str, Any]) -> None:
        nonlocal searched_at, blocks, searches_all
        if info["generation"] != OLDEST:
            return
        if phase == "start":
            has_grown = count_blocks() > 2 * blocks + BLOCKS_BETWEEN_FULL_SEARCHES
            searches_all = has_grown or clock() - searched_at > SECONDS_BETWEEN_FULL_SEARCHES
            if searches_all:
                gc.unfreeze()
            return
        if searches_all:
            searched_at, blocks = clock(), count_blocks()
        gc.freeze()

    gc.callbacks.append(freeze)
