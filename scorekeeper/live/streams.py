"""Streams of changes, as many at once as there are threads to spare for them."""

import select
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final

from scorekeeper.live.notifier import Notifier
from scorekeeper.store import Position

LIFE: Final = 60.0  # seconds until a stream ends, and who still watches begins another
GAP: Final = 0.4  # seconds at least between two changes that one stream tells of
HEARTBEAT: Final = 5.0  # seconds without a change after which a sign of life is due
# Where the system can tell that the other end was closed before anything is written to it.
CLOSED: Final = getattr(select, "POLLRDHUP", 0)


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

    def changes(
        self, session: str, since: int | None, gone: Callable[[], bool] = lambda: False
    ) -> Iterator[Position | None]:
        """Where the session ends: at once if that is not at ``since``, then as it changes.

        Of changes that come fast on one another it tells together: each makes all who watch ask
        for the report. None is a sign of life. Ends after a while, when who watches is ``gone``,
        or when the server is to stop.
        """
        end = time.monotonic() + LIFE
        known, told = -1 if since is None else since, 0.0
        while (left := end - time.monotonic()) > 0 and not self.notifier.stopped:
            time.sleep(max(0.0, told + GAP - time.monotonic()))
            position = self.notifier.changes(session, known, min(HEARTBEAT, left), gone)
            if position is None and gone():
                return
            if position is not None:
                known, told = position.version, time.monotonic()
            yield position


def is_closed(connection: int) -> bool:
    """Whether the other end of a connection, by its file descriptor, was closed."""
    poll = select.poll()
    poll.register(connection, CLOSED)
    return bool(poll.poll(0))
