"""The running service: its output and log, its stop and its restart.

Tests of ``server.worker``.
"""

import os
import signal
import socket
import stat
import struct
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import SOAK
from tests.operation.processes import commands, cpu_seconds, is_running, processes
from tests.operation.serving import SERVE, Server, serving, until
from tests.store import homes

STOP_SECONDS = 5.0
RESTART_SECONDS = 3.0  # after a worker was killed
FREE_PORT_SECONDS = 2.0  # after the master was killed
CANARY = "canary-that-sings"
TLS_HELLO = b"\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00"  # of a phone that tries https first
WORKER_AND_HELPER = 2  # processes
MAX_PREPARATION_SECONDS = 0.5  # of the processor, in a worker


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("served")
    with serving(folder, command=SERVE, log_level="debug", metrics="yes", thread=3) as server:
        yield server


# -------------------------------------------------------------------------------------- start


def test_preparation_of_a_started_worker_costs_it_little(server: Server) -> None:
    """Must be the first test of this server: what the worker computes delays who records.

    Its processor time is compared, which other programs do not change. It is 0.03 seconds; to
    compile all templates would take more than one.
    """
    (worker,) = server.workers()
    at_first = cpu_seconds(worker)
    until(lambda: len(commands(worker)) == WORKER_AND_HELPER and is_idle(worker))
    assert cpu_seconds(worker) - at_first < MAX_PREPARATION_SECONDS


def is_idle(pid: int) -> bool:
    """Return whether a process, without its children, does nothing for half a second."""
    before = cpu_seconds(pid)
    time.sleep(0.5)
    return cpu_seconds(pid) == before


def test_worker_starts_its_helper_in_advance(server: Server) -> None:
    (worker,) = server.workers()
    until(lambda: any("helper_process" in command for command in commands(worker)))


def test_data_is_readable_by_its_owner_only(server: Server) -> None:
    data = server.printed.parent / "var"
    assert mode(data) == 0o700
    assert mode(data / "scorekeeper.db") == 0o600


def test_server_prints_its_durability_and_its_address(server: Server) -> None:
    lines = server.printed.read_text().splitlines()
    assert lines[0] == f"Scorekeeper is at http://127.0.0.1:{server.port}/"
    assert lines[-1].startswith("SQLite ")
    assert "journal_mode persist, synchronous full" in lines[-1]
    assert lines[-1].endswith("what is acknowledged survives a power cut.")
    assert any("▄" in line for line in lines)  # the QR code


def test_server_reports_unknown_settings(server: Server) -> None:
    first = server.logged.read_text().splitlines()[0]
    assert first == "SCOREKEEPER_THREAD is not a setting and is ignored"


def test_readiness_includes_durability(server: Server) -> None:
    readiness = server.get("/readyz").json
    assert (readiness["status"], readiness["durable"]) == ("ready", True)
    assert readiness["settings"] == {"journal_mode": "persist", "synchronous": "full"}


# ---------------------------------------------------------------------------------------- log


def test_each_request_is_one_line_with_the_id_of_its_response(server: Server) -> None:
    answer = server.get("/rules/riparto", X_Request_ID=CANARY)
    id_ = answer.headers["X-Request-ID"]
    (line,) = [record for record in server.records() if record.get("request_id") == id_]
    assert line.pop("ms") > 0
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "request", "level": "info", "logger": "scorekeeper.requests", "request_id": id_,
        "method": "GET", "route": "/rules/<game>", "status": 200,
    }  # fmt: skip


def test_no_secret_of_a_request_is_logged(server: Server) -> None:
    session = server.open_session()
    secrets = [CANARY, session["keys"]["host"], *([session["keys"]["view"]] if SOAK else [])]
    for secret in secrets:
        send_everywhere(server, secret, session["id"])
    server.open_stream(session).close()
    log = server.logged.read_text()
    assert '"Invalid request, answered with 4' in log
    assert log.count('"status": 401') >= 1
    for secret in secrets:
        assert secret not in log


def test_requests_that_are_none_do_not_fill_the_log(server: Server) -> None:
    for _ in range(20):
        assert server.send(b"hello\r\n\r\n").startswith(b"HTTP/1.1 400 ")
    log = server.logged.read_text()
    assert 1 <= log.count("Invalid request, answered with 400") <= 3  # one a minute


def test_no_client_causes_a_warning(server: Server) -> None:
    """A warning means that somebody has to act, and nobody has to because of a client."""
    session = server.open_session()
    half = b"POST /api/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
    for raw in (TLS_HELLO, b"", half, half + b"\r\n{}"):
        for reset in (False, True):
            connection = server.connect()
            connection.sendall(raw)
            leave(connection, reset=reset)
    leave(server.open_stream(session))
    leave(server.open_stream(session), reset=True)
    for method in ("HEAD", "OPTIONS", "DELETE", "TRACE"):
        server.get(f"/t/{session['id']}", method)
    server.send(b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n")
    until(lambda: server.figure("streams_open") == 0)
    assert {record["level"] for record in server.records()} <= {"debug", "info"}


def leave(connection: socket.socket, *, reset: bool = False) -> None:
    """Close a connection; a ``reset`` one as by a phone whose network is gone."""
    if reset:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def test_length_of_too_many_digits_is_refused(server: Server) -> None:
    """Python reads 4,300 digits at most."""
    head = b"POST /api/score HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
    assert server.send(head + b"1" * 5000 + b"\r\n\r\n").startswith(b"HTTP/1.1 400 ")
    assert "Traceback" not in server.logged.read_text()


def send_everywhere(server: Server, secret: str, session_id: str) -> None:
    """Send requests with a secret in each of their parts."""
    report = f"/api/sessions/{session_id}"
    for path in (f"/join/{secret}", f"/nothing/{secret}", f"/?key={secret}", f"{report}?{secret}"):
        server.get(path, Referer=f"http://localhost/join/{secret}", User_Agent=secret)
    server.get(report, Authorization=f"Bearer {secret}")
    server.get(report, Cookie=f"phone={secret}; {secret}={secret}")
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
def test_malformed_chunks_are_refused(server: Server, path: str, chunks: bytes) -> None:
    kind = "application/x-ndjson" if path.startswith("/api") else "multipart/form-data; boundary=x"
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n"
    answer = server.send(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + chunks)
    assert answer.startswith(b"HTTP/1.1 400 "), answer


def test_truncated_upload_of_a_log_is_refused(server: Server) -> None:
    line = b'{"type": "session_opened", "data": {"title": "Friday", "players": []}}\n'
    head = "POST /api/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
    with closing(server.connect()) as connection:
        connection.sendall(f"{head}Content-Length: {2 * len(line)}\r\n\r\n".encode() + line)
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(10_000).startswith(b"HTTP/1.1 400 ")


def test_log_is_json_after_the_warnings_of_the_command_line(server: Server) -> None:
    server.get("/")
    first, *lines = server.logged.read_text().splitlines()
    assert first == "SCOREKEEPER_THREAD is not a setting and is ignored"
    assert len(lines) == len(server.records()) > 3
    for record in server.records():
        assert {"event", "level", "logger", "timestamp"} <= set(record)
    loggers = {record["logger"] for record in server.records()}
    assert {"gunicorn.error", "scorekeeper.requests"} <= loggers


# ------------------------------------------------------------------------------ stop and restart


def test_open_stream_does_not_delay_the_stop(server: Server) -> None:
    """Must be the last test of this server."""
    with closing(server.open_stream(server.open_session())) as stream:
        assert server.stop() < STOP_SECONDS
        assert server.process.returncode == 0
        assert b"".join(iter(lambda: stream.recv(1000), b"")).endswith(b"0\r\n\r\n")  # not cut


@pytest.mark.soak
def test_sessions_survive_kills_of_worker_and_master(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        session = server.open_session()
        path, key = f"/api/sessions/{session['id']}", f"Bearer {session['keys']['view']}"
        with closing(server.open_stream(session)):
            (worker,) = server.workers()
            os.kill(worker, signal.SIGKILL)
            until(lambda: server.workers() not in ([], [worker]), RESTART_SECONDS)
            assert server.get(path, Authorization=key).status == 200
        with closing(server.open_stream(session)):
            server.process.kill()
            server.process.wait()
            until(lambda: is_free(server.port), FREE_PORT_SECONDS)
    with serving(tmp_path, server.port) as again:
        assert again.get(path, Authorization=key).json["session"]["title"] == "Friday"
        with closing(again.open_stream(session)):
            assert again.stop(signal.SIGINT) < STOP_SECONDS  # as a keyboard does


def test_children_end_with_a_server_that_is_killed_during_its_start(tmp_path: Path) -> None:
    with serving(tmp_path, command=SERVE) as server:
        until(lambda: len(processes(server.process.pid)) > WORKER_AND_HELPER)
        pids = processes(server.process.pid)
        server.process.kill()
        server.process.wait()
        until(lambda: not any(map(is_running, pids)), FREE_PORT_SECONDS)


def is_free(port: int) -> bool:
    """Return whether a server can listen on a port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


# ------------------------------------------------------------------------------------- PostgreSQL


def test_running_service_does_not_know_the_owner_of_its_database(tmp_path: Path) -> None:
    with homes.postgres_home(migrated=False) as home, homes.sql(home) as connection:
        role = f"{home.url.rpartition('%3D')[2]}_app"
        app_url = home.url.replace("postgres@", f"{role}:swordfish@")
        try:
            with serving(tmp_path, database_url=app_url, database_owner_url=home.url) as server:
                assert server.get("/readyz").status == 200
                server.open_session()
                for pid in (server.process.pid, *server.workers()):
                    assert b"OWNER" not in Path(f"/proc/{pid}/environ").read_bytes()
            assert server.printed.read_text().count("Scorekeeper is at") == 1
            rows = connection.execute("SELECT tableowner FROM pg_tables WHERE tablename = 'events'")
            assert (role,) not in rows.fetchall()
        finally:
            connection.execute(f"DROP OWNED BY {role}")
            connection.execute(f"DROP ROLE {role}")


def test_metrics_are_the_sums_of_two_workers(tmp_path: Path) -> None:
    with (
        homes.postgres_home() as home,
        serving(tmp_path, database_url=home.url, workers=2, metrics=1) as server,
    ):
        requests = 1 + request_both_workers(server)
        session = server.open_session()
        assert server.figure('request_seconds_count{method="GET",route="/healthz",'
                              'status="200"}') == requests  # fmt: skip
        assert server.figure("events_appended_total") == 1
        with closing(server.open_stream(session)):
            assert server.figure("streams_open") == 1
            for worker in server.workers():
                os.kill(worker, signal.SIGKILL)
            until(lambda: server.figure("streams_open") == 0)
        assert server.figure("events_appended_total") == 1


def request_both_workers(server: Server) -> int:
    """Send requests until both workers have answered, and return their number."""
    folder = server.printed.parent / "var" / "metrics"
    for requests in range(1, 1000):
        assert server.get("/healthz").status == 200
        if len(list(folder.glob("histogram_*.db"))) == 2:
            return requests
    raise AssertionError("one worker answers all requests")
