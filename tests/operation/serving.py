"""A real server, started by the command line in its own folder, on a free port."""

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
START_SECONDS: Final = 180.0  # generous, for a machine under load


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes
    cookies: tuple[str, ...] = ()  # the Set-Cookie headers

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def free_port() -> int:
    """Return a port that no process listens on, outside of the range of outgoing connections."""
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def environment(**settings: object) -> dict[str, str]:
    """Return the environment of this process, with these settings instead of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SCOREKEEPER")}
    variables = {f"SCOREKEEPER_{name.upper()}": str(value) for name, value in settings.items()}
    return {**kept, "PYTHONPATH": str(CHECKOUT), **variables}


@dataclass
class Server:
    """A server; ``printed`` and ``logged`` are the files of its output and its log."""

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
        """The origin of its pages."""
        return f"http://127.0.0.1:{self.port}"

    def send(self, raw: bytes) -> bytes:
        """Send raw bytes and return the beginning of the response."""
        with closing(self.connect()) as connection:
            connection.sendall(raw)
            with suppress(OSError):
                return connection.recv(10_000)
        return b""

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)

    def open_session(self) -> Any:
        """Open a session and return it with its keys."""
        body = {"title": "Friday", "players": [{"id": "mara", "name": "Mara"}]}
        answer = self.get(
            "/api/sessions", "POST", json.dumps(body), Content_Type="application/json"
        )
        assert answer.status == 201, answer.body
        return answer.json

    def record(self, session: Any, version: int) -> None:
        """Append a note to a session at ``version``."""
        body = {"events": [{"type": "note_added", "data": {"text": "a note"}}]}
        answer = self.get(
            f"/api/sessions/{session['id']}/events", "POST", json.dumps(body),
            Content_Type="application/json", If_Match=f'"{version}"',
            Authorization=f"Bearer {session['keys']['host']}",
        )  # fmt: skip
        assert answer.status == 201, answer.body

    def open_stream(self, session: Any) -> socket.socket:
        """Return a connection that has begun to stream the changes of a session."""
        connection = self.connect()
        head = (
            f"GET /api/sessions/{session['id']}/stream HTTP/1.1",
            "Host: localhost",
            f"Authorization: Bearer {session['keys']['view']}",
        )
        connection.sendall("".join(f"{line}\r\n" for line in (*head, "")).encode())
        received = b""
        while b"data: " not in received:
            received += connection.recv(1000) or b"data: nothing came"
        assert received.startswith(b"HTTP/1.1 200 "), received
        return connection

    def workers(self) -> list[int]:
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(pid) for pid in children.split()]

    def records(self) -> list[dict[str, Any]]:
        """Return the log records in JSON."""
        lines = self.logged.read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    def figure(self, name: str) -> float:
        """Return the value of a metric, 0 if there is none of this name."""
        for line in self.get("/metrics").body.decode().splitlines():
            if line.startswith(f"scorekeeper_{name} "):
                return float(line.rpartition(" ")[2])
        return 0.0

    def stop(self, how: signal.Signals = signal.SIGTERM) -> float:
        """Stop the server and return the seconds that this takes."""
        began = time.monotonic()
        self.process.send_signal(how)
        self.process.wait(20)
        return time.monotonic() - began


def until(condition: Callable[[], object], seconds: float = START_SECONDS) -> float:
    """Wait until a condition holds, and return the seconds waited; fail after ``seconds``."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() < began + seconds
        time.sleep(0.02)
    return time.monotonic() - began


@contextmanager
def serving(
    folder: Path, port: int | None = None, command: Sequence[str] = UNREADY, **settings: object
) -> Iterator[Server]:
    """Run a server that is ready; its data is in ``folder`` unless the settings differ."""
    port = port or free_port()
    variables = environment(**{"data_dir": "var", "host": "127.0.0.1", "port": port, **settings})
    printed, logged = folder / "printed", folder / "logged"
    with printed.open("wb") as out, logged.open("wb") as err:
        process = start_process(command, folder, variables, out, err)
    server = Server(process, port, printed, logged)
    try:
        until(lambda: is_ready(server))
        yield server
    finally:
        process.kill()  # and its children with it; an orderly stop would take a second
        process.wait()


def start_process(
    command: Sequence[str], folder: Path, variables: dict[str, str], out: IO[bytes], err: IO[bytes]
) -> Process:
    """Start a command; a module of the tests is forked from a warm process, which is faster.

    A server with metrics is not forked: prometheus_client reads its folder when it is imported.
    """
    if command[:2] == OURS and command[2].startswith("tests.") and METRICS not in variables:
        return forked(list(command[2:]), folder, variables, out, err)
    return subprocess.Popen(command, cwd=folder, env=variables, stdout=out, stderr=err)


def is_ready(server: Server) -> bool:
    """Return whether a server answers; fail if it has exited."""
    assert server.process.poll() is None, server.logged.read_text()
    with suppress(OSError, http.client.HTTPException):
        return server.get("/healthz").status == 200
    return False
