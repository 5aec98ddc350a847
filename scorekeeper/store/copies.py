"""A copy of a SQLite database: whether it is one that this program would have made.

A copy that ``backup`` made bears a digest of all its rows where SQLite leaves two numbers to
programs; in a database that is in use they are 0.
"""

import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from struct import unpack
from typing import Any, Final

from sqlalchemy import Column, LargeBinary

from scorekeeper.base.errors import UnusableBackupError, expected
from scorekeeper.log.reading import is_time
from scorekeeper.store import migrating
from scorekeeper.store.addresses import SqliteFile
from scorekeeper.store.sqlite_file import OF_COPIES, OF_READERS, connect, copy
from scorekeeper.store.tables import METADATA, TIME

# What ANALYZE leaves in a database: it says how large the tables are, and nothing else.
OF_SQLITE: Final = frozenset({
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
})  # fmt: skip
SCHEMA: Final = "SELECT type, name, tbl_name, sql FROM sqlite_master"
MARKS: Final = ("application_id", "user_version")

CopySchema = Mapping[str, tuple[str, str]]  # by kind and name: the table, and the statement


@contextmanager
def apart(path: Path, beside: Path) -> Iterator[Path]:
    """A copy of a file that nobody else writes to, in the folder of another, for a while."""
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=beside.parent) as folder:
        private = Path(folder) / "copy.db"
        try:
            copy(path, private)
        except sqlite3.DatabaseError as error:
            raise UnusableBackupError(f"the backup cannot be read: {error}") from error
        yield private


def refuse_other_schema(path: Path) -> None:
    """UnusableBackupError where a file has another schema than the migrations make."""
    with closing(connect(path, OF_READERS)) as connection:
        for complaint in differences(schema_of(connection), migrated()):
            raise UnusableBackupError(f"the backup is not as the migrations make it: {complaint}")


def refuse_odd_values(path: Path) -> None:
    """UnusableBackupError where something in a file is not of its column's kind."""
    with closing(connect(path, OF_READERS)) as connection:
        for complaint in odd_values(connection):
            raise UnusableBackupError(f"the backup is damaged: {complaint}")


# ------------------------------------------------------------------------------------ schema


def schema_of(connection: sqlite3.Connection) -> CopySchema:
    """Every table, index, trigger and view, with its statement in one spacing."""
    return {
        f"{kind} {name}": (table, " ".join((sql or "").split()))
        for kind, name, table, sql in connection.execute(SCHEMA)
    }


@cache
def migrated() -> CopySchema:
    """The schema of a database that was just made."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "new.db"
        migrating.migrate(SqliteFile(path))
        with closing(connect(path, OF_READERS)) as connection:
            return schema_of(connection)


def differences(found: CopySchema, due: CopySchema) -> Iterator[str]:
    """How one schema differs from the one that is due."""
    for name in sorted(found.keys() | due.keys()):
        if name not in found:
            yield f"the {name} is missing"
        elif name not in due and found[name][1] not in OF_SQLITE:
            yield f"the {name} is not in them"
        elif name in due and found[name] != due[name]:
            yield f"the {name} is another one there"


# ------------------------------------------------------------------------------------ values


def odd_values(connection: sqlite3.Connection) -> Iterator[str]:
    """What stands in a column and is not of its kind, which SQLite itself would let pass."""
    for table in METADATA.sorted_tables:
        names = ", ".join(f'"{column.name}"' for column in table.columns)
        for row in connection.execute(f"SELECT {names} FROM {table.name}"):  # noqa: S608  # our own
            for column, value in zip(table.columns, row, strict=True):
                if what := odd(column, value):
                    yield f"{table.name}, {column.name}: {what}"
    revisions = connection.execute(migrating.REVISION).fetchall()
    if revisions != [(migrating.head(),)]:
        yield f"alembic_version has {len(revisions)} rows, or another revision"


def odd(column: Column[Any], value: object) -> str | None:
    """Why a value cannot stand in a column; None where it can."""
    if value is None and column.nullable:
        return None
    if isinstance(column.type, LargeBinary):
        return None if type(value) is bytes else expected("bytes", value)
    longest = getattr(column.type, "length", None)
    if longest is None:
        return None if type(value) is int else expected("a whole number", value)
    if type(value) is not str:
        return expected("a text", value)
    if len(value) > longest or not (value.isascii() and value.isprintable()):
        return expected(f"at most {longest} printable characters of ASCII", value)
    return None if longest != TIME or is_time(value) else expected("a time", value)


# ------------------------------------------------------------------------------------ digest


def mark(path: Path) -> None:
    """Note in a copy what is in it."""
    with closing(connect(path, OF_COPIES)) as connection:
        _set(connection, _digest(connection))


def refuse_changed(path: Path) -> None:
    """UnusableBackupError where a copy bears the digest of other rows; takes the digest away."""
    with closing(connect(path, OF_COPIES)) as connection:
        marks = tuple(connection.execute(f"PRAGMA {name}").fetchone()[0] for name in MARKS)
        if any(marks) and marks != _digest(connection):
            raise UnusableBackupError(
                "the backup was changed since it was made: its digest differs"
            )
        _set(connection, (0, 0))


def _set(connection: sqlite3.Connection, marks: tuple[int, ...]) -> None:
    for name, number in zip(MARKS, marks, strict=True):
        connection.execute(f"PRAGMA {name} = {number}")


def _digest(connection: sqlite3.Connection) -> tuple[int, int]:
    """As much of the SHA-256 of all rows as two numbers of SQLite hold."""
    digest = sha256()
    for name in sorted(METADATA.tables):
        for row in connection.execute(f"SELECT * FROM {name}"):  # noqa: S608  # our own
            digest.update(f"{name}{row!r}\n".encode("utf-8", "surrogatepass"))
    first, second = unpack(">ii", digest.digest()[:8])
    return first or 1, second
