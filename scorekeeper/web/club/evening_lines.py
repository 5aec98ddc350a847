"""Rows for the evenings of a club: the day, the winners, and the link."""

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import chain, groupby
from typing import NamedTuple
from zoneinfo import ZoneInfo

from flask_babel import format_date

from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.season import sort_by_day
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.tournament_tables import combine_tables
from scorekeeper.games import GAMES
from scorekeeper.report.span import to_local_day
from scorekeeper.web.wording.days import format_reader_day


class EveningLine(NamedTuple):
    """An evening in a list; ``day`` is its day of play, an ISO date, empty if it is unknown.

    ``won`` has, match by match, the game and the names of its winners; ``open`` is whether a match
    of the evening may still change. ``corrected`` is the day of the last correction, empty if it is
    the day on which the evening ended. ``followed`` is whether the club reads later entries.
    ``tables`` is the number of tables of a tournament, and 0 for any other evening.
    """

    session_id: str
    day: str
    title: str
    names: tuple[str, ...]
    won: tuple[tuple[str, tuple[str, ...]], ...]
    open: bool
    corrected: str
    followed: bool = True
    tables: int = 0


def make_evening_line(
    attended: AttendedEvening, names: dict[str, str], zone: ZoneInfo, *, followed: bool = True
) -> EveningLine:
    """Return an evening as a row of a list.

    `names` are the present names of members, `zone` the club's time zone.
    """
    evening, labels = attended.evening, names_of_players(attended, names)
    played = [match for match in evening.matches if match.hands]
    corrected = to_local_day(evening.corrected, zone)
    return EveningLine(
        evening.session_id, evening.day.in_zone(zone), evening.title,
        tuple(labels.values()),
        tuple(
            (game_name(match.game),
             tuple(labels[player] for side in match.winners for player in match.sides[side]))
            for match in played
        ),
        any(match.open for match in played),
        corrected if corrected != to_local_day(evening.ended, zone) else "",
        followed,
    )  # fmt: skip


def names_of_players(attended: AttendedEvening, names: dict[str, str]) -> dict[str, str]:
    """Return the name of each player of an evening: a member's present one, a guest's of then."""
    return {
        player: names.get(attended.member_of.get(player) or "", name)
        for player, name in attended.evening.names.items()
    }


def evening_lines(snapshot: ClubSnapshot) -> list[EveningLine]:
    """Return a row for each evening of a club, the last one first."""
    names, attended_evenings = snapshot.names, sort_by_day(snapshot.list_attended(), snapshot.zone)
    lines = []
    for _, same in groupby(reversed(attended_evenings), key=lambda attended: attended.id):
        tables = list(same)
        followed = tables[0].id not in snapshot.stopped
        if tables[0].occasion is None:
            lines.append(make_evening_line(tables[0], names, snapshot.zone, followed=followed))
        else:
            lines.append(_make_tournament_line(tables[::-1], snapshot.zone, followed=followed))
    return lines


def _make_tournament_line(
    tables: Sequence[AttendedEvening], zone: ZoneInfo, *, followed: bool
) -> EveningLine:
    """Return a tournament, given by its tables in the order of play, as a row of a list."""
    (evening,) = combine_tables(tables)
    games = dict.fromkeys(match.game for table in tables for match in table.evening.matches)
    corrected = to_local_day(evening.corrected, zone)
    return EveningLine(
        evening.session_id, evening.day.in_zone(zone), evening.title, (),
        tuple((game_name(game), ()) for game in games),
        any(match.open for table in tables for match in table.evening.matches if match.hands),
        corrected if corrected != to_local_day(evening.ended, zone) else "",
        followed, len(tables),
    )  # fmt: skip


def titles_by_evening(snapshot: ClubSnapshot) -> dict[str, tuple[str, str]]:
    """Return the day and title of each evening by its id.

    Includes evenings that only closed seasons contain.
    """
    all_evenings = (*snapshot.evenings_at_close.values(), *snapshot.evenings.values())
    titles = {
        evening.session_id: (evening.day.in_zone(snapshot.zone), evening.title)
        for evening in all_evenings
    }
    if not (snapshot.tournaments or snapshot.tournaments_at_close):
        return titles
    at_close = (snapshot.list_attended_at_close(season) for season in snapshot.list_seasons())
    for attended in chain(*at_close, snapshot.list_attended()):
        titles[attended.id] = attended.find_day(snapshot.zone), attended.title
    return titles


def group_by_month(lines: Iterable[EveningLine]) -> dict[str, list[EveningLine]]:
    """Return the rows by month, such as `2026-05`; the key is empty for rows without a day."""
    months: dict[str, list[EveningLine]] = {}
    for row in lines:
        months.setdefault(row.day[:7], []).append(row)
    return months


def game_name(game: str) -> str:
    """Return the name of a game, or its id if it is not installed."""
    return GAMES[game].local_name if game in GAMES else game


def format_day(iso: str) -> str:
    """Return an ISO date as the reader writes it; empty for an empty one."""
    return format_reader_day(date.fromisoformat(iso), short=True) if iso else ""


def format_month(iso: str) -> str:
    """Return an ISO month as the reader writes it; empty for an empty one."""
    return str(format_date(date.fromisoformat(f"{iso}-01"), "LLLL y")) if iso else ""
