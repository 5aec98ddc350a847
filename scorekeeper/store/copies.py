"""Checks of a copied SQLite database: schema, types of values, and digest.

``backup`` stores a digest of all rows in a copy, in the two integers that SQLite reserves for
applications (``application_id`` and ``user_version``). In a database in use both are 0.
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
from scorekeeper.store.sqlite_file import COPY_PRAGMAS, READER_PRAGMAS, connect, copy_database
from scorekeeper.store.tables import METADATA, TIME_CHARACTERS

# The statistics tables that ANALYZE may create. They are allowed in a copy.
ANALYZE_TABLES: Final = frozenset({
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
})  # fmt: skip
SCHEMA: Final = "SELECT type, name, tbl_name, sql FROM sqlite_master"
DIGEST_PRAGMAS: Final = ("application_id", "user_version")

CopySchema = Mapping[str, tuple[str, str]]  # table and CREATE statement, by kind and name


@contextmanager
def private_copy(path: Path, beside: Path) -> Iterator[Path]:
    """Copy a database to a temporary file, in the folder of ``beside``, and delete it at the end.

    Raises `UnusableBackupError` if the database cannot be read.
    """
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=beside.parent) as folder:
        private = Path(folder) / "copy.db"
        try:
            copy_database(path, private)
        except sqlite3.DatabaseError as error:
            raise UnusableBackupError(f"the backup cannot be read: {error}") from error
        yield private


def refuse_other_schema(path: Path) -> None:
    """Raise `UnusableBackupError` if the schema of a file differs from that of the migrations."""
    with closing(connect(path, READER_PRAGMAS)) as connection:
        for difference in describe_differences(read_schema(connection), migrated_schema()):
            raise UnusableBackupError(f"the backup is not as the migrations make it: {difference}")


def refuse_wrong_values(path: Path) -> None:
    """Raise `UnusableBackupError` if a value in a file does not have the type of its column."""
    with closing(connect(path, READER_PRAGMAS)) as connection:
        for problem in describe_wrong_values(connection):
            raise UnusableBackupError(f"the backup is damaged: {problem}")


# ------------------------------------------------------------------------------------ schema


def read_schema(connection: sqlite3.Connection) -> CopySchema:
    """Return the table and statement of each table, index, trigger and view of a database."""
    return {
        f"{kind} {name}": (table, " ".join((sql or "").split()))
        for kind, name, table, sql in connection.execute(SCHEMA)
    }


@cache
def migrated_schema() -> CopySchema:
    """Return the schema that the migrations make; computed once, in a temporary file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "new.db"
        migrating.migrate(SqliteFile(path))
        with closing(connect(path, READER_PRAGMAS)) as connection:
            return read_schema(connection)


def describe_differences(actual: CopySchema, required: CopySchema) -> Iterator[str]:
    """Yield a description of each difference between a schema and the required one."""
    for name in sorted(actual.keys() | required.keys()):
        if name not in actual:
            yield f"the {name} is missing"
        elif name not in required and actual[name][1] not in ANALYZE_TABLES:
            yield f"the {name} is not in them"
        elif name in required and actual[name] != required[name]:
            yield f"the {name} is different"


# ------------------------------------------------------------------------------------ values


def describe_wrong_values(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield a description of each value in a database that does not fit its column.

    SQLite accepts any type in any column.
    """
    for table in METADATA.sorted_tables:
        names = ", ".join(f'"{column.name}"' for column in table.columns)
        for row in connection.execute(f"SELECT {names} FROM {table.name}"):  # noqa: S608  # our own
            for column, value in zip(table.columns, row, strict=True):
                if problem := explain_wrong_value(column, value):
                    yield f"{table.name}, {column.name}: {problem}"
    revisions = connection.execute(migrating.REVISION).fetchall()
    if revisions != [(migrating.head_revision(),)]:
        yield f"alembic_version has {len(revisions)} rows, or another revision"


def explain_wrong_value(column: Column[Any], value: object) -> str | None:
    """Return why a value cannot be in a column; None if it can."""
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
    return None if longest != TIME_CHARACTERS or is_time(value) else expected("a time", value)


# ------------------------------------------------------------------------------------ digest


def store_digest(path: Path) -> None:
    """Store the digest of all rows in a copied database."""
    with closing(connect(path, COPY_PRAGMAS)) as connection:
        _set_digest(connection, _compute_digest(connection))


def refuse_changed(path: Path) -> None:
    """Raise `UnusableBackupError` if a copy's digest is not that of its rows; else remove it."""
    with closing(connect(path, COPY_PRAGMAS)) as connection:
        marks = tuple(connection.execute(f"PRAGMA {name}").fetchone()[0] for name in DIGEST_PRAGMAS)
        if any(marks) and marks != _compute_digest(connection):
            raise UnusableBackupError(
                "the backup was changed since it was made: its digest differs"
            )
        _set_digest(connection, (0, 0))


def _set_digest(connection: sqlite3.Connection, marks: tuple[int, ...]) -> None:
    """Write the two integers of a digest to a database."""
    for name, number in zip(DIGEST_PRAGMAS, marks, strict=True):
        connection.execute(f"PRAGMA {name} = {number}")


def _compute_digest(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return the first 64 bits of the SHA-256 of all rows, as two integers; the first is not 0."""
    digest = sha256()
    for name in sorted(METADATA.tables):
        for row in connection.execute(f"SELECT * FROM {name}"):  # noqa: S608  # our own
            digest.update(f"{name}{row!r}\n".encode("utf-8", "surrogatepass"))
    first, second = unpack(">ii", digest.digest()[:8])
    return first or 1, second
