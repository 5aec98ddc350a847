"""A limit on log lines that any client can cause, so that nobody fills the disk with them."""

import time
from collections.abc import Callable
from typing import Final

SECONDS: Final = 60.0  # between two lines of a kind for one address
MOST_ADDRESSES: Final = 100  # that are told apart, of each kind; all others share one line
OTHERS: Final = "others"


class LogThrottle:
    """Admits a line of a kind once a minute for an address, and counts the lines left out.

    >>> throttle = LogThrottle(clock=lambda: 0.0)
    >>> throttle.admit("bad head", "192.0.2.7"), throttle.admit("bad head", "192.0.2.7")
    (0, None)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        # By kind and address: when its last line was written, and how many were left out since.
        self._lines: dict[str, dict[str, tuple[float, int]]] = {}

    def admit(self, kind: str, address: str) -> int | None:
        """Return None for a line to be left out, else how many of its kind were left out before."""
        now, lines = self._clock(), self._lines.setdefault(kind, {})
        if address not in lines and len(lines) >= MOST_ADDRESSES:
            address = OTHERS
        written, left_out = lines.get(address, (now - SECONDS, 0))
        if now - written < SECONDS:
            lines[address] = written, left_out + 1
            return None
        past = [one for one, (at, _) in lines.items() if now - at >= SECONDS]
        left_out = sum(lines.pop(one)[1] for one in past)
        lines[address] = now, 0
        return left_out
