"""Servers for all tests of this folder: one as it is run, and one beside it that is altered."""

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

# Root may write what is read-only; not so without this capability.
NO_PRIVILEGE: Final = ("setpriv", "--bounding-set", "-dac_override") if os.getuid() == 0 else ()


class Again:
    """A server that can be started again, in its folder and on its port."""

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
        """Kill the server, whose processes die with it."""
        self.server.process.kill()
        self.server.process.wait()

    def kill_worker(self) -> None:
        """Kill a process that serves, and wait for the one that comes in its place."""
        killed = self.server.workers()[0]
        os.kill(killed, 9)
        until(lambda: {killed}.isdisjoint(self.server.workers() or [killed]))

    def serves(self, session: Any) -> bool:
        """Whether it answers by now what a session comes to."""
        with suppress(OSError, HTTPException):
            return report_of(self.server, session).status == 200
        return False

    def back(self, session: Any) -> float:
        """Wait until it serves; the seconds that it took."""
        return until(lambda: self.serves(session))

    @contextmanager
    def broken(self, fault: str) -> Iterator[Server]:
        """The same server with this fault, if it is altered."""
        file = self.folder / "fault"
        file.write_text(fault)
        try:
            yield self.server
        finally:
            file.unlink()


class Two:
    """Two servers on one database; the altered one is started when it is asked for."""

    def __init__(self, sound: Again, altered: Again, url: str) -> None:
        self.sound, self.url = sound, url
        self._altered = altered

    @cached_property
    def altered(self) -> Again:
        self._altered.start()
        return self._altered


@contextmanager
def two(folder: Path, url: str, workers: int = 1, *, forked: bool = True) -> Iterator[Two]:
    """Two servers on one database, the first of so many processes.

    Those that are not forked take longer to start. They tell figures of themselves, and may not
    write what is read-only.
    """
    given: dict[str, Any] = {
        "database_url": url,
        "sessions_an_hour": 10**6,
        "failed_keys_an_hour": WRONG_KEYS,
        "key_events_a_minute": 10**6,
        "session_events_a_minute": 10**6,
        "computations_an_hour": 10**6,
        "imported_megabytes_an_hour": 10**6,
    }
    before = () if forked else NO_PRIVILEGE
    given |= {} if forked else {"metrics": True}
    sound = Again(
        folder / "sound", (*before, *UNREADY), threads=THREADS, most_streams=MOST_STREAMS,
        workers=workers, log_level="debug", **given,
    )  # fmt: skip
    altered = Again(folder / "altered", (*before, *ALTERED), threads=8, most_streams=2, **given)
    try:
        sound.start()
        yield Two(sound, altered, url)
    finally:
        altered.stop()
        sound.stop()


def report_of(server: Server, session: Any, more: str = "") -> Answer:
    """The report, or what else there is of a session."""
    key = f"Bearer {session['keys']['view']}"
    return server.get(f"/api/sessions/{session['id']}{more}", Authorization=key)


def events_of(server: Server, session: Any) -> list[Any]:
    """The events on record."""
    log = report_of(server, session, "/log.jsonl")
    assert log.status == 200
    return [json.loads(line) for line in log.body.splitlines()]
