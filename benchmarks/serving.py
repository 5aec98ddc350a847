"""The service over HTTP, as ``serve`` starts it: concurrent writers, and many watchers."""

import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

import psycopg

from benchmarks import least
from benchmarks.appending import POSTGRES, on_postgres
from benchmarks.material import session
from benchmarks.measuring import print_row
from benchmarks.phones import Client, Writer, open_table, run_in_threads, watched
from tests.operation.serving import free_port

WRITERS: Final = 8
SECONDS_PER_ROUND: Final = 4.0
ROUNDS: Final = 3
ARRIVALS: Final = 20
WATCHERS: Final = 100
PACE: Final = 0.2  # seconds between two events at one table that is being watched
WATCHED: Final = 12.0  # seconds
WARM_UP_SECONDS: Final = 5.0  # in which a new server starts its helper


class Served(NamedTuple):
    """A server: its port, and its first process."""

    port: int
    pid: int


@contextmanager
def served(**settings: str) -> Iterator[Served]:
    """Start a server with a new database on the disk."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        unbounded = {"KEY_EVENTS_A_MINUTE": "1000000", "SESSION_EVENTS_A_MINUTE": "1000000"}
        values = {"DATA_DIR": folder, "LOG_LEVEL": "warning", **unbounded, **settings}
        named = {f"SCOREKEEPER_{name}": value for name, value in values.items()}
        command = ["scorekeeper", "serve", "--host", "127.0.0.1", "--port"]
        with started(command, "", named, "/readyz") as server:
            yield server


@contextmanager
def least_served() -> Iterator[Served]:
    """Start the minimal service on the same HTTP server."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        database = {least.SERVED: str(Path(folder) / "least.db")}
        command = ["gunicorn", "--no-control-socket", "--worker-class=gthread",
                   "--threads=32", "--keep-alive=15",
                   "--log-level=error", "benchmarks.least:served()", "--bind"]  # fmt: skip
        with started(command, "127.0.0.1:", database, "/") as server:
            yield server


@contextmanager
def started(
    command: Sequence[str], before: str, settings: dict[str, str], path: str
) -> Iterator[Served]:
    """Start a server whose command ends with its port, and wait until it answers."""
    port = free_port()
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("SCOREKEEPER_")} | settings  # fmt: skip
    with subprocess.Popen(
        [sys.executable, "-m", *command, f"{before}{port}"],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as server:  # fmt: skip
        try:
            wait_until_ready(port, path)
            yield Served(port, server.pid)
        finally:
            server.terminate()


def wait_until_ready(port: int, path: str) -> None:
    """Wait for a server to answer."""
    for _ in range(200):
        with suppress(OSError):
            if Client(port).ask("GET", path)[0] < 500:
                return
        time.sleep(0.1)
    raise TimeoutError("the service does not answer")


def written(writers: Sequence[Writer]) -> tuple[float, list[float]]:
    """Let all write as fast as they can; return events per second, and the seconds of each."""
    end = time.perf_counter() + SECONDS_PER_ROUND

    def work(writer: Writer) -> None:
        writer.times.clear()
        while time.perf_counter() < end:
            writer.write()

    run_in_threads(work, writers)
    times = [took for writer in writers for took in writer.times]
    return len(times) / SECONDS_PER_ROUND, times


def arrive(writer: Writer) -> None:
    """Reconnect several times while others write, so that each process gets some connections."""
    for _ in range(ARRIVALS):
        writer.connection.close()
        writer.write()


def several_against_one(writers: Sequence[Writer]) -> tuple[float, float, list[float]]:
    """Return the ratio of all writers to one, the events per second of one, and all durations."""
    run_in_threads(arrive, writers)
    rounds = [(written(writers[:1])[0], *written(writers)) for _ in range(ROUNDS)]
    times = sorted(itertools.chain.from_iterable(times for _, _, times in rounds))
    ratio = statistics.median(many / single for single, many, _ in rounds)
    return ratio, statistics.median(single for single, _, _ in rounds), times


def concurrent_writers() -> list[bool]:
    """Measure eight tables that write concurrently, against one that writes alone.

    The minimal service on the same server and the service in one process are printed beside. If
    the processor is slow beside the disk, one process of Python cannot write much more for eight
    tables than for one.
    """
    opening, *events = session("riparto", 20_000)

    def tables(port: int) -> list[Writer]:
        return [open_table(port, opening, events).writer for _ in range(WRITERS)]

    def phones(port: int) -> list[Writer]:
        return [Writer(port, events) for _ in range(WRITERS)]

    with least_served() as server:
        bare, alone, _ = several_against_one(phones(server.port))
    print_row("eight writers over HTTP, the least", f"{bare:.2f} x one", "", met=True)
    with served() as server:
        ratio, single, _ = several_against_one(tables(server.port))
    print_row("one writer over HTTP", f"{single / alone:.2f} x the least", "", met=True)
    print_row("eight writers over HTTP, SQLite, one process", f"{ratio:.2f} x one", "", met=True)
    with served(WORKERS="2") as server:
        ratio, _, times = several_against_one(tables(server.port))
    met = report_writers("SQLite, two processes", ratio, times)
    try:
        psycopg.connect(POSTGRES, connect_timeout=3).close()
    except psycopg.Error:
        return met
    with on_postgres() as (url, _), served(DATABASE_URL=url, WORKERS="2") as server:
        ratio, _, times = several_against_one(tables(server.port))
    return met + report_writers("PostgreSQL, two processes", ratio, times)


def report_writers(database: str, ratio: float, times: Sequence[float]) -> list[bool]:
    """Print the figures of several writers beside one; return which bars are met."""
    p50, p99 = (times[int(len(times) * part)] for part in (0.5, 0.99))
    figures = f"{p50 * 1000:.1f} ms, {p99 * 1000:.1f} ms"
    return [
        print_row(
            f"eight writers over HTTP, {database}",
            f"{ratio:.2f} x one",
            "1.8 x or more",
            met=ratio >= 1.8,
        ),
        print_row(
            f"their p99 against their p50 ({figures})",
            f"{p99 / p50:.1f} x",
            "at most 4 x",
            met=p99 <= 4 * p50,
        ),
    ]


def watched_tables() -> list[bool]:
    """Measure eight tables that write at their pace, with a hundred phones that show changes."""
    opening, *events = session("riparto", 2_000)
    with served() as server:
        tables = [open_table(server.port, opening, events) for _ in range(WRITERS)]
        writers = [table.writer for table in tables]
        time.sleep(WARM_UP_SECONDS)
        paces = [(writer, place * PACE / WRITERS) for place, writer in enumerate(writers)]
        with watched(tables, WATCHERS):
            run_in_threads(at_a_pace, paces)
    times = sorted(took for writer in writers for took in writer.times)
    p99 = times[int(len(times) * 0.99)]
    return [print_row(f"p99 of an append, {WRITERS} tables and {WATCHERS} watchers",
                 f"{p99 * 1000:.0f} ms", "under 50 ms", met=p99 < 0.05)]  # fmt: skip


def at_a_pace(pace: tuple[Writer, float]) -> None:
    """Record at the pace of a table; ``pace`` is the writer and the seconds until it begins."""
    writer, due = pace[0], time.perf_counter() + pace[1]
    end = due + WATCHED
    while due < end:
        time.sleep(max(0.0, due - time.perf_counter()))
        writer.write()
        due += PACE


def serving() -> list[bool]:
    """Measure concurrent writers and watched tables."""
    return [*concurrent_writers(), *watched_tables()]
