"""``export --all``: the hands of all sessions in one table."""

import io
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import click

from scorekeeper.base.errors import ScorekeeperError
from scorekeeper.cli.common import FINE, WRONG, paths
from scorekeeper.cli.sheet_text import plain
from scorekeeper.cli.stores import opened
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.hands import FORMATS, HandRow, hand_rows
from scorekeeper.languages.reader import Reader
from scorekeeper.session.session import Session

WITH_PROGRESS: Final = 10  # logs from which on a bar shows how far it came


class Source(NamedTuple):
    """A log by its name in messages, the id of its session, and how it is read."""

    name: str
    session_id: str
    read: Callable[[], bytes]


def all_hands(logs: Sequence[Path], form: str, reader: Reader) -> tuple[bytes, int]:
    """The table of the hands of these logs, or else of the database; and the exit code.

    A log that cannot be used is told, and left out.
    """
    if logs:
        return _gathered([Source(str(one), one.stem, one.read_bytes) for one in paths(logs)],
                         form, reader)  # fmt: skip
    with opened() as store:
        ids = [one.id for one in store.sessions()]
        sources = [Source(f"session {one}", one, partial(store.export, one)) for one in ids]
        return _gathered(sources, form, reader)


def _gathered(sources: Sequence[Source], form: str, reader: Reader) -> tuple[bytes, int]:
    rows: list[HandRow] = []
    exit_code = FINE
    hidden = len(sources) < WITH_PROGRESS or not sys.stderr.isatty()
    with click.progressbar(sources, label="Reading", file=sys.stderr, hidden=hidden) as every:
        for one in every:
            try:
                rows += _rows(one, reader)
            except (ScorekeeperError, OSError) as error:
                reason = error.strerror if isinstance(error, OSError) else error
                click.echo(plain(f"{one.name}: {reason}; left out"), err=True)
                exit_code = WRONG
    made: bytes = FORMATS[form](rows, reader)
    return made, exit_code


def _rows(source: Source, reader: Reader) -> Iterator[HandRow]:
    session = Session.read(io.BytesIO(source.read()), None)
    return hand_rows(Evening.of(source.session_id, session, reader))
