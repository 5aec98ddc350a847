"""A limit on log lines that any client can cause, so that no client can fill the disk."""

import time
from collections.abc import Callable
from typing import Final

INTERVAL_SECONDS: Final = 60.0  # between two lines of a kind for one address
MAX_ADDRESSES: Final = 100  # with lines of their own, for each kind; all others share a line
OTHERS: Final = "others"


class LogThrottle:
    """Admits a line of a kind once a minute for an address, and counts the dropped lines.

    >>> throttle = LogThrottle(clock=lambda: 0.0)
    >>> throttle.admit("bad head", "192.0.2.7"), throttle.admit("bad head", "192.0.2.7")
    (0, None)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        # By kind and address: the time of the last line, and the number of lines dropped since.
        self._lines: dict[str, dict[str, tuple[float, int]]] = {}

    def admit(self, kind: str, address: str) -> int | None:
        """Return whether a line may be written: None if not, else how many were dropped before it.

        Addresses beyond ``MAX_ADDRESSES`` of a kind share one line.
        """
        now, lines = self._clock(), self._lines.setdefault(kind, {})
        if address not in lines and len(lines) >= MAX_ADDRESSES:
            address = OTHERS
        written, dropped = lines.get(address, (now - INTERVAL_SECONDS, 0))
        if now - written < INTERVAL_SECONDS:
            lines[address] = written, dropped + 1
            return None
        expired = [known for known, (at, _) in lines.items() if now - at >= INTERVAL_SECONDS]
        dropped = sum(lines.pop(known)[1] for known in expired)
        lines[address] = now, 0
        return dropped
