"""Rates: how much of something somebody may do in some time, counted in this process.

Nothing is written for it, so that what is counted waits for no disk; where several processes
serve, each counts for itself. What is counted for good is in the store.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from typing import Final

from scorekeeper.base.errors import RateLimitError

A_MINUTE: Final = 60  # seconds
MOST_KNOWN: Final = 20_000  # of those who did something lately; who comes back is new again


class Rates:
    """Lets everybody do so much at once, and then as much as time gives back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._spent: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def hit(self, kind: str, subject: str, most: int, window: int, amount: int = 1) -> int:
        """Count so much more; 0 if it is allowed, else the whole seconds to wait.

        ``most`` in that many seconds. Who did nothing for long may do all of it at once, and even
        what is more than that if it comes in one.
        """
        with self._lock:
            now, place = self._clock(), (kind, subject)
            spent, at = self._spent.pop(place, (0.0, now))
            spent = max(0.0, spent - (now - at) * most / window)
            over = min(spent, spent + amount - most)
            allowed = over <= 0
            self._spent[place] = (spent + amount if allowed else spent), now
            if len(self._spent) > MOST_KNOWN:
                self._spent.popitem(last=False)
        return 0 if allowed else max(1, ceil(over * window / most))

    def refuse(self, kind: str, subject: str, most: int, window: int, amount: int = 1) -> None:
        """Count so much more.

        Raises `RateLimitError` if it is not allowed.
        """
        left = self.hit(kind, subject, most, window, amount)
        if left:
            raise RateLimitError(f"more than {most} in {window} seconds: {kind}", left)
