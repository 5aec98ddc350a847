"""Servers for all tests of this folder: an unchanged one, and an altered one beside it."""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final

from scorekeeper.config import Settings
from tests.conftest import SOAK
from tests.operation.serving import UNREADY, Answer, Server, free_port, serving, until

ALTERED: Final = (sys.executable, "-m", "tests.faults.altered")

THREADS: Final[int] = Settings.model_fields["threads"].default  # of each process
MOST_STREAMS: Final = 5  # of each process
WRONG_KEYS: Final = 250 if SOAK else 100  # from one address in an hour

# Root may write read-only files, except without this capability.
NO_PRIVILEGE: Final = ("setpriv", "--bounding-set", "-dac_override") if os.getuid() == 0 else ()


class RestartableServer:
    """A server that can be restarted in its folder and on its port."""

    def __init__(self, folder: Path, command: Sequence[str] = UNREADY, **settings: object) -> None:
        folder.mkdir()
        self.folder = folder
        self.port = free_port()
        self._command = command
        self._settings = settings
        self._stack = ExitStack()

    def start(self) -> None:
        self.server: Server = self._stack.enter_context(
            serving(self.folder, self.port, self._command, **self._settings)
        )

    def stop(self) -> None:
        self._stack.close()

    def kill(self) -> None:
        """Kill the server with its worker processes."""
        self.server.process.kill()
        self.server.process.wait()

    def kill_worker(self) -> None:
        """Kill a worker process, and wait for its replacement."""
        killed = self.server.workers()[0]
        os.kill(killed, 9)
        until(lambda: {killed}.isdisjoint(self.server.workers() or [killed]))

    def serves(self, session: Any) -> bool:
        """Return whether the report of a session is answered."""
        with suppress(OSError, HTTPException):
            return report_of(self.server, session).status == 200
        return False

    def wait_until_serving(self, session: Any) -> float:
        """Wait until the server answers; return the seconds that it took."""
        return until(lambda: self.serves(session))

    @contextmanager
    def with_fault(self, fault: str) -> Iterator[Server]:
        """Let the altered server have this fault."""
        file = self.folder / "fault"
        file.write_text(fault)
        try:
            yield self.server
        finally:
            file.unlink()


class ServerPair:
    """Two servers on one database; the altered one starts at its first use."""

    def __init__(self, sound: RestartableServer, altered: RestartableServer, url: str) -> None:
        self.sound, self.url = sound, url
        self._altered = altered

    @cached_property
    def altered(self) -> RestartableServer:
        self._altered.start()
        return self._altered


@contextmanager
def run_pair(
    folder: Path, url: str, workers: int = 1, *, forked: bool = True
) -> Iterator[ServerPair]:
    """Run two servers on one database; the first has this many worker processes.

    Processes that are not ``forked`` take longer to start. They export metrics, and may not write
    read-only files.
    """
    settings: dict[str, Any] = {
        "database_url": url,
        "sessions_an_hour": 10**6,
        "failed_keys_an_hour": WRONG_KEYS,
        "key_events_a_minute": 10**6,
        "session_events_a_minute": 10**6,
        "computations_an_hour": 10**6,
        "imported_megabytes_an_hour": 10**6,
    }
    before = () if forked else NO_PRIVILEGE
    settings |= {} if forked else {"metrics": True}
    sound = RestartableServer(
        folder / "sound", (*before, *UNREADY), threads=THREADS, most_streams=MOST_STREAMS,
        workers=workers, log_level="debug", **settings,
    )  # fmt: skip
    altered = RestartableServer(
        folder / "altered", (*before, *ALTERED), threads=8, most_streams=2, **settings
    )
    try:
        sound.start()
        yield ServerPair(sound, altered, url)
    finally:
        altered.stop()
        sound.stop()


def report_of(server: Server, session: Any, more: str = "") -> Answer:
    """Return the report, or another resource, of a session."""
    key = f"Bearer {session['keys']['view']}"
    return server.get(f"/api/sessions/{session['id']}{more}", Authorization=key)


def events_of(server: Server, session: Any) -> list[Any]:
    """Return the recorded events."""
    log = report_of(server, session, "/log.jsonl")
    assert log.status == 200
    return [json.loads(line) for line in log.body.splitlines()]
