"""How a store comes by a connection, which SQLite, PostgreSQL and the memory do each in its way."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import ClassVar, Self, TypeVar

from scorekeeper.store.contract import Clock
from scorekeeper.store.work import Work

T = TypeVar("T")


class Database(ABC):
    """What a store stands on: a clock, and connections within transactions."""

    clock: Clock
    _refusals: ClassVar[tuple[type[Exception], ...]]  # of what breaks a rule of a table

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Work]:
        """A connection for one statement that reads."""

    def _glancing(self) -> AbstractContextManager[Work]:
        """A connection for one statement that reads a row."""
        return self._reading()

    @abstractmethod
    def _snapshot(self) -> AbstractContextManager[Work]:
        """A connection for several statements that read one state."""

    @abstractmethod
    def _writing(self, lock: str, job: Callable[[Work], T]) -> T:
        """The result of a job done in one transaction, of which there is one for each lock.

        It may be done again from the start if it failed.
        """

    def _noting(self, lock: str, job: Callable[[Work], object]) -> None:
        """Do a job like ``_writing``, of which nobody minds if it is lost."""
        self._writing(lock, job)

    @abstractmethod
    def close(self) -> None:
        """Give back what is held open. The store may be used again, and opens it anew."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
