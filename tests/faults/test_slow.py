"""Slow clients that send or read single bytes do not keep others from recording."""

import os
import select
import socket
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pytest

from benchmarks.material import log_of, session
from benchmarks.phones import Writer
from scorekeeper.http.headers import HEADERS
from tests.conftest import SOAK, Figure
from tests.operation.serving import Server, is_ready, serving, until

SLOW_CLIENTS: Final = 200 if SOAK else 70  # more than there are threads
SECONDS: Final = 0.5
PACE: Final = 0.15  # seconds between two appends
LONGER: Final = float(os.environ.get("SOAK_MINUTES", "1")) * 60
BEAT: Final = 0.5  # seconds between two bytes of one client
PROMPT: Final = 0.25  # seconds
PATIENCE: Final = 2.0  # seconds that a writer waits for an answer
RECEIVE_BUFFER: Final = 4096  # bytes of a slow reader
FEWEST: Final = 200 if SOAK else 110  # appends, enough for a 99th percentile
MOST_EVENTS: Final = (
    20_000 if SOAK else 1_000
)  # limit on the events of a table, higher than the test needs
FEW: Final = 20  # connections
LONG: Final = 2_000  # events, whose log is larger than the send buffer
LOG: Final = "application/x-ndjson"
ESTABLISHED: Final = "01"  # the state of a connection in /proc/net/tcp
HEAD: Final = "{} HTTP/1.1\r\nHost: localhost\r\n"

Sent = tuple[bytes, bytes]  # the first bytes of a client, and the bytes that it repeats


# ----------------------------------------------------------------------------------- clients


def a_head(_: Server) -> Sent:
    """Return a request whose headers never end."""
    return HEAD.format("GET /").encode() + b"X-Slow: ", b"x"


def a_body(_: Server) -> Sent:
    """Return a request whose body never ends."""
    head = HEAD.format("POST /api/score") + f"Content-Type: {LOG}\r\n"
    return f"{head}Content-Length: 100000\r\n\r\n".encode(), b"x"


def chunks(_: Server) -> Sent:
    """Return a request with a chunked body that never ends."""
    head = HEAD.format("POST /api/score") + f"Content-Type: {LOG}\r\n"
    return f"{head}Transfer-Encoding: chunked\r\n\r\n".encode(), b"1\r\nx\r\n"


def a_reader(server: Server) -> Sent:
    """Return a request for a large answer that is never read."""
    imported = import_session(server, session("riparto", LONG))
    head = HEAD.format(f"GET /api/sessions/{imported['id']}/log.jsonl")
    return f"{head}Authorization: Bearer {imported['keys']['view']}\r\n\r\n".encode(), b""


def nothing(_: Server) -> Sent:
    """Return no bytes: the connection stays idle."""
    return b"", b""


KINDS: Final = (a_head, a_body, chunks, a_reader, nothing)
SUITE: Final = (a_body, a_reader)  # briefly; the soak runs all of them for long


@contextmanager
def slow(
    server: Server, sent: Sent, many: int = SLOW_CLIENTS, *, again: bool = True
) -> Iterator[list[socket.socket]]:
    """Connect slow clients; with ``again``, each reconnects when it is disconnected."""
    first, then = sent
    clients = [connected(server, first) for _ in range(many)]
    ended = threading.Event()

    def trickle() -> None:
        while not ended.wait(BEAT):
            for place, client in enumerate(clients):
                try:
                    client.send(then)
                except OSError:
                    if not again:
                        continue
                    client.close()
                    clients[place] = connected(server, first)

    thread = threading.Thread(target=trickle)
    thread.start()
    try:
        yield clients
    finally:
        ended.set()
        thread.join()
        for client in clients:
            client.close()


def connected(server: Server, first: bytes) -> socket.socket:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
    client.settimeout(10)
    with suppress(TimeoutError):
        client.connect(("127.0.0.1", server.port))
    client.setblocking(False)
    with suppress(OSError):
        client.send(first)
    return client


def import_session(server: Server, events: list[Any]) -> Any:
    """Import a session with these events."""
    answer = server.get("/api/sessions/import", "POST", log_of(events), Content_Type=LOG)
    assert answer.status == 201, answer
    return answer.json


def has_come(client: socket.socket) -> bool:
    """Return whether data can be received."""
    return bool(select.select([client], [], [], 0)[0])


@contextmanager
def table_at(server: Server) -> Iterator[Writer]:
    """Return a writer with a short timeout."""
    opening, *events = session("riparto", MOST_EVENTS)
    imported = import_session(server, [opening])
    writer = Writer(
        server.port, events, imported["keys"]["host"], f"/api/sessions/{imported['id']}"
    )
    writer.connection.timeout = PATIENCE
    with closing(writer.connection):
        yield writer


def recorded(writer: Writer, seconds: float, fewest: int = FEWEST) -> list[float]:
    """Return the sorted seconds of each append, for some seconds and at least ``fewest`` appends.

    After the first appends the table records slowly: a key has a limit for each minute.
    """
    writer.times.clear()
    end = time.monotonic() + seconds
    while time.monotonic() < end or len(writer.times) < fewest:
        writer.write()
        time.sleep(0 if len(writer.times) < fewest else PACE)
    return sorted(writer.times)


# ------------------------------------------------------------------------------------- tests


def check(server: Server, kind: Callable[[Server], Sent], seconds: float, figure: Figure) -> None:
    with table_at(server) as writer, slow(server, kind(server)) as clients:
        if kind is a_reader:  # the time to compute the answers is not measured here
            until(lambda: all(has_come(client) for client in clients), 30)
        times = recorded(writer, seconds)
    p99 = times[int(len(times) * 0.99)]
    p50 = statistics.median(times)
    figure(
        f"{SLOW_CLIENTS} x {kind.__name__}: {len(times)} appends, p50 {p50 * 1000:.0f} ms, "
        f"p99 {p99 * 1000:.0f} ms"
    )
    assert p99 < PROMPT


@pytest.mark.parametrize("kind", SUITE)
def test_slow_clients_do_not_delay_appends(
    server: Server, kind: Callable[[Server], Sent], figure: Figure
) -> None:
    check(server, kind, SECONDS, figure)


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_slow_clients_do_not_delay_appends_for_long(
    server: Server, kind: Callable[[Server], Sent], figure: Figure
) -> None:
    check(server, kind, LONGER, figure)


@pytest.mark.soak
@pytest.mark.parametrize("kind", [a_head, a_body])
def test_service_with_a_thread_for_each_client_is_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Callable[[Server], Sent]
) -> None:
    """A control: the same service with a thread for each client."""
    monkeypatch.setenv("GUNICORN_CMD_ARGS", "--worker-class gthread")
    with (
        serving(tmp_path) as server,
        table_at(server) as writer,
        slow(server, kind(server)),
        pytest.raises(TimeoutError),
    ):
        recorded(writer, SECONDS)


# ------------------------------------------------------------------------------- timeouts

# The service with short timeouts.
IMPATIENT: Final = """
from scorekeeper.cli import main
from scorekeeper.server import connection, intake
intake.BASE_BODY_SECONDS = connection.MAX_STALLED_WRITE_SECONDS = 1.0
main(["serve"])
"""


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GUNICORN_CMD_ARGS", "--keep-alive 1")
        folder = tmp_path_factory.mktemp("impatient")
        with serving(
            folder, command=(sys.executable, "-c", IMPATIENT), connections_an_address=FEW
        ) as server:
            yield server


@pytest.mark.parametrize(
    "kind",
    [a_body, nothing, *(pytest.param(kind, marks=pytest.mark.soak) for kind in (a_head, chunks))],
)
def test_slow_client_is_disconnected(impatient: Server, kind: Callable[[Server], Sent]) -> None:
    with slow(impatient, kind(impatient), many=1, again=False) as (client,):
        sent = until_closed(client)
    if kind in (a_body, chunks):
        assert sent.startswith(b"HTTP/1.1 408 ")
        for name, value in HEADERS.items():
            assert f"\r\n{name}: {value}\r\n".encode() in sent
    else:
        assert sent == b""


def until_closed(client: socket.socket) -> bytes:
    """Return the data until the other end closes the connection, soon."""
    client.settimeout(8)
    return b"".join(iter(lambda: client.recv(1000), b""))


def test_client_that_reads_nothing_is_disconnected(impatient: Server) -> None:
    with slow(impatient, a_reader(impatient), many=1, again=False) as (client,):
        until(lambda: is_disconnected(impatient, client), 8)


def is_disconnected(server: Server, client: socket.socket) -> bool:
    """Return whether the server has closed the connection of a client."""
    port = f":{client.getsockname()[1]:04X} "
    (worker,) = server.workers()
    lines = Path(f"/proc/{worker}/net/tcp").read_text().splitlines()
    return not any(port in line.split(maxsplit=3)[2] + " " for line in lines)


def a_stream(server: Server) -> Sent:
    """Return a request for a live stream."""
    imported = server.open_session()
    head = HEAD.format(f"GET /api/sessions/{imported['id']}/stream")
    return f"{head}Authorization: Bearer {imported['keys']['view']}\r\n\r\n".encode(), b""


@pytest.mark.parametrize("kind", [nothing, a_head, a_body, chunks, a_reader, a_stream])
def test_address_with_all_its_connections_in_use_gets_an_answer(
    impatient: Server, kind: Callable[[Server], Sent]
) -> None:
    """The server closes one of the idle connections instead."""
    sent = kind(impatient)
    with slow(impatient, sent, many=FEW, again=False) as clients:
        until(lambda: connections(impatient) == FEW, 8)
        if kind in (a_reader, a_stream):  # the time to compute the answers is not measured here
            until(lambda: all(has_come(client) for client in clients), 8)
        for _ in range(3):
            assert impatient.get("/healthz").status == 200
            assert connections(impatient) <= FEW


def test_connections_of_one_address_are_limited(impatient: Server) -> None:
    with slow(impatient, nothing(impatient), many=2 * FEW, again=False):
        until(lambda: 0 < connections(impatient) <= FEW, 8)
    until(lambda: is_ready(impatient), 8)


def connections(server: Server) -> int:
    """Return the number of open connections of a server."""
    (worker,) = server.workers()
    lines = Path(f"/proc/{worker}/net/tcp").read_text().splitlines()
    address = f":{server.port:04X}"
    return sum(
        line.split()[1].endswith(address) and line.split()[3] == ESTABLISHED for line in lines[1:]
    )
