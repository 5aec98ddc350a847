"""The figures of members and the records as declared values: from them follow JSON and schemas.

Every figure has its place: the session, and for a hand also the match, number and first event.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import ExactPoints
from scorekeeper.base.views import DeclaredView, declare
from scorekeeper.clubs.hand import PARTS

# Of a game: the highest hand without doublings, the highest score of a match that is over, the
# match of most hands, most matches won one after the other. Of the club: most evenings, most
# matches won, most hands played.
GAME_RECORDS: Final = ("highest_hand", "highest_match", "longest_match", "longest_run")
CLUB_RECORDS: Final = ("most_evenings", "most_won", "most_hands")
ALL_RECORDS: Final = ", ".join(f"`{record_name}`" for record_name in (*GAME_RECORDS, *CLUB_RECORDS))

Names = Mapping[str, str]  # of members, by id


class MemberNames(dict[str, str]):
    """The names of members and guests by id; ``left`` are those who left."""

    def __init__(
        self,
        names: Names,
        left: Collection[str] = frozenset(),
        guests: Collection[str] = frozenset(),
    ) -> None:
        super().__init__(names)
        self.left, self.guests = left, guests


def has_left(names: Names, member: str) -> bool:
    """Return whether a member left the club."""
    return isinstance(names, MemberNames) and member in names.left


def is_guest(names: Names, member: str) -> bool:
    """Return whether the account of an id belongs to a guest."""
    return isinstance(names, MemberNames) and member in names.guests


BEGAN: Final = "the time at which the first hand was dealt"
SESSION: Final = "the id of its session"
COUNTED: Final = "the id of its session, or of the tournament whose tables count as one evening"
TABLE_SESSION: Final = "the id of the session, if the evening is a tournament"
WON: Final = "the number of matches won; a shared one counts in part"


LEFT: Final = "true if the member has left the club"
GUEST: Final = "true for a guest, who is never ranked"


@dataclass(frozen=True, slots=True)
class NamedMember(DeclaredView):
    """A member or guest."""

    SCHEMA = "Who"

    member: str = declare("the id of the member")
    name: str = declare("the name of the member")
    left: bool = declare(LEFT)
    guest: bool = declare(GUEST)

    @classmethod
    def of(cls, member: str, names: Names) -> "NamedMember":
        """Return a member with their name."""
        return NamedMember(*describe_member(member, names))


def describe_member(member: str, names: Names) -> tuple[str, str, bool, bool]:
    """Return the fields of a `NamedMember`."""
    return member, names.get(member, member), has_left(names, member), is_guest(names, member)


@dataclass(frozen=True, slots=True)
class FigureSource(DeclaredView):
    """The place in a session that a figure comes from."""

    SCHEMA = "Where"

    session_id: str = declare(SESSION, key="session")
    match: int = declare("the number of the match in the evening", minimum=0)
    hand: int | None = declare(
        "the number of the hand, if the figure is one of a hand", optional=True
    )
    seq: int | None = declare("the seq with which that hand began", optional=True, key="event")


# ------------------------------------------------------------------------------------- a member


@dataclass(frozen=True, slots=True, kw_only=True)
class HandFigure(FigureSource):
    """The points of a member in one hand."""

    ORDER = ("points", "session_id", "match", "hand", "seq")

    points: ExactPoints = declare("the points of the hand")

    @classmethod
    def at(cls, place: FigureSource, points: ExactPoints) -> "HandFigure":
        """Return the points of the hand at a place."""
        return HandFigure(place.session_id, place.match, place.hand, place.seq, points=points)


@dataclass(frozen=True, slots=True)
class WinningRun(DeclaredView):
    """A run of matches that a member won one after the other."""

    SCHEMA = "Run"

    matches: int = declare("the number of matches", minimum=0)
    first: FigureSource = declare("the first match", key="from")
    last: FigureSource = declare("the last match", key="to")


@dataclass(frozen=True, slots=True)
class EveningForm(DeclaredView):
    """A member's result in one evening."""

    SCHEMA = "Form"

    session_id: str = declare(COUNTED, key="session")
    began: str | None = declare(BEGAN)
    points: ExactPoints = declare("the points of its hands")
    hands: int = declare("the number of hands", minimum=0)
    points_a_hand: float = declare("points a hand")


@dataclass(frozen=True, slots=True)
class TallyView(DeclaredView):
    """How many hands were won, lost and level."""

    hands: int = declare("the number of hands", minimum=0)
    won: int = declare("the number of hands that were won", minimum=0)
    level: int = declare("the number of hands that ended level", minimum=0)
    share: float = declare("the share of hands that were won; a level hand counts half")


@dataclass(frozen=True, slots=True)
class FactView(DeclaredView):
    """A fact that a game declares of its hands, counted."""

    fact: str = declare("the id of the fact, as the game declares it")
    label: str = declare("the name of the fact")
    hands: int = declare("the number of hands for which it is known", minimum=0)
    times: int | None = declare(
        "of a yes-or-no fact: the number of hands for which it is true", optional=True
    )
    average: float | None = declare("of a number: its average", optional=True)
    most: HandFigure | None = declare(
        "of a number: the hand in which it was largest", optional=True, null=True
    )


@dataclass(frozen=True, slots=True)
class TermsView(DeclaredView):
    """A game on some terms: scores on other terms are never added to these."""

    game: str = declare("the id of the game")
    rules: int = declare("the version of its rules", minimum=0)
    options: JsonObject = declare("the options that distinguish these terms")


@dataclass(frozen=True, slots=True)
class GameFiguresView(TermsView):
    """A member's figures in one game on some terms."""

    evenings: int = declare("the number of evenings", minimum=0)
    matches: int = declare("the number of matches", minimum=0)
    finished: int = declare("the number of finished matches", minimum=0)
    hands: int = declare("the number of complete hands", minimum=0)
    won: float = declare(WON)
    drawn: int = declare("the number of shared matches", minimum=0)
    points: ExactPoints = declare("the points of the hands")
    points_a_hand: float = declare("points a hand")
    best: HandFigure | None = declare("the hand with most points")
    worst: HandFigure | None = declare("the hand with fewest points")
    longest_run: WinningRun | None = declare("the longest run of matches won")
    form: Sequence[EveningForm] = declare("the last evenings, the latest last")
    parts: Mapping[str, TallyView] = declare(f"hands by part ({', '.join(PARTS)}), if it is known")
    bids: Mapping[str, TallyView] = declare("hands as bidder, by the bid")
    facts: Sequence[FactView] = declare("the facts that the game declares of its hands")
    provisional: bool = declare("true if the figures may still change")


@dataclass(frozen=True, slots=True)
class MeetingView(NamedMember):
    """A member's hands with another member, and against them."""

    hands: int = declare("the number of hands in which both played", minimum=0)
    together: TallyView = declare("the hands in which they were partners, or in one party")
    against: TallyView = declare("the hands in which they were opponents")


@dataclass(frozen=True, slots=True)
class MemberFiguresView(NamedMember):
    """The figures of a member."""

    evenings: int = declare("the number of evenings", minimum=0)
    matches: int = declare("the number of matches", minimum=0)
    hands: int = declare("the number of complete hands", minimum=0)
    won: float = declare(WON)
    games: Sequence[GameFiguresView] = declare(
        "the figures by game and terms, those with most hands first"
    )
    met: Sequence[MeetingView] = declare("the results with each other member, most hands first")
    best_partners: Sequence[MeetingView] = declare(
        "the partners with the largest share of hands won, of enough hands"
    )
    nemeses: Sequence[MeetingView] = declare("the opponents who won most often, of enough hands")
    enough_hands: int = declare("the fewest hands for these two lists", minimum=0)


# ----------------------------------------------------------------------------------- the records


@dataclass(frozen=True, slots=True)
class RecordView(DeclaredView):
    """The best figure of its kind in the club."""

    what: str = declare(f"the kind of record: {ALL_RECORDS}")
    figure: float = declare("the figure")
    members: Sequence[NamedMember] = declare("the member who had it first, or all who have it")
    place: FigureSource | None = declare(
        "the place in a session; null for a figure of many evenings"
    )


@dataclass(frozen=True, slots=True)
class GameRecordsView(TermsView):
    """The records of one game on some terms."""

    records: Sequence[RecordView] = declare("its records")


@dataclass(frozen=True, slots=True)
class RecordsView(DeclaredView):
    """The records of a club."""

    games: Sequence[GameRecordsView] = declare("the records by game and terms")
    club: Sequence[RecordView] = declare("the records over all games")
