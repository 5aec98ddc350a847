"""A hall: twenty tables record, and a thousand phones follow them by live updates."""

import time
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from benchmarks.material import session
from benchmarks.measuring import tell
from benchmarks.phones import Table, opened, together
from benchmarks.serving import Served, served
from tests.faults.crowd import Heard, Stream, crowd
from tests.operation.processes import busy_seconds, megabytes

TABLES: Final = 20
WATCHERS: Final = 1_000
APPENDS: Final = 40  # a second, at all tables together
SECONDS: Final = 20.0
SETTLED: Final = 2.0  # seconds until what was recorded last has been heard of
HEARD: Final = 1.0  # seconds from the append until 95 of 100 who watch have heard of it
GOAL: Final = 0.25
APPENDED: Final = 0.15  # seconds that 99 of 100 appends take at most
LEAST: Final = 0.05
MEMORY: Final = 700  # megabytes of all processes
LITTLE: Final = 400

Sent = list[float]  # when each of its events was sent, by the clock of the machine


def record(table: Table, start: float) -> Sent:
    """Record at the pace of a table until the end."""
    sent, due, pace = [], start, TABLES / APPENDS
    while due < start + SECONDS:
        time.sleep(max(0.0, due - time.monotonic()))
        sent.append(time.monotonic())
        table.writer.write()
        due += pace
    return sent


def delays(sent: Sequence[float], heard: Sequence[Heard]) -> list[float]:
    """For each event of a table the seconds until somebody heard that it is there."""
    versions = [one.version for one in heard]
    first = 2  # the version that the first of them made
    found = [bisect_left(versions, first + n) for n in range(len(sent))]
    return [heard[at].at - began if at < len(heard) else float("inf")
            for at, began in zip(found, sent, strict=True)]  # fmt: skip


def measured(server: Served) -> list[bool]:
    """The hall at such a service."""
    opening, *events = session("riparto", 2_000)
    tables = [opened(server.port, opening, events) for _ in range(TABLES)]
    streams = [Stream((server.port,), one.writer.path, one.view) for one in tables]
    sent: dict[int, Sent] = {}
    with crowd([streams[n % TABLES] for n in range(WATCHERS)]) as watching:
        start, busy = time.monotonic() + 1, busy_seconds(server.pid)

        def at_table(n: int) -> None:
            sent[n] = record(tables[n], start + n / APPENDS)

        together(at_table, range(TABLES))
        busy = busy_seconds(server.pid) - busy
        memory = megabytes(server.pid)
        time.sleep(SETTLED)
        heard = watching.heard()
        refused = watching.refused()
    late = sorted(delay for n, one in enumerate(heard) for delay in delays(sent[n % TABLES], one))
    took = sorted(one for table in tables for one in table.writer.times)
    p95, p99 = late[int(len(late) * 0.95)], took[int(len(took) * 0.99)]
    tell(f"{WATCHERS:,} who watch {TABLES} tables, turned away", f"{refused}", "none",
         met=not refused)  # fmt: skip
    tell("processors that the service kept busy meanwhile", f"{busy / SECONDS:.2f}", "", met=True)
    return [
        tell(f"from an append to the wires of {WATCHERS:,} who watch, p95", f"{p95 * 1000:.0f} ms",
             f"at most {HEARD * 1000:.0f}, goal {GOAL * 1000:.0f}", met=p95 <= HEARD),
        tell(f"the {APPENDS} appends a second meanwhile, p99", f"{p99 * 1000:.0f} ms",
             f"at most {APPENDED * 1000:.0f}, goal {LEAST * 1000:.0f}", met=p99 <= APPENDED),
        tell("memory of all processes then", f"{memory:.0f} MB",
             f"at most {MEMORY}, goal {LITTLE}", met=memory <= MEMORY),
    ]  # fmt: skip


def hall() -> list[bool]:
    """Measure it in two processes, on SQLite."""
    with served(WORKERS="2") as server:
        return measured(server)
