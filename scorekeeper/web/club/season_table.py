"""The table of a season as a page shows it: who looks has his own line first."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from scorekeeper.base.json_object import JsonObject
from scorekeeper.clubs import plain_figures
from scorekeeper.clubs.books import Books
from scorekeeper.clubs.roll import Season
from scorekeeper.http.extensions import clubs


@dataclass(frozen=True, slots=True)
class SeasonChoice:
    """A season that can be looked at."""

    id: str
    name: str
    closed: bool


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A season's table: ``mine`` is the line of who looks, ``above`` and ``below`` the others.

    ``placed`` are all that have a place, in order. ``after`` is what was corrected after the close.
    """

    told: JsonObject
    mine: JsonObject | None
    above: Sequence[JsonObject]
    below: Sequence[JsonObject]
    placed: Sequence[JsonObject]
    after: JsonObject | None

    @property
    def season(self) -> JsonObject:
        """What the season is called, and how it ranks."""
        found: JsonObject = self.told["season"]
        return found

    @property
    def provisional(self) -> bool:
        """Whether a figure may still change by itself."""
        return any(row["provisional"] for row in self.told["rows"])


def season_table(club_id: str, season_id: str | None, me: str) -> SeasonTable | None:
    """The table of a season, or of the one that began last; None where there is no such season."""
    told = told_season(club_id, season_id)
    if told is None:
        return None
    rows = told["rows"]
    mine = next((row for row in rows if row["member"] == me), None)
    placed = [row for row in rows if row["place"]]
    after = told.get("after_the_close")
    return SeasonTable(
        told=told,
        mine=mine,
        above=[row for row in placed if row is not mine],
        below=[row for row in rows if not row["place"] and row is not mine],
        placed=placed,
        after=after if after and any(after.values()) else None,
    )


def told_season(club_id: str, season_id: str | None) -> JsonObject | None:
    """The table of a season as plain values, made once until anything changes."""
    return clubs().see(club_id, partial(_told, season_id), ("season on pages", season_id))


def _told(season_id: str | None, books: Books) -> JsonObject | None:
    season = books.season(season_id)
    if season is None:
        return None
    return plain_figures.season(books, season)


def choices(books: Books) -> list[SeasonChoice]:
    """The seasons, the one that began last first."""
    begun = sorted(books.roll.seasons.values(), key=_begins, reverse=True)
    return [SeasonChoice(one.id, one.name, one.heads is not None) for one in begun]


def _begins(season: Season) -> tuple[str, int]:
    return season.start, season.seq
