"""The service over HTTP, as ``serve`` starts it: several who write at once, and many who watch."""

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
from benchmarks.measuring import tell
from benchmarks.phones import Client, Writer, opened, together, watched
from tests.operation.serving import free_port

WRITERS: Final = 8
SECONDS: Final = 4.0  # of each round
ROUNDS: Final = 3
ARRIVALS: Final = 20
WATCHERS: Final = 100
PACE: Final = 0.2  # seconds between two events at one table that is being watched
WATCHED: Final = 12.0  # seconds
READY: Final = 5.0  # seconds in which a service has got ready what it gets ready beforehand


class Served(NamedTuple):
    """A server: its port, and its first process."""

    port: int
    pid: int


@contextmanager
def served(**settings: str) -> Iterator[Served]:
    """A service of its own, on a database of its own on the disk."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        unbounded = {"KEY_EVENTS_A_MINUTE": "1000000", "SESSION_EVENTS_A_MINUTE": "1000000"}
        given = {"DATA_DIR": folder, "LOG_LEVEL": "warning", **unbounded, **settings}
        named = {f"SCOREKEEPER_{name}": value for name, value in given.items()}
        command = ["scorekeeper", "serve", "--host", "127.0.0.1", "--port"]
        with started(command, "", named, "/readyz") as server:
            yield server


@contextmanager
def least_served() -> Iterator[Served]:
    """The least that a service could do, on the same server of HTTP."""
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
    """A server that is told its port by the last word of its command, and answers."""
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
    """Events a second while all write as fast as they can, and how long each took."""
    end = time.perf_counter() + SECONDS

    def work(writer: Writer) -> None:
        writer.times.clear()
        while time.perf_counter() < end:
            writer.write()

    together(work, writers)
    times = [took for writer in writers for took in writer.times]
    return len(times) / SECONDS, times


def arrive(writer: Writer) -> None:
    """Come to a service at which others are at work, so that each process gets some of them."""
    for _ in range(ARRIVALS):
        writer.connection.close()
        writer.write()


def several_against_one(writers: Sequence[Writer]) -> tuple[float, float, list[float]]:
    """How much more all write than one alone, how much that one writes in a second, and times."""
    together(arrive, writers)
    rounds = [(written(writers[:1])[0], *written(writers)) for _ in range(ROUNDS)]
    times = sorted(itertools.chain.from_iterable(times for _, _, times in rounds))
    ratio = statistics.median(many / one for one, many, _ in rounds)
    return ratio, statistics.median(one for one, _, _ in rounds), times


def concurrent_writers() -> list[bool]:
    """Eight tables that write at once, against one that writes alone.

    Beside them the least on the same server, and the service in one process: where the processor
    is slow beside the disk, Python has one thread at work in a process, and eight cannot write
    much more than one.
    """
    opening, *events = session("riparto", 20_000)

    def tables(port: int) -> list[Writer]:
        return [opened(port, opening, events).writer for _ in range(WRITERS)]

    def phones(port: int) -> list[Writer]:
        return [Writer(port, events) for _ in range(WRITERS)]

    with least_served() as server:
        bare, alone, _ = several_against_one(phones(server.port))
    tell("eight writers over HTTP, the least", f"{bare:.2f} x one", "", met=True)
    with served() as server:
        ratio, one, _ = several_against_one(tables(server.port))
    tell("one writer over HTTP", f"{one / alone:.2f} x the least", "", met=True)
    tell("eight writers over HTTP, SQLite, one process", f"{ratio:.2f} x one", "", met=True)
    with served(WORKERS="2") as server:
        ratio, _, times = several_against_one(tables(server.port))
    met = told("SQLite, two processes", ratio, times)
    try:
        psycopg.connect(POSTGRES, connect_timeout=3).close()
    except psycopg.Error:
        return met
    with on_postgres() as (url, _), served(DATABASE_URL=url, WORKERS="2") as server:
        ratio, _, times = several_against_one(tables(server.port))
    return met + told("PostgreSQL, two processes", ratio, times)


def told(database: str, ratio: float, times: Sequence[float]) -> list[bool]:
    """Print what several write beside one; what bars are met."""
    p50, p99 = (times[int(len(times) * part)] for part in (0.5, 0.99))
    figures = f"{p50 * 1000:.1f} ms, {p99 * 1000:.1f} ms"
    return [
        tell(f"eight writers over HTTP, {database}", f"{ratio:.2f} x one", "1.8 x or more",
             met=ratio >= 1.8),
        tell(f"their p99 against their p50 ({figures})", f"{p99 / p50:.1f} x", "at most 4 x",
             met=p99 <= 4 * p50),
    ]  # fmt: skip


def watched_tables() -> list[bool]:
    """Eight tables that write at their pace, and a hundred phones that show what changed."""
    opening, *events = session("riparto", 2_000)
    with served() as server:
        tables = [opened(server.port, opening, events) for _ in range(WRITERS)]
        writers = [table.writer for table in tables]
        time.sleep(READY)
        paces = [(writer, place * PACE / WRITERS) for place, writer in enumerate(writers)]
        with watched(tables, WATCHERS):
            together(at_a_pace, paces)
    times = sorted(took for writer in writers for took in writer.times)
    p99 = times[int(len(times) * 0.99)]
    return [tell(f"p99 of an append, {WRITERS} tables and {WATCHERS} watchers",
                 f"{p99 * 1000:.0f} ms", "under 50 ms", met=p99 < 0.05)]  # fmt: skip


def at_a_pace(pace: tuple[Writer, float]) -> None:
    """Record at the pace of a table, which begins a moment later than another one."""
    writer, due = pace[0], time.perf_counter() + pace[1]
    end = due + WATCHED
    while due < end:
        time.sleep(max(0.0, due - time.perf_counter()))
        writer.write()
        due += PACE


def serving() -> list[bool]:
    """Measure all of it."""
    return [*concurrent_writers(), *watched_tables()]
