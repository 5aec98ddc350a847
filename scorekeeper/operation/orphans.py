"""Processes that end with the one that began them, so that none keeps its port."""

import ctypes
import os
import signal
import sys
from typing import Final

PDEATHSIG: Final = 1  # PR_SET_PDEATHSIG of Linux's prctl


def die_with(parent: int) -> None:
    """End this process at once when its parent is killed, or was; ``parent`` is its id.

    Where the system has no such thing nothing happens.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            sys.exit(1)
