"""Clients that request long computations and disconnect do not delay appends (T40)."""

import itertools
import json
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from benchmarks.material import log_of, session
from tests.conftest import SOAK, Figure
from tests.faults.phones import LOST, Phone
from tests.faults.running import RestartableServer, ServerPair
from tests.operation.serving import Server, until

SECONDS: Final = float(os.environ.get("SOAK_SECONDS", "60")) if SOAK else 1.0
REQUESTS: Final = 32  # at the same time
PACE: Final = 0.2  # seconds between two appends
USUAL: Final = 0.25 if SOAK else 0.6  # seconds for nearly all appends; more beside other tests
SLOWEST: Final = 2.0  # seconds for each append
MEMORY: Final = 500 << 20  # bytes
HANDS: Final = 300 if SOAK else 60

Ask = Callable[[int], bytes]


def faulty(hands: int) -> list[Any]:
    """Return a session with two cards exchanged in each hand."""
    chance = random.Random(1)  # noqa: S311
    events = session("riparto", 45 * hands)
    starts = [n for n, event in enumerate(events) if event["type"] == "hand_started"][: hands + 1]
    for start, end in itertools.pairwise(starts):
        plays = [n for n in range(start, end) if events[n]["type"] == "card_played"]
        if len(plays) < 20:  # all players passed
            continue
        one, other = chance.sample(plays[4:-4], 2)
        cards = [events[n]["data"]["card"] for n in (other, one)]
        for n, card in zip((one, other), cards, strict=True):
            events[n] = {**events[n], "data": {**events[n]["data"], "card": card}}
    return events[: starts[-1]]


def request(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """Return the bytes of a request."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in named.items()]
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode() + body


def with_a_key(imported: Any) -> Ask:
    """Return requests for the long computations of a session."""
    path, key = f"/api/sessions/{imported['id']}", f"Bearer {imported['keys']['view']}"
    ways = ("audit?suggest=1", "audit?suggest=1&hand=1", "bundle.zip", "sheet.pdf", "explain")
    return lambda n: request("GET", f"{path}/{ways[n % len(ways)]}", Authorization=key)


def without_a_key(log: bytes) -> Ask:
    """Return requests for long computations on an uploaded log, each slightly different."""
    ways = ("score", "verify", "what-if", "sessions/import")

    def ask(n: int) -> bytes:
        note = {"type": "note_added", "data": {"text": f"{n} {time.monotonic()}"}}
        sent, way = log + log_of([note]), ways[n % len(ways)]
        if way != "what-if":
            return request("POST", f"/api/{way}", sent, Content_Type="application/x-ndjson")
        struck = {"type": "event_struck", "data": {"seq": 5, "reason": ""}}
        body = json.dumps({"log": sent.decode(), "corrections": [struck]}).encode()
        return request("POST", "/api/what-if", body, Content_Type="application/json")

    return ask


def abandoned(server: Server, ask: Ask, many: int) -> None:
    """Send this many requests at the same time, and disconnect."""
    asked = [server.connect() for _ in range(many)]
    for n, connection in enumerate(asked):
        connection.sendall(ask(n))
    time.sleep(0.3)  # until they are read, and computed as far as the limits allow
    for connection in asked:
        connection.close()


def memory(pid: int) -> int:
    """Return the private memory of a process and its children, in bytes."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        own = sum(int(line.split()[1]) for line in rollup if line.startswith("Pss:")) << 10
        children = Path(f"/proc/{pid}/task").glob("*/children")
        return own + sum(
            memory(int(word)) for path in children for word in path.read_text().split()
        )
    except OSError:
        return 0  # it has just ended


@contextmanager
def recording(running: RestartableServer, seconds: list[float], most: list[int]) -> Iterator[None]:
    """Let one table record; collect the seconds of each append, and the memory."""
    stop = threading.Event()
    imported = running.server.open_session()
    (worker,) = running.server.workers()

    def record() -> None:
        with closing(Phone(running.port, imported)) as phone:
            phone.connection.timeout = SLOWEST
            while not stop.is_set():
                began = time.monotonic()
                try:
                    assert phone.insist("a note", f"{began}").status == 201
                except LOST:
                    return
                finally:
                    seconds.append(time.monotonic() - began)
                most.append(memory(worker))
                stop.wait(max(0.0, PACE - seconds[-1]))

    thread = threading.Thread(target=record)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def check(running: RestartableServer, ask: Ask, figure: Figure) -> None:
    """Abandon many requests repeatedly while one table records."""
    seconds: list[float] = []
    most: list[int] = []
    with recording(running, seconds, most):
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and max(seconds, default=0) < SLOWEST:
            abandoned(running.server, ask, REQUESTS)
            time.sleep(1)
    assert max(seconds) < SLOWEST, [round(second, 3) for second in seconds]
    late = sorted(seconds)[-1 - len(seconds) // 100 - (not SOAK)]
    figure(f"{len(seconds)} appends, p99 {1000 * late:.0f} ms, {max(most) >> 20} MB")
    assert late < USUAL, [round(second, 3) for second in seconds]
    assert max(most) < MEMORY
    (worker,) = running.server.workers()
    until(lambda: time_used(worker) < 0.2, 10)  # no work is left


@pytest.fixture(scope="module")
def log() -> bytes:
    return log_of(faulty(HANDS))


def import_session(running: RestartableServer, log: bytes) -> Any:
    answer = running.server.get(
        "/api/sessions/import", "POST", log, Content_Type="application/x-ndjson"
    )
    assert answer.status == 201, answer
    return answer.json


@pytest.mark.parametrize("keys", [True, False], ids=["with a key", "without"])
def test_abandoned_work_does_not_delay_appends(
    on_sqlite: ServerPair, log: bytes, keys: bool, figure: Figure
) -> None:
    running = on_sqlite.sound
    ask = with_a_key(import_session(running, log)) if keys else without_a_key(log)
    check(running, ask, figure)
    assert running.server.get("/readyz").status == 200


def time_used(pid: int, seconds: float = 0.5) -> float:
    """Return the share of a processor that a process and its children use now."""

    def ticks() -> int:
        imported = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, imported[11:13]))

    before = ticks()
    time.sleep(seconds)
    return (ticks() - before) / os.sysconf("SC_CLK_TCK") / seconds


@pytest.mark.soak
def test_service_that_computes_in_its_request_threads_is_detected(
    on_sqlite: ServerPair, log: bytes, figure: Figure
) -> None:
    running = on_sqlite.altered
    imported = import_session(running, log)
    with (
        running.with_fault("works it out itself"),
        pytest.raises((AssertionError, *LOST)),
    ):
        check(running, with_a_key(imported), figure)
    running.kill_worker()
