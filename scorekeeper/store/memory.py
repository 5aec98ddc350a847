"""The store in memory: the same database tables in a SQLite database in memory."""

import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from typing import TypeVar

from sqlalchemy import StaticPool, create_engine

from scorekeeper.log.writing import now
from scorekeeper.store import transactions
from scorekeeper.store.contract import Clock, Durability, Position, Watch
from scorekeeper.store.sqlite_file import COMMON_PRAGMAS, wrap_connection
from scorekeeper.store.store import Store
from scorekeeper.store.tables import METADATA
from scorekeeper.store.work import Work

T = TypeVar("T")


@cache
def _schema() -> str:
    """Return the SQL script that creates the database tables; cached, as it takes long."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        METADATA.create_all(
            create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
        )
        return "\n".join(connection.iterdump())


class MemoryStore(Store):
    """The store in memory, for tests and experiments; one thread at a time."""

    _refusals = (sqlite3.IntegrityError,)

    def __init__(self, clock: Clock = now) -> None:
        self.clock = clock
        self.changed = threading.Condition()
        self.commits = 0
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        weakref.finalize(self, connection.close)
        for pragma in COMMON_PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        connection.executescript(_schema())
        self._work = wrap_connection(connection)

    def close(self) -> None:
        """Do nothing: the data live as long as the store object."""

    @contextmanager
    def reading(self) -> Iterator[Work]:
        """Yield the connection to one thread at a time."""
        with self.changed:
            yield self._work

    _reading = _snapshot = reading

    def _writing(self, lock: str, job: Callable[[Work], T], rows: int = 0) -> T:
        """Run a job in a transaction, under the lock of all readers, and notify listeners."""
        with self.changed:
            self._work.connection.execute("BEGIN")
            try:
                result = job(self._work)
                self._work.connection.execute("COMMIT")
            except BaseException:
                self._work.connection.execute("ROLLBACK")
                raise
            self.commits += 1
            self.changed.notify_all()
        return result

    def _deleting(self, lock: str, job: Callable[[Work], T]) -> T:
        """Run a job like any other: there are no triggers."""
        return self._writing(lock, job)

    def durability(self) -> Durability:
        return Durability("memory", durable=False, settings={})

    def complaints(self) -> list[str]:
        """Return an empty list: this store can always be used."""
        return []

    def watch(self) -> Watch:
        return ChangeListener(self)


class ChangeListener:
    """A `Watch` that is notified of every commit of a `MemoryStore`."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._last_commit = store.commits

    def wait(self, timeout: float, watched: Callable[[], Iterable[str]]) -> Mapping[str, Position]:
        """Wait for a commit; return the positions of all ``watched`` sessions, or nothing."""
        with self._store.changed:
            changed = self._store.changed.wait_for(
                lambda: self._store.commits > self._last_commit, timeout
            )
            self._last_commit = self._store.commits
        if not changed:
            return {}
        sessions = list(watched())
        with self._store.reading() as work:
            return transactions.positions(work, sessions)

    def close(self) -> None:
        """Do nothing: the listener holds no connection."""
