"""A minimal service for comparison: an endpoint that takes the same body and inserts a row.

It uses the plain driver, the same table with its triggers, and the same mode of durability. It
checks no key and no rule.
"""

import itertools
import json
import os
import sqlite3
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from flask import Flask, jsonify, request

from scorekeeper.log.writing import now
from scorekeeper.store import migrate

SESSION: Final = "leastleast"
SERVED: Final = "LEAST_DATABASE"  # the environment variable with the file of its database

Plain = Callable[[tuple[Any, ...]], object]  # inserts a row


class Least(NamedTuple):
    """Inserts with the plain driver: into the usual table, and into one without triggers."""

    guarded: Plain
    unguarded: Plain


def on_connection(plain: Any, sign: str, blob: str) -> Least:
    """Return the inserts of a plain connection, into an existing session."""
    row = (SESSION, now())
    plain.execute(f"INSERT INTO sessions (id, created) VALUES ({sign}, {sign})", row)  # noqa: S608
    columns = 'session, seq, type, "at", "by", line, hash'
    signs = ", ".join([sign] * 7)
    plain.execute(
        'CREATE TABLE bare (session text, seq integer, type text, "at" text, "by" text, '
        f"line {blob}, hash text, PRIMARY KEY (session, seq))"
    )
    return Least(*(
        partial(plain.execute, f"INSERT INTO {table} ({columns}) VALUES ({signs})")  # noqa: S608
        for table in ("events", "bare")
    ))  # fmt: skip


def on_file(path: Path) -> Least:
    """Return the inserts into a new SQLite file."""
    migrate(f"sqlite:///{path}")
    plain = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    for pragma in ("journal_mode = persist", "synchronous = FULL", "foreign_keys = ON"):
        plain.execute(f"PRAGMA {pragma}")
    return on_connection(plain, "?", "blob")


def endpoint(insert: Plain) -> Flask:
    """Return the application; it inserts one row at a time, as the plain driver requires."""
    app = Flask("least")
    seqs = itertools.count(1)
    turn = threading.Lock()

    @app.post("/events")
    def record() -> Any:
        event = request.get_json()["events"][0]
        line = json.dumps(event).encode()
        with turn:
            seq = next(seqs)
            insert((SESSION, seq, event["type"], now(), "keeper", line, "0" * 64))
        return jsonify(version=seq), 201

    return app


def served() -> Flask:
    """Return the application for gunicorn."""
    return endpoint(on_file(Path(os.environ[SERVED])).guarded)
