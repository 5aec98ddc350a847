"""A pool of open connections, and a limit on the threads that use or await them."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from scorekeeper.base.errors import ScorekeeperError, StorageUnavailableError
from scorekeeper.store.work import Work

CONNECTION_TIMEOUT_SECONDS: Final = 1.0  # transactions take milliseconds
FULL_QUEUE_TIMEOUT_SECONDS: Final = 0.25  # of threads that wait when the queue is full

IN_USE: Final = "all connections to the database are in use"


class AdmissionControl:
    """Limits how many threads use a resource at once: at most ``most``; further threads wait.

    If a thread waits until its timeout, the database counts as stalled. Then no thread waits until
    a thread inside gets an answer again. So a database that does not answer blocks only the threads
    inside. At most ``queue`` threads wait for the full timeout at any time. ``full`` is the message
    of the error.
    """

    def __init__(self, most: int, queue: int, full: str) -> None:
        self._free = threading.BoundedSemaphore(most)
        self._queue = threading.BoundedSemaphore(queue)
        self._full = full
        self._stalled = False
        self.timeout = CONNECTION_TIMEOUT_SECONDS

    def enter(self) -> None:
        """Wait until the thread may enter.

        Raises `StorageUnavailableError` if it may not within the timeout.
        """
        if self._free.acquire(blocking=False):
            return
        if self._stalled or not self._wait_in_queue():
            self._stalled = True
            raise StorageUnavailableError(self._full)

    def _wait_in_queue(self) -> bool:
        """Wait for a place, only briefly if the queue is full; return whether there was one."""
        if not self._queue.acquire(blocking=False):
            return self._free.acquire(timeout=min(FULL_QUEUE_TIMEOUT_SECONDS, self.timeout))
        try:
            return self._free.acquire(timeout=self.timeout)
        finally:
            self._queue.release()

    def leave(self, *, answered: bool) -> None:
        """Free the thread's place; ``answered`` is whether the database answered it."""
        self._stalled &= not answered
        self._free.release()

    def __enter__(self) -> None:
        self.enter()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.leave(answered=kind is None or is_refusal(kind))


def is_refusal(kind: type[BaseException]) -> bool:
    """Return whether an error is a refusal by this project, so that the database did answer."""
    return issubclass(kind, ScorekeeperError) and not issubclass(kind, StorageUnavailableError)


class Pool:
    """A pool of at most ``most`` connections, each lent to one thread at a time.

    Connections are opened when needed, so a pool may be created before a fork.
    """

    def __init__(self, make: Callable[[], Work], most: int, queue: int) -> None:
        self._make = make
        self._idle: list[Work] = []
        self.admission = AdmissionControl(most, queue, IN_USE)

    @contextmanager
    def lend(self) -> Iterator[Work]:
        """Yield a connection; close it after an error, unless that is a refusal."""
        with self.admission:
            connection = self._take_idle() or self._make()
            try:
                yield connection
            except ScorekeeperError:  # a refusal; the connection is still good
                self._idle.append(connection)
                raise
            except BaseException:
                connection.close()
                raise
            self._idle.append(connection)

    def _take_idle(self) -> Work | None:
        """Return an idle connection that is alive, or None; close the others found."""
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:  # another thread took the last one
                return None
            if connection.is_alive():
                return connection
            connection.close()
        return None

    def close(self) -> None:
        """Close the idle connections."""
        while (connection := self._take_idle()) is not None:
            connection.close()
