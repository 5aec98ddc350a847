"""Processor time and memory of a server and its child processes."""

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

PROCESS_ENDED: Final = (FileNotFoundError, ProcessLookupError)  # raised on reading its files


def processes(root: int) -> list[int]:
    """Return the id of a process and those of its descendants."""
    pids = [root]
    for pid in pids:  # grows during the loop
        with suppress(*PROCESS_ENDED):
            for task in Path(f"/proc/{pid}/task").iterdir():
                pids += map(int, (task / "children").read_text("utf-8").split())
    return pids


def commands(root: int) -> list[str]:
    """Return the command line of a process and those of its descendants."""
    command_lines = []
    for pid in processes(root):
        with suppress(*PROCESS_ENDED):
            command_lines.append(Path(f"/proc/{pid}/cmdline").read_text("utf-8"))
    return command_lines


def stat(pid: int) -> list[str]:
    """Return the fields of ``/proc/PID/stat``, from the state on."""
    return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()


def is_running(pid: int) -> bool:
    """Return whether a process runs; a zombie has ended."""
    with suppress(*PROCESS_ENDED):
        return stat(pid)[0] != "Z"
    return False


def busy_seconds(root: int) -> float:
    """Return the processor time of a process and its descendants so far."""
    return sum(map(cpu_seconds, processes(root)))


def cpu_seconds(pid: int) -> float:
    """Return the processor time of one process so far."""
    fields = stat(pid)
    ticks = int(fields[11]) + int(fields[12])  # user and system time
    return ticks / os.sysconf("SC_CLK_TCK")


def megabytes(root: int) -> float:
    """Return the memory of a process and its descendants; shared memory counts once."""
    texts = [Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8") for pid in processes(root)]
    return sum(int(kb) for text in texts for kb in re.findall(r"\nPss: +(\d+)", text)) / 1024
