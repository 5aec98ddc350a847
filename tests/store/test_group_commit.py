"""One writer at a time, and one transaction for all waiting writers.

Tests of ``store.writer``.
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.base.errors import KeyReusedError, StaleVersionError, StorageUnavailableError
from scorekeeper.store import SqliteStore, statements, writer
from scorekeeper.store.contract import Position
from scorekeeper.store.writer import Gate, Writer
from tests.operation.serving import until
from tests.store.asking import append, note, opened, request, whole
from tests.store.homes import Home

WAITERS = 6
LONG = 10_000  # events of a long session


@pytest.fixture
def store(sqlite: Home) -> SqliteStore:
    store = sqlite.open()
    assert isinstance(store, SqliteStore)
    return store


@contextmanager
def held(writer_: Writer) -> Iterator[Callable[[int], None]]:
    """Keep the writer busy until a given number of threads wait for it."""
    begun, go_on = threading.Event(), threading.Event()

    def job(_: object) -> None:
        begun.set()
        go_on.wait(10)

    def release(waiters: int) -> None:
        end = time.monotonic() + 10
        while len(writer_._waiting) < waiters and time.monotonic() < end:
            time.sleep(0.001)
        assert len(writer_._waiting) == waiters
        go_on.set()

    with ThreadPoolExecutor(1) as pool:
        holding = pool.submit(writer_.run, job)
        begun.wait(10)
        yield release
        holding.exception(10)


def run_grouped(store: SqliteStore, jobs: list[Callable[[], Any]]) -> list[Future[Any]]:
    """Run all jobs in one group."""
    with held(store._writer) as release, ThreadPoolExecutor(len(jobs)) as pool:
        futures = [pool.submit(job) for job in jobs]
        release(len(jobs))
    return futures


def appends(store: SqliteStore, ids: list[str], version: int = 1) -> list[Callable[[], Any]]:
    def one(session_id: str) -> Callable[[], Any]:
        return lambda: append(store, session_id, version, [note()], "keeper", request("key"))

    return [one(session_id) for session_id in ids]


class FlakyConnection:
    """A connection on which one statement fails, one time."""

    def __init__(self, real: sqlite3.Connection, statement: str, error: BaseException) -> None:
        self._real = real
        self._statement = statement
        self._error: BaseException | None = error

    def execute(self, text: str, *values: Any) -> Any:
        if text == self._statement and self._error is not None:
            error, self._error = self._error, None
            raise error
        return self._real.execute(text, *values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def fail(store: SqliteStore, statement: str, error: BaseException) -> None:
    """Let a statement fail on the writer's connection."""
    work = store._writer._work
    assert work is not None
    work.connection = FlakyConnection(work.connection, statement, error)


def test_waiting_appends_are_written_in_one_transaction(store: SqliteStore) -> None:
    ids = [opened(store).id for _ in range(WAITERS)]
    statements: list[str] = []
    work = store._writer._work
    assert work is not None
    work.connection.set_trace_callback(statements.append)
    futures = run_grouped(store, appends(store, ids))
    assert all(isinstance(future.result(), Position) for future in futures)
    assert (
        statements.count("COMMIT") == 2
    )  # one for the append that held the writer, one for all waiting ones
    assert [store.position(session_id).version for session_id in ids] == [2] * WAITERS


def test_writer_that_waits_for_another_process_then_writes_for_all(
    sqlite: Home, store: SqliteStore
) -> None:
    """It waits longer than SQLite would for its lock, and then uses one transaction."""
    other = sqlite.open()
    assert isinstance(other, SqliteStore)
    ids = [opened(store).id for _ in range(WAITERS)]
    store._writer._work.connection.execute("PRAGMA busy_timeout = 0")  # type: ignore[union-attr]
    statements: list[str] = []
    store._writer._work.connection.set_trace_callback(statements.append)  # type: ignore[union-attr]
    with held(other._writer) as release, ThreadPoolExecutor(WAITERS) as pool:
        futures = [pool.submit(job) for job in appends(store, ids)]
        until(lambda: len(store._writer._waiting) == WAITERS)
        release(0)
    assert all(isinstance(future.result(), Position) for future in futures)
    assert statements.count("COMMIT") == 1


def test_only_one_thread_waits_for_a_stopped_process(
    sqlite: Home, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits until that process ends; all others are refused, and record nothing."""
    monkeypatch.setattr(writer, "WRITER_TIMEOUT_SECONDS", 0.2)
    other = sqlite.open()
    assert isinstance(other, SqliteStore)
    ids = [opened(store).id for _ in range(WAITERS)]
    with held(other._writer) as release, ThreadPoolExecutor(WAITERS) as pool:
        futures = [pool.submit(job) for job in appends(store, ids)]
        until(lambda: sum(future.done() for future in futures) == WAITERS - 1)
        errors = [future.exception() for future in futures if future.done()]
        assert [type(error) for error in errors] == [StorageUnavailableError] * (WAITERS - 1)
        assert not any(
            error.unknown for error in errors if isinstance(error, StorageUnavailableError)
        )
        release(0)
    assert sorted(store.position(session_id).version for session_id in ids) == [1] * (
        WAITERS - 1
    ) + [2]
    for future in run_grouped(store, appends(store, ids)):
        future.result()
    assert [store.position(session_id).version for session_id in ids] == [2] * WAITERS


def test_append_that_times_out_as_its_turn_comes_is_recorded_or_refused(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With any timeout, the answer says whether the event was recorded."""
    monkeypatch.setattr(writer, "WRITER_TIMEOUT_SECONDS", 0.0005)
    ids = [opened(store).id for _ in range(WAITERS)]

    def record(session_id: str) -> int:
        recorded = 0
        for n in range(40):
            with suppress(StorageUnavailableError):
                append(store, session_id, store.position(session_id).version, [note(n)], "keeper")
                recorded += 1
        return recorded

    with ThreadPoolExecutor(WAITERS) as pool:
        recorded = list(pool.map(record, ids))
    assert [store.position(session_id).version - 1 for session_id in ids] == recorded
    assert not store._writer._has_leader


def test_reading_a_copy_creates_no_other_file(store: SqliteStore, tmp_path: Path) -> None:
    opened(store)
    store.backup(tmp_path / "copy.db")
    store.restore(tmp_path / "copy.db")
    assert [path.name for path in tmp_path.iterdir()] == ["copy.db"]


def test_refused_job_does_not_affect_its_group(store: SqliteStore) -> None:
    ids = [opened(store).id for _ in range(WAITERS)]

    def broken(_: object) -> None:
        raise ZeroDivisionError

    def half(work: Any) -> None:
        work.connection.execute("DELETE FROM limits")
        work.connection.execute("INSERT INTO limits VALUES ('half', zeroblob(32), 'x', 1)")
        work.connection.execute("INSERT INTO limits VALUES ('bad', zeroblob(1), 'x', 1)")

    futures = run_grouped(store, [
        *appends(store, ids[:3]),
        lambda: store._writer.run(broken),
        lambda: store._writer.run(half),
        *appends(store, ids[3:5]),
        *appends(store, ids[5:], version=4),
    ])  # fmt: skip
    well = type(None)
    assert [type(future.exception()) for future in futures] == [
        *[well] * 3,
        ZeroDivisionError,
        sqlite3.IntegrityError,
        *[well] * 2,
        StaleVersionError,
    ]
    assert [store.position(session_id).version for session_id in ids] == [2] * 5 + [1]
    assert (
        store._writer.run(lambda work: work.connection.execute("SELECT * FROM limits").fetchall())
        == []
    )


@pytest.mark.parametrize("statement", ["BEGIN IMMEDIATE", "SAVEPOINT job", "COMMIT"])
def test_failed_transaction_fails_for_the_whole_group(store: SqliteStore, statement: str) -> None:
    ids = [opened(store).id for _ in range(WAITERS)]
    writer, commits = store._writer, 0
    real_commit = writer._commit_group

    def commit(group: list[Any]) -> None:
        nonlocal commits
        commits += 1
        if commits == 2:  # not the commit of the job that holds the writer
            fail(store, statement, sqlite3.OperationalError("database or disk is full"))
        real_commit(group)

    writer._commit_group = commit  # type: ignore[method-assign]
    for future in run_grouped(store, appends(store, ids)):
        with pytest.raises(StorageUnavailableError, match="disk is full"):
            future.result()
    assert [store.position(session_id).version for session_id in ids] == [1] * WAITERS
    for future in run_grouped(store, appends(store, ids)):
        assert isinstance(future.result(), Position)
    assert [store.position(session_id).version for session_id in ids] == [2] * WAITERS
    assert list(whole(store)) == []


def test_interrupted_leader_leaves_no_thread_waiting(store: SqliteStore) -> None:
    session_id = opened(store).id

    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    def together() -> list[Future[Any]]:
        with held(store._writer) as release, ThreadPoolExecutor(3) as pool:
            futures = [pool.submit(store._writer.run, interrupted)]
            futures += [pool.submit(job) for job in appends(store, [session_id])]
            release(2)
        return futures

    errors = [future.exception() for future in together()]
    assert {type(error) for error in errors} == {KeyboardInterrupt, StorageUnavailableError}
    assert store.position(session_id).version == 1
    result = append(store, session_id, 1, [note()], "keeper", request("key"))
    assert result.version == 2


def test_closed_store_opens_again(store: SqliteStore) -> None:
    new = opened(store)
    for version in (1, 2, 3):
        store.close()
        assert append(store, new.id, version, [note()], "keeper").version == version + 1
        assert store.position(new.id).version == version + 1


# --------------------------------------------------------------------------------------- gate


def test_readers_share_the_gate_and_a_writer_is_alone() -> None:
    gate = Gate()
    inside: list[str] = []
    with gate.reading(), gate.reading():
        writer = threading.Thread(target=lambda: enter(gate, inside))
        writer.start()
        time.sleep(0.02)
        late = threading.Thread(target=lambda: read(gate, inside))
        late.start()
        time.sleep(0.02)
        assert inside == []  # no reader enters before the writer
    writer.join(5)
    late.join(5)
    assert inside == ["in", "out", "read"]


def enter(gate: Gate, inside: list[str]) -> None:
    with gate.alone():
        inside.append("in")
        time.sleep(0.02)
        inside.append("out")


def read(gate: Gate, inside: list[str]) -> None:
    with gate.reading():
        inside.append("read")


def test_neither_readers_nor_writers_starve(store: SqliteStore) -> None:
    ids = [opened(store).id for _ in range(2)]
    end = time.monotonic() + 0.5
    counts = {"read": 0, "written": 0}

    def reading() -> None:
        while time.monotonic() < end:
            store.read(ids[0])
            counts["read"] += 1

    def writing(session_id: str) -> None:
        version = 1
        while time.monotonic() < end:
            version = append(store, session_id, version, [note()], "keeper").version
            counts["written"] += 1

    with ThreadPoolExecutor(6) as pool:
        futures = [pool.submit(reading) for _ in range(4)]
        futures += [pool.submit(writing, session_id) for session_id in ids]
    for future in futures:
        future.result()
    assert counts["read"] > 20
    assert counts["written"] > 5


def test_refused_single_job_leaves_nothing(store: SqliteStore) -> None:
    """Its whole transaction is undone."""
    session_id = opened(store).id

    def job(work: Any) -> None:
        work.change(statements.INSERT_SESSION, id="23456789", created=store.clock())
        raise KeyReusedError

    with pytest.raises(KeyReusedError):
        store._writer.run(job)

    with store._reading() as work:
        assert [row[0] for row in work.rows(statements.SESSION_IDS)] == [session_id]
    append(store, session_id, 1, [note()], "keeper")
    assert store.position(session_id).version == 2


def test_write_waits_while_the_connection_is_lent(store: SqliteStore) -> None:
    session_id = opened(store).id
    assert store._writer.borrow() is not None

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(append, store, session_id, 1, [note()], "keeper")
        end = time.monotonic() + 10
        while not store._writer._waiting and time.monotonic() < end:
            time.sleep(0.001)
        assert store.position(session_id).version == 1  # read on another connection
        assert store._writer.borrow() is None
        assert not writing.done()
        store._writer.give_back(sound=True)
        writing.result(10)

    assert store.position(session_id).version == 2


def test_connection_that_failed_to_read_is_not_lent_again(store: SqliteStore) -> None:
    session_id = opened(store).id
    lent = store._writer.borrow()
    assert lent is not None
    store._writer.give_back(sound=True)
    lent.connection.close()  # as if it had failed

    with pytest.raises(StorageUnavailableError):
        store.position(session_id)

    assert store.position(session_id).version == 1
    append(store, session_id, 1, [note()], "keeper")
    assert store.position(session_id).version == 2


def test_key_found_without_a_transaction_opens_nothing_once_revoked(sqlite: Home) -> None:
    """Also if another process revoked it: the cache of the writer's connection is never stale."""
    here, elsewhere = sqlite.open(), sqlite.open()
    session = opened(here)
    view = session.keys[1]
    assert here.find_key(view.secret) == view.key

    elsewhere.revoke_key(session.id, view.key.id)

    assert here.find_key(view.secret) is None


def run_large(store: SqliteStore, job: Callable[[object], Any]) -> Any:
    return store._writer.run(job, writer.LARGE_ROWS + 1)


def test_large_job_lets_small_ones_pass_and_is_written_alone(store: SqliteStore) -> None:
    ids = [opened(store).id for _ in range(WAITERS)]
    written: list[str] = []
    work = store._writer._work
    assert work is not None
    work.connection.set_trace_callback(
        lambda text: written.append(text) if text == "COMMIT" else None
    )
    with held(store._writer) as release, ThreadPoolExecutor(WAITERS + 1) as pool:
        large = pool.submit(run_large, store, lambda _: written.append("import"))
        until(lambda: len(store._writer._waiting) == 1)
        small = [pool.submit(append_one) for append_one in appends(store, ids)]
        release(WAITERS + 1)
    for future in (large, *small):
        future.result()
    # The first is of the job that held the writer, the second of all small ones.
    assert written == ["COMMIT", "COMMIT", "import", "COMMIT"]
    assert [store.position(session_id).version for session_id in ids] == [2] * WAITERS


def test_large_jobs_of_processes_are_apart(sqlite: Home, store: SqliteStore) -> None:
    other = sqlite.open()
    assert isinstance(other, SqliteStore)
    times: list[tuple[float, float]] = []

    def job(_: object) -> None:
        began = time.monotonic()
        time.sleep(0.1)
        times.append((began, time.monotonic()))

    with ThreadPoolExecutor(4) as pool:
        for home in (store, other, store, other):
            pool.submit(run_large, home, job)
    pauses = [later - ended for (_, ended), (later, _) in pairwise(sorted(times))]
    assert len(pauses) == 3
    assert min(pauses) > 0.09


def test_large_job_is_written_though_small_ones_keep_coming(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "LARGE_PATIENCE_SECONDS", 0.2)
    ended, small = threading.Event(), 0

    def keep_writing() -> None:
        nonlocal small
        while not ended.is_set():
            store._writer.run(lambda _: time.sleep(0.005))
            small += 1

    with ThreadPoolExecutor(4) as pool:
        for _ in range(3):  # somebody always waits
            pool.submit(keep_writing)
        until(lambda: small > WAITERS)
        large = pool.submit(run_large, store, lambda _: small)
        try:
            assert large.result(10) > WAITERS
        finally:
            ended.set()


def test_long_session_is_written_and_read_soon_though_another_thread_computes(
    store: SqliteStore,
) -> None:
    """Each statement and each row waits for Python's global lock, so there must be few of them."""
    ended = threading.Event()

    def compute() -> None:
        while not ended.is_set():
            pass

    thread = threading.Thread(target=compute)
    thread.start()
    try:
        began = time.monotonic()
        opening = ("session_opened", {"title": "x", "players": [{"id": "mara", "name": "Mara"}]})
        imported = store.open_session([opening, *[note()] * LONG], "import")
        written = time.monotonic()
        stream = store.read(imported.id)
        read = time.monotonic()
    finally:
        ended.set()
        thread.join()
    assert stream.lines == imported.lines
    assert (stream.version, stream.head) == (LONG + 1, imported.head)
    assert written - began < 5
    assert read - written < 0.8


def test_damaged_hash_is_read_as_it_is_stored(store: SqliteStore) -> None:
    """JSON holds no bytes, so the rows of such a session are read one by one."""
    session_id = opened(store).id
    append(store, session_id, 1, [note()], "keeper")
    whole_lines = store.read(session_id).lines
    with sqlite3.connect(store.path) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'events'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE events SET hash = x'ff' WHERE seq = 1")
    connection.close()

    with store._reading() as work:
        rows = work.lines_from(session_id, 0, 2)

    assert tuple(line for _, _, line in rows) == whole_lines
    assert rows[0][1] == b"\xff"
