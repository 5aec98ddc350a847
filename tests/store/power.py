"""Simulated power cuts: SQLite's writes are recorded, and replayed on disks that lose some.

A disk keeps all data that was synced. Of the data written since, each sector of 512 bytes may be
lost, and so may the creation or deletion of a name. The recording uses apsw, which allows a VFS
in Python and contains its own SQLite; the remaining files are then read with Python's.
"""

import random
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import apsw

SECTOR: Final = 512

Operation = tuple[Any, ...]  # a verb, the name of a file, and arguments


# ----------------------------------------------------------------------------------- recording


@dataclass
class Recording:
    """The operations on the files of a folder, in order."""

    before: dict[str, bytes]
    operations: list[Operation] = field(default_factory=list)
    until_failure: int | None = None  # operations on files
    failure: int = apsw.SQLITE_IOERR

    def note(self, *operation: Any) -> None:
        """Record an operation before it is done; raise if it is the one that fails."""
        if self.until_failure is not None:
            self.until_failure -= 1
            if self.until_failure == 0:
                raise apsw.exception_for(self.failure)
        self.operations.append(operation)

    def acknowledge(self, *what: Any) -> None:
        """Record that the store acknowledged an append."""
        self.operations.append(("acknowledged", *what))


class RecordingFile(apsw.VFSFile):
    def __init__(self, recorded: Recording, name: Any, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self._recording, self._name = recorded, path_of(name).name

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._recording.note("write", self._name, offset, bytes(data))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._recording.note("truncate", self._name, newsize)
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802  # files of tests need no real sync
        self._recording.note("sync", self._name)


class RecordingVFS(apsw.VFS):
    def __init__(self, name: str, recorded: Recording) -> None:
        super().__init__(name, "unix")
        self._recording = recorded

    def xOpen(self, name: Any, flags: list[int]) -> RecordingFile:  # noqa: N802
        if not path_of(name).exists():
            self._recording.note("create", path_of(name).name)
        return RecordingFile(self._recording, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        self._recording.note("delete", Path(filename).name, syncdir)
        super().xDelete(filename, syncdir)


def path_of(name: Any) -> Path:
    """Return the path of a file that SQLite opens."""
    return Path(name if isinstance(name, str) else name.filename())


class Answer:
    """The part of sqlite3's cursor that the store uses, on a cursor of apsw."""

    def __init__(self, cursor: apsw.Cursor, changed: int) -> None:
        self._cursor = cursor
        self.rowcount = changed

    def fetchall(self) -> list[Any]:
        return list(self._cursor.fetchall())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._cursor)


class Adapter:
    """The part of sqlite3's connection that an append uses, on a connection of apsw."""

    def __init__(self, path: Path, vfs: str) -> None:
        self._connection = apsw.Connection(str(path), apsw.SQLITE_OPEN_READWRITE, vfs)

    def execute(self, text: str, values: Any = None) -> Any:
        with as_sqlite3():
            return Answer(self._connection.execute(text, values), self._connection.changes())

    def cursor(self) -> "Cursor":
        return Cursor(self._connection)

    def close(self) -> None:
        self._connection.close()


class Cursor:
    """A cursor that inserts rows and counts them."""

    rowcount = -1

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def executemany(self, text: str, rows: Any) -> None:
        with as_sqlite3():
            before = self._connection.total_changes()
            self._connection.executemany(text, rows)
            self.rowcount = self._connection.total_changes() - before

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


@contextmanager
def as_sqlite3() -> Iterator[None]:
    """Convert errors of apsw to those of sqlite3."""
    try:
        yield
    except apsw.Error as error:
        raised = sqlite3.OperationalError(str(error))
        raised.sqlite_errorcode = getattr(error, "extendedresult", apsw.SQLITE_ERROR)
        raise raised from error


@contextmanager
def recording(path: Path) -> Iterator[tuple[Recording, Any]]:
    """Return a recording of a database's folder, and a function that opens recorded connections."""
    recorded = Recording({file.name: file.read_bytes() for file in path.parent.iterdir()})
    name = f"recording {id(recorded)}"
    vfs = RecordingVFS(name, recorded)

    def connect(path: Path, pragmas: Iterable[str], *, mode: str = "rw") -> Adapter:
        adapter = Adapter(path, name)
        for pragma in pragmas:
            adapter.execute(f"PRAGMA {pragma}").fetchall()
        return adapter

    yield recorded, connect
    vfs.unregister()


# --------------------------------------------------------------------------------- after a cut


class Inode:
    """A file as it is certainly on the disk, and the operations since."""

    def __init__(self, synced: bytes = b"") -> None:
        self.synced = bytearray(synced)
        self.pending: list[Operation] = []

    def sync(self) -> None:
        for operation in self.pending:
            apply(self.synced, operation)
        self.pending.clear()

    def after_a_cut(self, chance: random.Random, share: float) -> bytes:
        """Return the content if each sector since the last sync is kept with this probability."""
        left = bytearray(self.synced)
        for operation in self.pending:
            for part in parts(operation):
                if chance.random() < share:
                    apply(left, part)
        return bytes(left)


class Disk:
    """A folder on a disk.

    A name is certain after the folder was synced, too. SQLite syncs the folder with the first sync
    of a journal that it created, and at a deletion if its settings require that.
    """

    def __init__(self, before: dict[str, bytes]) -> None:
        self.names = {name: Inode(content) for name, content in before.items()}
        self.certain = dict(self.names)

    def do(self, operation: Operation) -> None:
        """Repeat a recorded operation."""
        match operation:
            case "create", name:
                self.names[name] = Inode()
            case "sync", name:
                inode = self.names[name]
                inode.sync()
                if self.certain.get(name) is not inode:
                    self.certain = dict(self.names)
            case "delete", name, for_certain:
                del self.names[name]
                if for_certain:
                    self.certain = dict(self.names)
            case "write" | "truncate", name, *_:
                self.names[name].pending.append(operation)

    def after_a_cut(self, chance: random.Random, share: float) -> dict[str, bytes]:
        """Return the files if each unsynced change was written with this probability."""
        contents = {}
        for name in {**self.certain, **self.names}:
            names = self.names if chance.random() < share else self.certain
            if name in names:
                contents[name] = names[name].after_a_cut(chance, share)
        return contents


def apply(content: bytearray, operation: Operation) -> None:
    """Do a write or a truncation."""
    verb, _, where, *data = operation
    content.extend(bytes(max(0, where - len(content))))
    if verb == "truncate":
        del content[where:]
    else:
        content[where : where + len(data[0])] = data[0]


def parts(operation: Operation) -> Iterator[Operation]:
    """Yield a write sector by sector; any other operation unchanged."""
    if operation[0] != "write":
        yield operation
        return
    verb, name, start, data = operation
    while data:
        size = SECTOR - start % SECTOR
        yield verb, name, start, data[:size]
        start, data = start + size, data[size:]
