"""Slow clients: who sends or takes a byte now and then keeps nobody from recording."""

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

MANY: Final = 200 if SOAK else 70  # more than there are threads
SECONDS: Final = 0.5
PACE: Final = 0.15  # seconds between two appends
LONGER: Final = float(os.environ.get("SOAK_MINUTES", "1")) * 60
BEAT: Final = 0.5  # seconds between two bytes of one client
PROMPT: Final = 0.25  # seconds
PATIENCE: Final = 2.0  # seconds until who records gives up
SMALL: Final = 4096  # bytes that a slow reader has room for
FEWEST: Final = 200 if SOAK else 110  # appends, of which the 99th part is more than one
NOTED: Final = 20_000 if SOAK else 1_000  # events that a table may record, more than it does
FEW: Final = 20  # connections
LONG: Final = 2_000  # events, of which the log is larger than what is sent ahead
LOG: Final = "application/x-ndjson"
ESTABLISHED: Final = "01"  # a connection, as the system writes it
HEAD: Final = "{} HTTP/1.1\r\nHost: localhost\r\n"

Said = tuple[bytes, bytes]  # what a client sends at once, and then again and again


# ----------------------------------------------------------------------------------- clients


def a_head(_: Server) -> Said:
    """A request whose headers never end."""
    return HEAD.format("GET /").encode() + b"X-Slow: ", b"x"


def a_body(_: Server) -> Said:
    """A body that never ends."""
    head = HEAD.format("POST /api/score") + f"Content-Type: {LOG}\r\n"
    return f"{head}Content-Length: 100000\r\n\r\n".encode(), b"x"


def chunks(_: Server) -> Said:
    """A body of no known length that never ends."""
    head = HEAD.format("POST /api/score") + f"Content-Type: {LOG}\r\n"
    return f"{head}Transfer-Encoding: chunked\r\n\r\n".encode(), b"1\r\nx\r\n"


def a_reader(server: Server) -> Said:
    """A request for much, of which nothing is taken."""
    told = brought_in(server, session("riparto", LONG))
    head = HEAD.format(f"GET /api/sessions/{told['id']}/log.jsonl")
    return f"{head}Authorization: Bearer {told['keys']['view']}\r\n\r\n".encode(), b""


def nothing(_: Server) -> Said:
    """A connection by which nothing is asked."""
    return b"", b""


KINDS: Final = (a_head, a_body, chunks, a_reader, nothing)
SUITE: Final = (a_body, a_reader)  # in a moment; all of them for long in the soak


@contextmanager
def slow(
    server: Server, said: Said, many: int = MANY, *, again: bool = True
) -> Iterator[list[socket.socket]]:
    """So many slow clients, each of which comes again where it was sent away, or does not."""
    first, then = said
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
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    client.settimeout(10)
    with suppress(TimeoutError):
        client.connect(("127.0.0.1", server.port))
    client.setblocking(False)
    with suppress(OSError):
        client.send(first)
    return client


def brought_in(server: Server, events: list[Any]) -> Any:
    """A session with these events."""
    answer = server.get("/api/sessions/import", "POST", log_of(events), Content_Type=LOG)
    assert answer.status == 201, answer
    return answer.json


def has_come(client: socket.socket) -> bool:
    """Whether something has come that can be taken."""
    return bool(select.select([client], [], [], 0)[0])


@contextmanager
def table_at(server: Server) -> Iterator[Writer]:
    """Somebody who records, and gives up soon."""
    opening, *events = session("riparto", NOTED)
    told = brought_in(server, [opening])
    writer = Writer(server.port, events, told["keys"]["host"], f"/api/sessions/{told['id']}")
    writer.connection.timeout = PATIENCE
    with closing(writer.connection):
        yield writer


def recorded(writer: Writer, seconds: float, fewest: int = FEWEST) -> list[float]:
    """How long each append took, for so many seconds and until there are some; sorted.

    After the first ones the table takes its time: a key records only so much in a minute.
    """
    writer.times.clear()
    end = time.monotonic() + seconds
    while time.monotonic() < end or len(writer.times) < fewest:
        writer.write()
        time.sleep(0 if len(writer.times) < fewest else PACE)
    return sorted(writer.times)


# ------------------------------------------------------------------------------------- tests


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The service as it is without any setting."""
    with serving(tmp_path_factory.mktemp("bare")) as server:
        yield server


def stands(server: Server, kind: Callable[[Server], Said], seconds: float, figure: Figure) -> None:
    with table_at(server) as writer, slow(server, kind(server)) as clients:
        if kind is a_reader:  # working out the answers is another matter
            until(lambda: all(has_come(client) for client in clients), 30)
        times = recorded(writer, seconds)
    p99 = times[int(len(times) * 0.99)]
    p50 = statistics.median(times)
    figure(
        f"{MANY} x {kind.__name__}: {len(times)} appends, p50 {p50 * 1000:.0f} ms, "
        f"p99 {p99 * 1000:.0f} ms"
    )
    assert p99 < PROMPT


@pytest.mark.parametrize("kind", SUITE)
def test_slow_clients_keep_nobody_from_recording(
    server: Server, kind: Callable[[Server], Said], figure: Figure
) -> None:
    stands(server, kind, SECONDS, figure)


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_slow_clients_keep_nobody_from_recording_for_long(
    server: Server, kind: Callable[[Server], Said], figure: Figure
) -> None:
    stands(server, kind, LONGER, figure)


@pytest.mark.soak
@pytest.mark.parametrize("kind", [a_head, a_body])
def test_threads_that_wait_for_clients_would(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Callable[[Server], Said]
) -> None:
    """The control: the same service, where each client has a thread."""
    monkeypatch.setenv("GUNICORN_CMD_ARGS", "--worker-class gthread")
    with (
        serving(tmp_path) as server,
        table_at(server) as writer,
        slow(server, kind(server)),
        pytest.raises(TimeoutError),
    ):
        recorded(writer, SECONDS)


# ------------------------------------------------------------------------------- an end to it

# The service with the patience of moments.
IMPATIENT: Final = """
from scorekeeper.cli import main
from scorekeeper.server import connection, intake
intake.PATIENCE = connection.SILENCE = 1.0
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
    [a_body, nothing, *(pytest.param(one, marks=pytest.mark.soak) for one in (a_head, chunks))],
)
def test_who_is_slow_is_let_go(impatient: Server, kind: Callable[[Server], Said]) -> None:
    with slow(impatient, kind(impatient), many=1, again=False) as (client,):
        said = until_closed(client)
    if kind in (a_body, chunks):
        assert said.startswith(b"HTTP/1.1 408 ")
        for name, value in HEADERS.items():
            assert f"\r\n{name}: {value}\r\n".encode() in said
    else:
        assert said == b""


def until_closed(client: socket.socket) -> bytes:
    """All that comes until the other end closes the connection, soon."""
    client.settimeout(8)
    return b"".join(iter(lambda: client.recv(1000), b""))


def test_who_takes_nothing_is_let_go(impatient: Server) -> None:
    with slow(impatient, a_reader(impatient), many=1, again=False) as (client,):
        until(lambda: is_let_go(impatient, client), 8)


def is_let_go(server: Server, client: socket.socket) -> bool:
    """Whether the server has nothing more to do with a client."""
    port = f":{client.getsockname()[1]:04X} "
    (worker,) = server.workers()
    lines = Path(f"/proc/{worker}/net/tcp").read_text().splitlines()
    return not any(port in line.split(maxsplit=3)[2] + " " for line in lines)


def a_stream(server: Server) -> Said:
    """A request for live updates, which go on."""
    told = server.open_session()
    head = HEAD.format(f"GET /api/sessions/{told['id']}/stream")
    return f"{head}Authorization: Bearer {told['keys']['view']}\r\n\r\n".encode(), b""


@pytest.mark.parametrize("kind", [nothing, a_head, a_body, chunks, a_reader, a_stream])
def test_an_address_with_all_its_connections_still_gets_an_answer(
    impatient: Server, kind: Callable[[Server], Said]
) -> None:
    """One of those that keep the server waiting ends in its place."""
    said = kind(impatient)
    with slow(impatient, said, many=FEW, again=False) as clients:
        until(lambda: connections(impatient) == FEW, 8)
        if kind in (a_reader, a_stream):  # working out the answers is another matter
            until(lambda: all(has_come(client) for client in clients), 8)
        for _ in range(3):
            assert impatient.get("/healthz").status == 200
            assert connections(impatient) <= FEW


def test_one_address_has_no_more_connections_than_it_may(impatient: Server) -> None:
    with slow(impatient, nothing(impatient), many=2 * FEW, again=False):
        until(lambda: 0 < connections(impatient) <= FEW, 8)
    until(lambda: is_ready(impatient), 8)


def connections(server: Server) -> int:
    """How many connections a server has open."""
    (worker,) = server.workers()
    lines = Path(f"/proc/{worker}/net/tcp").read_text().splitlines()
    here = f":{server.port:04X}"
    return sum(
        line.split()[1].endswith(here) and line.split()[3] == ESTABLISHED for line in lines[1:]
    )
