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
import time
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
from scorekeeper.store import migrate

ROUNDS: Final = 7
APPENDS: Final = 120  # of each kind in a round
POSTGRES: Final = os.environ.get("TEST_PG", "postgresql://postgres@127.0.0.1:5432/test")
COLUMNS: Final = (
    "session text, seq integer, type text, line {blob}, hash text, PRIMARY KEY (session, seq)"
)

Append = Callable[[Raw], None]


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


def bare(insert: Callable[[tuple[Any, ...]], object]) -> Append:
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
def on_sqlite() -> Iterator[tuple[str, Append]]:
    """A database for the service, and the least on another one, both on the disk."""
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
        yield url, bare(lambda row: plain.execute(text, row))
        plain.close()


@contextmanager
def on_postgres() -> Iterator[tuple[str, Append]]:
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
                yield url, bare(lambda row: plain.execute(text, row))
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
    """What an append and a report cost where the session is long already."""
    table = Table(url)
    opening, *events = session("riparto", 10_400)
    table.open(opening)
    times = {}
    for length in (100, 10_000):
        while table.version < length:
            upto = min(length, table.version + 500)
            table.append(*events[table.version - 1 : upto - 1])
        table.report()
        times[length] = statistics.median(
            seconds(partial(table.append, event)) for event in events[table.version - 1 :][:150]
        )
    ratio = times[10_000] / times[100]
    table.append(*events[table.version - 1 :][:1])
    took = seconds(table.report)
    return [
        tell("append to a session of 10,000 events", f"{ratio:.2f} x of 100", "at most 1.5 x",
             met=ratio <= 1.5),
        tell("report of a session of 10,000 events, warm", f"{took * 1000:.0f} ms", "under 150 ms",
             met=took < 0.15),
    ]  # fmt: skip


def appending() -> list[bool]:
    """Measure all of it."""
    with on_sqlite() as (url, least):
        ratio = against_the_least(url, least)
        met = [tell("one durable append in process, SQLite", f"{ratio:.2f} x the least",
                    "0.6 or more, goal 0.8", met=ratio >= 0.6)]  # fmt: skip
        met += long_sessions(url)
    try:
        psycopg.connect(POSTGRES, connect_timeout=3).close()
    except psycopg.Error:
        print(f"no PostgreSQL at {POSTGRES}: not measured there")
        return met
    with on_postgres() as (url, least):
        ratio = against_the_least(url, least)
        met.append(tell("one durable append in process, PostgreSQL", f"{ratio:.2f} x the least",
                        "0.8 or more", met=ratio >= 0.8))  # fmt: skip
    return met


if __name__ == "__main__":
    began = time.perf_counter()
    appending()
    print(f"{time.perf_counter() - began:.0f} s")
