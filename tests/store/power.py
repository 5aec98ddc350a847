"""Power cuts, simulated: what SQLite wrote is recorded, and disks are made that lost some of it.

A disk keeps its word about what it was told to sync. Of what was written since, each sector of
512 bytes may be there or not, and so may a name that was made or deleted. The recording goes
through apsw, which lets a VFS be written in Python and brings a SQLite of its own; what is left
is then read by Python's.
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

Operation = tuple[Any, ...]  # a verb, the name of a file, and what belongs to it


# ----------------------------------------------------------------------------------- recording


@dataclass
class Recording:
    """What happened to the files of a folder, in order."""

    before: dict[str, bytes]
    operations: list[Operation] = field(default_factory=list)
    until_failure: int | None = None  # operations on files
    failure: int = apsw.SQLITE_IOERR

    def note(self, *operation: Any) -> None:
        """Note an operation before it is done; or fail, if it is the one that fails."""
        if self.until_failure is not None:
            self.until_failure -= 1
            if self.until_failure == 0:
                raise apsw.exception_for(self.failure)
        self.operations.append(operation)

    def acknowledge(self, *what: Any) -> None:
        """Note that somebody was told that something is on record."""
        self.operations.append(("acknowledged", *what))


class RecordingFile(apsw.VFSFile):
    def __init__(self, made: Recording, name: Any, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self._made, self._name = made, path_of(name).name

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._made.note("write", self._name, offset, bytes(data))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._made.note("truncate", self._name, newsize)
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802  # the files of tests need no real one
        self._made.note("sync", self._name)


class RecordingVFS(apsw.VFS):
    def __init__(self, name: str, made: Recording) -> None:
        super().__init__(name, "unix")
        self._made = made

    def xOpen(self, name: Any, flags: list[int]) -> RecordingFile:  # noqa: N802
        if not path_of(name).exists():
            self._made.note("create", path_of(name).name)
        return RecordingFile(self._made, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        self._made.note("delete", Path(filename).name, syncdir)
        super().xDelete(filename, syncdir)


def path_of(name: Any) -> Path:
    """The path of what SQLite opens."""
    return Path(name if isinstance(name, str) else name.filename())


class Answer:
    """A cursor of apsw's with as much of sqlite3's."""

    def __init__(self, cursor: apsw.Cursor, changed: int) -> None:
        self._cursor = cursor
        self.rowcount = changed

    def fetchall(self) -> list[Any]:
        return list(self._cursor.fetchall())

    def __iter__(self) -> Iterator[Any]:
        return iter(self._cursor)


class Adapter:
    """An apsw connection with as much of sqlite3's ways as a store needs to append."""

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
    """What inserts rows, and counts them."""

    rowcount = -1

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def executemany(self, text: str, rows: Any) -> None:
        with as_sqlite3():
            before = self._connection.total_changes()
            self._connection.executemany(text, rows)
            self.rowcount = self._connection.total_changes() - before

    def close(self) -> None:
        """Nothing: it holds nothing."""


@contextmanager
def as_sqlite3() -> Iterator[None]:
    """Raise what sqlite3 would."""
    try:
        yield
    except apsw.Error as error:
        raised = sqlite3.OperationalError(str(error))
        raised.sqlite_errorcode = getattr(error, "extendedresult", apsw.SQLITE_ERROR)
        raise raised from error


@contextmanager
def recording(path: Path) -> Iterator[tuple[Recording, Any]]:
    """A recording of a database's folder, and what opens connections that are recorded."""
    made = Recording({file.name: file.read_bytes() for file in path.parent.iterdir()})
    name = f"recording {id(made)}"
    vfs = RecordingVFS(name, made)

    def connect(path: Path, pragmas: Iterable[str], *, mode: str = "rw") -> Adapter:
        adapter = Adapter(path, name)
        for pragma in pragmas:
            adapter.execute(f"PRAGMA {pragma}").fetchall()
        return adapter

    yield made, connect
    vfs.unregister()


# --------------------------------------------------------------------------------- after a cut


class Inode:
    """A file as it is on the disk for certain, and what it was told since."""

    def __init__(self, synced: bytes = b"") -> None:
        self.synced = bytearray(synced)
        self.pending: list[Operation] = []

    def sync(self) -> None:
        for operation in self.pending:
            apply(self.synced, operation)
        self.pending.clear()

    def after_a_cut(self, chance: random.Random, share: float) -> bytes:
        """What is left, if each sector written since the last sync made it with some chance."""
        left = bytearray(self.synced)
        for operation in self.pending:
            for part in parts(operation):
                if chance.random() < share:
                    apply(left, part)
        return bytes(left)


class Disk:
    """A folder on a disk.

    A name is there for certain once the folder was synced, too. SQLite does so with the first
    sync of a journal that it made, and at a deletion if it is asked to.
    """

    def __init__(self, before: dict[str, bytes]) -> None:
        self.names = {name: Inode(content) for name, content in before.items()}
        self.certain = dict(self.names)

    def do(self, operation: Operation) -> None:
        """Do what was recorded."""
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
        """The files that are found, if each thing not yet synced made it with this chance."""
        found = {}
        for name in {**self.certain, **self.names}:
            names = self.names if chance.random() < share else self.certain
            if name in names:
                found[name] = names[name].after_a_cut(chance, share)
        return found


def apply(content: bytearray, operation: Operation) -> None:
    """Do a write, or cut a file short."""
    verb, _, where, *data = operation
    content.extend(bytes(max(0, where - len(content))))
    if verb == "truncate":
        del content[where:]
    else:
        content[where : where + len(data[0])] = data[0]


def parts(operation: Operation) -> Iterator[Operation]:
    """A write sector by sector; anything else as it is."""
    if operation[0] != "write":
        yield operation
        return
    verb, name, start, data = operation
    while data:
        size = SECTOR - start % SECTOR
        yield verb, name, start, data[:size]
        start, data = start + size, data[size:]
