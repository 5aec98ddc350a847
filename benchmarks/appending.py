"""Appending one event, durably, in process: against the least that a service could do.

The least is a Flask endpoint that takes the same body and inserts one row with the plain driver,
in the same mode of durability; it checks nothing, and knows nobody. Ours asks for the key, judges
the event by the rules, seals it and keeps the answer.
"""

import itertools
import json
import os
import sqlite3
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import psycopg
from flask import Flask, jsonify, request

from benchmarks.material import Raw, session
from benchmarks.measuring import seconds, tell
from scorekeeper.app import create_app
from scorekeeper.config import read_settings
from scorekeeper.games import GAMES
from scorekeeper.log.writing import now
from scorekeeper.store import Position, migrate, open_store, sealed

ROUNDS: Final = 7
APPENDS: Final = 120  # of each kind in a round
POSTGRES: Final = os.environ.get("TEST_PG", "postgresql://postgres@127.0.0.1:5432/test")
COLUMNS: Final = (
    "session text, seq integer, type text, line {blob}, hash text, PRIMARY KEY (session, seq)"
)

Append = Callable[[Raw], None]
Plain = Callable[[tuple[Any, ...]], object]  # inserts a row with the plain driver


class Table:
    """A session of the real application, asked through its API without a server."""

    def __init__(self, url: str) -> None:
        self.client = create_app(read_settings(database_url=url, log_level="error")).test_client()
        self.version = 1
        self.turn = itertools.count(1)

    def open(self, opening: Raw) -> None:
        """Begin a session."""
        opened = self.client.post("/api/sessions", json=opening["data"]).get_json()
        self.path = f"/api/sessions/{opened['id']}"
        self.key = {"Authorization": f"Bearer {opened['keys']['host']}"}
        self.version = 1

    def append(self, *events: Raw) -> None:
        """Record events; nothing else may have been recorded since."""
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


def bare(insert: Plain) -> Append:
    """The least: an endpoint that inserts a row."""
    app = Flask("bare")
    seqs = itertools.count(1)

    @app.post("/events")
    def record() -> Any:
        event = request.get_json()["events"][0]
        seq = next(seqs)
        insert(("s", seq, event["type"], json.dumps(event).encode(), "0" * 64))
        return jsonify(version=seq)

    client = app.test_client()

    def append(event: Raw) -> None:
        if client.post("/events", json={"events": [event]}).status_code != 200:
            raise AssertionError

    return append


@contextmanager
def on_sqlite() -> Iterator[tuple[str, Plain]]:
    """A database for the service, and the plain driver on another one, both on the disk."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        url = f"sqlite:///{folder}/ours.db"
        migrate(url)
        plain = sqlite3.connect(
            Path(folder) / "bare.db", isolation_level=None, check_same_thread=False
        )
        plain.execute("PRAGMA journal_mode = persist")
        plain.execute("PRAGMA synchronous = FULL")
        plain.execute(f"CREATE TABLE events ({COLUMNS.format(blob='blob')})")
        text = "INSERT INTO events VALUES (?, ?, ?, ?, ?)"
        yield url, partial(plain.execute, text)
        plain.close()


@contextmanager
def on_postgres() -> Iterator[tuple[str, Plain]]:
    """The same in PostgreSQL, in a schema of its own."""
    schema = f"bench_{os.getpid()}"
    sign = "&" if "?" in POSTGRES else "?"
    url = f"{POSTGRES}{sign}options=-csearch_path%3D{schema}"
    with psycopg.connect(POSTGRES, autocommit=True) as owner:
        owner.execute(f"CREATE SCHEMA {schema}")
        try:
            migrate(url)
            with psycopg.connect(url, autocommit=True) as plain:
                plain.execute(f"CREATE TABLE bare ({COLUMNS.format(blob='bytea')})")
                text = "INSERT INTO bare VALUES (%s, %s, %s, %s, %s)"
                yield url, partial(plain.execute, text)
        finally:
            owner.execute(f"DROP SCHEMA {schema} CASCADE")


def against_the_least(url: str, least: Append) -> float:
    """How many appends the service makes while the least makes one: the six games in turn."""
    table, ratios = Table(url), []
    for game in itertools.islice(itertools.cycle(GAMES), ROUNDS):
        opening, *events = session(game, APPENDS + 40)
        table.open(opening)
        table.append(*events[:2])
        ours, theirs = 0.0, 0.0
        for event in events[2:APPENDS]:
            ours += seconds(partial(table.append, event))
            theirs += seconds(partial(least, event))
        ratios.append(theirs / ours)
    return statistics.median(ratios)


def long_sessions(url: str) -> list[bool]:
    """What an append and a report cost where the session is long already, beside a short one."""
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
    short, long = (statistics.median(one) for one in times.values())
    took = seconds(tables[10_000].report)
    return [
        tell("append to a session of 10,000 events", f"{long / short:.2f} x of 100",
             "at most 1.5 x", met=long <= 1.5 * short),
        tell("report of a session of 10,000 events, warm", f"{took * 1000:.0f} ms", "under 150 ms",
             met=took < 0.15),
    ]  # fmt: skip


def store_against_the_driver(url: str, plain: Plain) -> float:
    """How many appends the store makes while the plain driver inserts one row."""
    opening, *events = session("riparto", ROUNDS * APPENDS)
    with open_store(url) as store:
        opened = store.open_session([(opening["type"], opening["data"])], "keeper")
        end, ratios = Position(opened.version, opened.head), []
        for turn in range(ROUNDS):
            ours, theirs = 0.0, 0.0
            for event in events[turn * APPENDS :][:APPENDS]:
                (line,) = sealed(end, [(event["type"], event["data"])], now(), "keeper")
                row = (opened.id, line.seq, line.type, line.line, line.hash)
                ours += seconds(partial(store.append, opened.id, end, [line]))
                theirs += seconds(partial(plain, row))
                end = Position(line.seq, line.hash)
            ratios.append(theirs / ours)
    return statistics.median(ratios)


def appending() -> list[bool]:
    """Measure all of it."""
    with on_sqlite() as (url, plain):
        ratio = against_the_least(url, bare(plain))
        met = [tell("one durable append in process, SQLite", f"{ratio:.2f} x the least",
                    "0.6 or more, goal 0.8", met=ratio >= 0.6)]  # fmt: skip
        met += long_sessions(url)
    try:
        psycopg.connect(POSTGRES, connect_timeout=3).close()
    except psycopg.Error:
        print(f"no PostgreSQL at {POSTGRES}: not measured there")
        return met
    with on_postgres() as (url, plain):
        ratio = store_against_the_driver(url, plain)
        met.append(tell("one append of the store, PostgreSQL", f"{ratio:.2f} x psycopg",
                        "0.8 or more", met=ratio >= 0.8))  # fmt: skip
        ratio = against_the_least(url, bare(plain))
        tell("one durable append in process, PostgreSQL", f"{ratio:.2f} x the least", "", met=True)
    return met
