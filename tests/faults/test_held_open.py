"""Uploads and downloads that one address holds open do not affect other addresses (T47).

Tests of ``server.capacity``.
"""

import itertools
import json
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from typing import Any, Final

import pytest
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.test import run_wsgi_app

from scorekeeper.http.client import address_of
from scorekeeper.server.bridge import client_of
from tests.conftest import SOAK
from tests.faults.phones import Phone
from tests.operation.serving import Server, serving, until

LONGER: Final = float(os.environ.get("SOAK_MINUTES", "1")) * 60 / 8 if SOAK else 0.0  # seconds
TOTAL: Final = (96 if SOAK else 8) << 20  # bytes that all requests may use
LARGE: Final = TOTAL // 12  # bytes of one upload
UPLOADS: Final = 14  # together they use the whole capacity, as a part of each is not counted
DOWNLOAD: Final = TOTAL // (64 if SOAK else 16)  # bytes
READERS: Final = 80 if SOAK else 24
APPENDS: Final = 100 if SOAK else 10
PHONES: Final = 200
ATTACKER: Final = "127.0.0.2"
OTHER: Final = "127.0.0.3"
LOG: Final = "application/x-ndjson"
BUFFER: Final = 1 << 12  # bytes of the receive buffer of a slow reader
WAIT: Final = 30.0  # seconds
READ: Final = (413, 422)  # the statuses for a body that was read and is no log

large_sessions: dict[int, Any] = {}  # by the port of their server

# The service with this limit.
WITH_LESS: Final = f"""
from scorekeeper.cli import main
from scorekeeper.server import bridge
bridge.MAX_BUFFERED_BYTES = {TOTAL}
main(["serve"])
"""

# A service that grants all capacity to the first requests.
UNFAIR: Final = """
from scorekeeper.server import capacity
capacity.UNCOUNTED_BYTES = 0
capacity.SharedCapacity._victim = lambda *_: None
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("served")
    settings = {"key_events_a_minute": 10**6, "session_events_a_minute": 10**6}
    with serving(folder, command=(sys.executable, "-c", WITH_LESS), **settings) as server:
        yield server


def connected(server: Server, address: str, first: bytes) -> socket.socket:
    """Connect from an address of this machine, and send the first bytes."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
    client.settimeout(WAIT)
    client.bind((address, 0))
    client.connect(("127.0.0.1", server.port))
    client.sendall(first)
    return client


@contextmanager
def uploads(server: Server, many: int = UPLOADS) -> Iterator[None]:
    """Hold uploads open whose last byte is never sent."""
    head = f"POST /api/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: {LOG}\r\n"
    first = f"{head}Content-Length: {LARGE}\r\n\r\n".encode() + b"x" * (LARGE - 1)
    with ExitStack() as stack:
        for _ in range(many):
            stack.enter_context(closing(connected(server, ATTACKER, first)))
        yield


@contextmanager
def downloads(server: Server, many: int = READERS) -> Iterator[None]:
    """Hold downloads open that are never read."""
    session = large_session(server)
    first = (
        f"GET /api/sessions/{session['id']}/log.jsonl HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {session['keys']['view']}\r\n\r\n"
    ).encode()
    with ExitStack() as stack:
        clients = [
            stack.enter_context(closing(connected(server, ATTACKER, first))) for _ in range(many)
        ]
        for client in clients:
            with suppress(ConnectionResetError):
                client.recv(1, socket.MSG_PEEK)  # it has begun
        yield


def large_session(server: Server) -> Any:
    """Return a session with a log so large that few downloads fit; one for each server."""
    if server.port in large_sessions:
        return large_sessions[server.port]
    opening = {"title": "x", "players": [{"id": "a", "name": "A"}]}
    notes = [{"text": f"{n} {'x' * 900}"} for n in range(DOWNLOAD // 1000)]
    events = [{"type": "session_opened", "data": opening}]
    events += [{"type": "note_added", "data": note} for note in notes]
    log = "".join(f"{json.dumps(event)}\n" for event in events)
    answer = server.get("/api/sessions/import", "POST", log, Content_Type=LOG)
    assert answer.status == 201, answer
    large_sessions[server.port] = answer.json
    return answer.json


HOLDING: Final = (uploads, downloads)
Holding = Callable[[Server], Any]


@pytest.mark.parametrize("holding", HOLDING)
@pytest.mark.parametrize("address", [ATTACKER, OTHER])
def test_appends_succeed_while_connections_are_held_open(
    server: Server, holding: Holding, address: str
) -> None:
    """From another address and from the same one."""
    end = time.monotonic() + LONGER
    with closing(Phone(server.port, server.open_session(), address=address)) as phone:
        for again in itertools.count():
            with holding(server):
                for n in range(APPENDS):
                    assert phone.insist("a note", f"note {again} {n}").status == 201
            if time.monotonic() >= end:
                break


@pytest.mark.parametrize("holding", HOLDING)
def test_other_address_gets_its_share_of_the_capacity(server: Server, holding: Holding) -> None:
    with holding(server):
        for _ in range(3):
            assert sent(server, OTHER, b"x" * LARGE) in READ
        assert sent(server, ATTACKER, b"x" * (100 << 10)) in READ


def sent(server: Server, address: str, body: bytes) -> int:
    """Post a body that is no log; return the status."""
    source = (address, 0)
    with closing(
        HTTPConnection("127.0.0.1", server.port, timeout=WAIT, source_address=source)
    ) as client:
        client.request("POST", "/api/score", body, {"Content-Type": LOG})
        return client.getresponse().status


@pytest.mark.parametrize("holding", HOLDING)
def test_two_hundred_phones_behind_the_same_address_record(
    server: Server, holding: Holding
) -> None:
    with ExitStack() as stack:
        session = server.open_session()
        stack.enter_context(holding(server))
        phones = [
            stack.enter_context(closing(Phone(server.port, session, address=ATTACKER)))
            for _ in range(PHONES)
        ]
        for phone in phones:
            phone.connection.connect()
        for n, phone in enumerate(phones[:: 1 if SOAK else 20]):
            assert phone.insist("a note", f"phone {n}").status == 201
            assert phone.ask().status == 200


@pytest.mark.soak
def test_service_that_shares_unfairly_is_detected(tmp_path_factory: Any) -> None:
    folder = tmp_path_factory.mktemp("unfair")
    command = (sys.executable, "-c", UNFAIR + WITH_LESS)
    with serving(folder, command=command) as server, uploads(server):
        time.sleep(1)
        assert sent(server, OTHER, b"x" * 1000) == 503


# ------------------------------------------------------------------------------ behind a proxy


@pytest.mark.soak
def test_forwarded_address_counts_behind_a_proxy(tmp_path_factory: Any) -> None:
    """All connections come from the proxy, which forwards the client's address."""
    folder = tmp_path_factory.mktemp("proxied")
    command = (sys.executable, "-c", WITH_LESS)
    with serving(folder, command=command, proxies=1) as server, ExitStack() as stack:
        for _ in range(UPLOADS):
            stack.enter_context(closing(connected(server, OTHER, upload_for("10.0.0.1"))))
        until(lambda: forwarded(server, "10.0.0.1") == 503, WAIT)
        assert forwarded(server, "10.0.0.2") in READ
        assert forwarded(server, "10.0.0.1, 10.0.0.3") in READ


@pytest.mark.parametrize(
    ("forwarded", "proxies", "address"),
    [
        (["192.0.2.7"], 0, "127.0.0.1"),
        (["192.0.2.7"], 1, "192.0.2.7"),
        (["203.0.113.1, 192.0.2.7"], 1, "192.0.2.7"),
        (["203.0.113.1", "192.0.2.7:99"], 1, "192.0.2.7"),
        (["203.0.113.1, 192.0.2.7, 198.51.100.1"], 2, "192.0.2.7"),
        (["192.0.2.7"], 2, "127.0.0.1"),
        (["2001:db8::1"], 1, "2001:db8::/64"),
        ([], 1, "127.0.0.1"),
    ],
)
def test_server_and_application_count_the_same_address(
    forwarded: list[str], proxies: int, address: str
) -> None:
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    scope = {"client": ("127.0.0.1", 5000), "headers": headers}
    assert client_of(scope, proxies) == address
    environ = {"REMOTE_ADDR": "127.0.0.1"}
    if forwarded:
        environ["HTTP_X_FORWARDED_FOR"] = ",".join(forwarded)
    body, _, _ = run_wsgi_app(ProxyFix(answer_address, x_for=proxies), environ)
    assert address_of(b"".join(body).decode()) == address


def answer_address(environ: Any, start_response: Any) -> list[bytes]:
    start_response("200 OK", [])
    return [environ["REMOTE_ADDR"].encode()]


def upload_for(client: str) -> bytes:
    head = f"POST /api/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: {LOG}\r\n"
    named = f"X-Forwarded-For: {client}\r\nContent-Length: {LARGE}\r\n\r\n"
    return (head + named).encode() + b"x" * (LARGE - 1)


def forwarded(server: Server, client: str) -> int:
    """Post a large body through a proxy; return the status."""
    headers = {"Content-Type": LOG, "X-Forwarded-For": client}
    body = b"x" * LARGE
    return server.get("/api/score", "POST", body, **headers).status
