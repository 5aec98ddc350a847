"""Input that is costly to parse does not delay other clients (T46).

Tests of ``server.pacing`` and ``server.connection``.
"""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from typing import Final, NamedTuple

import pytest

from tests.conftest import SOAK, Figure
from tests.faults.test_slow import PROMPT, recorded, table_at
from tests.operation.processes import cpu_seconds
from tests.operation.serving import Server, serving

CONNECTIONS: Final = 6
SECONDS: Final = float(os.environ.get("SOAK_MINUTES", "1")) * 60 / 10 if SOAK else 1.0
FEWEST: Final = 200 if SOAK else 40  # appends
HEALTHY: Final = 1.0  # seconds within which /healthz answers
BEAT: Final = 0.05  # seconds between two looks at it
LEFT_CLIENTS: Final = 400  # clients
BUFFER: Final = 1 << 16  # bytes that the system of a client keeps

HEAD: Final = (
    b"POST /api/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
)
CHUNKED: Final = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
GET: Final = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"


class Attack(NamedTuple):
    """The bytes that a client sends first, and the bytes that it then repeats."""

    first: bytes
    repeated: bytes
    pause: float = 0.0  # seconds in between
    many: int = 10**9  # times, after which it begins anew


ATTACKS: Final = {
    "one byte a chunk": Attack(CHUNKED, b"1\r\nx\r\n" * 10_000),
    "short extensions": Attack(CHUNKED, b"1;a=b;c;d\r\nx\r\n" * 4000),
    "long extensions": Attack(CHUNKED, (b"1;" + b"a=b;" * 3000 + b"c\r\nx\r\n") * 5),
    "trailers": Attack(CHUNKED + b"0\r\n", b"X: y\r\n" * 40, 0.01, 2),
    "one byte a segment": Attack(HEAD + b"Content-Length: 1000000\r\n\r\n", b"x", 1e-4),
    "one byte of a head": Attack(GET + b"X: ", b"x", 1e-4),
    "lines of a head": Attack(GET, b"X: y\r\n", 1e-4, 90),
    "requests at once": Attack(b"", (GET + b"\r\n") * 200, 0.2),
    "a large body": Attack(HEAD + b"Content-Length: 8000000\r\n\r\n", b"x" * BUFFER, 0.0, 120),
}
SUITE: Final = ("one byte a chunk",)
CROWD: Final = 100  # addresses
EACH: Final = 600  # chunks of one byte that each connection sends before it begins anew

# Each connection is one of another address. It sends what is costly, and is closed and opened
# again as soon as that is sent, or as soon as the server closes it.
RECONNECTING: Final = """
import os, selectors, socket, sys
os.nice(10)  # it stands for other machines
port, crowd, first, then = int(sys.argv[1]), int(sys.argv[2]), *map(bytes.fromhex, sys.argv[3:])
selector = selectors.DefaultSelector()

def begin(place):
    client = socket.socket()
    client.setblocking(False)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, bytes([1, 0, 0, 0, 0, 0, 0, 0]))
    client.bind((f"127.0.2.{place + 1}", 0))
    client.connect_ex(("127.0.0.1", port))
    selector.register(client, selectors.EVENT_WRITE, (place, [memoryview(first)]))

def send(client, place, left):
    try:
        if not left[0]:
            if not then:
                raise ConnectionResetError
            left[0] = memoryview(then)
        left[0] = left[0][client.send(left[0]):]
    except BlockingIOError:
        pass
    except OSError:
        selector.unregister(client)
        client.close()
        begin(place)

for place in range(crowd):
    begin(place)
print("begun", flush=True)
while True:
    for key, _ in selector.select():
        send(key.fileobj, *key.data)
"""


@contextmanager
def attacked(server: Server, attack: Attack, many: int = CONNECTIONS) -> Iterator[None]:
    """Attack over this many connections."""
    stop = threading.Event()

    def send() -> None:
        while not stop.is_set():
            with suppress(OSError), socket.socket() as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                client.settimeout(1)  # so that the thread ends soon
                client.connect(("127.0.0.1", server.port))
                send_on(client)

    def send_on(client: socket.socket) -> None:
        client.sendall(attack.first)
        left = memoryview(attack.repeated)
        times = attack.many
        while times and not stop.is_set():
            with suppress(TimeoutError):
                left = left[client.send(left) :]
            if not left:
                left, times = memoryview(attack.repeated), times - 1
                stop.wait(attack.pause)

    threads = [threading.Thread(target=send) for _ in range(many)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@contextmanager
def polling(server: Server, times: list[float]) -> Iterator[None]:
    """Poll ``/healthz``, and collect the seconds of each answer."""
    stop = threading.Event()

    def look() -> None:
        while not stop.wait(BEAT):
            began = time.monotonic()
            assert server.get("/healthz").status == 200
            times.append(time.monotonic() - began)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@contextmanager
def attacked_by_crowd(server: Server, first: bytes, then: bytes) -> Iterator[None]:
    """Let many addresses send costly input and reconnect endlessly."""
    command = (sys.executable, "-c", RECONNECTING, str(server.port), str(CROWD), first.hex(),
               then.hex())  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as crowd:
        try:
            assert crowd.stdout
            assert crowd.stdout.readline() == "begun\n"
            yield
        finally:
            crowd.kill()


def check(server: Server, attack: AbstractContextManager[None], figure: Figure) -> None:
    """Record at a table and poll the service during an attack."""
    (worker,) = server.workers()
    looks: list[float] = []
    with table_at(server) as writer, attack, polling(server, looks):
        began, busy = time.monotonic(), cpu_seconds(worker)
        times = recorded(writer, SECONDS, FEWEST)
        share = (cpu_seconds(worker) - busy) / (time.monotonic() - began)
    late = times[-1 - len(times) // 100 - (not SOAK)]
    figure(
        f"{len(times)} appends, p99 {late * 1000:.0f} ms; /healthz {max(looks) * 1000:.0f} ms at "
        f"most; {share:.2f} of a processor"
    )
    assert late < PROMPT
    assert max(looks) < HEALTHY


@pytest.mark.parametrize("kind", SUITE)
def test_costly_input_does_not_delay_others(server: Server, kind: str, figure: Figure) -> None:
    check(server, attacked(server, ATTACKS[kind]), figure)


CHUNKS: Final = b"1\r\nx\r\n" * EACH


@pytest.mark.soak
@pytest.mark.parametrize(
    ("first", "then"),
    [
        pytest.param(CHUNKED, CHUNKS, id="until it is closed"),
        pytest.param(CHUNKED + CHUNKS, b"", id="once"),
        pytest.param(b" ", b"", id="nothing"),
    ],
)
def test_reconnecting_crowd_does_not_delay_others(
    server: Server, first: bytes, then: bytes, figure: Figure
) -> None:
    """A hundred addresses with one connection each at a time."""
    check(server, attacked_by_crowd(server, first, then), figure)


def test_disconnected_clients_do_not_delay_others(server: Server, figure: Figure) -> None:
    """Each pipelined thousands of requests and closed, which the server notices late."""
    requests = b"GET /api/games/knock HTTP/1.1\r\nHost: localhost\r\n\r\n" * 4000
    for _ in range(LEFT_CLIENTS):
        with left_by(server, "127.0.0.2", requests):
            pass
    figure(f"{answered(server):.2f} seconds until /healthz was answered")


def test_half_closed_clients_do_not_delay_others(server: Server, figure: Figure) -> None:
    """Most of these clients have disconnected; the others get their answer afterwards."""
    request = b"GET /rules/knock HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with ExitStack() as stack:
        for n in range(LEFT_CLIENTS):
            stack.enter_context(left_by(server, f"127.0.1.{n % 200 + 1}", request))
        figure(f"{answered(server):.2f} seconds until /healthz was answered")
        with left_by(server, "127.0.0.3", request) as client:
            assert client.recv(1000).startswith(b"HTTP/1.1 200 ")


@contextmanager
def left_by(server: Server, address: str, requests: bytes) -> Iterator[socket.socket]:
    """Return a connection whose client sent its requests and closed its sending half."""
    with socket.socket() as client:
        client.settimeout(10)
        client.bind((address, 0))
        client.connect(("127.0.0.1", server.port))
        client.sendall(requests)
        client.shutdown(socket.SHUT_WR)
        yield client


def answered(server: Server) -> float:
    """Return the seconds until the service answers, which are few."""
    began = time.monotonic()
    assert server.get("/healthz").status == 200
    seconds = time.monotonic() - began
    assert seconds < HEALTHY
    return seconds


@pytest.mark.soak
@pytest.mark.parametrize("kind", ATTACKS)
def test_long_costly_input_does_not_delay_others(server: Server, kind: str, figure: Figure) -> None:
    check(server, attacked(server, ATTACKS[kind]), figure)


# The service with unlimited parsing.
UNLIMITED_PARSING: Final = """
from math import inf
from scorekeeper.cli import main
from scorekeeper.server import pacing
pacing.COSTLY_BURST_SECONDS = inf
main(["serve"])
"""


@pytest.mark.soak
def test_service_with_unlimited_parsing_is_detected(
    tmp_path_factory: pytest.TempPathFactory, figure: Figure
) -> None:
    folder = tmp_path_factory.mktemp("greedy")
    attack = ATTACKS["one byte a chunk"]
    with (
        serving(folder, command=(sys.executable, "-c", UNLIMITED_PARSING)) as server,
        pytest.raises((AssertionError, TimeoutError)),
    ):
        check(server, attacked(server, attack, 4 * CONNECTIONS), figure)


def test_slow_chunked_body_is_still_answered(server: Server) -> None:
    """A body in chunks of one byte is slow, but not refused."""
    log = b'{"type":"session_opened","data":{"title":"x","players":[{"id":"a","name":"A"}]}}\n'
    body = b"".join(b"1\r\n%c\r\n" % byte for byte in log * 100) + b"0\r\n\r\n"
    with closing(server.connect()) as client:
        client.sendall(CHUNKED + body)
        assert client.recv(1000).startswith(b"HTTP/1.1 4")  # because it is no log
