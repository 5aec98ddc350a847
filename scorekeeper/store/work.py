"""A connection to a database within a transaction, and what is written by it."""

from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import Any

from sqlalchemy import Executable

from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.store.contract import Key
from scorekeeper.store.statements import Texts

Values = Mapping[str, Any]


class Work:
    """A connection of either driver, and the texts of the statements as that takes them."""

    __slots__ = ("_texts", "connection")

    def __init__(self, connection: Any, texts: Texts) -> None:
        self.connection = connection
        self._texts = texts

    def rows(self, statement: Executable, /, **values: Any) -> list[Any]:
        """All rows of a result."""
        rows: list[Any] = self.connection.execute(self._texts[statement], values).fetchall()
        return rows

    def change(self, statement: Executable, /, **values: Any) -> None:
        """Run a statement that has no result."""
        self.connection.execute(self._texts[statement], values)

    def fill(self, statement: Executable, rows: Iterable[Values], /) -> None:
        """Insert rows.

        Raises `StorageUnavailableError` if the database did not take each of them.
        """
        rows = list(rows)
        with closing(self.connection.cursor()) as cursor:
            cursor.executemany(self._texts[statement], rows)
            refuse_swallowed(cursor.rowcount, len(rows))

    def lock(self, name: str) -> None:
        """Wait until no other transaction holds this lock, and hold it.

        Nothing in SQLite, where a transaction that writes is alone in the file.
        """

    def is_alive(self) -> bool:
        """Whether it can still be used, as far as can be told without asking the database."""
        return True

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()


def refuse_swallowed(taken: int, sent: int) -> None:
    """StorageUnavailableError where fewer rows were inserted than came, whatever kept them out."""
    if taken != sent:
        raise StorageUnavailableError(f"the database took {taken} of {sent} rows")


def key_values(key: Key, digest: bytes) -> Values:
    """A row of the table of keys."""
    return {**key.columns(), "digest": digest}
