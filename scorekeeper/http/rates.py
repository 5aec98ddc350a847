"""Rate limits in the memory of this process.

Counting here waits for no disk. Each of several processes counts for itself; limits that have to
hold for all of them, or after a restart, are counted in the store.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from typing import Final

from scorekeeper.base.errors import RateLimitError

SECONDS_PER_MINUTE: Final = 60  # seconds
MAX_SUBJECTS: Final = 20_000  # counted at once; the one idle for longest is forgotten first


class Rates:
    """A token bucket for each pair of a kind of act and a subject, such as an address.

    It may be used by several threads.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._spent: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def hit(self, kind: str, subject: str, most: int, window: int, amount: int = 1) -> int:
        """Count ``amount`` and return 0 if it is allowed, else the whole seconds to wait.

        ``most`` are allowed in ``window`` seconds. An idle subject may do all of it at once, and
        even a single larger amount.
        """
        with self._lock:
            now, place = self._clock(), (kind, subject)
            spent, at = self._spent.pop(place, (0.0, now))
            spent = max(0.0, spent - (now - at) * most / window)
            over = min(spent, spent + amount - most)
            allowed = over <= 0
            self._spent[place] = (spent + amount if allowed else spent), now
            if len(self._spent) > MAX_SUBJECTS:
                self._spent.popitem(last=False)
        return 0 if allowed else max(1, ceil(over * window / most))

    def refuse(self, kind: str, subject: str, most: int, window: int, amount: int = 1) -> None:
        """Count ``amount`` as `hit` does. Raises `RateLimitError` if it is not allowed."""
        seconds_left = self.hit(kind, subject, most, window, amount)
        if seconds_left:
            raise RateLimitError(f"more than {most} in {window} seconds: {kind}", seconds_left)
