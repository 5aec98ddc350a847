"""What was acknowledged is there after a power cut, in the mode that the store runs in."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

import apsw
import pytest

from scorekeeper.base.errors import StorageUnavailableError, UnusableBackupError
from scorekeeper.log.writing import now
from scorekeeper.store import Position, Repeated, SqliteStore, sealed, sqlite_file, streams, writer
from scorekeeper.store.kept import Kept
from tests.conftest import SOAK, Figure
from tests.store import homes, power
from tests.store.asking import append, note, opened, request, whole
from tests.store.power import Recording

pytestmark = [pytest.mark.soak] if SOAK else []  # where it tries many more

CUTS = 100_000 if SOAK else 1_000
APPENDS = 20
SHARES = (0.5, 0.0, 0.9, 1.0)  # of what was written since the last sync, and is there


@pytest.fixture
def database(quick_folder: Path, template: Path) -> Path:
    path = quick_folder / "scorekeeper.db"
    path.write_bytes(template.read_bytes())
    return path


@pytest.fixture
def left() -> Iterator[Path]:
    """A folder for what is left of a database."""
    with homes.folder_in_memory() as folder:
        yield folder


# ----------------------------------------------------------------------------------- recording


def modes(*other: str) -> tuple[str, ...]:
    """What a writer asks for, with other modes."""
    named = {mode.partition(" ")[0] for mode in other}
    return (*(one for one in sqlite_file.OF_WRITERS if one.partition(" ")[0] not in named), *other)


@contextmanager
def recorded(path: Path, pragmas: Sequence[str]) -> Iterator[tuple[Recording, SqliteStore]]:
    """A store in these modes, and a recording of what it does to its folder."""
    journal = next(one for one in pragmas if one.startswith("journal_mode")).rpartition(" ")[2]
    with power.recording(path) as (made, connect), pytest.MonkeyPatch.context() as patched:
        patched.setattr(sqlite_file, "connect", connect)
        patched.setattr(sqlite_file, "OF_WRITERS", tuple(pragmas))
        patched.setattr(sqlite_file, "JOURNAL_MODE", journal)
        with SqliteStore(path) as store:
            yield made, store


@dataclass(frozen=True)
class Evening:
    """Appends to two sessions, and the disk under them."""

    before: dict[str, bytes]
    operations: Sequence[power.Operation]
    sessions: dict[str, Kept]


def an_evening(path: Path, pragmas: Sequence[str]) -> Evening:
    """Appends of few and of many events, each with the moment at which it was acknowledged."""
    chance = random.Random(3)  # noqa: S311
    with recorded(path, pragmas) as (made, store):
        ends = {}
        for _ in range(2):
            new = opened(store)
            ends[new.id] = Position(new.version, new.head)
            made.acknowledge(new.id, new.version)
        for turn in range(APPENDS):
            session_id = chance.choice(list(ends))
            events = [note("x" * 200)] * chance.choice([1, 1, 1, 2, 20])
            lines = sealed(ends[session_id], events, now(), "keeper")
            assert store.append(session_id, ends[session_id], lines, request(f"{turn}")) is None
            ends[session_id] = streams.end(lines)
            made.acknowledge(session_id, ends[session_id].version)
        operations = tuple(made.operations)
    with SqliteStore(path) as store:
        return Evening(made.before, operations, {kept.id: kept for kept in store._kept()})


# ----------------------------------------------------------------------------------- verdicts


def versions(left: Path, evening: Evening) -> dict[str, int] | None:
    """The versions of the sessions in a database that was cut off; None if it is not whole."""
    try:
        sqlite_file.refuse_damaged(left)
        with SqliteStore(left) as store:
            found = list(store._kept())
    except (UnusableBackupError, StorageUnavailableError):
        return None
    if any(kept != beginning(evening.sessions[kept.id], len(kept.lines)) for kept in found):
        return None
    return {kept.id: len(kept.lines) for kept in found}


def beginning(kept: Kept, version: int) -> Kept | None:
    """What there was of a session at a version; None if there was no such moment."""
    done = {key: one for key, one in kept.requests.items() if one.version <= version}
    if version not in {1, *(one.version for one in done.values())}:
        return None
    return Kept(kept.id, kept.created, kept.lines[:version], done, kept.keys)


def outcomes(path: Path, pragmas: Sequence[str], folder: Path) -> Iterator[str]:
    """How power cuts end: one before each operation of an evening, and all of them again."""
    evening = an_evening(path, pragmas)
    for turn in count():
        chance, told = random.Random(turn), dict[str, int]()  # noqa: S311
        disk, files = power.Disk(evening.before), dict[str, bytes]()
        found: Mapping[str, int] | None = None
        for operation in evening.operations:
            if operation[0] == "acknowledged":
                told[operation[1]] = operation[2]
            disk.do(operation)
            left = disk.after_a_cut(chance, SHARES[turn % len(SHARES)])
            if left != files:
                write(folder, left)
                files, found = left, versions(folder / path.name, evening)
            yield judged(found, told)


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Let these files be in a folder, and no others."""
    for file in folder.iterdir():
        file.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)


def judged(found: Mapping[str, int] | None, told: Mapping[str, int]) -> str:
    """Whether what was found is whole, and is all that was acknowledged."""
    if found is None:
        return "corrupt"
    return "whole" if all(found.get(one, 0) >= told[one] for one in told) else "lost"


def test_a_power_cut_loses_nothing_acknowledged(database: Path, left: Path, figure: Figure) -> None:
    found = Counter(islice(outcomes(database, sqlite_file.OF_WRITERS, left), CUTS))
    assert found == {"whole": CUTS}
    figure(f"{CUTS} power cuts, nothing lost")


WITHOUT_WAITING = ("locking_mode = EXCLUSIVE", "journal_mode = wal", "synchronous = NORMAL")
CONTROLS = [
    (WITHOUT_WAITING, "lost"),
    (("journal_mode = delete",), "lost"),  # the folder is not waited for
    (("synchronous = OFF",), "lost"),
    (("synchronous = OFF",), "corrupt"),
]


@pytest.mark.parametrize(("other", "fault"), CONTROLS)
def test_a_mode_that_does_not_wait_for_the_disk_is_found_out(
    database: Path, left: Path, other: Sequence[str], fault: str
) -> None:
    found = islice(outcomes(database, modes(*other), left), CUTS)
    faults = (one for one in found if one == fault)
    assert len(list(islice(faults, 101))) > 100


# ------------------------------------------------------------------- a disk that fails for once


@pytest.mark.parametrize("failure", [apsw.SQLITE_IOERR, apsw.SQLITE_FULL])
def test_whichever_write_fails_it_fails_as_a_whole(database: Path, failure: int) -> None:
    with recorded(database, sqlite_file.OF_WRITERS) as (made, store):
        made.failure = failure
        failures = fail_everywhere(made, store)
        assert failures.index(False) > 8  # an append has so many operations,
        assert not any(failures[-10:])  # and not many more
        assert list(whole(store)) == []
    sqlite_file.refuse_damaged(database)


def test_a_store_that_is_too_sure_that_nothing_was_written_is_found_out(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last sync of a commit may fail, and the commit have taken effect."""
    monkeypatch.setattr(
        writer, "_lost", lambda error, *, unknown: StorageUnavailableError("certainly")
    )
    recording = recorded(database, sqlite_file.OF_WRITERS)
    with recording as (made, store), pytest.raises(AssertionError):
        fail_everywhere(made, store)


def fail_everywhere(made: Recording, store: SqliteStore) -> list[bool]:
    """Whether an append failed that was to fail at its first operation, at its second, ..."""
    session_id = opened(store).id
    return [fails_at(number, made, store, session_id) for number in range(1, 90)]


def fails_at(number: int, made: Recording, store: SqliteStore, session_id: str) -> bool:
    """Whether an append failed as its operation of that number did; it is then done again."""
    version = store.position(session_id).version
    events, asked = [note("x" * 3000)], request(f"{number}")
    made.until_failure = number
    try:
        append(store, session_id, version, events, "keeper", asked)
        failed = False
    except StorageUnavailableError as error:
        made.until_failure = None
        failed, there = True, store.position(session_id).version
        told = append(store, session_id, version, events, "keeper", asked)
        assert there == (told.version if isinstance(told, Repeated) else version)
        assert there == version or error.unknown  # noqa: PT017
    made.until_failure = None
    assert store.position(session_id).version == version + 1
    return failed
