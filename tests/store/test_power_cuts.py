"""Acknowledged events survive a power cut in the store's durability mode."""

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

CUTS = 100_000 if SOAK else 1_000
APPENDS = 20
SHARES = (0.5, 0.0, 0.9, 1.0)  # of the data written since the last sync that survives


@pytest.fixture
def database(quick_folder: Path, template: Path) -> Path:
    path = quick_folder / "scorekeeper.db"
    path.write_bytes(template.read_bytes())
    return path


@pytest.fixture
def left() -> Iterator[Path]:
    """Return a folder for the files that survive a power cut."""
    with homes.folder_in_memory() as folder:
        yield folder


# ----------------------------------------------------------------------------------- recording


def modes(*other: str) -> tuple[str, ...]:
    """Return the pragmas of a writer with some replaced."""
    named = {mode.partition(" ")[0] for mode in other}
    return (
        *(pragma for pragma in sqlite_file.WRITER_PRAGMAS if pragma.partition(" ")[0] not in named),
        *other,
    )


@contextmanager
def recorded(path: Path, pragmas: Sequence[str]) -> Iterator[tuple[Recording, SqliteStore]]:
    """Open a store with these pragmas, and record its operations on its folder."""
    journal = next(pragma for pragma in pragmas if pragma.startswith("journal_mode")).rpartition(
        " "
    )[2]
    with power.recording(path) as (recording_, connect), pytest.MonkeyPatch.context() as patched:
        patched.setattr(sqlite_file, "connect", connect)
        patched.setattr(sqlite_file, "WRITER_PRAGMAS", tuple(pragmas))
        patched.setattr(sqlite_file, "JOURNAL_MODE", journal)
        with SqliteStore(path) as store:
            yield recording_, store


@dataclass(frozen=True)
class Evening:
    """Appends to two sessions, and the operations on the disk below."""

    before: dict[str, bytes]
    operations: Sequence[power.Operation]
    sessions: dict[str, Kept]


def an_evening(path: Path, pragmas: Sequence[str]) -> Evening:
    """Append few and many events, and record when each append was acknowledged."""
    chance = random.Random(3)  # noqa: S311
    with recorded(path, pragmas) as (recording_, store):
        ends = {}
        for _ in range(2):
            new = opened(store)
            ends[new.id] = Position(new.version, new.head)
            recording_.acknowledge(new.id, new.version)
        for turn in range(APPENDS):
            session_id = chance.choice(list(ends))
            events = [note("x" * 200)] * chance.choice([1, 1, 1, 2, 20])
            lines = sealed(ends[session_id], events, now(), "keeper")
            assert store.append(session_id, ends[session_id], lines, request(f"{turn}")) is None
            ends[session_id] = streams.find_end(lines)
            recording_.acknowledge(session_id, ends[session_id].version)
        operations = tuple(recording_.operations)
    with SqliteStore(path) as store:
        return Evening(recording_.before, operations, {kept.id: kept for kept in store._kept()})


# ----------------------------------------------------------------------------------- verdicts


def versions(left: Path, evening: Evening) -> dict[str, int] | None:
    """Return the versions of the sessions after a power cut; None if the database is damaged."""
    try:
        sqlite_file.refuse_damaged(left)
        with SqliteStore(left) as store:
            kept_sessions = list(store._kept())
    except (UnusableBackupError, StorageUnavailableError):
        return None
    if any(kept != beginning(evening.sessions[kept.id], len(kept.lines)) for kept in kept_sessions):
        return None
    return {kept.id: len(kept.lines) for kept in kept_sessions}


def beginning(kept: Kept, version: int) -> Kept | None:
    """Return the session as stored at a version; None if no append ended at that version."""
    done = {
        key: done_request
        for key, done_request in kept.requests.items()
        if done_request.version <= version
    }
    if version not in {1, *(value.version for value in done.values())}:
        return None
    return Kept(kept.id, kept.created, kept.lines[:version], done, kept.keys)


def outcomes(path: Path, pragmas: Sequence[str], folder: Path) -> Iterator[str]:
    """Yield the outcome of a power cut before each operation, in endless rounds."""
    evening = an_evening(path, pragmas)
    for turn in count():
        chance, acknowledged = random.Random(turn), dict[str, int]()  # noqa: S311
        disk, files = power.Disk(evening.before), dict[str, bytes]()
        recorded_: Mapping[str, int] | None = None
        for operation in evening.operations:
            if operation[0] == "acknowledged":
                acknowledged[operation[1]] = operation[2]
            disk.do(operation)
            left = disk.after_a_cut(chance, SHARES[turn % len(SHARES)])
            if left != files:
                write(folder, left)
                files, recorded_ = left, versions(folder / path.name, evening)
            yield judged(recorded_, acknowledged)


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make these files the only ones in a folder."""
    for file in folder.iterdir():
        file.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)


def judged(recorded_: Mapping[str, int] | None, acknowledged: Mapping[str, int]) -> str:
    """Return "whole", or "lost" if an acknowledged event is missing, or the damage."""
    if recorded_ is None:
        return "corrupt"
    return (
        "whole"
        if all(recorded_.get(stream, 0) >= version for stream, version in acknowledged.items())
        else "lost"
    )


def test_power_cut_loses_no_acknowledged_event(database: Path, left: Path, figure: Figure) -> None:
    counts = Counter(islice(outcomes(database, sqlite_file.WRITER_PRAGMAS, left), CUTS))
    assert counts == {"whole": CUTS}
    figure(f"{CUTS} power cuts, nothing lost")


WITHOUT_WAITING = ("locking_mode = EXCLUSIVE", "journal_mode = wal", "synchronous = NORMAL")
CONTROLS = [
    (WITHOUT_WAITING, "lost"),
    (("journal_mode = delete",), "lost"),  # does not sync the folder
    (("synchronous = OFF",), "lost"),
    (("synchronous = OFF",), "corrupt"),
]


@pytest.mark.parametrize(("other", "fault"), CONTROLS)
def test_mode_that_does_not_wait_for_the_disk_is_detected(
    database: Path, left: Path, other: Sequence[str], fault: str
) -> None:
    judged_outcomes = islice(outcomes(database, modes(*other), left), CUTS)
    faults = (outcome for outcome in judged_outcomes if outcome == fault)
    assert len(list(islice(faults, 101))) > 100


# ------------------------------------------------------------------- a disk that fails one time


@pytest.mark.parametrize("failure", [apsw.SQLITE_IOERR, apsw.SQLITE_FULL])
def test_append_fails_as_a_whole_at_any_failed_operation(database: Path, failure: int) -> None:
    with recorded(database, sqlite_file.WRITER_PRAGMAS) as (recording_, store):
        recording_.failure = failure
        failures = fail_everywhere(recording_, store)
        assert failures.index(False) > 8  # an append has at least this many operations,
        assert not any(failures[-10:])  # and at most some more
        assert list(whole(store)) == []
    sqlite_file.refuse_damaged(database)


def test_store_that_reports_a_failed_commit_as_not_written_is_detected(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last sync of a commit may fail although the commit took effect."""
    monkeypatch.setattr(
        writer, "_make_failure", lambda error, *, unknown: StorageUnavailableError("certainly")
    )
    recording = recorded(database, sqlite_file.WRITER_PRAGMAS)
    with recording as (recording_, store), pytest.raises(AssertionError):
        fail_everywhere(recording_, store)


def fail_everywhere(recording_: Recording, store: SqliteStore) -> list[bool]:
    """Return whether the append failed whose first, second, … operation failed."""
    session_id = opened(store).id
    return [fails_at(number, recording_, store, session_id) for number in range(1, 90)]


def fails_at(number: int, recording_: Recording, store: SqliteStore, session_id: str) -> bool:
    """Fail one operation of an append, return whether the append failed, and repeat it."""
    version = store.position(session_id).version
    events, asked = [note("x" * 3000)], request(f"{number}")
    recording_.until_failure = number
    try:
        append(store, session_id, version, events, "keeper", asked)
        failed = False
    except StorageUnavailableError as error:
        recording_.until_failure = None
        failed, there = True, store.position(session_id).version
        acknowledged = append(store, session_id, version, events, "keeper", asked)
        assert there == (acknowledged.version if isinstance(acknowledged, Repeated) else version)
        assert there == version or error.unknown  # noqa: PT017
    recording_.until_failure = None
    assert store.position(session_id).version == version + 1
    return failed
