"""One writer at a time, and one transaction for all who wait.

Tests of ``store.writer``.
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
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


@pytest.fixture
def store(sqlite: Home) -> SqliteStore:
    store = sqlite.open()
    assert isinstance(store, SqliteStore)
    return store


@contextmanager
def held(writer_: Writer) -> Iterator[Callable[[int], None]]:
    """Keep the writer busy, until so many wait for it."""
    begun, go_on = threading.Event(), threading.Event()

    def job(_: object) -> None:
        begun.set()
        go_on.wait(10)

    def let_go(waiters: int) -> None:
        end = time.monotonic() + 10
        while len(writer_._waiting) < waiters and time.monotonic() < end:
            time.sleep(0.001)
        assert len(writer_._waiting) == waiters
        go_on.set()

    with ThreadPoolExecutor(1) as pool:
        holding = pool.submit(writer_.run, job)
        begun.wait(10)
        yield let_go
        holding.exception(10)


def at_once(store: SqliteStore, jobs: list[Callable[[], Any]]) -> list[Future[Any]]:
    """Do all of the jobs in one group."""
    with held(store._writer) as let_go, ThreadPoolExecutor(len(jobs)) as pool:
        futures = [pool.submit(job) for job in jobs]
        let_go(len(jobs))
    return futures


def appends(store: SqliteStore, ids: list[str], version: int = 1) -> list[Callable[[], Any]]:
    def one(session_id: str) -> Callable[[], Any]:
        return lambda: append(store, session_id, version, [note()], "keeper", request("key"))

    return [one(session_id) for session_id in ids]


class Flaky:
    """A connection that fails at one statement, once."""

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
    """Let the writer's connection fail at a statement."""
    work = store._writer._work
    assert work is not None
    work.connection = Flaky(work.connection, statement, error)


def test_who_waits_is_written_in_one_transaction(store: SqliteStore) -> None:
    ids = [opened(store).id for _ in range(WAITERS)]
    seen: list[str] = []
    work = store._writer._work
    assert work is not None
    work.connection.set_trace_callback(seen.append)
    futures = at_once(store, appends(store, ids))
    assert all(isinstance(future.result(), Position) for future in futures)
    assert seen.count("COMMIT") == 2  # that of who held the writer, and one for all
    assert [store.position(session_id).version for session_id in ids] == [2] * WAITERS


def test_who_waits_for_another_process_takes_along_all_who_come(
    sqlite: Home, store: SqliteStore
) -> None:
    """Longer than SQLite would wait for its lock, and then in one transaction."""
    other = sqlite.open()
    assert isinstance(other, SqliteStore)
    ids = [opened(store).id for _ in range(WAITERS)]
    store._writer._work.connection.execute("PRAGMA busy_timeout = 0")  # type: ignore[union-attr]
    seen: list[str] = []
    store._writer._work.connection.set_trace_callback(seen.append)  # type: ignore[union-attr]
    with held(other._writer) as let_go, ThreadPoolExecutor(WAITERS) as pool:
        futures = [pool.submit(job) for job in appends(store, ids)]
        until(lambda: len(store._writer._waiting) == WAITERS)
        let_go(0)
    assert all(isinstance(future.result(), Position) for future in futures)
    assert seen.count("COMMIT") == 1


def test_behind_a_process_that_was_stopped_at_its_turn_only_one_waits(
    sqlite: Home, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until that process is ended; all others are told, and nothing of theirs is recorded."""
    monkeypatch.setattr(writer, "QUEUE_TIMEOUT_SECONDS", 0.2)
    other = sqlite.open()
    assert isinstance(other, SqliteStore)
    ids = [opened(store).id for _ in range(WAITERS)]
    with held(other._writer) as let_go, ThreadPoolExecutor(WAITERS) as pool:
        futures = [pool.submit(job) for job in appends(store, ids)]
        until(lambda: sum(future.done() for future in futures) == WAITERS - 1)
        told = [future.exception() for future in futures if future.done()]
        assert [type(one) for one in told] == [StorageUnavailableError] * (WAITERS - 1)
        assert not any(one.unknown for one in told if isinstance(one, StorageUnavailableError))
        let_go(0)
    assert sorted(store.position(session_id).version for session_id in ids) == [1] * (
        WAITERS - 1
    ) + [2]
    for future in at_once(store, appends(store, ids)):
        future.result()
    assert [store.position(session_id).version for session_id in ids] == [2] * WAITERS


def test_who_loses_patience_as_his_turn_comes_takes_it(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However little patience they have: each is recorded, or told that he is not."""
    monkeypatch.setattr(writer, "QUEUE_TIMEOUT_SECONDS", 0.0005)
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


def test_a_copy_that_is_looked_at_stays_alone_in_its_folder(
    store: SqliteStore, tmp_path: Path
) -> None:
    opened(store)
    store.backup(tmp_path / "copy.db")
    store.restore(tmp_path / "copy.db")
    assert [path.name for path in tmp_path.iterdir()] == ["copy.db"]


def test_what_one_is_refused_the_others_get(store: SqliteStore) -> None:
    ids = [opened(store).id for _ in range(WAITERS)]

    def broken(_: object) -> None:
        raise ZeroDivisionError

    def half(work: Any) -> None:
        work.connection.execute("DELETE FROM limits")
        work.connection.execute("INSERT INTO limits VALUES ('half', zeroblob(32), 'x', 1)")
        work.connection.execute("INSERT INTO limits VALUES ('bad', zeroblob(1), 'x', 1)")

    futures = at_once(store, [
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
def test_a_transaction_that_fails_fails_for_everyone(store: SqliteStore, statement: str) -> None:
    ids = [opened(store).id for _ in range(WAITERS)]
    writer, commits = store._writer, 0
    real_commit = writer._commit

    def commit(group: list[Any]) -> None:
        nonlocal commits
        commits += 1
        if commits == 2:  # not that of who holds the writer
            fail(store, statement, sqlite3.OperationalError("database or disk is full"))
        real_commit(group)

    writer._commit = commit  # type: ignore[method-assign]
    for future in at_once(store, appends(store, ids)):
        with pytest.raises(StorageUnavailableError, match="disk is full"):
            future.result()
    assert [store.position(session_id).version for session_id in ids] == [1] * WAITERS
    for future in at_once(store, appends(store, ids)):
        assert isinstance(future.result(), Position)
    assert [store.position(session_id).version for session_id in ids] == [2] * WAITERS
    assert list(whole(store)) == []


def test_a_leader_that_is_interrupted_leaves_nobody_waiting(store: SqliteStore) -> None:
    session_id = opened(store).id

    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    def together() -> list[Future[Any]]:
        with held(store._writer) as let_go, ThreadPoolExecutor(3) as pool:
            futures = [pool.submit(store._writer.run, interrupted)]
            futures += [pool.submit(job) for job in appends(store, [session_id])]
            let_go(2)
        return futures

    errors = [future.exception() for future in together()]
    assert {type(error) for error in errors} == {KeyboardInterrupt, StorageUnavailableError}
    assert store.position(session_id).version == 1
    told = append(store, session_id, 1, [note()], "keeper", request("key"))
    assert told.version == 2


def test_a_store_that_was_closed_opens_again(store: SqliteStore) -> None:
    new = opened(store)
    for version in (1, 2, 3):
        store.close()
        assert append(store, new.id, version, [note()], "keeper").version == version + 1
        assert store.position(new.id).version == version + 1


# --------------------------------------------------------------------------------------- gate


def test_readers_are_together_and_the_writer_alone() -> None:
    gate = Gate()
    inside: list[str] = []
    with gate.reading(), gate.reading():
        writer = threading.Thread(target=lambda: enter(gate, inside))
        writer.start()
        time.sleep(0.02)
        late = threading.Thread(target=lambda: read(gate, inside))
        late.start()
        time.sleep(0.02)
        assert inside == []  # nobody comes in before the writer
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


def test_who_is_refused_alone_leaves_nothing(store: SqliteStore) -> None:
    """Its transaction is undone as a whole."""
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


def test_who_comes_while_the_connection_is_lent_writes_after_it(store: SqliteStore) -> None:
    session_id = opened(store).id
    assert store._writer.borrow() is not None

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(append, store, session_id, 1, [note()], "keeper")
        end = time.monotonic() + 10
        while not store._writer._waiting and time.monotonic() < end:
            time.sleep(0.001)
        assert store.position(session_id).version == 1  # read elsewhere
        assert store._writer.borrow() is None
        assert not writing.done()
        store._writer.give_back(sound=True)
        writing.result(10)

    assert store.position(session_id).version == 2


def test_a_connection_that_fails_to_read_is_not_lent_again(store: SqliteStore) -> None:
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


def test_what_was_revoked_opens_nothing_where_it_was_glanced_at(sqlite: Home) -> None:
    """By another process, too: what the writer's connection remembers is never out of date."""
    here, elsewhere = sqlite.open(), sqlite.open()
    session = opened(here)
    view = session.keys[1]
    assert here.find_key(view.secret) == view.key

    elsewhere.revoke_key(session.id, view.key.id)

    assert here.find_key(view.secret) is None
