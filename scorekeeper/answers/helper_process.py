"""The child side of the helper: a process that runs one job after the other.

It is started with the file descriptor of a socket, from which it receives jobs: a function, its
arguments and its budget. It exits at once when the parent closes the other end of the socket.
"""

import os
import queue
import resource
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Final, NamedTuple

from scorekeeper.base.errors import OverBudgetError
from scorekeeper.games import GAMES

PRELOADED_MODULES: Final = ("scorekeeper.answers.jobs", "scorekeeper.exports.formats")
NICENESS: Final = 5  # recording has priority
EXIT_ABOVE_BYTES: Final = 192 << 20  # of peak memory: only a process that exits frees it for sure
NO_LIMIT: Final = resource.RLIM_INFINITY


class Job(NamedTuple):
    """A function, its arguments, and its budget: processor ``seconds`` and ``memory`` in bytes."""

    work: Callable[..., bytes]
    arguments: tuple[object, ...]
    seconds: float
    memory: int


class JobOutcome(NamedTuple):
    """The result of a job, or the exception that it raised; and whether the helper exits now."""

    result: bytes | Exception
    exits: bool


def serve() -> None:
    """Run the jobs that arrive on the socket of ``sys.argv[1]``, until the parent closes it.

    The modules that most jobs need are imported first, unless a job is already waiting.
    """
    connection = Connection(int(sys.argv[1]))
    os.nice(NICENESS)
    if not connection.poll():
        for name in PRELOADED_MODULES:
            import_module(name)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the helper exits with its parent
    signal.signal(signal.SIGPROF, _raise_over_budget)
    jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(connection, jobs), daemon=True).start()
    exits = False
    while not exits:
        result = run_job(jobs.get())
        exits = _peak_memory() > EXIT_ABOVE_BYTES
        connection.send(JobOutcome(result, exits))


def _listen(connection: Connection, jobs: "queue.SimpleQueue[Job]") -> None:
    """Receive jobs, and exit when the parent closes the socket, even in the middle of a job."""
    try:
        while True:
            jobs.put(connection.recv())
    except (EOFError, OSError, MemoryError):
        os._exit(0)
    except BaseException:  # noqa: BLE001  # no other code would report it
        traceback.print_exc()
        os._exit(1)


def run_job(job: Job) -> bytes | Exception:
    """Run a job within its budget and return its result, or the exception that it raised."""
    with suppress(ValueError, OSError):  # where the system has no such limit
        resource.setrlimit(resource.RLIMIT_DATA, (_data() + job.memory, NO_LIMIT))
    signal.setitimer(signal.ITIMER_PROF, job.seconds)
    try:
        with GAMES.failures_as_not_installed():
            return _call(job)
    except Exception as error:  # noqa: BLE001  # raised again in the parent
        error.__notes__ = []  # a game may raise one object again and again
        error.__notes__ = [traceback.format_exc()]
        error.__traceback__ = None
        return error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (NO_LIMIT, NO_LIMIT))


def _call(job: Job) -> bytes | Exception:
    """Return the result of a job; a `MemoryError` becomes an `OverBudgetError`."""
    try:
        return job.work(*job.arguments)
    except MemoryError:  # even if raised in a game: the session may be too long for a correct game
        return OverBudgetError("the answer needs too much memory to compute: ask for less")


def _raise_over_budget(number: int, frame: FrameType | None) -> None:
    """Raise `OverBudgetError`; this handles the signal that the processor time is used up."""
    raise OverBudgetError("the answer takes too long to compute: ask for less")


def _data() -> int:
    """Return the bytes of private memory of this process."""
    return _memory_figure("VmData") or 0


def _peak_memory() -> int:
    """Return the peak memory of this process in bytes.

    Without ``/proc``, this is the system's figure, which includes the peak of the parent process.
    """
    unit = 1 if sys.platform == "darwin" else 1 << 10
    return _memory_figure("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _memory_figure(name: str) -> int | None:
    """Return a memory figure of this process in bytes, or None on a system without ``/proc``."""
    with suppress(OSError):
        status = Path("/proc/self/status").read_text("ascii")
        kib = next(line.split()[1] for line in status.splitlines() if line.startswith(f"{name}:"))
        return int(kib) << 10
    return None
