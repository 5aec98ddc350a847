"""A client that leaves is no error: nothing above debug is logged for it, whenever it leaves.

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

pytestmark = [pytest.mark.soak] if SOAK else []  # where it takes longer

MANY: Final = 50 if SOAK else 10  # clients of each kind that leave in each way
NOTES: Final = 600  # so that the log is larger than what is sent ahead
LOG: Final = "application/x-ndjson"
RESET: Final = struct.pack("ii", 1, 0)  # of a socket that is closed: linger on, seconds
BUFFER: Final = 1 << 12

Leave = Callable[[socket.socket], None]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("left")
    with serving(folder, log_level="debug", computations_an_hour=10**6) as server:
        yield server


@pytest.fixture(scope="module")
def told(server: Server) -> Any:
    """A session with a long log."""
    opening = {"title": "x", "players": [{"id": "a", "name": "A"}]}
    events = [{"type": "session_opened", "data": opening}]
    events += [{"type": "note_added", "data": {"text": f"{n} {'x' * 900}"}} for n in range(NOTES)]
    log = "".join(f"{json.dumps(one)}\n" for one in events)
    answer = server.get("/api/sessions/import", "POST", log, Content_Type=LOG)
    assert answer.status == 201, answer
    return answer.json


def close(client: socket.socket) -> None:
    """Leave as a page that is closed."""


def reset(client: socket.socket) -> None:
    """Leave as a phone whose network is gone."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)


def half_close(client: socket.socket) -> None:
    """Say that nothing more comes, and leave a moment later."""
    client.shutdown(socket.SHUT_WR)
    time.sleep(0.005)


WAYS: Final = (close, reset, half_close)


def head(told: Any, path: str, method: str = "GET", more: str = "") -> bytes:
    """The head of a request for something of a session."""
    url = f"/api/sessions/{told['id']}{path}" if not path.startswith("//") else path[1:]
    key = f"Authorization: Bearer {told['keys']['host']}\r\n"
    return f"{method} {url} HTTP/1.1\r\nHost: localhost\r\n{key}{more}\r\n".encode()


def part(sent: bytes) -> Callable[[Any], bytes]:
    """What is always the same."""
    return lambda _: sent


# What a client sends, and whether it waits for the beginning of the answer before it leaves.
STATES: Final[dict[str, tuple[Callable[[Any], bytes], bool]]] = {
    "nothing": (part(b""), False),
    "half a line": (part(b"GET /rul"), False),
    "half a head": (part(b"GET / HTTP/1.1\r\nHost: local"), False),
    "half a body": (
        lambda told: head(
            told, "/events", "POST", "Content-Type: application/json\r\nContent-Length: 99\r\n"
        ) + b'{"events"', False,
    ),
    "half a chunk": (
        lambda told: head(
            told, "//api/score", "POST", f"Content-Type: {LOG}\r\nTransfer-Encoding: chunked\r\n"
        ) + b"99\r\nx", False,
    ),
    "a body that is waited for": (
        lambda told: head(
            told, "//api/score", "POST",
            f"Content-Type: {LOG}\r\nExpect: 100-continue\r\nContent-Length: 99\r\n",
        ), True,
    ),
    "a stream": (lambda told: head(told, "/stream"), False),
    "a stream that has begun": (lambda told: head(told, "/stream"), True),
    "a page": (lambda told: head(told, f"//t/{told['id']}"), False),
    "a page that has begun": (lambda told: head(told, f"//t/{told['id']}"), True),
    "a picture": (lambda told: head(told, "//static/htmx.min.js"), False),
    "a download": (lambda told: head(told, "/log.jsonl"), False),
    "a download that has begun": (lambda told: head(told, "/log.jsonl"), True),
    "what takes long": (lambda told: head(told, "/audit?suggest=1"), False),
    "many at once": (lambda told: head(told, "/log.jsonl") + head(told, "/stream") * 5, False),
    "an answer to a log": (
        lambda told: head(
            told, "//api/score", "POST", f"Content-Type: {LOG}\r\nContent-Length: 3\r\n"
        ) + b"{}\n", False,
    ),
    "idle after an answer": (lambda told: head(told, "//healthz"), True),
}  # fmt: skip
SUITE: Final = ("half a body", "a body that is waited for", "a stream that has begun", "a page",
                "a download that has begun", "many at once", "idle after an answer")  # fmt: skip


def leave(server: Server, sent: bytes, waits: bool, way: Leave) -> None:
    """Open a connection, send this, and leave."""
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        client.settimeout(10)
        client.connect(("127.0.0.1", server.port))
        client.sendall(sent)
        if waits:
            with suppress(ConnectionError):
                client.recv(100)
        way(client)


def is_quiet(server: Server) -> bool:
    """Whether no connection has anything under way, and nothing more was logged for a moment."""
    size = server.logged.stat().st_size
    time.sleep(0.15)
    return server.logged.stat().st_size == size


@pytest.mark.parametrize("state", STATES if SOAK else SUITE)
def test_a_client_that_leaves_is_no_error(server: Server, told: Any, state: str) -> None:
    sent, waits = STATES[state]
    before = len(server.records())
    for way in WAYS:
        for _ in range(MANY):
            leave(server, sent(told), waits, way)
    server.record(told, told["version"])  # which a stream tells to clients that are gone
    told["version"] += 1
    until(lambda: is_quiet(server), 10)
    loud = [one for one in server.records()[before:] if not is_discreet(one)]
    assert loud == []
    assert "Traceback" not in server.logged.read_text()


def is_discreet(record: dict[str, Any]) -> bool:
    """Whether a record is below info, or of a request that went well."""
    if record["event"] == "request":
        return bool(record["status"] < 500 or record["status"] == 503)
    return bool(record["level"] == "debug")


def test_a_stop_with_clients_that_leave_is_no_error(tmp_path: Any) -> None:
    with serving(tmp_path, log_level="debug") as server:
        session = server.opened()
        streams = [server.watching(session) for _ in range(10)]
        for one in streams[:5]:
            one.close()
        server.stop()
        for one in streams[5:]:
            one.close()
        assert {one["level"] for one in server.records()} <= {"debug", "info"}
