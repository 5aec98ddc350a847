"""The transactions of a store, which SQLite, PostgreSQL and the store in memory implement."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import ClassVar, Self, TypeVar

from scorekeeper.store.contract import Clock
from scorekeeper.store.work import Work

T = TypeVar("T")


class Database(ABC):
    """A clock, and connections within transactions."""

    clock: Clock
    _refusals: ClassVar[tuple[type[Exception], ...]]  # errors of rows that break a constraint

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Work]:
        """Yield a connection for one statement that reads; a context manager."""

    def _reading_row(self) -> AbstractContextManager[Work]:
        """Yield a connection for one statement that reads a single row."""
        return self._reading()

    @abstractmethod
    def _snapshot(self) -> AbstractContextManager[Work]:
        """Yield a connection for several statements, which all read the same state."""

    @abstractmethod
    def _writing(self, lock: str, job: Callable[[Work], T], rows: int = 0) -> T:
        """Run ``job``, which inserts about ``rows`` rows, in one transaction; return its result.

        Transactions with the same ``lock`` run one after another. A job that failed may run again
        from its start. If it raises an error, nothing is written.
        """

    def _writing_disposable(self, lock: str, job: Callable[[Work], object]) -> None:
        """Run a job like ``_writing``, but perhaps without waiting for a durable commit."""
        self._writing(lock, job)

    @abstractmethod
    def _deleting(self, lock: str, job: Callable[[Work], T]) -> T:
        """Run a job like ``_writing`` that may also delete rows of append-only tables."""

    @abstractmethod
    def close(self) -> None:
        """Close all connections. The store opens new ones when it is used again."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
