"""A bound on the time that one kind of work takes: a share of all time, and a burst beyond it."""

import time
from collections.abc import Callable
from typing import Final

MAX_PROMPT_DELAY_SECONDS: Final = 0.01  # by which a turn of a prompt loop may be late


class TimeShare:
    """A budget of time for one kind of work, which is refilled as time passes.

    ``burst`` seconds may be spent at once; each second that passes gives back ``share`` seconds of
    them.
    """

    def __init__(
        self, share: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._least = self._share = share
        self._burst, self._clock = burst, clock
        self._spent, self._spent_at = 0.0, clock()  # seconds

    def adapt(self, due: float, most: float) -> None:
        """Set the share to ``most`` if a turn of the loop came when it was ``due``, else reset it.

        ``due`` is a time of the clock. If the turn came late, the loop has too much to do, and this
        work has to wait: the share is then the one of the constructor.
        """
        self._refund()
        self._share = most if self._clock() - due < MAX_PROMPT_DELAY_SECONDS else self._least

    def spend(self, seconds: float) -> None:
        """Spend this many seconds of the budget."""
        self._refund()  # for the time before
        self._spent += seconds

    @property
    def is_spent(self) -> bool:
        """Return whether the budget is used up for now."""
        self._refund()
        return self._spent >= self._burst

    def _refund(self) -> None:
        """Give back the share of the time that has passed since the last call."""
        now = self._clock()
        self._spent = max(0.0, self._spent - (now - self._spent_at) * self._share)
        self._spent_at = now
