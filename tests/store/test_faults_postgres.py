"""PostgreSQL, and connections that are lost, servers that are gone, locks that are held."""

import os
import random
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from scorekeeper.errors import StaleVersion, StorageUnavailable
from scorekeeper.store import PostgresStore, Store, migrate, open_store
from scorekeeper.store.addresses import PostgresServer, parse
from scorekeeper.store.contract import Appended, Repeated
from scorekeeper.store.postgres_server import Teller
from tests.conftest import SOAK
from tests.store import homes
from tests.store.asking import note, opened, request, whole
from tests.store.homes import Home

TERMINATIONS = 1000 if SOAK else 20
RESTARTS = 100 if SOAK else 5
LOST = 200 if SOAK else 6


@pytest.fixture
def mine(shared_postgres: Home) -> Iterator[Home]:
    """A database whose connections can be told from those of other tests."""
    name = f"sk_{os.getpid()}_{random.getrandbits(30)}"
    home = Home("postgresql", f"{shared_postgres.url}&application_name={name}")
    yield home
    home.close()


def terminate(home: Home) -> int:
    """End all connections of a database's stores, as its owner may; how many there were."""
    name = home.url.rpartition("=")[2]
    with homes.sql(Home("postgresql", home.url.rpartition("&")[0])) as connection:
        rows = connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s",
            (name,),
        ).fetchall()
    return len(rows)


def insist(store: Store, session: str, number: int, tries: list[str]) -> Appended | Repeated:
    """Append under one key until somebody answers."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            version = store.position(session).version
            return store.append(session, version, [note(number)], "keeper", request(f"n {number}"))
        except StorageUnavailable as error:
            tries.append(str(error))
            time.sleep(0.01)
    raise AssertionError("the database does not come back")


# ------------------------------------------------------------------------- connections ended


def test_connections_ended_between_two_requests_are_not_noticed(mine: Home) -> None:
    store = mine.open()
    new = opened(store)
    for version in range(1, 6):
        assert terminate(mine) > 0
        time.sleep(0.02)  # for the farewell to arrive
        assert store.position(new.id).version == version
        assert terminate(mine) > 0
        time.sleep(0.02)
        assert store.append(new.id, version, [note()], "keeper").version == version + 1


def test_connections_ended_in_the_midst_lose_and_double_nothing(mine: Home) -> None:
    store = mine.open()
    ids = [opened(store).id for _ in range(3)]
    stop = threading.Event()
    told: dict[str, list[Appended | Repeated]] = {session: [] for session in ids}
    tries: list[str] = []

    def run(session: str) -> None:
        while not stop.is_set():
            told[session].append(insist(store, session, len(told[session]), tries))

    with ThreadPoolExecutor(len(ids)) as pool:
        running = [pool.submit(run, session) for session in ids]
        for _ in range(TERMINATIONS):
            time.sleep(random.uniform(0.005, 0.03))  # noqa: S311
            terminate(mine)
        stop.set()
    for future in running:
        future.result()
    assert tries  # some were met
    for session in ids:
        stream = store.read(session, 1)
        assert [f'"text":"{n}"'.encode() in line for n, line in enumerate(stream.lines)] == [
            True
        ] * len(told[session])
        assert [one.version for one in told[session]] == list(range(2, len(told[session]) + 2))
    assert list(whole(store)) == []


# --------------------------------------------------------------- connections lost in a commit


class Wire:
    """Passes bytes on between a store and the server, and drops the answer when told to."""

    def __init__(self, server: tuple[str, int]) -> None:
        self._server = server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.cut = threading.Event()
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
                    break  # what the server answered is lost, and so is the connection
                target.sendall(data)
        for one in (source, target):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def close(self) -> None:
        self._listener.close()


@contextmanager
def wired(home: Home) -> Iterator[tuple[PostgresStore, Wire]]:
    """A store behind a wire."""
    server = parse(home.url)
    assert isinstance(server, PostgresServer)
    host, port = server.arguments["host"], int(server.arguments.get("port", 5432))
    wire = Wire((host, port))
    far = replace(server, arguments={**server.arguments, "host": "127.0.0.1", "port": wire.port})
    with PostgresStore(far) as store:
        store._teller = Teller(server.hasty())  # past the wire, so that it takes no cut for itself
        yield store, wire
    wire.close()


def test_an_answer_lost_in_the_commit_is_unknown_and_asked_for_again(
    shared_postgres: Home,
) -> None:
    with wired(shared_postgres) as (store, wire):
        session = opened(store).id
        for version in range(1, 2 * LOST, 2):
            wire.cut.set()
            with pytest.raises(StorageUnavailable) as lost:
                store.append(session, version, [note(version)], "keeper", request(f"{version}"))
            assert lost.value.unknown
            told = store.append(session, version, [note(version)], "keeper", request(f"{version}"))
            assert isinstance(told, Repeated)  # it was written all the same
            assert told.version == version + 1
            store.append(session, version + 1, [note("more")], "keeper")
        assert wire.dropped == LOST
        assert list(whole(store)) == []


def test_a_reader_that_lost_its_connection_knows_that_nothing_happened(
    shared_postgres: Home,
) -> None:
    with wired(shared_postgres) as (store, wire):
        session = opened(store).id
        wire.cut.set()
        with pytest.raises(StorageUnavailable) as lost:
            store.position(session)
        assert not lost.value.unknown
        assert store.position(session).version == 1


# -------------------------------------------------------------------------- waiting for others


def test_a_lock_that_is_held_is_not_waited_for_for_ever(shared_postgres: Home) -> None:
    with open_store(f"{shared_postgres.url}%20-clock_timeout=100") as store:
        session = opened(store).id
        with homes.sql(shared_postgres) as other:
            other.execute("BEGIN")
            other.execute("SELECT pg_advisory_xact_lock(1396918864, hashtext(%s))", (session,))
            with pytest.raises(StorageUnavailable, match="lock timeout") as refused:
                store.append(session, 1, [note()], "keeper", request("key"))
            assert not refused.value.unknown
            assert store.position(session).version == 1
            assert isinstance(store.append(opened(store).id, 1, [note()], "keeper"), Appended)
        assert isinstance(store.append(session, 1, [note()], "keeper", request("key")), Appended)


def test_who_finds_all_connections_in_use_is_told(shared_postgres: Home) -> None:
    server = parse(shared_postgres.url)
    assert isinstance(server, PostgresServer)
    with PostgresStore(server, most=1) as store:
        store._pool._patience = 0.05
        session = opened(store).id
        with store._reading(), ThreadPoolExecutor(4) as pool:
            waiting = [pool.submit(store.position, session) for _ in range(4)]
            for future in waiting:
                assert "in use" in str(future.exception())
        assert store.position(session).version == 1


def test_a_session_is_not_written_past_the_store_unnoticed(shared_postgres: Home) -> None:
    """What the store remembers of where a session ends is a guess, which the database checks."""
    one, other = shared_postgres.open(), shared_postgres.open()
    assert isinstance(one, PostgresStore)
    session = opened(one).id
    one.append(session, 1, [note()], "keeper")
    one._ends[session] = one._ends[session]._replace(head="0" * 64)
    assert one.append(session, 2, [note()], "keeper").version == 3
    other.append(session, 3, [note()], "keeper")
    with pytest.raises(StaleVersion):
        one.append(session, 3, [note()], "keeper")
    assert one.append(session, 4, [note()], "keeper").version == 5
    assert list(whole(one)) == []


# ---------------------------------------------------------------------------------- no server


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with open_store(f"postgresql://nobody@127.0.0.1:{port}/nothing") as store:
        uses = (store.sessions, store.watch, store.durability, lambda: opened(store),
                lambda: store.append("23456789abcd", 1, [note()], "keeper"),
                lambda: store.hit("kind", "me", 1, 1))  # fmt: skip
        for use in uses:
            with pytest.raises(StorageUnavailable):
                use()
        assert len(store.complaints()) == 1
    with pytest.raises(StorageUnavailable):
        migrate(f"postgresql://nobody@127.0.0.1:{port}/nothing")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator["Cluster"]:
    """A PostgreSQL of one's own, which may be treated badly."""
    tools = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    if not tools:
        homes.no_postgres("there is no /usr/lib/postgresql/*/bin/pg_ctl")
    cluster = Cluster(tools[-1].parent, tmp_path)
    cluster.start()
    yield cluster
    cluster.control("stop", "-m", "immediate")
    shutil.rmtree(cluster.folder)


class Cluster:
    """A server with a folder of its own, run by who may: PostgreSQL refuses root."""

    def __init__(self, tools: Path, folder: Path) -> None:
        self._tools = tools
        self.folder = Path(f"/tmp/{folder.name}_{os.getpid()}")  # noqa: S108  # short, and open
        self.folder.mkdir()
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]

    def run(self, *command: str) -> None:
        user = "postgres" if os.getuid() == 0 else None
        subprocess.run(command, check=True, capture_output=True, user=user, cwd="/", timeout=60)

    def control(self, verb: str, *more: str) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
        log = str(self.folder / "log")
        self.run(str(self._tools / "pg_ctl"), verb, "-D", str(self.folder / "data"), "-w", "-l",
                 log, *(("-o", options) if verb != "stop" else ()), *more)  # fmt: skip

    def start(self) -> None:
        self.run(str(self._tools / "initdb"), "-D", str(self.folder / "data"), "-A", "trust",
                 "-U", "owner", "-E", "UTF8", "--no-locale", "--no-sync")  # fmt: skip
        self.control("start")

    @property
    def url(self) -> str:
        return f"postgresql://owner@127.0.0.1:{self.port}/postgres"


@pytest.mark.soak
def test_a_server_that_is_restarted_in_the_midst_loses_nothing(cluster: Cluster) -> None:
    migrate(cluster.url)
    with open_store(cluster.url) as store:
        session = opened(store).id
        stop, told, tries = threading.Event(), [0], [""]

        def run() -> None:
            while not stop.is_set():
                told.append(insist(store, session, len(told), tries).version)

        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(run)
            for _ in range(RESTARTS):
                time.sleep(random.uniform(0.1, 0.5))  # noqa: S311
                cluster.control("restart", "-m", "immediate")
                before = len(told)
                end = time.monotonic() + 10
                while len(told) == before:
                    assert time.monotonic() < end, "no recovery within 10 seconds"
                    time.sleep(0.01)
            stop.set()
        running.result()
        assert told[1:] == list(range(2, len(told) + 1))
        assert store.position(session).version == len(told)
        assert list(whole(store)) == []
