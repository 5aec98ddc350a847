"""A progress bar for a draw that has to be searched for, on a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from scorekeeper.tournaments.draws.search import on_progress


@contextmanager
def showing_search() -> Iterator[None]:
    """Show a progress bar on standard error while a draw is searched for.

    A draw by construction shows none, and neither does output that is not a terminal.
    """
    bar = click.progressbar(length=100, label="Searching", file=sys.stderr,
                            hidden=not sys.stderr.isatty())  # fmt: skip
    shown = False

    def report(share: float) -> None:
        nonlocal shown
        if not shown:
            bar.__enter__()
            shown = True
        bar.update(int(100 * share) - bar.pos)

    token = on_progress.set(report)
    try:
        yield
    finally:
        on_progress.reset(token)
        if shown:
            bar.__exit__(None, None, None)
