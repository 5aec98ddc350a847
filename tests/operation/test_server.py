"""The service as it is run: what it prints and logs, and how it stops and comes again.

Tests of ``server.worker``.
"""

import os
import signal
import socket
import stat
import statistics
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.store import open_store
from tests.conftest import SOAK
from tests.operation.processes import commands, cpu_seconds, is_running, processes
from tests.operation.serving import SERVE, Server, serving, until
from tests.store import homes
from tests.store.asking import KEYS, OPENING

STOPPED = 5.0  # seconds
AGAIN = 3.0  # seconds after a worker was killed
FREE = 2.0  # seconds after the master was killed
CANARY = "canary-that-sings"
RECORDED = 20  # events, one after the other
LATER = 3  # times as long, while a server starts what helps it
MOST_COOKIES = 180  # that a browser keeps of a site


def sent(jar: dict[str, str]) -> str:
    """The header that a browser sends with these cookies."""
    return "; ".join(f"{name}={value}" for name, value in jar.items())


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("served")
    with serving(folder, command=SERVE, log_level="debug", metrics="yes", thread=3) as server:
        yield server


# -------------------------------------------------------------------------------------- start


def test_who_records_right_after_a_start_does_not_wait_for_what_is_made_ready(
    server: Server,
) -> None:
    """The first test of this server."""
    session = server.opened()
    at_first = recorded(server, session, 1)
    (worker,) = server.workers()
    until(lambda: is_idle(worker))
    assert at_first < LATER * recorded(server, session, 1 + RECORDED)


def recorded(server: Server, session: Any, version: int) -> float:
    """How long it mostly takes to record one event after the other, in seconds."""
    took = []
    for place in range(RECORDED):
        began = time.monotonic()
        server.record(session, version + place)
        took.append(time.monotonic() - began)
    return statistics.median(took)


def is_idle(pid: int) -> bool:
    """Whether a process, without those that it began, does nothing for half a second."""
    before = cpu_seconds(pid)
    time.sleep(0.5)
    return cpu_seconds(pid) == before


def test_it_starts_its_helper_before_anybody_needs_it(server: Server) -> None:
    (worker,) = server.workers()
    until(lambda: any("helper_process" in one for one in commands(worker)))


def test_it_makes_what_it_needs_and_nobody_else_can_read_it(server: Server) -> None:
    data = server.printed.parent / "var"
    assert mode(data) == 0o700
    assert mode(data / "scorekeeper.db") == 0o600


def test_it_prints_how_durable_it_is_and_where(server: Server) -> None:
    said = server.printed.read_text().splitlines()
    assert said[0].startswith("SQLite ")
    assert "journal_mode persist, synchronous full" in said[0]
    assert said[0].endswith("what is acknowledged survives a power cut.")
    assert said[1] == f"Scorekeeper is at http://127.0.0.1:{server.port}/"
    assert any("▄" in line for line in said)  # the code


def test_it_says_what_is_no_setting(server: Server) -> None:
    first = server.logged.read_text().splitlines()[0]
    assert first == "SCOREKEEPER_THREAD is no setting, and is not heeded"


def test_it_is_ready(server: Server) -> None:
    told = server.get("/readyz").json
    assert (told["status"], told["durable"]) == ("ready", True)
    assert told["settings"] == {"journal_mode": "persist", "synchronous": "full"}


# ---------------------------------------------------------------------------------------- log


def test_each_request_is_one_line_with_the_id_of_its_answer(server: Server) -> None:
    told = server.get("/rules/riparto", X_Request_ID=CANARY)
    mine = told.headers["X-Request-ID"]
    (line,) = [one for one in server.records() if one.get("request_id") == mine]
    assert line.pop("ms") > 0
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "request", "level": "info", "logger": "scorekeeper.requests", "request_id": mine,
        "method": "GET", "route": "/rules/<game>", "status": 200,
    }  # fmt: skip


def test_no_secret_is_logged_whatever_is_asked(server: Server) -> None:
    session = server.opened()
    secrets = [CANARY, session["keys"]["host"], *([session["keys"]["view"]] if SOAK else [])]
    for secret in secrets:
        ask_for_everything(server, secret, session["id"])
    server.watching(session).close()
    log = server.logged.read_text()
    assert log.count('"Invalid request, answered with 4') >= 2 * len(secrets)
    assert log.count('"status": 401') >= 1
    for secret in secrets:
        assert secret not in log


def ask_for_everything(server: Server, secret: str, session_id: str) -> None:
    """Put a secret wherever a request has room for one."""
    report = f"/api/sessions/{session_id}"
    for path in (f"/join/{secret}", f"/nothing/{secret}", f"/?key={secret}", f"{report}?{secret}"):
        server.get(path, Referer=f"http://localhost/join/{secret}", User_Agent=secret)
    server.get(report, Authorization=f"Bearer {secret}")
    server.get(report, Cookie=f"table-{session_id}={secret}; {secret}={secret}")
    server.get(report, Authorization=secret, Host=secret)
    for kind in ("text/plain", "application/json", "application/x-www-form-urlencoded"):
        for path in ("/api/score", "/join", f"{report}/events", "/score"):
            body = f'{{"key": "{secret}"}}&key={secret}'
            server.get(path, "POST", body, Content_Type=kind, If_Match=secret)
    for line in (f"GET /{secret} HTTP/9", f"{secret} / HTTP/1.1", f"GET  /{secret}", secret):
        server.send(f"{line}\r\nHost: localhost\r\n\r\n".encode())
    for header in (f"{secret} : x", f"A: {secret}\0", f"Content-Length: {secret}"):
        server.send(f"GET / HTTP/1.1\r\nHost: localhost\r\n{header}\r\n\r\n".encode())


@pytest.mark.parametrize("path", ["/api/score", "/api/sessions/import", "/score"])
@pytest.mark.parametrize("chunks", [b"zz\r\n{}\r\n0\r\n\r\n", b"2\r\n{}junk\r\n0\r\n\r\n"])
def test_chunks_that_are_none_are_refused(server: Server, path: str, chunks: bytes) -> None:
    kind = "application/x-ndjson" if path.startswith("/api") else "multipart/form-data; boundary=x"
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n"
    answer = server.send(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + chunks)
    assert answer.startswith(b"HTTP/1.1 400 "), answer


def test_a_log_that_was_cut_on_its_way_is_not_scored_in_part(server: Server) -> None:
    line = b'{"type": "session_opened", "data": {"title": "Friday", "players": []}}\n'
    head = "POST /api/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
    with closing(server.connected()) as connection:
        connection.sendall(f"{head}Content-Length: {2 * len(line)}\r\n\r\n".encode() + line)
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(10_000).startswith(b"HTTP/1.1 400 ")


def test_all_that_is_logged_is_json_but_for_what_the_command_line_said(server: Server) -> None:
    server.get("/")
    first, *lines = server.logged.read_text().splitlines()
    assert first == "SCOREKEEPER_THREAD is no setting, and is not heeded"
    assert len(lines) == len(server.records()) > 3
    for record in server.records():
        assert {"event", "level", "logger", "timestamp"} <= set(record)
    assert {"gunicorn.error", "scorekeeper.requests"} <= {one["logger"] for one in server.records()}


# ------------------------------------------------------------------------------------ cookies


def test_a_phone_with_as_many_cookies_as_a_browser_keeps_gets_in_again(server: Server) -> None:
    """Of when each table had a cookie of its own: each page moves some, until there is one."""
    with open_store(f"sqlite:///{server.printed.parent}/var/scorekeeper.db") as store:
        opened = [store.open_session(OPENING, "keeper", KEYS) for _ in range(MOST_COOKIES)]
    jar = {f"table-{one.id}": one.keys[2].secret for one in opened}
    assert len(sent(jar)) > 8190
    by_https = sent({f"__Host-{name}": value for name, value in jar.items()})
    assert server.get("/", Cookie=by_https).status == 200
    visits = 0
    while set(jar) != {"phone"}:
        answer = server.get("/", Cookie=sent(jar))
        assert answer.status == 200, answer.body
        for said in answer.cookies:
            name, value = said.partition(";")[0].split("=")
            jar[name] = value
            if "Max-Age=0" in said:
                del jar[name]
        visits += 1
        assert visits < 10
    for one in opened[:: 1 if SOAK else 6]:
        assert server.get(f"/api/sessions/{one.id}", Cookie=sent(jar)).status == 200


# -------------------------------------------------------------------------------- end and again


def test_it_stops_soon_with_a_stream_open(server: Server) -> None:
    """The last test of this server."""
    with closing(server.watching(server.opened())) as stream:
        assert server.stop() < STOPPED
        assert server.process.returncode == 0
        assert b"".join(iter(lambda: stream.recv(1000), b"")).endswith(b"0\r\n\r\n")  # not cut


@pytest.mark.soak
def test_it_comes_again_after_a_kill(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        session = server.opened()
        path, key = f"/api/sessions/{session['id']}", f"Bearer {session['keys']['view']}"
        with closing(server.watching(session)):
            (worker,) = server.workers()
            os.kill(worker, signal.SIGKILL)
            until(lambda: server.workers() not in ([], [worker]), AGAIN)
            assert server.get(path, Authorization=key).status == 200
        with closing(server.watching(session)):
            server.process.kill()
            server.process.wait()
            until(lambda: is_free(server.port), FREE)
    with serving(tmp_path, server.port) as again:
        assert again.get(path, Authorization=key).json["session"]["title"] == "Friday"
        with closing(again.watching(session)):
            assert again.stop(signal.SIGINT) < STOPPED  # as a keyboard does


def test_nothing_is_left_of_a_server_that_is_killed_as_it_starts(tmp_path: Path) -> None:
    with serving(tmp_path, command=SERVE) as server:
        begun = processes(server.process.pid)
        assert len(begun) > 2  # its worker, and what makes things ready for that
        server.process.kill()
        server.process.wait()
        until(lambda: not any(map(is_running, begun)), FREE)


def is_free(port: int) -> bool:
    """Whether a server can listen on a port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


# ------------------------------------------------------------------------------------- PostgreSQL


def test_the_service_forgets_the_owner_of_its_database(tmp_path: Path) -> None:
    with homes.postgres_home(migrated=False) as home, homes.sql(home) as connection:
        role = f"{home.url.rpartition('%3D')[2]}_app"
        mine = home.url.replace("postgres@", f"{role}:swordfish@")
        try:
            with serving(tmp_path, database_url=mine, database_owner_url=home.url) as server:
                assert server.get("/readyz").status == 200
                server.opened()
                for pid in (server.process.pid, *server.workers()):
                    assert b"OWNER" not in Path(f"/proc/{pid}/environ").read_bytes()
            assert server.printed.read_text().count("Scorekeeper is at") == 1
            rows = connection.execute("SELECT tableowner FROM pg_tables WHERE tablename = 'events'")
            assert (role,) not in rows.fetchall()
        finally:
            connection.execute(f"DROP OWNED BY {role}")
            connection.execute(f"DROP ROLE {role}")


def test_two_processes_count_together(tmp_path: Path) -> None:
    with (
        homes.postgres_home() as home,
        serving(tmp_path, database_url=home.url, workers=2, metrics=1) as server,
    ):
        asked = 1 + ask_both(server)
        session = server.opened()
        assert server.figure('request_seconds_count{method="GET",route="/healthz",'
                              'status="200"}') == asked  # fmt: skip
        assert server.figure("events_appended_total") == 1
        with closing(server.watching(session)):
            assert server.figure("streams_open") == 1
            for worker in server.workers():
                os.kill(worker, signal.SIGKILL)
            until(lambda: server.figure("streams_open") == 0)
        assert server.figure("events_appended_total") == 1


def ask_both(server: Server) -> int:
    """Ask until both processes have answered; how often that was."""
    folder = server.printed.parent / "var" / "metrics"
    for asked in range(1, 1000):
        assert server.get("/healthz").status == 200
        if len(list(folder.glob("histogram_*.db"))) == 2:
            return asked
    raise AssertionError("one process answers everything")
