"""``export --all``: the hands of all sessions in one table."""

import io
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import click

from scorekeeper.base.errors import ScorekeeperError
from scorekeeper.cli.log_files import FINE, WRONG, paths
from scorekeeper.cli.sheet_text import plain
from scorekeeper.cli.single import WITH_PROGRESS
from scorekeeper.cli.stores import opened
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.hands import FORMATS, TableRow
from scorekeeper.games import GAMES
from scorekeeper.languages.reader import Reader
from scorekeeper.session.session import Session

AN_EVENT: Final = 200  # bytes of a log, or so


class LogSource(NamedTuple):
    """A log by its name in messages, the id of its session, its events or so, how it is read."""

    name: str
    session_id: str
    events: int
    read: Callable[[], bytes]

    @classmethod
    def file(cls, path: Path) -> "LogSource":
        """A log in a file, which need not be there."""
        size = path.stat().st_size if path.exists() else 0
        return cls(str(path), path.stem, size // AN_EVENT, path.read_bytes)


def all_hands(logs: Sequence[Path], form: str, reader: Reader) -> tuple[bytes, int]:
    """The table of the hands of these logs, or else of the database; and the exit code.

    A log that cannot be used is told, and left out. Of many events a bar on standard error, where
    that is a terminal, shows how far it came.
    """
    if logs:
        return _gathered([LogSource.file(one) for one in paths(logs)], form, reader)
    with opened() as store:
        sources = [
            LogSource(f"session {one.id}", one.id, one.version, partial(store.export, one.id))
            for one in store.sessions()
        ]
        return _gathered(sources, form, reader)


def _gathered(sources: Sequence[LogSource], form: str, reader: Reader) -> tuple[bytes, int]:
    rows: list[TableRow] = []
    exit_code = FINE
    events = sum(one.events for one in sources)
    hidden = events < WITH_PROGRESS or not sys.stderr.isatty()
    with click.progressbar(length=events, label="Reading", file=sys.stderr, hidden=hidden) as bar:
        for one in sources:
            try:
                with GAMES.missing_where_they_fail():
                    rows += FORMATS[form].rows(_evening(one, reader))
            except (ScorekeeperError, OSError) as error:
                reason = error.strerror if isinstance(error, OSError) else error
                click.echo(plain(f"{one.name}: {reason}; left out"), err=True)
                exit_code = WRONG
            bar.update(one.events)
    return FORMATS[form].file(rows, reader), exit_code


def _evening(source: LogSource, reader: Reader) -> Evening:
    session = Session.read(io.BytesIO(source.read()), None)
    return Evening.of(source.session_id, session, reader)
