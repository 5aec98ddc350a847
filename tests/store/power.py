"""Power cuts, simulated: what SQLite wrote is recorded, and disks are made that lost some of it.

A disk keeps its word about what it was told to sync. Of what was written since, each sector of
512 bytes may be there or not, and so may a deletion. That is the model of SQLite's own tests.
The recording goes through apsw, which lets a VFS be written in Python.
"""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import apsw

SECTOR: Final = 512
SYNC, WRITE, TRUNCATE, DELETE, CREATE = "sync", "write", "truncate", "delete", "create"

CODES: Final = {apsw.IOError: apsw.SQLITE_IOERR, apsw.FullError: apsw.SQLITE_FULL}


@dataclass
class Recording:
    """What happened to the files of one folder, in order."""

    folder: Path
    before: dict[str, bytes]
    operations: list[tuple[Any, ...]] = field(default_factory=list)
    until_failure: int | None = None  # operations on files
    failure: type[apsw.Error] = apsw.IOError

    def note(self, *operation: Any) -> None:
        """Note an operation before it is done; or fail, if it is the one that fails."""
        if self.until_failure is not None:
            self.until_failure -= 1
            if self.until_failure == 0:
                raise self.failure("as was wanted")
        self.operations.append(operation)


class RecordingFile(apsw.VFSFile):
    def __init__(self, recording: Recording, vfs: str, name: Any, flags: list[int]) -> None:
        super().__init__(vfs, name, flags)
        path = name if isinstance(name, str) else name.filename()
        self._recording, self._name = recording, Path(path).name

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._recording.note(WRITE, self._name, offset, bytes(data))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._recording.note(TRUNCATE, self._name, newsize)
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802  # the files of tests need no real one
        self._recording.note(SYNC, self._name)


class RecordingVFS(apsw.VFS):
    def __init__(self, name: str, recording: Recording) -> None:
        super().__init__(name, "unix")
        self._recording = recording

    def xOpen(self, name: Any, flags: list[int]) -> RecordingFile:  # noqa: N802
        path = Path(name if isinstance(name, str) else name.filename())
        if not path.exists():
            self._recording.note(CREATE, path.name)
        return RecordingFile(self._recording, "unix", name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        self._recording.note(DELETE, Path(filename).name, syncdir)
        super().xDelete(filename, syncdir)


@contextmanager
def as_sqlite3() -> Iterator[None]:
    """Raise what sqlite3 would."""
    try:
        yield
    except apsw.Error as error:
        raised = sqlite3.OperationalError(str(error))
        raised.sqlite_errorcode = CODES.get(type(error), apsw.SQLITE_ERROR)
        raise raised from error


class Adapter:
    """An apsw connection with as much of sqlite3's ways as a store needs to append."""

    def __init__(self, path: Path, vfs: str) -> None:
        flags = apsw.SQLITE_OPEN_READWRITE
        self._connection = apsw.Connection(str(path), flags=flags, vfs=vfs)

    def execute(self, text: str, values: Any = None) -> Any:
        with as_sqlite3():
            return self._connection.execute(text, values)

    def executemany(self, text: str, rows: Any) -> Any:
        with as_sqlite3():
            return self._connection.executemany(text, list(rows))

    def close(self) -> None:
        self._connection.close()


@contextmanager
def recording(path: Path) -> Iterator[tuple[Recording, Any]]:
    """A recording of a database's folder, and what opens connections that are recorded."""
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    made = Recording(path.parent, before)
    name = f"recording {id(made)}"
    vfs = RecordingVFS(name, made)

    def connect(path: Path, pragmas: Any, *, mode: str = "rw") -> Adapter:
        adapter = Adapter(path, name)
        for pragma in pragmas:
            adapter.execute(f"PRAGMA {pragma}").fetchall()
        return adapter

    yield made, connect
    vfs.unregister()


# --------------------------------------------------------------------------------- after a cut


@dataclass
class Inode:
    """A file as the disk has it, and what it was told since it was told to sync."""

    synced: bytearray
    pending: list[tuple[Any, ...]] = field(default_factory=list)

    def sync(self) -> None:
        for operation in self.pending:
            apply(self.synced, operation)
        self.pending.clear()

    def after_a_cut(self, chance: random.Random, share: float) -> bytes:
        """What is left, if each sector since the last sync made it with this probability."""
        left = bytearray(self.synced)
        for operation in self.pending:
            for part in parts(operation):
                if chance.random() < share:
                    apply(left, part)
        return bytes(left)


def apply(content: bytearray, operation: tuple[Any, ...]) -> None:
    kind, _, where, *data = operation
    if kind == TRUNCATE:
        del content[where:]
        content.extend(bytes(where - len(content)))
    else:
        content.extend(bytes(max(0, where - len(content))))
        content[where : where + len(data[0])] = data[0]


def parts(operation: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """A write, sector by sector."""
    if operation[0] != WRITE:
        yield operation
        return
    kind, name, offset, data = operation
    start = offset
    while start < offset + len(data):
        end = min((start // SECTOR + 1) * SECTOR, offset + len(data))
        yield kind, name, start, data[start - offset : end - offset]
        start = end


def cut(made: Recording, at: int, chance: random.Random) -> dict[str, bytes]:
    """The files that are found after the power was cut before an operation."""
    files = {name: Inode(bytearray(content)) for name, content in made.before.items()}
    deleted: dict[str, Inode] = {}  # not for certain
    for operation in made.operations[:at]:
        kind, name, *more = operation
        if kind == CREATE:
            files[name] = Inode(bytearray())
            deleted.pop(name, None)
        elif kind == SYNC:
            files[name].sync()
        elif kind == DELETE:
            gone = files.pop(name)
            if not more[0]:
                deleted[name] = gone
        elif kind in (WRITE, TRUNCATE):
            files[name].pending.append(operation)
    share = chance.choice([0.0, 0.5, 0.9, 1.0])
    files |= {name: inode for name, inode in deleted.items() if chance.random() >= share}
    return {name: inode.after_a_cut(chance, share) for name, inode in files.items()}
