"""Connections kept open for the next who needs one."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Generic, Protocol, TypeVar

from scorekeeper.errors import ScorekeeperError, StorageUnavailable

PATIENCE: Final = 5.0  # seconds that one waits for a connection


class Closes(Protocol):
    """What a pool holds."""

    def close(self) -> None: ...

    def is_alive(self) -> bool:
        """Whether it can still be used, as far as can be told without asking the database."""
        ...


C = TypeVar("C", bound=Closes)


class Pool(Generic[C]):
    """At most so many connections, each lent to one thread at a time, made when needed.

    Opens nothing until it is asked, so that it may be made before a fork.
    """

    def __init__(self, make: Callable[[], C], most: int, patience: float = PATIENCE) -> None:
        self._make = make
        self._idle: list[C] = []
        self._free = threading.BoundedSemaphore(most)
        self._patience = patience

    @contextmanager
    def lend(self) -> Iterator[C]:
        """Lend a connection; one that something went wrong with is closed and not lent again."""
        if not self._free.acquire(timeout=self._patience):
            raise StorageUnavailable("all connections to the database are in use")
        try:
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
        finally:
            self._free.release()

    def _idle_one(self) -> C | None:
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
