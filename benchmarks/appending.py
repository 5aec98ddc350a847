"""The append of one event, durably and in process, against a minimal service.

Ours checks the key, validates the event by the rules, seals it and stores the answer. The minimal
service only inserts a row; an insert into a table without triggers is measured beside it.
"""

import itertools
import os
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import psycopg
from flask.testing import FlaskClient

from benchmarks import least
from benchmarks.least import Least, Plain, endpoint
from benchmarks.material import Raw, session
from benchmarks.measuring import (
    Spent,
    collected_as_served,
    median_ratio,
    print_row,
    ratio,
    seconds,
    spent,
)
from benchmarks.pace import report_seconds
from scorekeeper.app import create_app
from scorekeeper.config import read_settings
from scorekeeper.games import GAMES
from scorekeeper.log.writing import now
from scorekeeper.store import Position, migrate, open_store, sealed

ROUNDS: Final = 7
APPENDS_PER_ROUND: Final = 120  # of each kind
REPORTS: Final = 7  # of a long session, each after one more event
NO_BAR: Final = Spent(0.0, 0.0)
MIN_OF_THE_LEAST: Final = Spent(0.57, 0.47)  # appends of the minimal service per append of ours
MIN_OF_THE_DRIVER: Final = Spent(0.8, 0.0)
POSTGRES: Final = os.environ.get("TEST_PG", "postgresql://postgres@127.0.0.1:5432/test")


class Table:
    """A session of the real application, used through its API without a server."""

    def __init__(self, url: str) -> None:
        settings = read_settings(
            database_url=url, log_level="error",
            key_events_a_minute=1_000_000, session_events_a_minute=1_000_000,
        )  # fmt: skip
        self.client = create_app(settings).test_client()
        self.version = 1
        self.turn = itertools.count(1)

    def open(self, opening: Raw) -> None:
        """Open a session."""
        opened = self.client.post("/api/sessions", json=opening["data"]).get_json()
        self.path = f"/api/sessions/{opened['id']}"
        self.keys = opened["keys"]
        self.key = {"Authorization": f"Bearer {self.keys['host']}"}
        self.version = 1

    def append(self, *events: Raw) -> None:
        """Record events after the last ones that this object recorded."""
        answer = self.client.post(
            f"{self.path}/events",
            json={"events": events},
            headers={**self.key, "If-Match": f'"{self.version}"',
                     "Idempotency-Key": f"turn {next(self.turn)}"},
        )  # fmt: skip
        if answer.status_code != 201:
            raise AssertionError(answer.data)
        self.version += len(events)

    def report(self) -> None:
        """Read the report."""
        answer = self.client.get(self.path, headers=self.key)
        if answer.status_code != 200:
            raise AssertionError(answer.data)


@contextmanager
def on_sqlite() -> Iterator[tuple[str, Least]]:
    """Yield the URL of a database for the service, and inserts of the plain driver into another."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        url = f"sqlite:///{folder}/ours.db"
        migrate(url)
        yield url, least.on_file(Path(folder) / "least.db")


@contextmanager
def on_postgres() -> Iterator[tuple[str, Least]]:
    """Yield the same for PostgreSQL, in a new schema."""
    schema = f"bench_{os.getpid()}"
    sign = "&" if "?" in POSTGRES else "?"
    url = f"{POSTGRES}{sign}options=-csearch_path%3D{schema}"
    with psycopg.connect(POSTGRES, autocommit=True) as owner:
        owner.execute(f"CREATE SCHEMA {schema}")
        try:
            migrate(url)
            with psycopg.connect(url, autocommit=True) as plain:
                yield url, least.on_connection(plain, "%s", "bytea")
        finally:
            owner.execute(f"DROP SCHEMA {schema} CASCADE")


def insert_alone(client: FlaskClient, event: Raw) -> None:
    """Insert one event through the minimal service."""
    if client.post("/events", json={"events": [event]}).status_code != 201:
        raise AssertionError


def against_the_least(url: str, plain: Least) -> tuple[Spent, Spent]:
    """Return the appends of the service per append of the minimal one, over the six games.

    The first ratio is against the same insert, the second against one into a table without
    triggers. Garbage is collected as seldom as in a server.
    """
    table, ratios = Table(url), []
    guarded, unguarded = (endpoint(insert).test_client() for insert in plain)
    for game in itertools.islice(itertools.cycle(GAMES), ROUNDS):
        opening, *events = session(game, APPENDS_PER_ROUND + 40)
        table.open(opening)
        table.append(*events[:2])
        with collected_as_served():
            ours, same, simple = zip(*(
                (
                    spent(partial(table.append, event)),
                    spent(partial(insert_alone, guarded, event)),
                    spent(partial(insert_alone, unguarded, event)),
                )
                for event in events[2:APPENDS_PER_ROUND]
            ), strict=True)  # fmt: skip
        ratios.append((ratio(ours, same), ratio(ours, simple)))
    same, simple = zip(*ratios, strict=True)
    return median_ratio(same), median_ratio(simple)


def long_sessions(url: str) -> list[bool]:
    """Measure an append and a report in a long session, beside a short one."""
    tables = {length: Table(url) for length in (100, 10_000)}
    opening, *events = session("riparto", 10_400)
    for length, table in tables.items():
        table.open(opening)
        while table.version < length:
            upto = min(length, table.version + 500)
            table.append(*events[table.version - 1 : upto - 1])
        table.report()
    times: dict[int, list[float]] = {length: [] for length in tables}
    for _ in range(150):
        for length, table in tables.items():
            event = events[table.version - 1]
            times[length].append(seconds(partial(table.append, event)))
    short, long = (statistics.median(seconds_of) for seconds_of in times.values())
    reports = []
    with collected_as_served():
        for event in events[tables[10_000].version - 1 :][:REPORTS]:
            tables[10_000].append(event)
            reports.append(seconds(tables[10_000].report))
    took = statistics.median(reports)
    return [
        print_row(
            "append to a session of 10,000 events",
            f"{long / short:.2f} x of 100",
            "at most 1.5 x",
            met=long <= 1.5 * short,
        ),
        report_seconds("report of a session of 10,000 events, warm", took, 0.15),
    ]


def store_against_the_driver(url: str, plain: Plain) -> Spent:
    """Return the appends of the store per insert of the plain driver."""
    seqs = itertools.count(1)
    opening, *events = session("riparto", ROUNDS * APPENDS_PER_ROUND)
    with open_store(url) as store:
        opened = store.open_session([(opening["type"], opening["data"])], "keeper")
        end, ratios = Position(opened.version, opened.head), []
        for turn in range(ROUNDS):
            ours, theirs = [], []
            for event in events[turn * APPENDS_PER_ROUND :][:APPENDS_PER_ROUND]:
                (line,) = sealed(end, [(event["type"], event["data"])], now(), "keeper")
                row = (least.SESSION, next(seqs), line.type, line.at, line.by, line.line, line.hash)
                ours.append(spent(partial(store.append, opened.id, end, [line])))
                theirs.append(spent(partial(plain, row)))
                end = Position(line.seq, line.hash)
            ratios.append(ratio(ours, theirs))
    return median_ratio(ratios)


def appending() -> list[bool]:
    """Measure all of it."""
    with on_sqlite() as (url, plain):
        met = [service_against_the_least("SQLite", url, plain, "goal 0.62", MIN_OF_THE_LEAST)]
        met += long_sessions(url)
    try:
        psycopg.connect(POSTGRES, connect_timeout=3).close()
    except psycopg.Error:
        print(f"no PostgreSQL at {POSTGRES}: not measured there")
        return met
    with on_postgres() as (url, plain):
        spent_ = store_against_the_driver(url, plain.guarded)
        met.append(
            print_ratio(
                "one append of the store, PostgreSQL", spent_, "psycopg", "", MIN_OF_THE_DRIVER
            )
        )
    with on_postgres() as (url, plain):
        service_against_the_least("PostgreSQL", url, plain)
    return met


def service_against_the_least(
    database: str, url: str, plain: Least, goal: str = "", least_ratio: Spent = NO_BAR
) -> bool:
    """Print the appends of the service per append of the minimal one; return if the bar is met."""
    same, simple = against_the_least(url, plain)
    what = f"one durable append in process, {database}"
    print_row(f"{what}, table without triggers", f"{simple.clock:.2f} x the least", "", met=True)
    return print_ratio(what, same, "the least", goal, least_ratio)


def print_ratio(what: str, spent_: Spent, of: str, goal: str, least_ratio: Spent) -> bool:
    """Print a ratio by the clock and by the processor; return whether both bars are met.

    The one by the processor differs less from machine to machine. A bar of 0 is not printed.
    """
    rows = (what, "by the processor, which does not wait for the disk")
    met = []
    for row, figure, bound in zip(rows, spent_, least_ratio, strict=True):
        bar = f"{bound} or more" if bound else ""
        shown = ", ".join(filter(None, (bar, goal)))
        met.append(print_row(row, f"{figure:.2f} x {of}", shown, met=figure >= bound))
        goal = ""
    return all(met)
