"""``export`` of one session: what is made of its log, with a bar where that takes long."""

import io
import sys
from collections.abc import Callable
from typing import Final

import click

from scorekeeper.base.collector import uncollected
from scorekeeper.exports import formats
from scorekeeper.exports.evening import Evening
from scorekeeper.languages.reader import Reader
from scorekeeper.session.session import Session

WITH_PROGRESS: Final = 2_000  # events from which on a bar shows how far it came


class WatchedLog(io.BytesIO):
    """A log that tells how many bytes of it are read, line by line."""

    def __init__(self, log: bytes, told: Callable[[int], object]) -> None:
        super().__init__(log)
        self._told = told

    def readline(self, size: int | None = -1, /) -> bytes:
        """The next line."""
        line = super().readline(size)
        self._told(len(line))
        return line


def made_of(log: bytes, session_id: str, form: str, reader: Reader) -> bytes:
    """A file made of a sealed log; to read the log is half of the bar, to make the file the rest.

    The bar is on standard error, where that is a terminal.
    """
    hidden = log.count(b"\n") < WITH_PROGRESS or not sys.stderr.isatty()
    part = len(log) // formats.parts_of(form)
    with (
        click.progressbar(
            length=2 * len(log), label=f"Making {form}", file=sys.stderr, hidden=hidden
        ) as bar,
        uncollected(),
    ):
        session = Session.read(WatchedLog(log, bar.update), None)
        evening = Evening.of(session_id, session, reader)
        return formats.export_file(form, evening, log, lambda: bar.update(part))
