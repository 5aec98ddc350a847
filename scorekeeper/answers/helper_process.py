"""The helper's own side: a process that works out one thing after the other.

It is started with the number of a socket, and gets jobs from it: a function, what it is called
with, and how many bytes it may take. It ends at once when nobody holds the other end any more.
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
from typing import Any, Final, NamedTuple

from scorekeeper.base.errors import OverBudget
from scorekeeper.games import GAMES

USUAL: Final = ("scorekeeper.answers.jobs", "scorekeeper.exports.formats")
NICE: Final = 5  # recording goes first
GROWN: Final = 192 << 20  # bytes; a process that took more ends, which gives them back
NO_LIMIT: Final = resource.RLIM_INFINITY


class Job(NamedTuple):
    """A function of a module, what it is called with, and what it may take.

    That is ``seconds`` of a processor, and bytes of ``memory``.
    """

    work: Callable[..., bytes]
    given: tuple[Any, ...]
    seconds: float
    memory: int


class Worked(NamedTuple):
    """What came of a job: bytes, or what it raised; and whether the helper ends after it."""

    made: bytes | Exception
    ends: bool


def serve() -> None:
    """Do what comes by the socket whose number is said, until nobody is there to ask.

    What is mostly asked for is loaded beforehand, if nobody waits yet.
    """
    connection = Connection(int(sys.argv[1]))
    os.nice(NICE)
    if not connection.poll():
        for name in USUAL:
            import_module(name)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends when who started it does
    signal.signal(signal.SIGPROF, _is_over)
    jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(connection, jobs), daemon=True).start()
    ends = False
    while not ends:
        made = done(jobs.get())
        ends = _most_taken() > GROWN
        connection.send(Worked(made, ends))


def _listen(connection: Connection, jobs: "queue.SimpleQueue[Job]") -> None:
    """Take jobs in, also while one is worked on: so it is seen that nobody asks any more."""
    try:
        while True:
            jobs.put(connection.recv())
    except (EOFError, OSError, MemoryError):
        os._exit(0)
    except BaseException:  # noqa: BLE001  # nobody else would see it
        traceback.print_exc()
        os._exit(1)


def done(job: Job) -> bytes | Exception:
    """What comes of a job."""
    with suppress(ValueError, OSError):  # where the system has no such limit
        resource.setrlimit(resource.RLIMIT_DATA, (_data() + job.memory, NO_LIMIT))
    signal.setitimer(signal.ITIMER_PROF, job.seconds)
    try:
        with GAMES.missing_where_they_fail():
            return _within_memory(job)
    except Exception as error:  # noqa: BLE001  # whatever it is, it is raised where it was asked for
        error.add_note(traceback.format_exc())
        error.__traceback__ = None
        return error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (NO_LIMIT, NO_LIMIT))


def _within_memory(job: Job) -> bytes | Exception:
    try:
        return job.work(*job.given)
    except MemoryError:  # also within a game, which may be right and its session too long
        return OverBudget("it takes more memory than one answer may: ask for less")


def _is_over(number: int, frame: FrameType | None) -> None:
    raise OverBudget("it takes longer than one answer may: ask for less")


def _data() -> int:
    """The bytes of memory that this process has for itself."""
    return _memory_figure("VmData") or 0


def _most_taken() -> int:
    """The bytes of memory that this process had at most.

    What the system tells of its use counts what had been taken by the process that started it.
    """
    unit = 1 if sys.platform == "darwin" else 1 << 10
    return _memory_figure("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _memory_figure(name: str) -> int | None:
    """A figure of the memory of this process, in bytes, where the system tells it."""
    with suppress(OSError):
        told = Path("/proc/self/status").read_text("ascii")
        kib = next(line.split()[1] for line in told.splitlines() if line.startswith(f"{name}:"))
        return int(kib) << 10
    return None
