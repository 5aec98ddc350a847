"""The table of a season as a view, and as rows for a spreadsheet."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Final

from scorekeeper.base.cached import cached_in_argument
from scorekeeper.base.json_object import JsonObject
from scorekeeper.clubs.closed import ClosedSeason
from scorekeeper.clubs.figures import EveningFigure, MatchFigure
from scorekeeper.clubs.rankings import DECIMALS, Figure, Rating, to_number
from scorekeeper.clubs.season import MemberRow, Standings, get_tie_breaks
from scorekeeper.clubs.season_views import (
    AdjustmentView,
    AfterTheCloseView,
    ClubSeasonView,
    EveningFigureView,
    MatchFigureView,
    MovedView,
    RowView,
    StandingsView,
)
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.values import Season
from scorekeeper.clubs.views import Names, describe_member, has_left
from scorekeeper.log import codec

EVENING_COLUMNS: Final = (
    "place", "shared", "member", "name", "figure", "evenings", "matches", "hands", "won",
    "provisional", "evening", "evening_figure", "counted", "evening_matches", "evening_hands",
    "evening_won", "date", "title", "left", "guest",
)  # fmt: skip


MAX_CACHED_RATINGS: Final = 64
NO_DAYS: Final[Mapping[str, tuple[str, str]]] = {}


def format_figure(value: Figure, by: str) -> str:
    """Return a figure for people: averages with two decimals, fractions with as many as needed."""
    if by == "average":
        return f"{float(value):.2f}"
    return str(value) if value.denominator == 1 else f"{float(value):.2f}".rstrip("0")


def view_season(snapshot: ClubSnapshot, season: Season) -> StandingsView:
    """Return the table of a season; for a closed season with the corrections after the close."""
    if season.heads is None:
        return view_standings(snapshot.compute_standings(season), snapshot.names)
    closed = snapshot.compare_closed(season)
    return view_standings(closed.final, snapshot.names, closed)


def view_standings(
    standings: Standings, names: Names, closed: ClosedSeason | None = None
) -> StandingsView:
    """Return the table of a season with the names of its members.

    ``closed`` has the corrections after the close of a season.
    """
    by = standings.season.ranking.by
    return StandingsView(
        view_club_season(standings.season),
        standings.evenings,
        [_view_row(row, names, by) for row in standings.rows],
        [_view_row(row, names, by, guest=True) for row in standings.guests],
        standings.left_out,
        standings.unended,
        None if closed is None else _view_after_the_close(closed, names),
    )


def view_club_season(season: Season) -> ClubSeasonView:
    """Return a season: its days, games and ranking."""
    return ClubSeasonView(
        season.id, season.name, season.start or None, season.to, season.games,
        codec.encode(season.ranking), get_tie_breaks(season), closed=season.heads is not None,
    )  # fmt: skip


def _view_row(row: MemberRow, names: Names, by: str, *, guest: bool = False) -> RowView:
    """Return a member's row."""
    ratings = {game: _rating_json(rating) for game, rating in row.ratings.items()}
    return RowView(
        place=row.place or None,
        shared=row.shared,
        # Who shares a place was separated from others, and not from these.
        parted_by=None if row.shared else row.tie_broken_by or None,
        member=row.member,
        name=names.get(row.member, row.member),
        figure=to_number(row.figure),
        shown=format_figure(row.figure, by),
        evenings=len(row.evenings),
        matches=sum([len(evening.matches) for evening in row.evenings]),
        hands=row.hands,
        won=to_number(row.won),
        provisional=row.open,
        made_of=list(map(_view_evening, row.evenings)),
        adjustments=[
            AdjustmentView(adjustment.points, adjustment.reason, adjustment.seq)
            for adjustment in row.adjustments
        ],
        left=has_left(names, row.member),
        guest=guest,
        ratings=ratings or None,
    )


@cached_in_argument
def _view_evening(evening: EveningFigure) -> EveningFigureView:
    """Return the figures of a member's evening, cached with the evening."""
    return EveningFigureView(
        evening.session_id,
        to_number(evening.figure),
        evening.counted,
        [_view_match(match, evening.session_id) for match in evening.matches],
    )


def _view_match(match: MatchFigure, evening_id: str) -> MatchFigureView:
    """Return the figures of a member's match; that of a tournament's table names its session."""
    rating = None
    if match.rating_change:
        before, after = match.rating_change
        rating = {"before": _rating_json(before), "after": _rating_json(after)}
    return MatchFigureView(
        match.match, match.game, to_number(match.figure), match.total, match.hands,
        to_number(match.won), match.open, rating,
        match.session_id if match.session_id != evening_id else None,
    )  # fmt: skip


@lru_cache(MAX_CACHED_RATINGS)  # most are asked for twice: after a match, and before the next
def _rating_json(rating: Rating) -> JsonObject:
    """Return a rating and its certainty for JSON."""
    return {"rating": rating.figure, "certainty": rating.certainty}


def _view_after_the_close(closed: ClosedSeason, names: Names) -> AfterTheCloseView:
    """Return the changes of a season after its close."""
    moved = [
        MovedView(
            *describe_member(move.member, names),
            None if move.figure is None else to_number(move.figure),
            move.place,
            None if move.figure_now is None else to_number(move.figure_now),
            move.place_now,
        )
        for move in closed.moved
    ]
    return AfterTheCloseView(closed.changed, closed.withdrawn, closed.entered, closed.lost, moved)


def list_evening_rows(
    table: StandingsView, days: Mapping[str, tuple[str, str]] = NO_DAYS
) -> Iterator[tuple[str | int | Decimal | None, ...]]:
    """Yield a row of the spreadsheet for each member and evening.

    ``days`` has the day and the title of each evening, if they are known.
    """
    for row in (*table.rows, *table.guests):
        for evening in row.made_of:
            matches = evening.matches
            yield (
                row.place, int(row.shared), row.member, row.name, to_cell(row.figure),
                row.evenings, row.matches, row.hands, to_cell(row.won), int(row.provisional),
                evening.session_id, to_cell(evening.figure), int(evening.counted), len(matches),
                sum(match.hands for match in matches), to_cell(sum(match.won for match in matches)),
                *days.get(evening.session_id, ("", "")), int(row.left), int(row.guest),
            )  # fmt: skip


def to_cell(value: float) -> int | Decimal:
    """Return a figure for a cell: an integer, or a decimal for the number format of the reader."""
    return value if isinstance(value, int) else Decimal(str(round(value, DECIMALS)))
