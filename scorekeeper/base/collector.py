"""The collector of garbage, which looks for objects that hold only one another."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

SELDOM: Final = 5_000  # new objects until a server looks again, as many as a long page makes


@contextmanager
def uncollected() -> Iterator[None]:
    """Let it rest meanwhile.

    What a file is made of is all held until the file is done, and what is imported stays; to look
    through it again and again takes a fifth of the time.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
