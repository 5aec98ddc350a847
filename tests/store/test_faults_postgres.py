"""PostgreSQL with lost connections, missing servers and held locks.

Tests of ``store.postgres_server`` and ``store.connecting``.
"""

import os
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import psycopg
import pytest

from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.log.writing import now
from scorekeeper.store import PostgresStore, migrate, open_store, postgres_server, sealed
from scorekeeper.store.addresses import PostgresServer, parse
from scorekeeper.store.connecting import Host, Hosts, ServerSilentError
from scorekeeper.store.contract import Position, Repeated, Watch
from scorekeeper.store.postgres_server import NOTIFY, ChangeNotifier
from tests.conftest import SOAK
from tests.store import homes
from tests.store.asking import append, insist, note, opened, request, whole
from tests.store.homes import Home

HERE = "127.0.0.1"
AFTER = Position(1, "0" * 64)
TERMINATIONS = 1000 if SOAK else 12
LOST = 200 if SOAK else 6


@pytest.fixture
def mine(shared_postgres: Home) -> Iterator[Home]:
    """Return a database whose connections differ from those of other tests by their name."""
    name = f"sk_{os.getpid()}_{random.getrandbits(30)}"
    home = Home("postgresql", f"{shared_postgres.url}&application_name={name}")
    yield home
    home.close()


def terminate(home: Home) -> int:
    """End all connections of a database's stores as its owner; return their number."""
    name = home.url.rpartition("=")[2]
    with homes.sql(Home("postgresql", home.url.rpartition("&")[0])) as connection:
        rows = connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s",
            (name,),
        ).fetchall()
    return len(rows)


# ------------------------------------------------------------------------- connections ended


def test_connection_ended_between_requests_is_replaced(mine: Home) -> None:
    store = mine.open()
    new = opened(store)
    for version in range(1, 6):
        assert terminate(mine) > 0
        time.sleep(0.02)  # until the server's last message arrives
        assert store.position(new.id).version == version
        assert terminate(mine) > 0
        time.sleep(0.02)
        assert append(store, new.id, version, [note()], "keeper").version == version + 1


def test_connections_ended_during_appends_lose_and_double_nothing(mine: Home) -> None:
    store = mine.open()
    ids = [opened(store).id for _ in range(3)]
    stop = threading.Event()
    results: dict[str, list[Position | Repeated]] = {session_id: [] for session_id in ids}
    tries: list[str] = []

    def run(session_id: str) -> None:
        while not stop.is_set():
            results[session_id].append(insist(store, session_id, len(results[session_id]), tries))

    with ThreadPoolExecutor(len(ids)) as pool:
        running = [pool.submit(run, session_id) for session_id in ids]
        for _ in range(TERMINATIONS):
            time.sleep(random.uniform(0.005, 0.03))  # noqa: S311
            terminate(mine)
        stop.set()
    for future in running:
        future.result()
    assert tries  # some appends were interrupted
    store = mine.open()  # with connections of its own, which were not ended
    for session_id in ids:
        stream = store.read(session_id, 1)
        assert [f'"text":"{n}"'.encode() in line for n, line in enumerate(stream.lines)] == [
            True
        ] * len(results[session_id])
        assert [result.version for result in results[session_id]] == list(
            range(2, len(results[session_id]) + 2)
        )
    assert list(whole(store)) == []


# --------------------------------------------------------------- connections lost in a commit


class Wire:
    """A proxy between a store and the server that can drop an answer."""

    def __init__(self, server: tuple[str, int]) -> None:
        self._server = server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.cut = threading.Event()
        self.passes = threading.Event()  # cleared while the server is frozen
        self.passes.set()
        self.dropped = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._server)
                for source, target, back in ((near, far, False), (far, near, True)):
                    threading.Thread(
                        target=self._pass, args=(source, target, back), daemon=True
                    ).start()

    def _pass(self, source: socket.socket, target: socket.socket, back: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if back and self.cut.is_set():
                    self.cut.clear()
                    self.dropped += 1
                    break  # the answer of the server is lost, and so is the connection
                self.passes.wait()
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def close(self) -> None:
        self.passes.set()
        self._listener.close()


@contextmanager
def wired(home: Home, seconds: float = 40) -> Iterator[tuple[PostgresStore, Wire]]:
    """Return a store behind a proxy; the store waits this many seconds for an answer."""
    server = parse(home.url)
    assert isinstance(server, PostgresServer)
    host, port = server.arguments["host"], int(server.arguments.get("port", 5432))
    wire = Wire((host, port))
    far = replace(
        server, arguments={**server.arguments, "host": "127.0.0.1", "port": str(wire.port)}
    )
    with PostgresStore(far, seconds=seconds) as store:
        # Not through the proxy, so that this connection is not the one that is cut.
        store._notifier = ChangeNotifier(Hosts(server, 4))
        yield store, wire
    wire.close()


def test_append_is_repeated_with_its_key_after_a_lost_commit_answer(
    shared_postgres: Home,
) -> None:
    with wired(shared_postgres) as (store, wire):
        session_id = opened(store).id
        for version in range(1, 2 * LOST, 2):
            after = store.position(session_id)
            lines = sealed(after, [note(version)], now(), "keeper")
            wire.cut.set()
            with pytest.raises(StorageUnavailableError) as lost:
                store.append(session_id, after, lines, request(f"{version}"))
            assert lost.value.unknown
            result = append(
                store, session_id, version, [note(version)], "keeper", request(f"{version}")
            )
            assert isinstance(result, Repeated)  # it was written nevertheless
            assert result.version == version + 1
            append(store, session_id, version + 1, [note("more")], "keeper")
        assert wire.dropped == LOST
        assert list(whole(store)) == []


def test_without_a_key_a_lost_answer_doubles_the_event(shared_postgres: Home) -> None:
    """A control: a client that repeats without an idempotency key records the event twice."""
    with wired(shared_postgres) as (store, wire):
        session_id = opened(store).id
        for written in (2, 3):
            after = store.position(session_id)
            lines = sealed(after, [note("once")], now(), "keeper")
            wire.cut.set()
            with pytest.raises(StorageUnavailableError):
                store.append(session_id, after, lines)
            assert store.position(session_id).version == written


def test_read_with_a_lost_connection_has_no_unknown_outcome(
    shared_postgres: Home,
) -> None:
    with wired(shared_postgres) as (store, wire):
        session_id = opened(store).id
        wire.cut.set()
        with pytest.raises(StorageUnavailableError) as lost:
            store.position(session_id)
        assert not lost.value.unknown
        assert store.position(session_id).version == 1


# ------------------------------------------------------------------------- a server is frozen

SILENCE = 0.3  # seconds
MOST_NOTIFICATIONS = 100  # that can be in transit when the proxy is cut


def check_silent(use: Callable[[], object], *, unknown: bool = False) -> None:
    """Check that a call ends in time with an error, and whether its outcome is unknown."""
    began = time.monotonic()
    with pytest.raises(StorageUnavailableError, match=r"sent nothing for 0\.3 seconds") as refused:
        use()
    assert SILENCE <= time.monotonic() - began < SILENCE + 1
    assert refused.value.unknown is unknown


def test_every_request_to_a_frozen_server_ends_in_time(shared_postgres: Home) -> None:
    with wired(shared_postgres, SILENCE) as (store, wire):
        session_id = opened(store).id
        after = store.position(session_id)
        lines = sealed(after, [note()], now(), "keeper")
        reads = (lambda: store.position(session_id), lambda: store.export(session_id),
                 store.durability, lambda: store.find_key("a key"),
                 lambda: list(store.verify_all()))  # fmt: skip
        writes = (lambda: store.append(session_id, after, lines, request("key")),
                  lambda: opened(store), lambda: store.hit("kind", "me", 1, 1))  # fmt: skip
        for use in (*reads, *writes):
            store.sessions()  # connects
            wire.passes.clear()
            check_silent(use, unknown=use in writes and use is not writes[2])
            wire.passes.set()
        assert "sent nothing" not in str(store.complaints())
        append(store, session_id, 1, [note()], "keeper", request("key"))
        assert store.position(session_id).version == 2


def listen_on(watch: Watch) -> None:
    """Receive all notifications in transit: other tests on the same server send some, too."""
    for _ in range(MOST_NOTIFICATIONS):
        watch.wait(0.01, list)


def test_listener_detects_a_frozen_server(shared_postgres: Home) -> None:
    with wired(shared_postgres, SILENCE) as (store, wire), closing(store.watch()) as watch:
        store.sessions()
        wire.passes.clear()
        with pytest.raises(ServerSilentError):
            listen_on(watch)
        wire.passes.set()
        assert not store._pool._idle[0].is_alive()  # other connections are not trusted, either


def test_slow_answer_that_keeps_arriving_is_not_cut_off(shared_postgres: Home) -> None:
    server = parse(shared_postgres.url)
    assert isinstance(server, PostgresServer)
    with Hosts(server, SILENCE).connect() as connection, connection.cursor() as cursor:
        cursor.executemany("SELECT repeat('x', 9000) FROM pg_sleep(%s)", [(0.1,)] * 6)
        with pytest.raises(ServerSilentError):
            cursor.execute("SELECT pg_sleep(1)")
        assert connection.closed


def test_store_uses_the_host_that_answers(shared_postgres: Home) -> None:
    server = parse(shared_postgres.url)
    assert isinstance(server, PostgresServer)
    with ExitStack() as stack:
        silent, gone = (stack.enter_context(socket.create_server((HERE, 0))) for _ in range(2))
        ports = [listener.getsockname()[1] for listener in (silent, gone)]
        gone.close()
        there = int(server.arguments.get("port", 5432))
        more = {
            "host": f"{HERE},{HERE},{server.arguments['host']}",
            "port": f"{ports[0]},{ports[1]},{there}",
        }
        hosts = Hosts(replace(server, arguments={**server.arguments, **more}), 4)
        for least, most in ((2, 4), (0, 1)):  # the second time it is tried first
            began = time.monotonic()
            stack.enter_context(hosts.connect())
            assert least <= time.monotonic() - began < most
        more = {"host": f"{HERE},{HERE}", "port": f"{ports[1]},{ports[1]}"}
        hosts = Hosts(replace(server, arguments={**server.arguments, **more}), 4)
        with pytest.raises(psycopg.OperationalError, match=r"refused.*; .*refused"):
            hosts.connect()


def test_silent_host_is_tried_last_and_no_host_is_tried_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[str] = []
    gone = {"one"}

    def connected(self: Hosts, host: Host, *, autocommit: bool) -> SimpleNamespace:
        tried.append(host.arguments["host"])
        if tried[-1] in gone:
            raise psycopg.OperationalError("refused")
        return SimpleNamespace(host=host)

    monkeypatch.setattr(Hosts, "_connect_to", connected)
    server = parse("postgresql://one,two,three/scores")
    assert isinstance(server, PostgresServer)
    hosts = Hosts(server, 4)
    two = hosts.connect().host
    assert tried == ["one", "two"]
    hosts.pass_over(two)
    tried.clear()
    gone |= {"two", "three"}
    with pytest.raises(psycopg.OperationalError, match=r"^refused; refused; refused$"):
        hosts.connect()
    assert tried == ["one", "three", "two"]


# -------------------------------------------------------------------------- waiting for others


def test_waiting_for_a_held_lock_ends(shared_postgres: Home) -> None:
    with open_store(f"{shared_postgres.url}%20-clock_timeout%3D100") as store:
        session_id = opened(store).id
        with homes.sql(shared_postgres) as other:
            other.execute("BEGIN")
            other.execute("SELECT pg_advisory_xact_lock(1396918864, hashtext(%s))", (session_id,))
            with pytest.raises(StorageUnavailableError, match="lock timeout") as refused:
                append(store, session_id, 1, [note()], "keeper", request("key"))
            assert not refused.value.unknown
            assert store.position(session_id).version == 1
            assert isinstance(append(store, opened(store).id, 1, [note()], "keeper"), Position)
        assert isinstance(
            append(store, session_id, 1, [note()], "keeper", request("key")), Position
        )


def test_request_is_refused_when_all_connections_are_in_use(shared_postgres: Home) -> None:
    server = parse(shared_postgres.url)
    assert isinstance(server, PostgresServer)
    with PostgresStore(server, threads=1) as store:
        store._pool.admission.timeout = 0.05
        session_id = opened(store).id
        with store._reading(), ThreadPoolExecutor(4) as pool:
            waiting = [pool.submit(store.position, session_id) for _ in range(4)]
            for future in waiting:
                assert "in use" in str(future.exception())
        assert store.position(session_id).version == 1


def test_append_refused_without_a_visible_reason_may_be_repeated(
    shared_postgres: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As during the restoration of a backup."""
    monkeypatch.setattr(PostgresStore, "_append", lambda *_: False)
    store = shared_postgres.open()
    new = opened(store)
    with pytest.raises(StorageUnavailableError, match="being restored") as refused:
        append(store, new.id, 1, [note()], "keeper", request("key"))
    assert not refused.value.unknown


# ---------------------------------------------------------------------------------- no server


def test_missing_server_is_unavailable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with open_store(f"postgresql://nobody@127.0.0.1:{port}/nothing") as store:
        uses = (store.sessions, store.watch, store.durability, lambda: opened(store),
                lambda: store.append("23456789abcd", AFTER, sealed(AFTER, [note()], now(), "k")),
                lambda: store.hit("kind", "me", 1, 1))  # fmt: skip
        for use in uses:
            with pytest.raises(StorageUnavailableError):
                use()
        assert len(store.complaints()) == 1
    with pytest.raises(StorageUnavailableError):
        migrate(f"postgresql://nobody@127.0.0.1:{port}/nothing")


# ------------------------------------------------------------------------- notifications


class Refusing:
    """A connection that a test makes fail at first, and what it was tried to tell."""

    def __init__(self) -> None:
        self.notified: list[list[str]] = []
        self.fail: Callable[[], None] | None = None
        self.connected = self.closed = 0
        self.twice = threading.Event()

    def connect(self) -> "Refusing":
        self.connected += 1
        return self

    def execute(self, text: str, facts: tuple[str, list[str]] = ("", [])) -> None:
        fail, self.fail = (self.fail, None) if text == NOTIFY else (None, self.fail)
        if text == NOTIFY:
            self.notified.append(facts[1])
            if len(self.notified) > 1:
                self.twice.set()
        if fail is not None:
            fail()
            raise psycopg.OperationalError("lost")

    def close(self) -> None:
        self.closed += 1


def failing_notifier(
    monkeypatch: pytest.MonkeyPatch, again: float
) -> tuple[ChangeNotifier, Refusing]:
    monkeypatch.setattr(postgres_server, "NOTIFY_RETRY_SECONDS", again)
    connection = Refusing()
    return ChangeNotifier(cast("Hosts", connection)), connection


def test_failed_notification_is_repeated_together_with_newer_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    notifier, connection = failing_notifier(monkeypatch, again=0.01)
    connection.fail = lambda: notifier.notify("a", Position(2, "y"))
    with notifier._changed:
        notifier.notify("a", Position(1, "x"))
        notifier.notify("b", Position(1, "z"))
    assert connection.twice.wait(10)
    notifier.close()
    assert connection.notified == [["a 1 x", "b 1 z"], ["a 2 y", "b 1 z"]]
    assert (connection.connected, connection.closed) == (2, 2)


def test_failed_notification_is_dropped_at_shutdown(monkeypatch: pytest.MonkeyPatch) -> None:
    notifier, connection = failing_notifier(monkeypatch, again=60)
    connection.fail = lambda: setattr(notifier, "_closed", True)
    notifier.notify("a", Position(1, "x"))
    assert notifier._thread
    notifier._thread.join(10)
    assert not notifier._thread.is_alive()
    assert connection.notified == [["a 1 x"]]


@pytest.mark.parametrize("threads", [1, 2, 7, 40])
def test_waiting_threads_are_limited_to_the_threads_of_the_server(threads: int) -> None:
    server = parse("postgresql://localhost/none")
    assert isinstance(server, PostgresServer)
    with PostgresStore(server, threads=threads) as store:
        pool, writers = store._pool.admission, store._writers
        most, share = pool._free._value, writers._free._value
        assert most + pool._queue._value + writers._queue._value == threads
        assert pool._queue._value >= writers._queue._value
        assert 0 <= most - share <= most / 4
        assert (most - share > 0) == (most >= 4)
