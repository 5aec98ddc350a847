"""A connection that runs the declared statements, for either database driver."""

from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import Any

from sqlalchemy import Executable

from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.store import statements
from scorekeeper.store.contract import Key
from scorekeeper.store.statements import Texts

Values = Mapping[str, Any]


class Work:
    """A connection of either driver, with the texts of the statements for that driver."""

    __slots__ = ("_texts", "connection")

    def __init__(self, connection: Any, texts: Texts) -> None:
        self.connection = connection
        self._texts = texts

    def rows(self, statement: Executable, /, **values: Any) -> list[Any]:
        """Run a statement and return all rows of its result."""
        rows: list[Any] = self.connection.execute(self._texts[statement], values).fetchall()
        return rows

    def lines_from(self, stream_id: str, after: int, upto: int) -> list[Any]:
        """Return seq, hash and line of the events of a session from ``after`` to ``upto``."""
        return self.rows(statements.LINES_FROM, session=stream_id, after=after, upto=upto)

    def change(self, statement: Executable, /, **values: Any) -> None:
        """Run a statement that changes rows."""
        self.connection.execute(self._texts[statement], values)

    def fill(self, statement: Executable, rows: Iterable[Values], /) -> None:
        """Insert rows.

        Raises `StorageUnavailableError` if the database did not insert all of them.
        """
        rows = list(rows)
        with closing(self.connection.cursor()) as cursor:
            cursor.executemany(self._texts[statement], rows)
            refuse_swallowed(cursor.rowcount, len(rows))

    def lock(self, name: str) -> None:
        """Acquire a lock until the end of the transaction, waiting for other transactions.

        Does nothing in SQLite, which has one writing transaction at a time.
        """

    def is_alive(self) -> bool:
        """Return whether the connection seems usable; checked without a query."""
        return True

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()


def refuse_swallowed(taken: int, sent: int) -> None:
    """Raise `StorageUnavailableError` if fewer rows were inserted than sent, as by a trigger."""
    if taken != sent:
        raise StorageUnavailableError(f"the database took {taken} of {sent} rows")


def key_values(key: Key, digest: bytes) -> Values:
    """Return the row of the database table ``keys`` for a key and its secret's digest."""
    return {**key.columns(), "digest": digest}
