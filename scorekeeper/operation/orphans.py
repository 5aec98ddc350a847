"""Child processes that end with their parent, so that none keeps its port."""

import ctypes
import os
import signal
import sys
from typing import Final

PDEATHSIG: Final = 1  # PR_SET_PDEATHSIG of Linux's prctl


def kill_with_parent(parent: int) -> None:
    """Have this process killed when its parent dies, or exit if it has died already.

    ``parent`` is the id of the parent process. Only Linux supports this; elsewhere nothing happens.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            sys.exit(1)
