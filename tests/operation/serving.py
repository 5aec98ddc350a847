"""A real server: started by the command line in a folder of its own, on a free port."""

import http.client
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from tests.operation.warm import Forked, forked

CHECKOUT: Final = Path(__file__).parents[2]
SERVE: Final = (sys.executable, "-m", "scorekeeper", "serve")
OURS: Final = (sys.executable, "-m")
METRICS: Final = "SCOREKEEPER_METRICS"
UNREADY: Final = (sys.executable, "-m", "tests.operation.unready", "serve")
PORTS: Final = range(20_000, 32_000)  # below those of outgoing connections
Process = subprocess.Popen[bytes] | Forked
PATIENCE: Final = 180.0  # seconds for a start, on a machine that has much else to do


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes
    cookies: tuple[str, ...] = ()  # each as it was to be set

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def free_port() -> int:
    """A port that nobody listens on, nor is given to whoever connects to somewhere."""
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def environment(**settings: object) -> dict[str, str]:
    """This one, with these settings and no others."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SCOREKEEPER")}
    given = {f"SCOREKEEPER_{name.upper()}": str(value) for name, value in settings.items()}
    return {**kept, "PYTHONPATH": str(CHECKOUT), **given}


@dataclass
class Server:
    """A server, and what it printed and logged so far."""

    process: Process
    port: int
    printed: Path
    logged: Path

    def get(self, path: str, method: str = "GET", body: Any = None, **headers: str) -> Answer:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            connection.request(method, path, body, named)
            answer = connection.getresponse()
            cookies = tuple(answer.headers.get_all("Set-Cookie", ()))
            return Answer(answer.status, dict(answer.headers), answer.read(), cookies)

    @property
    def origin(self) -> str:
        """Where its pages come from."""
        return f"http://127.0.0.1:{self.port}"

    def send(self, raw: bytes) -> bytes:
        """Whatever is answered to these bytes."""
        with closing(self.connected()) as connection:
            connection.sendall(raw)
            with suppress(OSError):
                return connection.recv(10_000)
        return b""

    def connected(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)

    def opened(self) -> Any:
        """A new session with its keys."""
        told = {"title": "Friday", "players": [{"id": "mara", "name": "Mara"}]}
        answer = self.get(
            "/api/sessions", "POST", json.dumps(told), Content_Type="application/json"
        )
        assert answer.status == 201, answer.body
        return answer.json

    def record(self, session: Any, version: int) -> None:
        """Note something in a session of that version."""
        told = {"events": [{"type": "note_added", "data": {"text": "a note"}}]}
        answer = self.get(
            f"/api/sessions/{session['id']}/events", "POST", json.dumps(told),
            Content_Type="application/json", If_Match=f'"{version}"',
            Authorization=f"Bearer {session['keys']['host']}",
        )  # fmt: skip
        assert answer.status == 201, answer.body

    def watching(self, session: Any) -> socket.socket:
        """A connection that streams the changes of a session, and has begun to."""
        connection = self.connected()
        head = (
            f"GET /api/sessions/{session['id']}/stream HTTP/1.1",
            "Host: localhost",
            f"Authorization: Bearer {session['keys']['view']}",
        )
        connection.sendall("".join(f"{line}\r\n" for line in (*head, "")).encode())
        got = b""
        while b"data: " not in got:
            got += connection.recv(1000) or b"data: nothing came"
        assert got.startswith(b"HTTP/1.1 200 "), got
        return connection

    def workers(self) -> list[int]:
        told = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(pid) for pid in told.split()]

    def records(self) -> list[dict[str, Any]]:
        """What was logged as JSON."""
        lines = self.logged.read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    def figure(self, name: str) -> float:
        """A figure as it is told, 0 where none is."""
        for line in self.get("/metrics").body.decode().splitlines():
            if line.startswith(f"scorekeeper_{name} "):
                return float(line.rpartition(" ")[2])
        return 0.0

    def stop(self, how: signal.Signals = signal.SIGTERM) -> float:
        """The seconds that it takes to stop."""
        began = time.monotonic()
        self.process.send_signal(how)
        self.process.wait(20)
        return time.monotonic() - began


def until(happened: Callable[[], object], seconds: float = PATIENCE) -> float:
    """Wait until something happened; the seconds that it took."""
    began = time.monotonic()
    while not happened():
        assert time.monotonic() < began + seconds
        time.sleep(0.02)
    return time.monotonic() - began


@contextmanager
def serving(
    folder: Path, port: int | None = None, command: Sequence[str] = UNREADY, **settings: object
) -> Iterator[Server]:
    """A server that answers; its data is in ``folder`` unless the settings say else."""
    port = port or free_port()
    given = {"data_dir": "var", "host": "127.0.0.1", "port": port, **settings}
    printed, logged = folder / "printed", folder / "logged"
    with printed.open("wb") as out, logged.open("wb") as err:
        process = started(command, folder, environment(**given), out, err)
    server = Server(process, port, printed, logged)
    try:
        until(lambda: answers(server))
        yield server
    finally:
        process.kill()  # and so its processes; how it stops is another matter, and takes a second
        process.wait()


def started(
    command: Sequence[str], folder: Path, given: dict[str, str], out: IO[bytes], err: IO[bytes]
) -> Process:
    """A process of a command: forked where that is one of ours for tests, so that it starts soon.

    The figures' library looks for its folder when it is imported, and so before.
    """
    if command[:2] == OURS and command[2].startswith("tests.") and METRICS not in given:
        return forked(list(command[2:]), folder, given, out, err)
    return subprocess.Popen(command, cwd=folder, env=given, stdout=out, stderr=err)


def answers(server: Server) -> bool:
    """Whether a server answers by now."""
    assert server.process.poll() is None, server.logged.read_text()
    with suppress(OSError, http.client.HTTPException):
        return server.get("/healthz").status == 200
    return False
