"""The service over HTTP, as ``serve`` starts it: several who write at once, and many who watch."""

import http.client
import itertools
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

from benchmarks.material import Raw, session
from benchmarks.measuring import tell
from tests.operation.serving import free_port

WRITERS: Final = 8
SECONDS: Final = 4.0  # of each round
ROUNDS: Final = 3
WATCHERS: Final = 100
PACE: Final = 0.2  # seconds between two events at one table that is being watched
POLL: Final = 2.0  # seconds between two looks of who has no live updates
WATCHED: Final = 12.0  # seconds


class Client:
    """One phone: a connection of its own, and a key."""

    def __init__(self, port: int, key: str = "", path: str = "/api/sessions") -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.path = path
        self.headers = {"Content-Type": "application/json"}
        if key:
            self.headers["Authorization"] = f"Bearer {key}"

    def ask(
        self, method: str, more: str = "", body: Any = None, **headers: str
    ) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        sent = {**self.headers, **{name.replace("_", "-"): one for name, one in headers.items()}}
        text = None if body is None else json.dumps(body)
        try:
            return self._ask(method, self.path + more, text, sent)
        except (http.client.HTTPException, ConnectionError):  # it was idle for too long
            self.connection.close()
            return self._ask(method, self.path + more, text, sent)

    def _ask(
        self, method: str, path: str, text: str | None, sent: dict[str, str]
    ) -> tuple[int, bytes]:
        self.connection.request(method, path, text, sent)
        answer = self.connection.getresponse()
        return answer.status, answer.read()


class Writer(Client):
    """One table that records, one event a request."""

    def __init__(self, port: int, events: Sequence[Raw]) -> None:
        super().__init__(port)
        status, body = self.ask("POST", body=events[0]["data"])
        if status != 201:
            raise AssertionError(body)
        opened = json.loads(body)
        self.keys = opened["keys"]
        self.path = f"/api/sessions/{opened['id']}"
        self.headers["Authorization"] = f"Bearer {self.keys['host']}"
        self.events = iter(events[1:])
        self.version = 1
        self.times: list[float] = []

    def write(self) -> None:
        """Record the next event, and note how long it took."""
        began = time.perf_counter()
        status, body = self.ask(
            "POST", "/events", {"events": [next(self.events)]},
            If_Match=f'"{self.version}"', Idempotency_Key=f"event {self.version}",
        )  # fmt: skip
        self.times.append(time.perf_counter() - began)
        if status != 201:
            raise AssertionError(body)
        self.version += 1


@contextmanager
def served(**settings: str) -> Iterator[int]:
    """The port of a service of its own, on a database of its own on the disk."""
    port = free_port()
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("SCOREKEEPER_")}  # fmt: skip
        environment |= {"SCOREKEEPER_DATA_DIR": folder, "SCOREKEEPER_LOG_LEVEL": "warning"}
        environment |= {f"SCOREKEEPER_{name}": value for name, value in settings.items()}
        command = [sys.executable, "-m", "scorekeeper", "serve", "--host", "127.0.0.1",
                   "--port", str(port)]  # fmt: skip
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as server:
            wait_until_ready(port)
            yield port
            server.terminate()


def wait_until_ready(port: int) -> None:
    """Wait for the service to answer."""
    for _ in range(200):
        with suppress(OSError):
            if Client(port, path="/readyz").ask("GET")[0] == 200:
                return
        time.sleep(0.1)
    raise TimeoutError("the service does not answer")


def written(writers: Sequence[Writer]) -> tuple[float, list[float]]:
    """Events a second while all write as fast as they can, and how long each took."""
    end = time.perf_counter() + SECONDS

    def work(writer: Writer) -> None:
        writer.times.clear()
        while time.perf_counter() < end:
            writer.write()

    together(work, writers)
    times = [took for writer in writers for took in writer.times]
    return len(times) / SECONDS, times


def together(work: Any, those: Sequence[Any]) -> None:
    """Let each be worked on in a thread, and wait for all."""
    threads = [threading.Thread(target=work, args=(one,)) for one in those]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def concurrent_writers(**settings: str) -> list[bool]:
    """Eight tables that write at once, against one that writes alone."""
    events = session("riparto", 20_000)
    with served(**settings) as port:
        writers = [Writer(port, events) for _ in range(WRITERS)]
        for writer in writers:
            writer.write()
        rounds = [(written(writers[:1])[0], *written(writers)) for _ in range(ROUNDS)]
    ratio = statistics.median(many / one for one, many, _ in rounds)
    times = sorted(itertools.chain.from_iterable(times for _, _, times in rounds))
    p50, p99 = (times[int(len(times) * part)] for part in (0.5, 0.99))
    figures = f"{p50 * 1000:.1f} ms, {p99 * 1000:.1f} ms"
    return [
        tell("eight writers over HTTP", f"{ratio:.2f} x one", "1.8 x or more", met=ratio >= 1.8),
        tell(f"their p99 against their p50 ({figures})", f"{p99 / p50:.1f} x", "at most 4 x",
             met=p99 <= 4 * p50),
    ]  # fmt: skip


def watched_tables() -> list[bool]:
    """Eight tables that write at their pace, and a hundred phones that watch."""
    events = session("riparto", 2_000)
    stop = threading.Event()
    with served() as port:
        writers = [Writer(port, events) for _ in range(WRITERS)]
        watchers = [
            Client(port, writer.keys["view"], writer.path)
            for writer, _ in zip(itertools.cycle(writers), range(WATCHERS), strict=False)
        ]
        phones = [
            threading.Thread(target=watch, args=(phone, stop, place / WATCHERS))
            for place, phone in enumerate(watchers)
        ]
        for thread in phones:
            thread.start()
        together(at_a_pace, writers)
        stop.set()
        for thread in phones:
            thread.join()
    times = sorted(took for writer in writers for took in writer.times)
    p99 = times[int(len(times) * 0.99)]
    return [tell(f"p99 of an append, {WRITERS} tables and {WATCHERS} watchers",
                 f"{p99 * 1000:.0f} ms", "under 50 ms", met=p99 < 0.05)]  # fmt: skip


def at_a_pace(writer: Writer) -> None:
    """Record at the pace of a table."""
    end = time.perf_counter() + WATCHED
    while (left := end - time.perf_counter()) > 0:
        writer.write()
        time.sleep(min(left, PACE))


def watch(phone: Client, stop: threading.Event, late: float) -> None:
    """Watch a table: by live updates where there is room for them, else by looking often."""
    if stream(phone, stop):
        return
    known = ""
    stop.wait(late * POLL)
    while not stop.is_set():
        status, body = phone.ask("GET", If_None_Match=known)
        if status == 200:
            known = f'"{json.loads(body)["session"]["events"]}"'
        stop.wait(POLL)


def stream(phone: Client, stop: threading.Event) -> bool:
    """Watch by live updates, and get the report at each; whether there was room."""
    phone.connection.request("GET", f"{phone.path}/stream", headers=phone.headers)
    answer = phone.connection.getresponse()
    if answer.status != 200:
        answer.read()
        return False
    reader = Client(phone.connection.port, path=phone.path)
    reader.headers = phone.headers
    while not stop.is_set() and (line := answer.readline()):
        if re.match(rb"data:", line):
            reader.ask("GET")
    phone.connection.close()
    return True


def serving() -> list[bool]:
    """Measure all of it."""
    return [*concurrent_writers(), *watched_tables()]
