"""The table of a season, with the viewer's own row first."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from scorekeeper.clubs.season_views import AfterTheCloseView, ClubSeasonView, RowView, StandingsView
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.standings import view_season
from scorekeeper.http.extensions import clubs


@dataclass(frozen=True, slots=True)
class SeasonChoice:
    """A season that can be selected."""

    id: str
    name: str
    closed: bool


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A season's table: ``mine`` is the viewer's row, ``above`` and ``below`` the others.

    ``placed`` are all rows with a place, in order. ``after`` has the corrections since the close.
    """

    values: StandingsView
    mine: RowView | None
    above: Sequence[RowView]
    below: Sequence[RowView]
    placed: Sequence[RowView]
    after: AfterTheCloseView | None

    @property
    def season(self) -> ClubSeasonView:
        """The season's id, name, state and ranking."""
        return self.values.season

    @property
    def provisional(self) -> bool:
        """Whether a figure may still change without a new event."""
        return any(row.provisional for row in (*self.values.rows, *self.values.guests))


def build_season_table(club_id: str, season_id: str | None, me: str) -> SeasonTable | None:
    """Return the table of a season, with the row of member `me` apart; None if it is unknown.

    `season_id` None means the season that began last.
    """
    table = season_standings(club_id, season_id)
    if table is None:
        return None
    rows, after = table.rows, table.after_the_close
    mine = next((row for row in rows if row.member == me), None)
    placed = [row for row in rows if row.place]
    return SeasonTable(
        values=table,
        mine=mine,
        above=[row for row in placed if row is not mine],
        below=[row for row in rows if not row.place and row is not mine],
        placed=placed,
        after=after if after and after.has_any() else None,
    )


def season_standings(club_id: str, season_id: str | None) -> StandingsView | None:
    """Return the table of a season; None if it is unknown.

    It is cached until the club changes.
    """
    return clubs().see(
        club_id, partial(_season_standings, season_id), ("season on pages", season_id)
    )


def _season_standings(season_id: str | None, snapshot: ClubSnapshot) -> StandingsView | None:
    """Return the table of a season; None if there is no such season."""
    season = snapshot.find_season(season_id)
    return None if season is None else view_season(snapshot, season)


def season_choices(snapshot: ClubSnapshot) -> list[SeasonChoice]:
    """Return the seasons to choose from, the one that began last first."""
    return [
        SeasonChoice(season.id, season.name, season.heads is not None)
        for season in snapshot.list_seasons()
    ]
