"""Logs for the tests of the command line, and helpers to run commands."""

import json
import sqlite3
import sys
from collections.abc import Mapping
from io import StringIO
from typing import Any

import pytest
from click.testing import CliRunner, Result

from scorekeeper.cli import main
from scorekeeper.log.writing import sealed_lines
from tests.store.asking import OPENING, note

EVENTS: list[tuple[str, Mapping[str, Any]]] = [*OPENING, note("one"), note("two")]
BY_HAND = b"".join(
    json.dumps({"type": kind, "data": data}).encode() + b"\n" for kind, data in EVENTS
)
SEALED = b"".join(sealed_lines(EVENTS, "2026-11-21T20:00:00.000Z"))


class Terminal(StringIO):
    """A standard error that is a terminal."""

    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Replace standard error by a terminal, and return it."""
    stderr = Terminal()
    monkeypatch.setattr(sys, "stderr", stderr)
    return stderr


def run(*args: object, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin)


def words(outcome: Result) -> str:
    """Return the output with single spaces between words."""
    return " ".join(outcome.output.split())


def damage(change: str) -> None:
    """Change the database in a way that its triggers prevent."""
    connection = sqlite3.connect("var/scorekeeper.db")
    for trigger in ("events_no_update", "events_no_delete"):
        connection.execute(f"DROP TRIGGER {trigger}")
    connection.execute(change)
    connection.commit()
    connection.close()
