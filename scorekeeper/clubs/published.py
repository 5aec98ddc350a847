"""The table of a season as everybody may read it, without a key.

It has no ids of members and evenings, no titles of evenings, no money and no reasons: only the
figures that a viewer of the club sees in the table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.base.views import DeclaredView, declare
from scorekeeper.clubs.public_names import NO_LETTER, public_names
from scorekeeper.clubs.season_views import (
    MAY_CHANGE,
    AfterTheCloseView,
    ClubSeasonView,
    RowView,
)
from scorekeeper.clubs.season_words import CERTAINTY
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.standings import view_season
from scorekeeper.clubs.values import Season
from scorekeeper.clubs.views import WON


@dataclass(frozen=True, slots=True)
class PublishedRowView(DeclaredView):
    """One line of a published table."""

    place: int | None = declare("the place; null for a guest, or with too few evenings")
    shared: bool = declare("true if others have the same place")
    parted_by: str | None = declare(
        "the tie-break that separated this line from others with the same figure"
    )
    name: str = declare("the name or the initials, as the club has chosen; a guest has initials")
    figure: float = declare("the figure that decides the places")
    shown: str = declare("the figure as pages show it")
    evenings: int = declare("the number of evenings", minimum=0)
    matches: int = declare("the number of matches", minimum=0)
    hands: int = declare("the number of complete hands", minimum=0)
    won: float = declare(WON)
    provisional: bool = declare(MAY_CHANGE)
    certainty: str | None = declare(
        "how certain the rating is, if the season counts ratings", optional=True
    )


@dataclass(frozen=True, slots=True)
class PublishedSeasonView(DeclaredView):
    """A season whose table can be read at the same address."""

    id: str = declare("the id, by which requests name the season")
    name: str = declare("its name")


@dataclass(frozen=True, slots=True)
class PublishedStandingsView(DeclaredView):
    """The table of a season, as a club publishes it."""

    club: str = declare("the name of the club")
    place: str | None = declare("where the club meets")
    season: ClubSeasonView = declare("the season")
    seasons: Sequence[PublishedSeasonView] = declare("all seasons, the one that began last first")
    evenings: int = declare("the number of evenings in the table", minimum=0)
    rows: Sequence[PublishedRowView] = declare("the lines, the first place first")
    guests: Sequence[PublishedRowView] = declare("the lines of guests, without places")
    left_out: int = declare("the number of matches that are not added", minimum=0)
    lost: int = declare("the number of evenings that cannot be read here", minimum=0)
    after_the_close: int = declare(
        "the number of evenings that were corrected, withdrawn or added after the season was "
        "closed; its table stays as it was",
        minimum=0,
    )

    @property
    def provisional(self) -> bool:
        """Whether a figure may still change without a new event."""
        return any(row.provisional for row in (*self.rows, *self.guests))


def view_published(
    snapshot: ClubSnapshot, season: Season, *, in_full: bool
) -> PublishedStandingsView:
    """Return the published table of a season; without ``in_full`` members have initials."""
    table, opened = view_season(snapshot, season), snapshot.state.opened
    names = public_names(snapshot.state.members.values(), in_full=in_full)
    after = table.after_the_close or AfterTheCloseView((), (), (), (), ())
    return PublishedStandingsView(
        club=snapshot.name,
        place=(opened and opened.place) or None,
        season=table.season,
        seasons=list_published_seasons(snapshot),
        evenings=len(table.evenings),
        rows=[_view_row(row, names) for row in table.rows],
        guests=[_view_row(row, names) for row in table.guests],
        left_out=len(table.left_out),
        lost=len(after.lost),
        after_the_close=len({*after.changed, *after.withdrawn, *after.entered}),
    )


def list_published_seasons(snapshot: ClubSnapshot) -> list[PublishedSeasonView]:
    """Return the seasons of a club, the one that began last first."""
    return [PublishedSeasonView(season.id, season.name) for season in snapshot.list_seasons()]


def _view_row(row: RowView, names: Mapping[str, str]) -> PublishedRowView:
    """Return a line of the table with its public name."""
    certainties = {rating["certainty"] for rating in (row.ratings or {}).values()}
    return PublishedRowView(
        row.place, row.shared, row.parted_by, names.get(row.member, NO_LETTER), row.figure,
        row.shown, row.evenings, row.matches, row.hands, row.won, row.provisional,
        next((certainty for certainty in CERTAINTY if certainty in certainties), None),
    )  # fmt: skip
