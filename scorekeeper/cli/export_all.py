"""``export --all``: the hands of all sessions in one table."""

import io
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import click

from scorekeeper.base.errors import ScorekeeperError
from scorekeeper.cli.export_one import PROGRESS_BAR_MIN_EVENTS
from scorekeeper.cli.log_files import EXIT_ERRORS, EXIT_OK, log_paths
from scorekeeper.cli.sheet_text import strip_controls
from scorekeeper.cli.stores import open_database
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.hands import FORMATS, TableRow
from scorekeeper.games import GAMES
from scorekeeper.languages.reader import Reader
from scorekeeper.session.session import Session

BYTES_PER_EVENT: Final = 200  # approximately, to estimate the number of events of a file


class LogSource(NamedTuple):
    """A log: its name in messages, its session id, its approximate number of events, a reader."""

    name: str
    session_id: str
    events: int
    read: Callable[[], bytes]

    @classmethod
    def file(cls, path: Path) -> "LogSource":
        """Return a log in a file, which need not exist."""
        size = path.stat().st_size if path.exists() else 0
        return cls(str(path), path.stem, size // BYTES_PER_EVENT, path.read_bytes)


def all_hands(logs: Sequence[Path], form: str, reader: Reader) -> tuple[bytes, int]:
    """Return the table of the hands of these logs, or of the database, and the exit code.

    A log that cannot be used is reported and left out. For many events there is a progress bar on
    standard error, if that is a terminal.
    """
    if logs:
        return _export_table([LogSource.file(path) for path in log_paths(logs)], form, reader)
    with open_database() as store:
        sources = [
            LogSource(
                f"session {listed.id}", listed.id, listed.version, partial(store.export, listed.id)
            )
            for listed in store.sessions()
        ]
        return _export_table(sources, form, reader)


def _export_table(sources: Sequence[LogSource], form: str, reader: Reader) -> tuple[bytes, int]:
    """Return the table of all hands in these logs, and the exit code.

    The code is that for errors if a log cannot be used; its reason is printed, and it is left out.
    """
    rows: list[TableRow] = []
    exit_code = EXIT_OK
    events = sum(source.events for source in sources)
    hidden = events < PROGRESS_BAR_MIN_EVENTS or not sys.stderr.isatty()
    with click.progressbar(length=events, label="Reading", file=sys.stderr, hidden=hidden) as bar:
        for source in sources:
            try:
                with GAMES.failures_as_not_installed():
                    rows += FORMATS[form].rows(_read_evening(source, reader))
            except (ScorekeeperError, OSError) as error:
                reason = error.strerror if isinstance(error, OSError) else error
                click.echo(strip_controls(f"{source.name}: {reason}; left out"), err=True)
                exit_code = EXIT_ERRORS
            bar.update(source.events)
    return FORMATS[form].file(rows, reader), exit_code


def _read_evening(source: LogSource, reader: Reader) -> Evening:
    """Return a log as a session prepared for export."""
    session = Session.read(io.BytesIO(source.read()), None)
    return Evening.of(source.session_id, session, reader)
