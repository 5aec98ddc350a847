"""The memory allocator of the C library, set up for a server."""

import ctypes
import sys
from typing import Final

M_TRIM_THRESHOLD: Final = -1  # M_TRIM_THRESHOLD of glibc's mallopt
M_MMAP_THRESHOLD: Final = -3  # M_MMAP_THRESHOLD
MIN_LARGE_BLOCK_BYTES: Final = (
    128 << 10
)  # of a block that has pages of its own, as glibc has it at first
MAX_SPARE_BYTES: Final = 1 << 20  # kept at the end of the heap


def return_large_blocks() -> None:
    """Set glibc's allocator to return each large block to the system when it is freed.

    By itself glibc learns from large blocks, such as request bodies, to keep them in its heaps.
    Smaller blocks between them then keep these from shrinking. Without glibc nothing happens.
    """
    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), "mallopt"):
        library.mallopt(M_MMAP_THRESHOLD, MIN_LARGE_BLOCK_BYTES)
        library.mallopt(M_TRIM_THRESHOLD, MAX_SPARE_BYTES)
