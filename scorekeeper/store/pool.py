"""Connections kept open for the next who needs one."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from scorekeeper.base.errors import ScorekeeperError, StorageUnavailableError
from scorekeeper.store.work import Work

PATIENCE: Final = 1.0  # seconds that one waits for others, who take milliseconds
A_MOMENT: Final = 0.25  # seconds that one waits where many do

IN_USE: Final = "all connections to the database are in use"


class Places:
    """A few threads may be in at once; others wait, until one of them has waited in vain.

    From then on nobody waits before somebody comes out again who got what he went in for: a
    database that does not answer holds as many threads as there are places, and no more. Until
    then, too, not more than ``queue`` of them wait for longer than a moment.
    """

    def __init__(self, most: int, queue: int, full: str) -> None:
        self._free = threading.BoundedSemaphore(most)
        self._queue = threading.BoundedSemaphore(queue)
        self._full = full
        self._in_vain = False
        self.patience = PATIENCE

    def enter(self) -> None:
        """Take a place.

        Raises `StorageUnavailableError` if there is none.
        """
        if self._free.acquire(blocking=False):
            return
        if self._in_vain or not self._wait():
            self._in_vain = True
            raise StorageUnavailableError(self._full)

    def _wait(self) -> bool:
        if not self._queue.acquire(blocking=False):
            return self._free.acquire(timeout=min(A_MOMENT, self.patience))
        try:
            return self._free.acquire(timeout=self.patience)
        finally:
            self._queue.release()

    def leave(self, *, answered: bool) -> None:
        """Give the place back, and say whether the database answered."""
        self._in_vain &= not answered
        self._free.release()

    def __enter__(self) -> None:
        self.enter()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.leave(answered=kind is None or is_refusal(kind))


def is_refusal(kind: type[BaseException]) -> bool:
    """Whether an error is a refusal of our own, made of what the database answered."""
    return issubclass(kind, ScorekeeperError) and not issubclass(kind, StorageUnavailableError)


class Pool:
    """At most a given number of connections, each lent to one thread at a time, made when needed.

    Opens nothing until it is asked, so that it may be made before a fork.
    """

    def __init__(self, make: Callable[[], Work], most: int, queue: int) -> None:
        self._make = make
        self._idle: list[Work] = []
        self.places = Places(most, queue, IN_USE)

    @contextmanager
    def lend(self) -> Iterator[Work]:
        """Lend a connection; one that something went wrong with is closed and not lent again."""
        with self.places:
            connection = self._idle_one() or self._make()
            try:
                yield connection
            except ScorekeeperError:  # a refusal, which leaves the connection as it was
                self._idle.append(connection)
                raise
            except BaseException:
                connection.close()
                raise
            self._idle.append(connection)

    def _idle_one(self) -> Work | None:
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:  # another thread was faster
                return None
            if connection.is_alive():
                return connection
            connection.close()
        return None

    def close(self) -> None:
        """Close the connections that are idle."""
        while (connection := self._idle_one()) is not None:
            connection.close()
