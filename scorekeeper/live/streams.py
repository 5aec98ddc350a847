"""Streams of changes, as many at once as there are threads to spare for them."""

import threading
import time
from collections.abc import Iterator
from typing import Final

from scorekeeper.live.notifier import Notifier
from scorekeeper.store import Position

LIFE: Final = 60.0  # seconds until a stream ends, and who still watches begins another
HEARTBEAT: Final = 15.0  # seconds without a change after which a sign of life is due


class Streams:
    """The streams that are open in this process, at most so many.

    Each keeps a thread of the server. Were they not fewer than its threads, pages would wait
    for ever, and nobody would be told why.
    """

    def __init__(self, notifier: Notifier, most: int) -> None:
        self.notifier = notifier
        self._free = threading.BoundedSemaphore(most) if most else None

    def enter(self) -> bool:
        """Take a place; whether there was one. Whoever got one leaves it again."""
        return self._free is not None and self._free.acquire(blocking=False)

    def leave(self) -> None:
        """Give the place back."""
        if self._free is not None:
            self._free.release()

    def changes(self, session: str, since: int | None) -> Iterator[Position | None]:
        """Where the session ends: at once if that is not at ``since``, then at each change.

        None is a sign of life. Ends after a while, or when the server is to stop.
        """
        end = time.monotonic() + LIFE
        known = -1 if since is None else since
        while (left := end - time.monotonic()) > 0 and not self.notifier.stopped:
            position = self.notifier.changes(session, known, min(HEARTBEAT, left))
            if position is not None:
                known = position.version
            yield position
