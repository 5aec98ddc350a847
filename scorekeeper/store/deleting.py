"""The deletion of a whole session or club by the operator.

All rows that hold the id of the stream are deleted in one transaction, in which the guards of the
append-only tables are off; they are on again when it commits. What stays is the id and the time, so
that what names the stream can say that it was deleted. A restored backup does not bring it back.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Column, Delete, Select, delete, func, select

from scorekeeper.store import statements, transactions
from scorekeeper.store.database import Database
from scorekeeper.store.migrating import GUARDS
from scorekeeper.store.tables import FOLLOWED, METADATA, SESSIONS
from scorekeeper.store.transactions import checked_id
from scorekeeper.store.work import Work

# Columns with the id of a session or club, beside foreign keys to the table of sessions.
_OTHER_COLUMNS: Final = (FOLLOWED.c.club, SESSIONS.c.id)

TRIGGERS: Final = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
NO_DELETE: Final = "_no_delete"  # the end of the names of SQLite's guards against DELETE
NO_CHANGE: Final = "_no_change"  # of PostgreSQL's guards, which also refuse DELETE


def list_columns() -> Iterator[Column[Any]]:
    """Yield each column that holds ids of streams, the columns that refer to others first."""
    for table in reversed(METADATA.sorted_tables):
        for column in table.columns:
            refers = any(key.column is SESSIONS.c.id for key in column.foreign_keys)
            if refers or column in _OTHER_COLUMNS:
                yield column


COLUMNS: Final = tuple(list_columns())
DELETIONS: Final[tuple[Delete, ...]] = tuple(
    delete(column.table).where(column == statements.SESSION) for column in COLUMNS
)
COUNTS: Final[Mapping[str, Select[Any]]] = {
    f"{column.table.name}.{column.name}": select(func.count())
    .select_from(column.table)
    .where(column == statements.SESSION)
    for column in COLUMNS
}


class DeleteStore(Database):
    """The part of a store that deletes whole streams."""

    def delete_stream(self, stream_id: str, *, remembered: bool = True) -> None:
        """Delete everything of a session or club, and remember that and when it was deleted.

        A demo is not ``remembered``. Raises `UnknownSessionError`, which is a `DeletedStreamError`
        if it was deleted before, and `StorageUnavailableError` if the role may not delete events.
        """

        def job(work: Work) -> None:
            transactions.position(work, stream_id)  # raises UnknownSessionError
            delete_rows(work, stream_id, self.clock() if remembered else None)

        self._deleting(checked_id(stream_id), job)

    def count_rows(self, stream_id: str) -> dict[str, int]:
        """Return how many rows hold the id of a stream, by table and column."""
        with self._snapshot() as work:
            return {
                name: work.rows(statement, session=checked_id(stream_id))[0][0]
                for name, statement in COUNTS.items()
            }

    def deleted_at(self, stream_ids: Iterable[str]) -> dict[str, str]:
        """Return, of these sessions and clubs, when each deleted one was deleted."""
        with self._reading() as work:
            return dict(transactions.query_in_batches(work, statements.DELETED_OF, stream_ids))

    def list_deleted(self) -> dict[str, str]:
        """Return all deleted sessions and clubs, with the time of the deletion."""
        with self._reading() as work:
            return dict(work.rows(statements.ALL_DELETED))


def delete_rows(work: Work, stream_id: str, at: str | None) -> None:
    """Delete every row with the id of a stream, and store that it was deleted at a time.

    Nothing is stored if the time is None. The guards against DELETE must be off.
    """
    for statement in DELETIONS:
        work.change(statement, session=stream_id)
    if at is not None:
        work.fill(statements.INSERT_DELETED, [{"id": stream_id, "at": at}])


def carry_deletions(work: Work, deleted: Mapping[str, str]) -> None:
    """Delete these streams in a SQLite copy that will replace the database, and store that."""
    known = dict(work.rows(statements.ALL_DELETED))
    with guards_off_sqlite(work.connection):
        for stream_id, at in deleted.items():
            if stream_id not in known:
                delete_rows(work, stream_id, at)


@contextmanager
def guards_off_sqlite(connection: Any) -> Iterator[None]:
    """Drop SQLite's triggers against DELETE within a transaction; create them again at its end.

    If the block fails, the caller has to roll back, which brings the triggers back, too.
    """
    known = dict(connection.execute(TRIGGERS).fetchall())
    names = sorted(name for name in GUARDS["sqlite"] if name.endswith(NO_DELETE))
    for name in names:
        connection.execute(f"DROP TRIGGER {name}")
    yield
    for name in names:
        connection.execute(known[name])


@contextmanager
def guards_off_postgresql(connection: Any) -> Iterator[None]:
    """Disable PostgreSQL's triggers against DELETE within a transaction; enable them at its end.

    Only the owner of the tables can. Nobody else writes to these tables until the commit: each
    statement takes a lock that excludes writers, and lets readers pass.
    """
    names = sorted(name for name in GUARDS["postgresql"] if name.endswith(NO_CHANGE))
    for name in names:
        connection.execute(f"ALTER TABLE {name.removesuffix(NO_CHANGE)} DISABLE TRIGGER {name}")
    yield
    for name in names:
        table = name.removesuffix(NO_CHANGE)
        connection.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")
