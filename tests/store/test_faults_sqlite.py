"""SQLite with a full or read-only disk, a damaged file, or a file in use by another process.

Tests of ``store.sqlite``, ``store.sqlite_file`` and ``store.work``.
"""

import os
import resource
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

import pytest

from scorekeeper.base.errors import StorageUnavailableError, UnknownSessionError
from scorekeeper.log.writing import now
from scorekeeper.store import (
    Key,
    Position,
    Repeated,
    Request,
    SqliteStore,
    StoredLine,
    open_store,
    sealed,
    sqlite_file,
    statements,
    streams,
    transactions,
)
from scorekeeper.store.contract import NO_EFFECTS, AppendEffects
from scorekeeper.store.work import Work
from tests.conftest import SOAK
from tests.store.asking import append, note, opened, request, whole
from tests.store.homes import Home
from tests.store.processes import in_a_process

CYCLES = 100 if SOAK else 5
NOBODY = 65534


@pytest.fixture
def store(sqlite: Home) -> SqliteStore:
    store = sqlite.open()
    assert isinstance(store, SqliteStore)
    return store


def fill(store: SqliteStore, session_id: str, name: str) -> str:
    """Append under new keys until the disk is full; return the key of the refused request."""
    version = store.position(session_id).version
    for count in range(2000):
        key = f"{name} {count}"
        try:
            version = append(
                store, session_id, version, [note("x" * 4000)], "k", request(key)
            ).version
        except StorageUnavailableError:
            return key
    raise AssertionError("the disk is never full")


# ---------------------------------------------------------------------------------- disk full


def limit_growth(store: SqliteStore, pages: int) -> None:
    """Let the file grow by at most this many pages."""

    def job(work: Work) -> None:
        ((count,),) = work.connection.execute("PRAGMA page_count")
        work.connection.execute(f"PRAGMA max_page_count = {count + pages}")

    store._writer.run(job)


def fill_again_and_again(store: SqliteStore, cycles: int) -> None:
    session_id = opened(store).id
    for cycle in range(cycles):
        limit_growth(store, 10 + cycle)
        key = fill(store, session_id, f"cycle {cycle}")
        before = store.export(session_id)  # reading still works
        assert store.answered(session_id, key, request(key).digest) is None
        # The store closes a connection that met a full disk, and this test's limit ends with it.
        version = store.position(session_id).version
        assert isinstance(append(store, session_id, version, [note()], "k", request(key)), Position)
        assert store.export(session_id).startswith(before)
    assert list(whole(store)) == []


def test_full_disk_fails_whole_appends_and_service_resumes(store: SqliteStore) -> None:
    fill_again_and_again(store, CYCLES)
    sqlite_file.refuse_damaged(store.path)


class HalfFailingStore(SqliteStore):
    """A control: if the events fail, this store keeps the answer of their request."""

    def append(
        self,
        session_id: str,
        after: Position,
        lines: Sequence[StoredLine],
        request: Request | None = None,
        key: Key | None = None,
        effects: AppendEffects = NO_EFFECTS,
    ) -> Repeated | None:
        try:
            return super().append(session_id, after, lines, request, key, effects)
        except StorageUnavailableError:
            if request is not None:
                done = streams.make_done(request, after.version)
                row = transactions.request_values(session_id, request.key, done)
                self._writer.run(lambda work: work.fill(statements.INSERT_REQUEST, [row]))
            raise


def test_store_that_fails_by_half_is_detected(store: SqliteStore) -> None:
    with HalfFailingStore(store.path) as halfway, pytest.raises(AssertionError):
        fill_again_and_again(halfway, 1)


def fill_up(url: str, session_id: str) -> list[object]:
    """Fail, read and resume in a process with a limit on the size of files."""
    with open_store(url) as store:
        assert isinstance(store, SqliteStore)
        opened(store)  # opens all files
        room = store.path.stat().st_size + 40_000
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
        key = fill(store, session_id, "limited")
        full = store.position(session_id).version
        with suppress(StorageUnavailableError):
            append(store, session_id, full, [note("x" * 4000)], "k", request(key))
        still = store.position(session_id).version
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        result = append(store, session_id, full, [note("y" * 4000)], "k", request(key))
        return [full, still, result.version, list(whole(store))]


def test_service_resumes_when_the_limit_on_files_is_lifted(sqlite: Home) -> None:
    session_id = opened(sqlite.open()).id
    full, still, result, damage = in_a_process(fill_up, sqlite.url, session_id)
    assert full == still
    assert result == full + 1
    assert damage == []
    assert sqlite.open().position(session_id).version == full + 1


# ---------------------------------------------------------------------------------- read-only


@pytest.fixture
def public(template: Path) -> Iterator[Path]:
    """Return a database in a folder that all users may read and only its owner may write."""
    folder = Path(tempfile.mkdtemp(prefix="scorekeeper"))
    path = folder / "x.db"
    shutil.copy(template, path)
    yield path
    folder.chmod(0o755)
    shutil.rmtree(folder)


def read_only(url: str, session_id: str) -> list[object]:
    """Return the outcomes in a process that may read but not write."""
    if os.getuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    with open_store(url) as store:
        version = store.position(session_id).version
        refusals = []
        for _ in range(3):
            with pytest.raises(StorageUnavailableError) as refused:
                append(store, session_id, version, [note()], "keeper", request("key"))
            refusals.append(str(refused.value))
        (key,) = store.keys(session_id)[:1]
        store.touch_key(key)  # ignored: not important
        return [len(store.export(session_id)), list(whole(store)), refusals[0], store.complaints()]


@pytest.mark.parametrize(("folder", "file"), [(0o555, 0o444), (0o755, 0o444), (0o555, 0o644)])
def test_read_only_database_can_be_read(public: Path, folder: int, file: int) -> None:
    url = f"sqlite:///{public}"
    with open_store(url) as store:
        new = opened(store)
        log = store.export(new.id)
    for left in public.parent.glob("*-journal"):
        left.unlink()
    public.chmod(file)
    public.parent.chmod(folder)
    length, damage, refusal, complaints = in_a_process(read_only, url, new.id)
    assert (length, damage) == (len(log), [])
    assert isinstance(refusal, str)
    assert refusal.startswith("the database cannot be written: ")
    assert complaints != []
    public.parent.chmod(0o755)
    public.chmod(0o644)
    with open_store(url) as store:
        assert store.export(new.id) == log
        assert append(store, new.id, 1, [note()], "keeper", request("key")).version == 2


def test_writable_database_is_not_taken_as_read_only(public: Path) -> None:
    url = f"sqlite:///{public}"
    with open_store(url) as store:
        session_id = opened(store).id
    public.parent.chmod(0o777)
    for file in public.parent.iterdir():
        file.chmod(0o666)
    with pytest.raises(AssertionError, match="DID NOT RAISE"):
        in_a_process(read_only, url, session_id)


# -------------------------------------------------------------------------------------- others


def test_writer_waits_for_another_writer_up_to_a_limit(
    sqlite: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    short_timeouts = tuple(
        pragma.replace("= 5000", "= 50") for pragma in sqlite_file.WRITER_PRAGMAS
    )
    monkeypatch.setattr(sqlite_file, "WRITER_PRAGMAS", short_timeouts)
    store = sqlite.open()
    new = opened(store)
    with closing(sqlite3.connect(sqlite.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageUnavailableError, match="database is locked"):
            append(store, new.id, 1, [note()], "keeper", request("key"))
        assert store.position(new.id).version == 1
        other.execute("ROLLBACK")
    assert isinstance(append(store, new.id, 1, [note()], "keeper", request("key")), Position)


def test_endless_foreign_reader_stops_only_the_writer(
    sqlite: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    short_timeouts = tuple(
        pragma.replace("= 5000", "= 50") for pragma in sqlite_file.WRITER_PRAGMAS
    )
    monkeypatch.setattr(sqlite_file, "WRITER_PRAGMAS", short_timeouts)
    store = sqlite.open()
    new = opened(store)
    with closing(sqlite3.connect(sqlite.path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM events").fetchone()
        with pytest.raises(StorageUnavailableError, match="database is locked"):
            append(store, new.id, 1, [note()], "keeper", request("key"))
        assert store.position(new.id).version == 1
        other.execute("COMMIT")
    assert isinstance(append(store, new.id, 1, [note()], "keeper", request("key")), Position)
    assert isinstance(append(store, new.id, 1, [note()], "keeper", request("key")), Repeated)


def test_database_in_another_journal_mode_is_not_written(sqlite: Home) -> None:
    """It could lose events or be corrupted in a power cut."""
    store = sqlite.open()
    new = opened(store)
    store.close()
    with closing(sqlite3.connect(sqlite.path, isolation_level=None)) as other:
        assert other.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
        other.execute("SELECT count(*) FROM events").fetchone()
        with pytest.raises(StorageUnavailableError, match=r"locked|journal mode wal"):
            append(store, new.id, 1, [note()], "keeper")
        assert store.position(new.id).version == 1
    assert append(store, new.id, 1, [note()], "keeper").version == 2
    assert store.durability().settings == {"journal_mode": "persist", "synchronous": "full"}


@pytest.mark.parametrize("name", ["off", "normal", "full", "extra"])
def test_durability_is_reported_with_the_name_of_the_setting(name: str) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute(f"PRAGMA synchronous = {name}")
    assert sqlite_file.modes(connection)["synchronous"] == name
    connection.close()


def test_missing_file_is_not_created(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with open_store(f"sqlite:///{path}") as store:
        for use in (store.sessions, store.watch, store.durability, lambda: opened(store)):
            with pytest.raises(StorageUnavailableError):
                use()
        assert store.complaints() != []
    assert not path.exists()


@pytest.mark.parametrize(
    "rubbish", [b"no database at all" * 1000, b"SQLite format 3\0" + b"x" * 9000]
)
def test_damaged_file_is_unavailable(tmp_path: Path, rubbish: bytes) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(rubbish)
    with open_store(f"sqlite:///{path}") as store:
        for use in (store.sessions, store.durability, lambda: opened(store)):
            with pytest.raises(StorageUnavailableError):
                use()
        assert store.complaints() != []


def test_writer_detects_that_its_file_was_replaced(sqlite: Home, template: Path) -> None:
    """The writer does not write to the old file."""
    store = sqlite.open()
    new = opened(store)
    other = sqlite.path.with_suffix(".new")
    shutil.copy(template, other)
    other.rename(sqlite.path)
    after = Position(1, new.head)
    lines = sealed(after, [note()], now(), "keeper")
    with suppress(StorageUnavailableError):
        store.append(new.id, after, lines)
    with pytest.raises(UnknownSessionError):
        store.append(new.id, after, lines)
