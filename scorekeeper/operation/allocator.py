"""The memory allocator of the C library, set up for a server."""

import ctypes
import sys
from typing import Final

TRIM_THRESHOLD: Final = -1  # M_TRIM_THRESHOLD of glibc's mallopt
MMAP_THRESHOLD: Final = -3  # M_MMAP_THRESHOLD
LARGE_BYTES: Final = 128 << 10  # of a block that has pages of its own, as glibc has it at first
MOST_SPARE_BYTES: Final = 1 << 20  # kept at the end of the heap


def return_large_blocks() -> None:
    """Return each large block to the system when it is freed.

    By itself glibc learns from large blocks, such as request bodies, to keep them in its heaps.
    Smaller blocks between them then keep these from shrinking. Elsewhere nothing happens.
    """
    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), "mallopt"):
        library.mallopt(MMAP_THRESHOLD, LARGE_BYTES)
        library.mallopt(TRIM_THRESHOLD, MOST_SPARE_BYTES)
