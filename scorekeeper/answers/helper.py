"""A helper process for long computations, so that they do not delay the threads of the server.

Only one thread of a Python process runs at a time: a long computation in one thread delays the
threads that record events. A process of its own has its own interpreter lock and memory limit, and
can be killed at any time.
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
from scorekeeper.answers.helper_process import Job, JobOutcome
from scorekeeper.base.errors import OverBudgetError

POLL_SECONDS: Final = 0.25  # between two checks whether the answer is still needed
WALL_CLOCK_FACTOR: Final = 3  # wall-clock time allowed per second of processor time, under load
USER_TICKS_FIELD: Final = 11  # of /proc/PID/stat, after the name; those of the system follow
PACKAGE: Final = Path(scorekeeper.__file__).parents[1]
SERVE_COMMAND: Final = "from scorekeeper.answers.helper_process import serve; serve()"


class NotNeededError(Exception):
    """No request waits for the answer any more."""


class Helper:
    """A helper process that runs one job at a time; started by `start` or by the first job."""

    def __init__(self) -> None:
        self._free = threading.Lock()
        self._process: HelperProcess | None = None
        self._used_before = 0.0  # what `processor_seconds` was when the present job began

    def start(self) -> None:
        """Start the process in advance, unless it runs or another thread uses the helper."""
        if self.acquire(0):
            try:
                self._process = self._process or HelperProcess()
            finally:
                self.release()

    def acquire(self, seconds: float) -> bool:
        """Acquire the helper within ``seconds``, if it is free; release it with `release`."""
        return self._free.acquire(timeout=seconds)

    def release(self) -> None:
        """Release the helper, so that another thread can acquire it."""
        self._free.release()

    def run(self, job: Job, is_needed: Callable[[], bool]) -> bytes:
        """Return the result of a job. The caller must have acquired the helper.

        Raises whatever the job raises; `OverBudgetError` if it exceeds its time or memory;
        `NotNeededError` once ``is_needed`` returns false. In the last two cases the process is
        killed, and the next job starts another.
        """
        can_continue = False
        try:
            outcome = self._exchange(job, time.monotonic() + WALL_CLOCK_FACTOR * job.seconds,
                                     is_needed)  # fmt: skip
            can_continue = not outcome.exits
        finally:
            if not can_continue:
                self._kill()
        if isinstance(outcome.result, Exception):
            raise outcome.result
        return outcome.result

    def seconds_used(self) -> float:
        """Return the processor seconds that the present job has used.

        They include the start of the process, if the job began meanwhile.
        """
        if self._process is None:
            return 0.0
        return self._process.processor_seconds() - self._used_before

    def _exchange(self, job: Job, end: float, is_needed: Callable[[], bool]) -> JobOutcome:
        """Send a job to the process and wait for its outcome until the monotonic time `end`.

        Raises `NotNeededError` once it is not needed, and `OverBudgetError` if the time is over or
        the process died.
        """
        process = self._process = self._process or HelperProcess()
        self._used_before = process.processor_seconds()
        try:
            process.connection.send(job)
            while not process.connection.poll(min(POLL_SECONDS, max(0.0, end - time.monotonic()))):
                if not is_needed():
                    raise NotNeededError
                if time.monotonic() >= end:
                    raise OverBudgetError("the answer takes too long to compute: ask for less")
            outcome: JobOutcome = process.connection.recv()
        except (EOFError, ConnectionError):
            raise OverBudgetError(
                "the computation ran out of memory and was stopped: ask for less"
            ) from None
        return outcome

    def _kill(self) -> None:
        """Kill the helper process, if it runs; the next job starts another."""
        if self._process is not None:
            self._process.kill()
            self._process = None


class HelperProcess:
    """A running process and the connection to it; killed when this object is collected."""

    def __init__(self) -> None:
        self.connection, remote = Pipe()
        # The child must import the same code, even if started from another working directory.
        path = os.pathsep.join(filter(None, (str(PACKAGE), os.environ.get("PYTHONPATH"))))
        with remote:
            os.set_inheritable(remote.fileno(), True)  # noqa: FBT003
            self._process = subprocess.Popen(  # noqa: S603  # this program itself
                [sys.executable, "-P", "-c", SERVE_COMMAND, str(remote.fileno())],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                pass_fds=(remote.fileno(),), env={**os.environ, "PYTHONPATH": path},
            )  # fmt: skip
        self.kill = weakref.finalize(self, _kill, self._process, self.connection)

    def processor_seconds(self) -> float:
        """Return the processor seconds of the process; without ``/proc``, the time of a clock."""
        try:
            stat = Path(f"/proc/{self._process.pid}/stat").read_text("utf-8", "replace")
        except OSError:
            return time.monotonic()
        user, system = stat.rpartition(")")[2].split()[USER_TICKS_FIELD:][:2]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _kill(process: "subprocess.Popen[Any]", connection: Connection) -> None:
    """Close the connection to a helper process, kill it and wait for its end."""
    with suppress(OSError):
        connection.close()
    process.kill()
    process.wait()


@cache
def helpers() -> tuple[Helper, Helper]:
    """Return the helpers of this process, which all its applications share."""
    return Helper(), Helper()
