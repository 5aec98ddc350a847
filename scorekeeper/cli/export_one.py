"""``export`` of one session in any format, with a progress bar for long logs."""

import io
import sys
from collections.abc import Callable
from typing import Final

import click

from scorekeeper.base.collector import gc_paused
from scorekeeper.exports import formats
from scorekeeper.exports.evening import Evening
from scorekeeper.languages.reader import Reader
from scorekeeper.session.session import Session

PROGRESS_BAR_MIN_EVENTS: Final = 2_000


class WatchedLog(io.BytesIO):
    """A log that reports how many bytes of it are read, line by line."""

    def __init__(self, log: bytes, on_progress: Callable[[int], object]) -> None:
        super().__init__(log)
        self._on_progress = on_progress

    def readline(self, size: int | None = -1, /) -> bytes:
        """Return the next line, and report its length to `on_progress`."""
        line = super().readline(size)
        self._on_progress(len(line))
        return line


def export_session(log: bytes, session_id: str, form: str, reader: Reader) -> bytes:
    """Return a sealed log in a format, with a progress bar on standard error if it is a terminal.

    Reading the log is the first half of the bar, making the file the second.
    """
    hidden = log.count(b"\n") < PROGRESS_BAR_MIN_EVENTS or not sys.stderr.isatty()
    part = len(log) // formats.count_parts(form)
    with (
        click.progressbar(
            length=2 * len(log), label=f"Making {form}", file=sys.stderr, hidden=hidden
        ) as bar,
        gc_paused(),
    ):
        session = Session.read(WatchedLog(log, bar.update), None)
        evening = Evening.of(session_id, session, reader)
        return formats.export_file(form, evening, log, lambda: bar.update(part))
