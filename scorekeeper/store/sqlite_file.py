"""A SQLite file: how it is opened, watched and copied.

The rollback journal stays where it is (PERSIST) and the disk is waited for at each step (FULL):
what was committed is there after a power cut. WAL would be faster, but SQLite before 3.51.3 may
corrupt it.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from scorekeeper.base.errors import StorageUnavailableError, UnusableBackupError
from scorekeeper.store import statements, transactions
from scorekeeper.store.contract import Position
from scorekeeper.store.work import Work
from scorekeeper.store.writer import Gate

BUSY: Final = 5000  # milliseconds to wait for another process
GLANCE: Final = 0.1  # seconds between two looks at the data version

JOURNAL_MODE: Final = "persist"
SYNCHRONOUS: Final = {0: "off", 1: "normal", 2: "full", 3: "extra"}

OF_ALL: Final = (f"busy_timeout = {BUSY}", "foreign_keys = ON", "trusted_schema = OFF")
OF_READERS: Final = (*OF_ALL, "query_only = ON")
OF_WRITERS: Final = (
    *OF_ALL,
    f"journal_mode = {JOURNAL_MODE}",
    "synchronous = FULL",
    "recursive_triggers = ON",  # so that REPLACE fires the triggers against DELETE
    "journal_size_limit = 4194304",  # bytes that a large transaction may leave behind
    "cache_spill = OFF",  # so that readers are locked out by a commit and by nothing else
    "temp_store = MEMORY",
)

OF_COPIES: Final = (*OF_ALL, "journal_mode = MEMORY", "synchronous = OFF")


def create(path: Path) -> None:
    """Make an empty file, readable by its owner only, if there is none."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def connect(path: Path, pragmas: Iterable[str], *, mode: str = "rw") -> sqlite3.Connection:
    """A connection in autocommit mode to a file that is there, for any thread."""
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
    """A connection whose commits are durable.

    Raises `StorageUnavailableError` if they would not be.
    """
    connection = connect(path, OF_WRITERS)
    journal = modes(connection)["journal_mode"]
    if journal != JOURNAL_MODE:
        connection.close()
        raise StorageUnavailableError(
            f"the database is in journal mode {journal}, in use by another"
        )
    return connection


def refuse_unwritable(connection: sqlite3.Connection) -> None:
    """Raise what SQLite raises where a write fails, but write nothing."""
    connection.execute("BEGIN IMMEDIATE")  # this alone succeeds in a read-only file, too
    ((version,),) = connection.execute("PRAGMA user_version")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.execute("ROLLBACK")


def modes(connection: sqlite3.Connection) -> Mapping[str, str]:
    """The modes in effect on a connection that writes."""
    ((journal,),) = connection.execute("PRAGMA journal_mode")
    ((synchronous,),) = connection.execute("PRAGMA synchronous")
    return {"journal_mode": journal, "synchronous": SYNCHRONOUS[synchronous]}


def working(connection: sqlite3.Connection) -> Work:
    """A connection, to work with."""
    return Work(connection, statements.SQLITE)


class DataVersion:
    """Looks again and again whether another connection has committed something."""

    def __init__(self, path: Path, gate: Gate) -> None:
        self._gate = gate
        self._work = working(connect(path, OF_READERS))  # of its own: its own commits are
        self._seen = self._version()  # not what data_version counts

    def _version(self) -> int:
        with self._gate.reading():
            ((version,),) = self._work.connection.execute("PRAGMA data_version")
        return int(version)

    def wait(self, timeout: float, watched: Callable[[], Iterable[str]]) -> Mapping[str, Position]:
        end = time.monotonic() + timeout
        while (version := self._version()) == self._seen:
            if time.monotonic() >= end:
                return {}
            time.sleep(GLANCE)
        self._seen = version
        sessions = list(watched())
        with self._gate.reading():
            return transactions.positions(self._work, sessions)

    def close(self) -> None:
        self._work.close()


# ------------------------------------------------------------------------------------ copying


def copy(source: Path, target: Path) -> None:
    """Copy a database over another one, which may be in use, or to a new file.

    Either is read or written in one transaction. A new file is to be synced by the caller.
    """
    new = not target.exists()
    create(target)
    with (
        closing(connect(source, OF_READERS)) as read,
        closing(connect(target, OF_COPIES) if new else connect_to_write(target)) as written,
    ):
        read.backup(written)


def refuse_damaged(path: Path) -> None:
    """Let SQLite check a file.

    Raises `UnusableBackupError` if SQLite finds damage, or if the file is no database of SQLite.
    """
    try:
        with closing(connect(path, OF_READERS)) as connection:
            found = [row[0] for row in connection.execute("PRAGMA integrity_check")]
            found += [row[0] for row in connection.execute("PRAGMA foreign_key_check")]
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # it quotes what it found
        raise UnusableBackupError(f"the backup cannot be read: {error}") from error
    if found != ["ok"]:
        raise UnusableBackupError(f"the backup is damaged: {found[0]}")
