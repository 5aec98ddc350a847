"""A database that cannot be written: writers have to retry, and readers are served."""

import resource
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest

from scorekeeper.store.postgres_server import LOCK_BY_NAME
from tests.conftest import SOAK
from tests.faults.altered import MOST_CONNECTIONS
from tests.faults.phones import Phone
from tests.faults.running import RestartableServer, ServerPair, events_of, report_of
from tests.operation.serving import Answer, Server, until

CYCLES: Final = 100 if SOAK else 2
READS: Final = ("", "/events", "/log.jsonl", "/lines.csv", "/results.csv", "/next")
READ_SECONDS: Final = 3.0 if SOAK else 10.0  # for all reads while writers wait for a lock
SETTING_SECONDS: Final = 10.0  # until a changed setting of the database takes effect
WAITED: Final = 8.0  # seconds until a request that waits for others is answered
UNLIMITED: Final = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


def check_refused(answer: Answer) -> None:
    """Check that the answer is a temporary problem."""
    assert answer.status == 503, answer
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json["code"] == "storage_unavailable"
    assert int(answer.headers["Retry-After"]) >= 1


def check_reads(server: Server, session: Any) -> None:
    """Check that all resources of a session can be read."""
    for path in READS:
        assert report_of(server, session, path).status == 200, path


def check_ready(server: Server, problem: str = "") -> None:
    """Check that the service is ready, or reports this problem."""
    answer = server.get("/readyz")
    assert (answer.status, answer.headers["Content-Type"]) == (
        (503, "application/problem+json") if problem else (200, "application/json")
    )
    assert problem in answer.json.get("detail", "")


# --------------------------------------------------------------------------------- full disk


def fill(phone: Phone, most: int) -> tuple[str, Answer]:
    """Record notes until one is refused, at most ``most``; return the last one and its answer."""
    for n in range(most - 1):
        text = f"{phone.version} {n} ".ljust(4000, "x")
        answer = phone.insist(text, text[:20])
        if answer.status != 201:
            return text, answer
    return "the last", phone.insist("the last", "the last")


@contextmanager
def full(running: RestartableServer, file: Path, phone: Phone) -> Iterator[str]:
    """Limit the size of files, and fill them up; yield a note that was refused."""
    (worker,) = running.server.workers()
    room = max(file.stat().st_size, running.server.logged.stat().st_size) + 100_000
    resource.prlimit(worker, resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
    try:
        text, answer = fill(phone, room // 4000)
        check_refused(answer)
        yield text
    finally:
        resource.prlimit(worker, resource.RLIMIT_FSIZE, UNLIMITED)


def fill_again_and_again(running: RestartableServer, file: Path, cycles: int) -> None:
    server = running.server
    session = server.open_session()
    with closing(Phone(running.port, session)) as phone:
        for _ in range(cycles):
            with full(running, file, phone) as text:
                before = report_of(server, session, "/log.jsonl").body
                check_refused(phone.insist(text, text[:20]))
                check_reads(server, session)
                check_ready(server, "lately the database cannot be written")
                assert report_of(server, session, "/log.jsonl").body == before
            assert phone.insist(text, text[:20]).status == 201
            check_ready(server)
            after = report_of(server, session, "/log.jsonl").body
            assert after.startswith(before)
            assert after.count(b"\n") == before.count(b"\n") + 1


def file_of(servers: ServerPair) -> Path:
    return Path(servers.url.removeprefix("sqlite:///"))


def test_full_disk_fails_whole_appends_and_service_resumes(on_sqlite: ServerPair) -> None:
    fill_again_and_again(on_sqlite.sound, file_of(on_sqlite), CYCLES)
    with closing(sqlite3.connect(file_of(on_sqlite))) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.soak
def test_service_that_hides_failures_is_detected(on_sqlite: ServerPair) -> None:
    with on_sqlite.altered.with_fault("hides failures"), pytest.raises(AssertionError, match="201"):
        fill_again_and_again(on_sqlite.altered, file_of(on_sqlite), 1)


# --------------------------------------------------------------------------------- read-only


@contextmanager
def read_only_file(servers: ServerPair) -> Iterator[None]:
    """Make the database file read-only."""
    files = list(file_of(servers).parent.glob("scorekeeper.db*"))
    for file in files:
        file.chmod(0o444)
    servers.sound.kill_worker()  # this process had opened the file before
    try:
        yield
    finally:
        for file in files:
            file.chmod(0o644)


@contextmanager
def read_only_database(servers: ServerPair) -> Iterator[None]:
    """Make the database read-only while it is in use."""
    with psycopg.connect(servers.url, autocommit=True) as owner:

        def let(what: str) -> None:
            owner.execute("SET default_transaction_read_only = off")
            owner.execute(f"ALTER SYSTEM {what}".encode())
            owner.execute("SELECT pg_reload_conf()")

        let("SET default_transaction_read_only = on")
        try:
            yield
        finally:
            let("RESET default_transaction_read_only")


def refuses(phone: Phone) -> bool:
    """Return whether nothing can be recorded on any connection."""
    return all(phone.insist("a note", f"{time.monotonic()}").status == 503 for _ in range(5))


def test_read_only_database_can_be_read_and_service_resumes(servers: ServerPair) -> None:
    on_file = servers.url.startswith("sqlite:")
    running = servers.sound
    session = running.server.open_session()
    with closing(Phone(running.port, session)) as phone:
        with read_only_file(servers) if on_file else read_only_database(servers):
            running.wait_until_serving(session)
            until(lambda: refuses(phone), SETTING_SECONDS)
            before = events_of(running.server, session)
            for _ in range(20):
                check_refused(phone.insist("a note", "the key"))
            check_reads(running.server, session)
            check_ready(running.server, "the database cannot be written")
            assert events_of(running.server, session) == before
        until(lambda: phone.insist("a note", "the key").status == 201, SETTING_SECONDS)
        until(lambda: running.server.get("/readyz").status == 200, SETTING_SECONDS)
        assert phone.insist("a note", "the key").json["version"] == len(before) + 1
        assert len(events_of(running.server, session)) == len(before) + 1


# ------------------------------------------------------------------- waiting for a held lock


@contextmanager
def held(servers: ServerPair, session: Any) -> Iterator[None]:
    """Hold a lock that every append needs."""
    if servers.url.startswith("sqlite:"):
        with closing(sqlite3.connect(file_of(servers), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
    else:
        with psycopg.connect(servers.url) as other:
            other.execute(LOCK_BY_NAME, (session["id"],))
            yield


def ask_all(server: Server, session: Any, many: int) -> list[tuple[Answer, float]]:
    """Append from many phones at the same time; return the answers with their seconds."""

    def ask(number: int) -> tuple[Answer, float]:
        began = time.monotonic()
        with closing(Phone(server.port, session)) as phone:
            return phone.insist(f"{number}", f"{number}"), time.monotonic() - began

    with ThreadPoolExecutor(many) as pool:
        return list(pool.map(ask, range(many)))


def test_waiting_for_a_held_lock_ends(servers: ServerPair) -> None:
    server = servers.altered.server
    session, other = server.open_session(), server.open_session()
    with held(servers, session):
        for answer, took in ask_all(server, session, 2):
            check_refused(answer)
            assert took < WAITED
        began = time.monotonic()
        check_reads(server, session)
        check_reads(server, other)
        assert time.monotonic() - began < READ_SECONDS
    for answer, _ in ask_all(server, session, 2):
        assert answer.status == 201
    assert len(events_of(server, session)) == 3


@contextmanager
def all_in_use(servers: ServerPair, sessions: list[Any]) -> Iterator[None]:
    """Let all connections of a server wait for a lock, one for each session."""
    waiters = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    with ExitStack() as stack:
        eye = stack.enter_context(psycopg.connect(servers.url, autocommit=True))
        for session in sessions:
            stack.enter_context(held(servers, session))
        with ThreadPoolExecutor(len(sessions)) as pool:
            waiting = [
                pool.submit(ask_all, servers.altered.server, session, 1) for session in sessions
            ]
            until(lambda: eye.execute(waiters).fetchone() == (len(sessions),), SETTING_SECONDS)
            yield
        for job in waiting:
            check_refused(job.result()[0][0])


def exhaust(servers: ServerPair) -> None:
    """Send more concurrent requests than there are connections."""
    server = servers.altered.server
    sessions = [server.open_session() for _ in range(MOST_CONNECTIONS)]
    third = server.open_session()
    with all_in_use(servers, sessions):
        refused = [answer for answer, took in ask_all(server, third, 4) if answer.status == 503]
        for answer in refused:
            check_refused(answer)
            assert "in use" in answer.json["detail"]
    assert refused
    for session in (*sessions, third):
        ((answer, _),) = ask_all(server, session, 1)
        assert answer.status == 201
        check_reads(server, session)


def test_request_is_refused_when_all_connections_are_in_use(on_postgres: ServerPair) -> None:
    exhaust(on_postgres)


@pytest.mark.soak
def test_service_with_long_waits_is_detected(on_postgres: ServerPair) -> None:
    with on_postgres.altered.with_fault("waits for long"), pytest.raises(AssertionError):
        exhaust(on_postgres)
