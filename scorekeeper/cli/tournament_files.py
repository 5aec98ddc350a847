"""``tournament standings``, ``print`` and ``next``: a tournament from its logs alone."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.views import to_json_values
from scorekeeper.cli.draw_progress import showing_search
from scorekeeper.cli.log_files import EXIT_ERRORS, EXIT_OK, log_paths, logs_type, stop
from scorekeeper.cli.output import output_option, write_output
from scorekeeper.cli.printing import encode_json
from scorekeeper.cli.sheet_text import strip_controls
from scorekeeper.cli.standings_text import standings_lines
from scorekeeper.cli.tournament_logs import TournamentFiles, read_tournament_files
from scorekeeper.exports.tournament import TournamentFile
from scorekeeper.exports.tournament_formats import TOURNAMENT_FORMATS, export_tournament_file
from scorekeeper.languages.catalogues import DEFAULT, LANGUAGES
from scorekeeper.languages.reader import UTC, Reader, time_zones

# The formats of the standings: text and JSON for a terminal, and the files.
FORMATS: Final = ("text", "json", "csv", "xlsx", "pdf", "html", "png", "ics", "chat")
FILE_OF_FORMAT: Final = {"chat": "standings.txt"}
PDF: Final = ".pdf"
PAGES: Final = tuple(name.removesuffix(PDF) for name in TOURNAMENT_FORMATS if name.endswith(PDF))
SEATING_FORMATS: Final = ("pdf", "csv", "xlsx", "json")

Command = TypeVar("Command", bound=Callable[..., Any])

logs_argument = click.argument("logs", nargs=-1, required=True, metavar="LOG...", type=logs_type)
stage_option = click.option("--stage", type=click.IntRange(1), metavar="N",
                            help="The stage; else the last one.")  # fmt: skip


def reader_options(command: Command) -> Command:
    """Add the options of the language and the time zone of a file to a command."""
    language = click.option("--language", type=click.Choice(tuple(LANGUAGES)), default=DEFAULT,
                            help="The language of a file.")  # fmt: skip
    zone = click.option("--zone", default=UTC, show_default=True,
                        help="The time zone, unless the tournament has one.")  # fmt: skip
    return language(zone(command))


def make_reader(language: str, zone: str) -> Reader:
    """Return the reader of a file, or exit with a message if the time zone does not exist."""
    if zone not in time_zones():
        stop(f"{zone} is not a time zone; an example is Europe/Rome")
    return Reader(language, zone)


@click.command()
@logs_argument
@stage_option
@click.option("--round", "after_round", type=click.IntRange(1), metavar="N",
              help="After this round; else after the last one.")  # fmt: skip
@click.option("--team", type=click.IntRange(1), metavar="N",
              help="Also a table of groups: the best N of each.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@reader_options
@output_option
def standings(
    logs: tuple[Path, ...], stage: int | None, after_round: int | None, team: int | None, form: str,
    language: str, zone: str, output: Path | None,
) -> None:  # fmt: skip
    """Print the standings of a tournament from its log and those of its sessions.

    Folders stand for all *.jsonl in them; - is standard input. Exit code 0: fine. 1: a log is
    missing, cannot be used or belongs to no table; the message says which. 2: the tournament's log
    cannot be used.
    """
    reader = make_reader(language, zone)
    files = read_logs(logs)
    file = prepare(files, reader, stage=stage, after_round=after_round, team=team or 0)
    if form == "json":
        data = encode_json(to_json_values(file.standings))
    elif form == "text":
        data = "".join(f"{line}\n" for line in standings_lines(file.standings)).encode()
    else:
        data = export(file, FILE_OF_FORMAT.get(form, f"standings.{form}"))
    write_output(data, output)
    sys.exit(EXIT_ERRORS if files.problems else EXIT_OK)


@click.command("print")
@click.argument("what", type=click.Choice(PAGES), metavar="WHAT")
@logs_argument
@stage_option
@click.option("--round", "round_number", type=click.IntRange(1), metavar="N",
              help="The round of a seating; else the last published one.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(SEATING_FORMATS), default="pdf",
              show_default=True, help="The seating also as a table.")  # fmt: skip
@reader_options
@output_option
def print_pages(
    what: str, logs: tuple[Path, ...], stage: int | None, round_number: int | None, form: str,
    language: str, zone: str, output: Path | None,
) -> None:  # fmt: skip
    """Make pages to print from the logs of a tournament; the logs are those of “standings”.

    WHAT is standings, seating, road_cards, score_sheets, cross_table or prizes. A draw that is not
    published yet is printed only if --round names its round.
    """
    name = f"{what}.{form}"
    if name not in TOURNAMENT_FORMATS:
        stop(f"{what} is printed as a PDF, and not as {form}")
    reader = make_reader(language, zone)
    files = read_logs(logs)
    file = prepare(files, reader, stage=stage, round_number=round_number, sees_draws=True)
    write_output(export(file, name), output)
    sys.exit(EXIT_ERRORS if files.problems else EXIT_OK)


@click.command("next")
@logs_argument
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, metavar="N",
              help="The same seed gives the same draw.")  # fmt: skip
def next_round(logs: tuple[Path, ...], seed: int) -> None:
    """Draw the next round by the rules of its stage, and print the event for the tournament's log.

    The logs are those of “standings”. Nothing is recorded: check the draw, and append the line.
    """
    from scorekeeper.log import codec
    from scorekeeper.tournaments.events import RoundDrawn
    from scorekeeper.tournaments.proposals import propose_round

    files = read_logs(logs)
    try:
        with showing_search():
            proposed = propose_round(files.tournament.state, files.results, seed)
    except UnusableError as error:
        stop(error.reason)
    line = {"type": RoundDrawn.TYPE, "data": codec.encode(RoundDrawn(**proposed._asdict()))}
    click.echo(json.dumps(line, ensure_ascii=False).encode())
    sys.exit(EXIT_ERRORS if files.problems else EXIT_OK)


def read_logs(logs: Sequence[Path]) -> TournamentFiles:
    """Return the tournament of log files, and print what is wrong with them."""
    files = read_tournament_files(list(log_paths(logs)))
    for problem in files.problems:
        click.echo(strip_controls(problem), err=True)
    return files


def prepare(files: TournamentFiles, reader: Reader, **asked: Any) -> TournamentFile:
    """Return a tournament prepared for export, or exit with a message if it has no such part.

    ``asked`` are arguments of `TournamentFile.of`.
    """
    state = files.tournament.state
    changed = [
        session_id
        for session_id, head in (state.heads or {}).items()
        if session_id in files.results and files.results[session_id].head != head
    ]
    opened = next(iter(files.tournament.corrections.recorded.values()))
    own_id = opened.hash or state.opening.name
    try:
        return TournamentFile.of(own_id, state, files.results, reader, changed=changed, **asked)
    except UnusableError as error:
        stop(error.reason)


def export(file: TournamentFile, name: str) -> bytes:
    """Return one of the files of a tournament, or exit with a message if it cannot be made."""
    try:
        return export_tournament_file(file, name)
    except UnusableError as error:
        stop(error.reason)
