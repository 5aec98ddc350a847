"""The table of a season as declared values: from them follow their JSON and their schemas."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import ExactPoints
from scorekeeper.base.views import DeclaredView, declare
from scorekeeper.clubs.views import (
    COUNTED,
    GUEST,
    LEFT,
    SESSION,
    TABLE_SESSION,
    WON,
    NamedMember,
)
from scorekeeper.log.writing import LastingView

MAY_CHANGE: Final = "true if the figure may still change"


@dataclass(frozen=True, slots=True)
class ClubSeasonView(DeclaredView):
    """A season."""

    id: str = declare("the id, by which requests name the season")
    name: str = declare("the name; empty for all evenings of a club without seasons")
    start: str | None = declare("its first day; null for all evenings", key="from")
    to: str | None = declare("its last day, null while it is open")
    games: Sequence[str] = declare("the ids of its games")
    ranking: JsonObject = declare("the ranking, as in `season_opened`")
    ties: Sequence[str] = declare("the tie-breaks, in the order of their use")
    closed: bool = declare(
        "true if the season is closed: its table shows the evenings as they were then"
    )


@dataclass(slots=True)
class MatchFigureView(DeclaredView):
    """A member's result in one match.

    Instances never change; the class is not frozen because a season has thousands of them.
    """

    match: int = declare("its number in the evening", minimum=0)
    game: str = declare("the id of its game")
    figure: float = declare("the figure that counts for the season")
    total: ExactPoints = declare("the score of the member in the match")
    hands: int = declare("the number of complete hands in which the member took part", minimum=0)
    won: float = declare("1 if won, 0 if not, a fraction if shared")
    provisional: bool = declare(MAY_CHANGE)
    rating: JsonObject | None = declare(
        "the ratings before and after the match, if the season counts ratings", optional=True
    )
    session_id: str | None = declare(TABLE_SESSION, key="session", optional=True)


@dataclass
class EveningFigureView(LastingView):
    """A member's result in one evening.

    Instances never change.
    """

    session_id: str = declare(COUNTED, key="session")
    figure: float = declare("the figure that counts for the season")
    counted: bool = declare(
        "true if it counts; false if only the best evenings count and it is not one of them"
    )
    matches: Sequence[MatchFigureView] = declare("its matches")


@dataclass(frozen=True, slots=True)
class AdjustmentView(DeclaredView):
    """Points that the club gave or took."""

    points: int = declare("the points, with their sign")
    reason: str = declare("the reason")
    event: int = declare("the seq of the event in the club's log", minimum=0)


@dataclass(frozen=True, slots=True)
class RowView(DeclaredView):
    """One member's line of the table."""

    place: int | None = declare("the place; null for a member with too few evenings")
    shared: bool = declare("true if others have the same place")
    parted_by: str | None = declare(
        "the tie-break that separated the member from others with the same figure"
    )
    member: str = declare("the id of the member")
    name: str = declare("the name of the member")
    figure: float = declare("the figure by which members are ranked")
    shown: str = declare("the figure as pages show it")
    evenings: int = declare("the number of evenings", minimum=0)
    matches: int = declare("the number of matches", minimum=0)
    hands: int = declare("the number of complete hands", minimum=0)
    won: float = declare(WON)
    provisional: bool = declare(MAY_CHANGE)
    made_of: Sequence[EveningFigureView] = declare("the evenings that make up the figure")
    adjustments: Sequence[AdjustmentView] = declare("the points that the club gave or took")
    left: bool = declare(LEFT)
    guest: bool = declare(GUEST)
    ratings: JsonObject | None = declare(
        "the ratings by game, if the season counts ratings", optional=True
    )


@dataclass(frozen=True, slots=True)
class LeftOut(DeclaredView):
    """A match that is not added, because its points are of another kind."""

    session_id: str = declare(SESSION, key="session")
    match: int = declare("its number in the evening", minimum=0)


@dataclass(frozen=True, slots=True)
class UnendedMatch(DeclaredView):
    """A match with a complete hand that nobody has ended."""

    session_id: str = declare(SESSION, key="session")
    match: int = declare("its number in the evening", minimum=0)
    game: str = declare("the id of its game")


@dataclass(frozen=True, slots=True)
class MovedView(NamedMember):
    """A member whose place a correction after the close would change."""

    figure: float | None = declare("the figure in the final table; null if they are not in it")
    place: int | None = declare("the place in the final table")
    figure_now: float | None = declare(
        "the figure with the corrections; null if they would not be in it"
    )
    place_now: int | None = declare("the place with the corrections")


@dataclass(frozen=True, slots=True)
class AfterTheCloseView(DeclaredView):
    """Corrections after a season was closed, which are not in its table."""

    changed: Sequence[str] = declare("evenings of the table whose logs went on")
    withdrawn: Sequence[str] = declare("evenings of the table that no longer count")
    entered: Sequence[str] = declare("evenings that a table made now would also contain")
    lost: Sequence[str] = declare(
        "evenings of the table that cannot be read here; the table is made without them"
    )
    moved: Sequence[MovedView] = declare("the members whose places would change")

    def has_any(self) -> bool:
        """Return whether there are any such corrections."""
        return any((self.changed, self.withdrawn, self.entered, self.lost, self.moved))


@dataclass(frozen=True, slots=True)
class StandingsView(DeclaredView):
    """The table of a season."""

    season: ClubSeasonView = declare("the season")
    evenings: Sequence[str] = declare(
        "the ids of the evenings that it is made of: of sessions, and of tournaments"
    )
    rows: Sequence[RowView] = declare("the rows, the first place first")
    guests: Sequence[RowView] = declare("the rows of guests, without places")
    left_out: Sequence[LeftOut] = declare("the matches that it does not add")
    unended: Sequence[UnendedMatch] = declare(
        "the matches that nobody has ended; wins, places and ratings count them only then, unless "
        "they have no end of their own"
    )
    after_the_close: AfterTheCloseView | None = declare(
        "later corrections; only for a closed season", optional=True
    )
