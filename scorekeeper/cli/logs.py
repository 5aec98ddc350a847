"""``verify`` and ``seal``."""

import sys
from typing import BinaryIO

import click

from scorekeeper.cli.common import FINE, WRONG, log_argument, stop, telling
from scorekeeper.log.reading import LogFile
from scorekeeper.log.reading import verify as verify_log
from scorekeeper.log.writing import now, sealed_lines
from scorekeeper.replay import Session


@click.command()
@log_argument
@click.option("--head", metavar="HASH", help="The last hash, as somebody remembers it.")
@click.option("--count", metavar="N", type=click.IntRange(0), help="The number of events.")
def verify(log: BinaryIO, head: str | None, count: int | None) -> None:
    """Say whether a sealed log is whole: every byte, and with --head or --count its end.

    LOG is a file, or - for standard input. Exit code 0: whole. 1: damaged; the first bad line
    is named. 2: not a sealed log.
    """
    with telling(log):
        verdict = verify_log(log, head, count)
    if verdict.ok:
        click.echo(f"whole: {verdict.events} events, head {verdict.head}")
        sys.exit(FINE)
    click.echo(f"damaged at line {verdict.first_bad_line}: {verdict.reason}")
    if verdict.events:
        click.echo(f"whole up to event {verdict.events}, head {verdict.head}")
    sys.exit(WRONG)


@click.command()
@log_argument
def seal(log: BinaryIO) -> None:
    """Make a sealed log of one written by hand, on standard output.

    LOG is a file, or - for standard input. Nothing is written unless the whole log is usable.
    """
    session, kept = Session(), []
    with telling(log):
        file = LogFile(log)
        for raw in file:
            session.add_line(raw)
            kept.append((raw.type, raw.data))
    if file.sealed:
        stop("the log is sealed already")
    for line in sealed_lines(kept, at=now()):
        click.echo(line, nl=False)
