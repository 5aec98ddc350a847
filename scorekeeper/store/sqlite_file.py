"""Opening, watching and copying a SQLite file.

The rollback journal file is kept (PERSIST), and SQLite syncs at each step (FULL), so that commits
survive a power cut. WAL would be faster, but SQLite before 3.51.3 may corrupt a database in WAL
mode.
"""

import json
import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Executable

from scorekeeper.base.errors import StorageUnavailableError, UnusableBackupError
from scorekeeper.store import statements, transactions
from scorekeeper.store.contract import Position
from scorekeeper.store.work import Values, Work, refuse_swallowed
from scorekeeper.store.writer import Gate

BUSY_TIMEOUT_MILLISECONDS: Final = 5000  # to wait for another process
DATA_VERSION_POLL_SECONDS: Final = 0.1  # between two reads of the data version

MAX_PARAMETERS: Final = 30_000  # of a statement; SQLite takes 32,766
_PARAMETER: Final = re.compile(r":(\w+)")
_LINES: Final = statements.SQLITE[statements.LINES_FROM]
_AS_ONE_ROW: Final = f"SELECT json_group_array(json_array(seq, hash, hex(line))) FROM ({_LINES})"  # noqa: S608  # our own

JOURNAL_MODE: Final = "persist"
SYNCHRONOUS: Final = {0: "off", 1: "normal", 2: "full", 3: "extra"}

COMMON_PRAGMAS: Final = (
    f"busy_timeout = {BUSY_TIMEOUT_MILLISECONDS}", "foreign_keys = ON", "trusted_schema = OFF",
)  # fmt: skip
READER_PRAGMAS: Final = (*COMMON_PRAGMAS, "query_only = ON")
WRITER_PRAGMAS: Final = (
    *COMMON_PRAGMAS,
    f"journal_mode = {JOURNAL_MODE}",
    "synchronous = FULL",
    "recursive_triggers = ON",  # so that REPLACE fires the triggers against DELETE
    "journal_size_limit = 4194304",  # bytes; a large transaction leaves a larger journal otherwise
    "cache_spill = OFF",  # so that only a commit locks out readers
    "temp_store = MEMORY",
)

# Of a connection that deletes: nothing deleted stays in free pages, or in a journal that is kept.
DELETE_PRAGMAS: Final = (
    *COMMON_PRAGMAS,
    "journal_mode = DELETE",
    "synchronous = EXTRA",  # also when the journal is removed
    "secure_delete = ON",
    "temp_store = MEMORY",
)

COPY_PRAGMAS: Final = (*COMMON_PRAGMAS, "journal_mode = MEMORY", "synchronous = OFF")


def create(path: Path) -> None:
    """Create an empty file, readable by its owner only, if it does not exist."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def connect(path: Path, pragmas: Iterable[str], *, mode: str = "rw") -> sqlite3.Connection:
    """Open a connection in autocommit mode to an existing file, with pragmas, for any thread."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )
    try:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def connect_to_write(path: Path) -> sqlite3.Connection:
    """Open a connection whose commits are durable.

    Raises `StorageUnavailableError` if the journal mode cannot be set.
    """
    connection = connect(path, WRITER_PRAGMAS)
    journal = modes(connection)["journal_mode"]
    if journal != JOURNAL_MODE:
        connection.close()
        raise StorageUnavailableError(
            f"the database is in journal mode {journal}, in use by another"
        )
    return connection


def refuse_unwritable(connection: sqlite3.Connection) -> None:
    """Raise the `sqlite3.Error` of a failing write; change nothing if it would succeed."""
    connection.execute("BEGIN IMMEDIATE")  # this alone succeeds in a read-only file, too
    ((version,),) = connection.execute("PRAGMA user_version")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.execute("ROLLBACK")


def modes(connection: sqlite3.Connection) -> Mapping[str, str]:
    """Return the effective journal mode and synchronous mode of a writing connection."""
    ((journal,),) = connection.execute("PRAGMA journal_mode")
    ((synchronous,),) = connection.execute("PRAGMA synchronous")
    return {"journal_mode": journal, "synchronous": SYNCHRONOUS[synchronous]}


class SqliteWork(Work):
    """A connection to SQLite that inserts many rows by few statements.

    Each statement releases Python's global lock while it runs, and has to wait for it afterwards.
    While another thread computes, that takes milliseconds: with a statement for each row, an import
    would keep all other writers waiting for a minute.
    """

    def lines_from(self, stream_id: str, after: int, upto: int) -> list[Any]:
        """Return seq, hash and line of the events of a session from ``after`` to ``upto``.

        They are read as one row, since each row would wait for the lock. Damaged rows, which JSON
        cannot hold, are read one by one.
        """
        values = {"session": stream_id, "after": after, "upto": upto}
        try:
            ((rows,),) = self.connection.execute(_AS_ONE_ROW, values)
            return [(seq, head, bytes.fromhex(line)) for seq, head, line in json.loads(rows)]
        except (sqlite3.OperationalError, ValueError, TypeError):
            return super().lines_from(stream_id, after, upto)

    def fill(self, statement: Executable, rows: Iterable[Values], /) -> None:
        """Insert rows.

        Raises `StorageUnavailableError` if the database did not insert all of them.
        """
        rows = list(rows)
        insert, _, values = self._texts[statement].partition(" VALUES ")
        names = _PARAMETER.findall(values)
        places = f"({', '.join('?' * len(names))})"
        many = MAX_PARAMETERS // len(names)
        for first in range(0, len(rows), many):
            batch = rows[first : first + many]
            cursor = self.connection.execute(
                f"{insert} VALUES {', '.join([places] * len(batch))}",
                [row[name] for row in batch for name in names],
            )
            refuse_swallowed(cursor.rowcount, len(batch))


def wrap_connection(connection: sqlite3.Connection) -> Work:
    """Return a connection as `Work`, with the statements for SQLite."""
    return SqliteWork(connection, statements.SQLITE)


class DataVersion:
    """A `Watch` that polls whether another connection has committed."""

    def __init__(self, path: Path, gate: Gate) -> None:
        self._gate = gate
        # A separate connection, as data_version does not count commits of its own connection.
        self._work = wrap_connection(connect(path, READER_PRAGMAS))
        self._last_version = self._version()

    def _version(self) -> int:
        """Return SQLite's counter of commits by other connections."""
        with self._gate.reading():
            ((version,),) = self._work.connection.execute("PRAGMA data_version")
        return int(version)

    def wait(self, timeout: float, watched: Callable[[], Iterable[str]]) -> Mapping[str, Position]:
        """Poll until a commit; return the positions of ``watched`` sessions, or nothing."""
        end = time.monotonic() + timeout
        while (version := self._version()) == self._last_version:
            if time.monotonic() >= end:
                return {}
            time.sleep(DATA_VERSION_POLL_SECONDS)
        self._last_version = version
        sessions = list(watched())
        with self._gate.reading():
            return transactions.positions(self._work, sessions)

    def close(self) -> None:
        self._work.close()


# ------------------------------------------------------------------------------------ copying


def copy_database(source: Path, target: Path) -> None:
    """Copy a database over another one, which may be in use, or to a new file.

    Each of them is read or written in one transaction. The caller has to sync a new file.
    """
    new = not target.exists()
    create(target)
    with (
        closing(connect(source, READER_PRAGMAS)) as read,
        closing(connect(target, COPY_PRAGMAS) if new else connect_to_write(target)) as written,
    ):
        read.backup(written)


def refuse_damaged(path: Path) -> None:
    """Let SQLite check the integrity of a file.

    Raises `UnusableBackupError` if SQLite reports damage, or if the file is not a SQLite database.
    """
    try:
        with closing(connect(path, READER_PRAGMAS)) as connection:
            results = [row[0] for row in connection.execute("PRAGMA integrity_check")]
            results += [row[0] for row in connection.execute("PRAGMA foreign_key_check")]
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # SQLite may quote invalid UTF-8
        raise UnusableBackupError(f"the backup cannot be read: {error}") from error
    if results != ["ok"]:
        raise UnusableBackupError(f"the backup is damaged: {results[0]}")
