"""``season``: the table of a season, from log files alone."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from scorekeeper.base.errors import ScorekeeperError, UnusableError
from scorekeeper.base.views import to_json_values
from scorekeeper.cli.log_files import EXIT_ERRORS, EXIT_OK, log_paths, logs_type, stop
from scorekeeper.cli.output import output_option, write_output
from scorekeeper.cli.printing import encode_json
from scorekeeper.cli.sheet_text import align_right, fit_columns, strip_controls, terminal_width
from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.evening_collection import DuplicateLog, EveningCollection
from scorekeeper.clubs.events import RANKINGS, Ranking
from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.season import Standings, compute_standings, sort_by_day
from scorekeeper.clubs.season_rules import refuse_bad_ranking
from scorekeeper.clubs.season_views import StandingsView
from scorekeeper.clubs.season_words import describe_left_out
from scorekeeper.clubs.standings import view_standings
from scorekeeper.clubs.tournament_tables import combine_tables
from scorekeeper.clubs.values import Season
from scorekeeper.events.fields import Day
from scorekeeper.games import GAMES
from scorekeeper.languages.catalogues import ngettext
from scorekeeper.log import codec
from scorekeeper.log.reading import LogFile
from scorekeeper.service.club_tournaments import list_tables
from scorekeeper.session.session import Session
from scorekeeper.tournaments.events import TournamentOpened
from scorekeeper.tournaments.tournament import Tournament

FORMATS: Final = ("text", "json", "csv", "xlsx", "pdf", "ics")
EVER: Final = ""  # sorts before all days, and before evenings without one
PROGRESS_BAR_MIN_LOGS: Final = 20
MAX_FIRST_LINE_BYTES: Final = 1_000_000
MAX_NAME_COLUMNS: Final = 24
HEADS: Final = {
    "points": "points", "average": "a hand", "wins": "won", "places": "places",
    "rating": "rating",
}  # fmt: skip


class DayType(click.ParamType[str]):
    """A day of the calendar."""

    name = "day"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        """Return the day, or fail with a message."""
        try:
            day: str = codec.read_value(Day(), value)
        except UnusableError as error:
            self.fail(str(error), param, ctx)
        return day


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOG...", type=logs_type)
@click.option(
    "--ranking",
    type=click.Choice(RANKINGS),
    help="The figure to rank by; points if there is one game, else places.",
)
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="ID",
    help="Only matches of this game; can be repeated.",
)
@click.option("--from", "start", type=DayType(), help="The first day.")
@click.option("--to", type=DayType(), help="The last day.")
@click.option(
    "--best",
    type=click.IntRange(1, 10_000),
    metavar="N",
    help="Only the best N evenings of each count.",
)
@click.option(
    "--at-least",
    type=click.IntRange(1, 10_000),
    metavar="N",
    help="Players with fewer evenings are listed below the line.",
)
@click.option("--zone", default="UTC", show_default=True, help="The time zone in which days begin.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@output_option
def season(
    logs: tuple[Path, ...], ranking: str | None, games: tuple[str, ...], start: str | None,
    to: str | None, best: int | None, at_least: int | None, zone: str, form: str,
    output: Path | None,
) -> None:  # fmt: skip
    """Make the table of a season from log files, and from all *.jsonl in folders; - is input.

    The same name is the same person, as in a club. With the log of a tournament, the logs of its
    tables count as one evening. Exit code 0: fine. 1: a log could not be
    used, or stands there twice; the message says which, and the table is made without it.
    """
    from scorekeeper.exports.season import SeasonFile
    from scorekeeper.exports.season_formats import SEASON_FORMATS

    collection, all_usable = read_evenings(list(log_paths(logs)))
    attended = list(collection.list_attended())
    for twin in collection.duplicates:
        click.echo(f"{twin.left_out}: {_why_left_out(twin)}", err=True)
    for people in collection.find_lookalikes():
        one_of_two = strip_controls(" and ".join(people))
        click.echo(f"{one_of_two}: the same person only with the same name; not added up",
                   err=True)  # fmt: skip
    undated = [item.evening.session_id for item in attended if not any(item.evening.day)]
    if undated and (start or to):
        click.echo(f"{', '.join(undated)}: no date on record; left out", err=True)
    ranked = _compute_standings(attended, games, ranking, best, at_least, start or EVER, to, zone)
    rows = view_standings(ranked, collection.names)
    if form == "json":
        write_output(encode_json(to_json_values(rows)), output)
    elif form == "text":
        write_output("".join(f"{line}\n" for line in table_lines(rows)).encode(), output)
    else:
        ordered = sort_by_day(attended, ZoneInfo(zone))
        evenings = combine_tables(item for item in ordered if item.id in ranked.evenings)
        season = SeasonFile(rows, evenings, ZoneInfo(zone))
        write_output(SEASON_FORMATS[form](season), output)
    sys.exit(EXIT_OK if all_usable and not collection.duplicates else EXIT_ERRORS)


def read_evenings(logs: Sequence[Path]) -> tuple[EveningCollection, bool]:
    """Return the evenings of log files, and whether all files are usable.

    The reason why a file is not usable is printed.
    """
    collection, all_usable = EveningCollection(), True
    hidden = len(logs) < PROGRESS_BAR_MIN_LOGS or not sys.stderr.isatty()
    with click.progressbar(logs, label="Reading", file=sys.stderr, hidden=hidden) as paths:
        for path in paths:
            try:
                with path.open("rb") as stream, GAMES.failures_as_not_installed():
                    log = _read_log(stream)
                    read = log if isinstance(log, Tournament) else PlayedEvening.of(str(path), log)
            except (ScorekeeperError, OSError) as error:
                reason = error.strerror if isinstance(error, OSError) else error
                click.echo(f"{path}: {reason}; left out", err=True)
                all_usable = False
            else:
                if isinstance(read, Tournament):
                    collection.add_tournament(list_tables(read, read.state.list_sessions()))
                else:
                    collection.add(read)
    return collection, all_usable


def _read_log(stream: BinaryIO) -> Session | Tournament:
    """Return the session or the tournament of a log. Raises `UnusableError`."""
    begins_tournament = TournamentOpened.TYPE.encode() in stream.readline(MAX_FIRST_LINE_BYTES)
    stream.seek(0)
    return Tournament.read(stream) if begins_tournament else Session.read(stream)


def _why_left_out(twin: DuplicateLog) -> str:
    """Return the reason why one of two logs with the same beginning does not count."""
    with Path(twin.left_out).open("rb") as left_out, Path(twin.instead).open("rb") as counted:
        pairs = list(zip(LogFile(left_out), LogFile(counted), strict=False))
    if all(line.hash == other.hash for line, other in pairs):
        return f"the same evening as {twin.instead}; left out"
    return (f"begins as {twin.instead} does and goes on differently; the longer one counts, "
            "this one is left out")  # fmt: skip


def _compute_standings(
    attended: Sequence[AttendedEvening], games: Sequence[str], by: str | None, best: int | None,
    at_least: int | None, start: str, to: str | None, zone: str,
) -> Standings:  # fmt: skip
    """Return the table of a season of these evenings, ranked as the options say.

    Exits with a message if the game, ranking or time zone is not possible.
    """
    for game in games:
        if game not in GAMES:
            stop(GAMES.why_missing(game))
    played = games or sorted({match.game for item in attended for match in item.evening.matches})
    ranking = Ranking(by or ("points" if len(played) == 1 else "places"), best, at_least)
    try:
        refuse_bad_ranking(ranking, played)
        place = ZoneInfo(zone)
    except UnusableError as error:
        stop(f"{error.reason}; name one with --game: {', '.join(played)}")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        stop(f"{zone} is not a time zone; an example is Europe/Rome")
    season = Season("season", "", start, to, tuple(played), ranking, 0)
    return compute_standings(season, attended, place)


def table_lines(table: StandingsView) -> Iterator[str]:
    """Yield the lines of a table for a terminal."""
    season, rows = table.season, table.rows
    by = season.ranking["by"]
    games = ", ".join(GAMES[game].name for game in season.games)
    evenings = ngettext("%(num)d evening", "%(num)d evenings", len(table.evenings))
    yield f"{games or 'No game'}: {evenings}, by {by}"
    if not rows:
        yield "nobody has played"
        return
    size = max(
        6, min(MAX_NAME_COLUMNS, max(terminal_width(strip_controls(row.name)) for row in rows))
    )
    yield f"    {fit_columns('player', size)}  {HEADS[by]:>8}  evenings  matches  hands     won"
    for row in rows:
        place = f"{row.place}{'=' if row.shared else '.'}" if row.place else "-"
        remark = "  provisional" if row.provisional else ""
        yield (
            f"{align_right(place, 3)} {fit_columns(strip_controls(row.name), size)}  "
            f"{row.shown:>8}  "
            f"{row.evenings:>8}  {row.matches:>7}  {row.hands:>5}  {row.won:>6}{remark}"
        )
    if any(not row.place for row in rows):
        yield f"-   fewer than {season.ranking['at_least']} evenings"
    if table.left_out:
        yield describe_left_out(len(table.left_out))
