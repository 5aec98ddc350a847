"""A client that disconnects is no error: nothing above debug is logged, at any time.

Tests of ``http.monitoring`` and ``server.connection``.
"""

import json
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final

import pytest

from tests.conftest import SOAK
from tests.operation.serving import Server, serving, until

CLIENTS: Final = 50 if SOAK else 10  # for each state and each kind of disconnection
NOTES: Final = 600  # so that the log is larger than the send buffers
LOG: Final = "application/x-ndjson"
RESET: Final = struct.pack("ii", 1, 0)  # SO_LINGER: on, 0 seconds, so close() sends a reset
RECEIVE_BUFFER: Final = 1 << 12  # bytes

Disconnect = Callable[[socket.socket], None]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("disconnected")
    with serving(folder, log_level="debug", computations_an_hour=10**6) as server:
        yield server


@pytest.fixture(scope="module")
def session(server: Server) -> Any:
    """Import a session with a long log."""
    opening = {"title": "x", "players": [{"id": "a", "name": "A"}]}
    events = [{"type": "session_opened", "data": opening}]
    events += [{"type": "note_added", "data": {"text": f"{n} {'x' * 900}"}} for n in range(NOTES)]
    log = "".join(f"{json.dumps(event)}\n" for event in events)
    answer = server.get("/api/sessions/import", "POST", log, Content_Type=LOG)
    assert answer.status == 201, answer
    return answer.json


def close(client: socket.socket) -> None:
    """Disconnect as a page that is closed."""


def reset(client: socket.socket) -> None:
    """Disconnect as a phone that lost its network."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)


def half_close(client: socket.socket) -> None:
    """Close the sending side, and disconnect a moment later."""
    client.shutdown(socket.SHUT_WR)
    time.sleep(0.005)


DISCONNECTIONS: Final = (close, reset, half_close)


def head(session: Any, path: str, method: str = "GET", headers: str = "") -> bytes:
    """Return the head of a request; a path with ``//`` is not below the session's URL."""
    url = f"/api/sessions/{session['id']}{path}" if not path.startswith("//") else path[1:]
    key = f"Authorization: Bearer {session['keys']['host']}\r\n"
    return f"{method} {url} HTTP/1.1\r\nHost: localhost\r\n{key}{headers}\r\n".encode()


def part(data: bytes) -> Callable[[Any], bytes]:
    """Return a function that returns these bytes for every session."""
    return lambda _: data


# The bytes that a client sends, and whether it waits for a response before it disconnects.
STATES: Final[dict[str, tuple[Callable[[Any], bytes], bool]]] = {
    "nothing": (part(b""), False),
    "half a line": (part(b"GET /rul"), False),
    "half a head": (part(b"GET / HTTP/1.1\r\nHost: local"), False),
    "half a body": (
        lambda session: head(
            session, "/events", "POST", "Content-Type: application/json\r\nContent-Length: 99\r\n"
        ) + b'{"events"', False,
    ),
    "half a chunk": (
        lambda session: head(
            session, "//api/score", "POST", f"Content-Type: {LOG}\r\nTransfer-Encoding: chunked\r\n"
        ) + b"99\r\nx", False,
    ),
    "a body that is waited for": (
        lambda session: head(
            session, "//api/score", "POST",
            f"Content-Type: {LOG}\r\nExpect: 100-continue\r\nContent-Length: 99\r\n",
        ), True,
    ),
    "a stream": (lambda session: head(session, "/stream"), False),
    "a stream that has begun": (lambda session: head(session, "/stream"), True),
    "a page": (lambda session: head(session, f"//t/{session['id']}"), False),
    "a page that has begun": (lambda session: head(session, f"//t/{session['id']}"), True),
    "a picture": (lambda session: head(session, "//static/htmx.min.js"), False),
    "a download": (lambda session: head(session, "/log.jsonl"), False),
    "a download that has begun": (lambda session: head(session, "/log.jsonl"), True),
    "what takes long": (lambda session: head(session, "/audit?suggest=1"), False),
    "many at once": (
        lambda session: head(session, "/log.jsonl") + head(session, "/stream") * 5, False,
    ),
    "an answer to a log": (
        lambda session: head(
            session, "//api/score", "POST", f"Content-Type: {LOG}\r\nContent-Length: 3\r\n"
        ) + b"{}\n", False,
    ),
    "idle after an answer": (lambda session: head(session, "//healthz"), True),
}  # fmt: skip
SUITE: Final = ("half a body", "a body that is waited for", "a stream that has begun", "a page",
                "a download that has begun", "many at once", "idle after an answer")  # fmt: skip


def connect_and_leave(server: Server, data: bytes, waits: bool, disconnect: Disconnect) -> None:
    """Open a connection, send data, and disconnect."""
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        client.settimeout(10)
        client.connect(("127.0.0.1", server.port))
        client.sendall(data)
        if waits:
            with suppress(ConnectionError):
                client.recv(100)
        disconnect(client)


def is_quiet(server: Server) -> bool:
    """Return whether nothing is logged for a moment."""
    size = server.logged.stat().st_size
    time.sleep(0.15)
    return server.logged.stat().st_size == size


@pytest.mark.parametrize("state", STATES if SOAK else SUITE)
def test_client_that_disconnects_is_no_error(server: Server, session: Any, state: str) -> None:
    data, waits = STATES[state]
    before = len(server.records())
    for disconnect in DISCONNECTIONS:
        for _ in range(CLIENTS):
            connect_and_leave(server, data(session), waits, disconnect)
    server.record(session, session["version"])  # sent to streams of disconnected clients
    session["version"] += 1
    until(lambda: is_quiet(server), 10)
    problems = [record for record in server.records()[before:] if not is_expected(record)]
    assert problems == []
    assert "Traceback" not in server.logged.read_text()


def is_expected(record: dict[str, Any]) -> bool:
    """Return whether a record is at debug level, or of a request without a server error."""
    if record["event"] == "request":
        return bool(record["status"] < 500 or record["status"] == 503)
    return bool(record["level"] == "debug")


def test_stop_during_disconnections_is_no_error(tmp_path: Any) -> None:
    with serving(tmp_path, log_level="debug") as server:
        session = server.open_session()
        streams = [server.open_stream(session) for _ in range(10)]
        for stream in streams[:5]:
            stream.close()
        server.stop()
        for stream in streams[5:]:
            stream.close()
        assert {record["level"] for record in server.records()} <= {"debug", "info"}
