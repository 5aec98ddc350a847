"""A process beside this one that works things out, so that nothing here waits for it.

The threads of a process run one at a time: whatever is worked out in one keeps those who record.
A process of its own runs beside them, has a limit of memory, and can be ended at any moment.
"""

import os
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any, Final

import scorekeeper
from scorekeeper.answers.helper_process import Job, Worked
from scorekeeper.base.errors import OverBudget

LOOK: Final = 0.25  # seconds between two looks at whether it is still needed
BUSY: Final = 3  # times as long by the clock a job may take, on a machine that has much else to do
PACKAGE: Final = Path(scorekeeper.__file__).parents[1]
SERVE: Final = "from scorekeeper.answers.helper_process import serve; serve()"


class NotNeeded(Exception):
    """Nobody waits for it any more."""


class Helper:
    """The process, started when it is first needed or before; it does one thing at a time."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._running: Running | None = None

    def begin(self) -> None:
        """Start the process, unless it is there, so that it is ready when it is needed."""
        if self.turn(0):
            try:
                self._running = self._running or Running()
            finally:
                self.leave()

    def turn(self, seconds: float) -> bool:
        """Wait so long at most until it is free; whoever got it lets it go with ``leave``."""
        return self._turn.acquire(timeout=seconds)

    def leave(self) -> None:
        """Let the next one have it."""
        self._turn.release()

    def work(self, job: Job, needed: Callable[[], bool]) -> bytes:
        """What comes of a job, for whoever has the turn; whatever it raises.

        OverBudget where it takes more time or memory than it may; NotNeeded once that is so. Then
        the process is ended, and another begins with the next job.
        """
        finished = False
        try:
            worked = self._asked(job, time.monotonic() + BUSY * job.seconds, needed)
            finished = not worked.ends
        finally:
            if not finished:
                self._end()
        if isinstance(worked.made, Exception):
            raise worked.made
        return worked.made

    def _asked(self, job: Job, end: float, needed: Callable[[], bool]) -> Worked:
        running = self._running = self._running or Running()
        try:
            running.connection.send(job)
            while not running.connection.poll(min(LOOK, max(0.0, end - time.monotonic()))):
                if not needed():
                    raise NotNeeded
                if time.monotonic() >= end:
                    raise OverBudget("it takes longer than one answer may: ask for less")
            worked: Worked = running.connection.recv()
        except (EOFError, ConnectionError):
            raise OverBudget("it took more than there is, and was given up: ask for less") from None
        return worked

    def _end(self) -> None:
        if self._running is not None:
            self._running.end()
            self._running = None


class Running:
    """One process, and the connection to it; it ends when this is forgotten."""

    def __init__(self) -> None:
        self.connection, theirs = Pipe()
        # It finds the same code, also where it was started in another folder.
        path = os.pathsep.join(filter(None, (str(PACKAGE), os.environ.get("PYTHONPATH"))))
        with theirs:
            os.set_inheritable(theirs.fileno(), True)  # noqa: FBT003
            self._process = subprocess.Popen(  # noqa: S603  # this program itself
                [sys.executable, "-P", "-c", SERVE, str(theirs.fileno())],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),), env={**os.environ, "PYTHONPATH": path},
            )  # fmt: skip
        self.end = weakref.finalize(self, _end, self._process, self.connection)


def _end(process: "subprocess.Popen[Any]", connection: Connection) -> None:
    with suppress(OSError):
        connection.close()
    process.kill()
    process.wait()


@cache
def helper() -> Helper:
    """The one helper of this process: all its applications share it."""
    return Helper()
