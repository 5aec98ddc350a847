"""The least that a service could do: an endpoint that takes the same body and inserts a row.

With the plain driver, into the same table with what guards it, in the same mode of durability.
It checks nothing, and knows nobody.
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
SERVED: Final = "LEAST_DATABASE"  # the variable that names the file of the endpoint that is served

Plain = Callable[[tuple[Any, ...]], object]  # inserts a row


class Least(NamedTuple):
    """The insert with the plain driver: into the table as it is, and into one without guards."""

    guarded: Plain
    unguarded: Plain


def on_connection(plain: Any, sign: str, blob: str) -> Least:
    """The inserts of a plain connection, into a session that is there."""
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
    """The same into a SQLite file, which is made."""
    migrate(f"sqlite:///{path}")
    plain = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    for pragma in ("journal_mode = persist", "synchronous = FULL", "foreign_keys = ON"):
        plain.execute(f"PRAGMA {pragma}")
    return on_connection(plain, "?", "blob")


def endpoint(insert: Plain) -> Flask:
    """The application: one insert at a time, as the plain driver has to have it."""
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
    """The application as gunicorn finds it."""
    return endpoint(on_file(Path(os.environ[SERVED])).guarded)
