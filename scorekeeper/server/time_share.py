"""A bound on the time that one kind of work takes: a share of all time, and a burst beyond it."""

import time
from collections.abc import Callable
from typing import Final

PROMPT_SECONDS: Final = 0.01  # by which a turn of the loop may be late where little waits


class TimeShare:
    """Work of ``burst`` seconds at once, and for ``share`` of the time that passes."""

    def __init__(
        self, share: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._least = self._share = share
        self._burst, self._clock = burst, clock
        self._spent, self._spent_at = 0.0, clock()  # seconds

    def adapt(self, due: float, most: float) -> None:
        """Let the share be ``most`` if a turn of the loop came about when it was due.

        Otherwise the loop has more to do than it can, and other work has to wait.
        """
        self._refund()
        self._share = most if self._clock() - due < PROMPT_SECONDS else self._least

    def spend(self, seconds: float) -> None:
        """Count this much work."""
        self._refund()  # for the time before
        self._spent += seconds

    @property
    def is_spent(self) -> bool:
        """Return whether no more work may be done for now."""
        self._refund()
        return self._spent >= self._burst

    def _refund(self) -> None:
        now = self._clock()
        self._spent = max(0.0, self._spent - (now - self._spent_at) * self._share)
        self._spent_at = now
