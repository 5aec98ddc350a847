"""The requests that are recording now, for which reads wait a moment."""

import threading
import time


class ActiveWriters:
    """The requests that are recording now; each uses this object as a context.

    Reads wait for them at most ``backoff_seconds`` after the last one began, since a writer may
    import a whole log, and at busy tables some writer is always active.
    """

    def __init__(self, backoff_seconds: float) -> None:
        self._backoff_seconds = backoff_seconds
        self._active = 0
        self._until = 0.0  # when reads stop waiting, by the monotonic clock
        self._changed = threading.Condition()

    def __enter__(self) -> None:
        """Count a writer, and let reads wait from now on."""
        with self._changed:
            self._active += 1
            self._until = time.monotonic() + self._backoff_seconds

    def __exit__(self, *raised: object) -> None:
        """Count the writer no longer, and wake the waiting reads."""
        with self._changed:
            self._active -= 1
            self._changed.notify_all()

    def wait(self) -> None:
        """Wait until no writer is active, or the backoff of the last one has ended."""
        with self._changed:
            self._changed.wait_for(lambda: not self._active, self._until - time.monotonic())
