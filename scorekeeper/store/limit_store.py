"""Counters of acts that are limited, such as wrong codes: shared by all processes, and durable."""

from scorekeeper.store import limits, statements, transactions
from scorekeeper.store.database import Database
from scorekeeper.store.work import Work


class LimitStore(Database):
    """Counts acts by kind and subject; only hashes of subjects are stored."""

    def hit(self, kind: str, subject: str, most: int, window: int) -> int:
        """Count one more act of a subject; return 0 if it is allowed, else the seconds to wait.

        ``most`` acts are allowed in ``window`` seconds from the first one. All calls of one
        ``kind`` have to use the same window.
        """
        hashed = limits.subject_of(subject)

        def job(work: Work) -> int:
            now = self.clock()
            left = transactions.seconds_to_wait(work, kind, hashed, most, window, now)
            if not left:
                since = limits.time_before(now, window)
                work.change(statements.FORGET_LIMITS, kind=kind, since=since, now=now)
                work.change(statements.HIT, kind=kind, subject=hashed, since=since, now=now)
            return left

        return self.wait(kind, subject, most, window) or self._writing(f"limits {kind}", job)

    def wait(self, kind: str, subject: str, most: int, window: int) -> int:
        """Return the seconds until one more act is allowed, 0 for now; count nothing."""
        with self._reading() as work:
            hashed = limits.subject_of(subject)
            return transactions.seconds_to_wait(work, kind, hashed, most, window, self.clock())
