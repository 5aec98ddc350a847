"""What a server and all processes that it has begun take of the machine."""

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

GONE: Final = (FileNotFoundError, ProcessLookupError)  # what is told of a process that has ended


def processes(first: int) -> list[int]:
    """The process with this id, and all that it or one of them has begun."""
    found = [first]
    for pid in found:  # which grows meanwhile
        with suppress(*GONE):  # it has ended by now
            for task in Path(f"/proc/{pid}/task").iterdir():
                found += map(int, (task / "children").read_text("utf-8").split())
    return found


def commands(first: int) -> list[str]:
    """How each was started that is still there."""
    found = []
    for pid in processes(first):
        with suppress(*GONE):
            found.append(Path(f"/proc/{pid}/cmdline").read_text("utf-8"))
    return found


def stat(pid: int) -> list[str]:
    """What the system tells of a process, from its state on."""
    return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()


def is_running(pid: int) -> bool:
    """Whether a process has not ended; one that nobody has buried yet has."""
    with suppress(*GONE):
        return stat(pid)[0] != "Z"
    return False


def busy_seconds(first: int) -> float:
    """The time of the processor that they have taken so far."""
    return sum(map(cpu_seconds, processes(first)))


def cpu_seconds(pid: int) -> float:
    """The time of the processor that one process has taken so far."""
    said = stat(pid)
    ticks = int(said[11]) + int(said[12])  # its own, and the system's for it
    return ticks / os.sysconf("SC_CLK_TCK")


def megabytes(first: int) -> float:
    """Their memory; what several share counts once."""
    said = [Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8") for pid in processes(first)]
    return sum(int(kb) for one in said for kb in re.findall(r"\nPss: +(\d+)", one)) / 1024
