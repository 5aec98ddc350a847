"""A bound on the time that one kind of work takes: a share of all time, and a burst beyond it."""

import time
from collections.abc import Callable


class TimeShare:
    """Work of ``burst`` seconds at once, and for ``share`` of the time that passes."""

    def __init__(
        self, share: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._share, self._burst, self._clock = share, burst, clock
        self._spent, self._spent_at = 0.0, clock()  # seconds

    def spend(self, seconds: float) -> None:
        """Count this much work."""
        self._spent += seconds

    @property
    def is_spent(self) -> bool:
        """Return whether no more work may be done for now."""
        now = self._clock()
        self._spent = max(0.0, self._spent - (now - self._spent_at) * self._share)
        self._spent_at = now
        return self._spent >= self._burst
