"""``verify`` and ``seal``."""

import sys
from collections import Counter
from typing import BinaryIO, NoReturn

import click

from scorekeeper.cli.log_files import EXIT_ERRORS, EXIT_OK, exit_if_unusable, log_argument, stop
from scorekeeper.cli.printing import print_lines
from scorekeeper.log.reading import LogFile, RawEvent, collect_events
from scorekeeper.log.reading import verify as verify_log
from scorekeeper.log.writing import now, sealed_lines
from scorekeeper.session.session import Session


@click.command()
@click.argument("log", type=click.File("rb"), metavar="[LOG]", required=False)
@click.option("--head", metavar="HASH", help="The last hash that the log should have.")
@click.option(
    "--count", metavar="N", type=click.IntRange(0), help="The number of events that it should have."
)
@click.option(
    "--all",
    "database",
    is_flag=True,
    help="Every session, club and tournament in the database instead.",
)
def verify(log: BinaryIO | None, head: str | None, count: int | None, *, database: bool) -> None:
    """Say whether a sealed log is intact: every byte, and with --head or --count its end.

    LOG is a file, or - for standard input. Exit code 0: intact. 1: damaged; the first bad line
    is named. 2: not a sealed log, or no database.
    """
    if database == (log is not None) or (database and (head or count is not None)):
        raise click.UsageError("expected either a LOG, perhaps with --head or --count, or --all")
    if log is not None:
        verify_one(log, head, count)
    else:
        verify_all()


def verify_one(log: BinaryIO, head: str | None, count: int | None) -> NoReturn:
    """Print whether a sealed log is intact, and exit."""
    with exit_if_unusable(log):
        verdict = verify_log(log, head, count)
    if verdict.ok:
        print_lines([f"intact: {verdict.events} events, head {verdict.head}"])
        sys.exit(EXIT_OK)
    lines = [f"damaged at line {verdict.first_bad_line}: {verdict.reason}"]
    if verdict.events:
        lines.append(f"intact up to event {verdict.events}, head {verdict.head}")
    print_lines(lines)
    sys.exit(EXIT_ERRORS)


def verify_all() -> NoReturn:
    """Print which streams in the database are not intact, and exit."""
    # Slow to import, and not needed for a file.
    from scorekeeper.cli.database import count_things
    from scorekeeper.cli.stores import open_database, settings_or_exit
    from scorekeeper.store import keyring

    with open_database() as store:
        checked = list(store.verify_all())
    damaged = [stream for stream in checked if not stream.verdict.ok]
    for stream in damaged:
        verdict = stream.verdict
        click.echo(f"{keyring.kind_of(stream.session_id)} {stream.session_id} is damaged at event "
                   f"{verdict.first_bad_line}: {verdict.reason}")  # fmt: skip
    kinds = Counter(keyring.kind_of(stream.session_id) for stream in checked)
    counts = [count_things(kinds[kind], kind) for kind in keyring.StreamKind]
    counts.append(count_things(sum(stream.verdict.events for stream in checked), "event"))
    how = f"{len(damaged)} damaged" if damaged else "all intact"
    click.echo(f"{settings_or_exit().database}: {', '.join(counts)}: {how}")
    sys.exit(EXIT_ERRORS if damaged else EXIT_OK)


@click.command()
@log_argument
def seal(log: BinaryIO) -> None:
    """Make a sealed log of one written by hand, on standard output.

    LOG is a file, or - for standard input. Nothing is written unless the whole log is usable.
    """
    events: list[RawEvent] = []
    with exit_if_unusable(log):
        file = LogFile(log)
        Session().add_lines(collect_events(file, events))
    if file.sealed:
        stop("the log is sealed already")
    for line in sealed_lines([(raw.type, raw.data) for raw in events], at=now()):
        click.echo(line, nl=False)
