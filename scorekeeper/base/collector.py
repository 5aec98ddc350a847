"""A pause of Python's garbage collector, and the threshold that a server sets for it."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

# New objects until a server collects again, as many as a long page makes.
GC_THRESHOLD: Final = 5_000


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
