"""A hall: twenty tables record, and a thousand phones follow them by live updates."""

import time
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from benchmarks.material import session
from benchmarks.measuring import print_row
from benchmarks.phones import Table, open_table, run_in_threads
from benchmarks.serving import Served, served
from tests.faults.crowd import ReceivedChange, Stream, crowd
from tests.operation.processes import busy_seconds, megabytes

TABLES: Final = 20
WATCHERS: Final = 1_000
APPENDS: Final = 40  # a second, at all tables together
SECONDS: Final = 20.0
SETTLING_SECONDS: Final = 2.0  # after which watchers have the last events
MAX_DELAY_SECONDS: Final = 1.0  # from an append to 95 of 100 watchers
GOAL_DELAY_SECONDS: Final = 0.25
MAX_APPEND_SECONDS: Final = 0.15  # of 99 of 100 appends
GOAL_APPEND_SECONDS: Final = 0.05
MAX_MEGABYTES: Final = 700  # of all processes
GOAL_MEGABYTES: Final = 400

Sent = list[float]  # when each event of a table was sent, by the monotonic clock


def record(table: Table, start: float) -> Sent:
    """Record at the pace of a table until the end; return when each event was sent."""
    sent, due, pace = [], start, TABLES / APPENDS
    while due < start + SECONDS:
        time.sleep(max(0.0, due - time.monotonic()))
        sent.append(time.monotonic())
        table.writer.write()
        due += pace
    return sent


def delays(sent: Sequence[float], heard: Sequence[ReceivedChange]) -> list[float]:
    """Return the seconds from sending each event of a table until a watcher received it."""
    versions = [message.version for message in heard]
    first = 2  # the version after the first event
    places = [bisect_left(versions, first + n) for n in range(len(sent))]
    return [heard[at].at - began if at < len(heard) else float("inf")
            for at, began in zip(places, sent, strict=True)]  # fmt: skip


def measure(server: Served) -> list[bool]:
    """Measure the hall at a server."""
    opening, *events = session("riparto", 2_000)
    tables = [open_table(server.port, opening, events) for _ in range(TABLES)]
    streams = [Stream((server.port,), table.writer.path, table.view) for table in tables]
    sent: dict[int, Sent] = {}
    with crowd([streams[n % TABLES] for n in range(WATCHERS)]) as watching:
        start, busy = time.monotonic() + 1, busy_seconds(server.pid)

        def at_table(n: int) -> None:
            sent[n] = record(tables[n], start + n / APPENDS)

        run_in_threads(at_table, range(TABLES))
        busy = busy_seconds(server.pid) - busy
        memory = megabytes(server.pid)
        time.sleep(SETTLING_SECONDS)
        heard = watching.received()
        refused = watching.refused()
    late = sorted(
        delay
        for n, of_watcher in enumerate(heard)
        for delay in delays(sent[n % TABLES], of_watcher)
    )
    took = sorted(seconds for table in tables for seconds in table.writer.times)
    p95, p99 = late[int(len(late) * 0.95)], took[int(len(took) * 0.99)]
    print_row(
        f"{WATCHERS:,} watchers of {TABLES} tables, refused", f"{refused}", "none", met=not refused
    )
    print_row(
        "processors that the service kept busy meanwhile", f"{busy / SECONDS:.2f}", "", met=True
    )
    return [
        print_row(
            f"from an append to the wires of {WATCHERS:,} watchers, p95",
            f"{p95 * 1000:.0f} ms",
            f"at most {MAX_DELAY_SECONDS * 1000:.0f}, goal {GOAL_DELAY_SECONDS * 1000:.0f}",
            met=p95 <= MAX_DELAY_SECONDS,
        ),
        print_row(
            f"the {APPENDS} appends a second meanwhile, p99",
            f"{p99 * 1000:.0f} ms",
            f"at most {MAX_APPEND_SECONDS * 1000:.0f}, goal {GOAL_APPEND_SECONDS * 1000:.0f}",
            met=p99 <= MAX_APPEND_SECONDS,
        ),
        print_row(
            "memory of all processes then",
            f"{memory:.0f} MB",
            f"at most {MAX_MEGABYTES}, goal {GOAL_MEGABYTES}",
            met=memory <= MAX_MEGABYTES,
        ),
    ]


def hall() -> list[bool]:
    """Measure it in two processes, on SQLite."""
    with served(WORKERS="2") as server:
        return measure(server)
