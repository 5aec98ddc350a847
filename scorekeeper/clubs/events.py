"""The events of a club's log, such as members who join and evenings that are entered.

They have the same envelope as those of a session, in a log of their own. Notes and the three
corrections are the same events as in a session.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import NoteAdded
from scorekeeper.events.corrections import CORRECTING
from scorekeeper.events.event import Event, Place
from scorekeeper.events.fields import (
    NAME,
    NAMED_HASH,
    NAMED_ID,
    REASON,
    TITLE,
    AnyOf,
    Anything,
    Currency,
    Day,
    Declared,
    Each,
    Flag,
    LastDay,
    Many,
    Nested,
    Nothing,
    OneOf,
    PlayerId,
    Whole,
    Words,
    part,
)

MEMBER: Final = PlayerId()
MAX_PLACES: Final = 40

PLACE_POINTS: Final = Whole(-1000, 1000)  # the points that a place gets
FIGURES: Final = Many(PLACE_POINTS, fewest=1, most=MAX_PLACES, unique=False)

# The figures by which a season can rank its members, and the ways to break ties.
RANKINGS: Final = ("points", "average", "wins", "places", "rating")
TIE_BREAKS: Final = ("points", "average", "wins", "share", "places", "head_to_head", "best_match",
                     "evenings")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ranking(Declared):
    """How a season ranks its players."""

    by: str = part(OneOf(RANKINGS, words=""), "what is counted")
    best: int | None = part(Whole(1, 10_000), "how many evenings count, the best", optional=True)
    at_least: int | None = part(
        Whole(1, 10_000), "who played fewer evenings stands below the line", optional=True
    )
    ties: tuple[str, ...] | None = part(
        Many(OneOf(TIE_BREAKS, words="")), "what parts equals, in this order", optional=True
    )
    places: Mapping[str, tuple[int, ...]] | None = part(
        Each(Words(2, name=True), FIGURES),
        "by the number of players, what the first, the second and so on gets",
        optional=True,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ClubOpened(Event):
    """A club begins. Always the first event of its log."""

    TYPE: ClassVar = "club_opened"
    PLACE: ClassVar = Place.OPENING
    name: str = part(TITLE, "what the club is called")
    format: int = part(Whole(1, 1), "the version of this log format")
    place: str | None = part(TITLE, "where it meets", optional=True)
    currency: str | None = part(Currency(), "the currency of its ledger", optional=True)
    zone: str | None = part(
        Words(64, name=True), "the time zone in which its days begin, else UTC", optional=True
    )


@dataclass(frozen=True, slots=True)
class ClubChanged(Event):
    """The club has another name, place, currency or time zone: at least one of them."""

    TYPE: ClassVar = "club_changed"
    PLACE: ClassVar = Place.SESSION
    FEWEST_FIELDS: ClassVar = 1
    name: str | None = part(TITLE, "what the club is called now", optional=True)
    place: str | None = part(TITLE, "where it meets now", optional=True)
    currency: str | None = part(
        Currency(), "the currency of its ledger; not after a payment", optional=True
    )
    zone: str | None = part(
        Words(64, name=True), "the time zone in which its days begin, also past ones", optional=True
    )


@dataclass(frozen=True, slots=True)
class MemberJoined(Event):
    """Somebody joins the club, comes back to it, or is a guest; without `guest`, a member."""

    TYPE: ClassVar = "member_joined"
    PLACE: ClassVar = Place.SESSION
    id: str = part(MEMBER, "lower-case letters, digits, _ and -, at most 32")
    name: str = part(NAME, "what the others call the member")
    guest: bool | None = part(
        Flag(), "true for a guest, who is listed apart and never ranked", optional=True
    )


@dataclass(frozen=True, slots=True)
class MemberRenamed(Event):
    """A member goes by another name."""

    TYPE: ClassVar = "member_renamed"
    PLACE: ClassVar = Place.SESSION
    member: str = part(MEMBER, "who")
    name: str = part(NAME, "the new name")


@dataclass(frozen=True, slots=True)
class MemberLeft(Event):
    """A member leaves, and stays in the evenings that they played."""

    TYPE: ClassVar = "member_left"
    PLACE: ClassVar = Place.SESSION
    member: str = part(MEMBER, "who")


@dataclass(frozen=True, slots=True)
class MembersMerged(Event):
    """One person had been listed twice: all that stands under the one belongs to the other."""

    TYPE: ClassVar = "members_merged"
    PLACE: ClassVar = Place.SESSION
    member: str = part(MEMBER, "who is no longer listed")
    into: str = part(MEMBER, "under whom all of it stands from here on")


@dataclass(frozen=True, slots=True)
class EveningEntered(Event):
    """An evening counts for the club, from here on and while it is played."""

    TYPE: ClassVar = "evening_entered"
    PLACE: ClassVar = Place.SESSION
    session: str = part(NAMED_ID, "the id of the evening")
    players: Mapping[str, str | None] = part(
        Each(PlayerId(), AnyOf((MEMBER, Nothing()))),
        "from each player of the evening to a member or guest, or to null without an account",
    )


@dataclass(frozen=True, slots=True)
class EveningWithdrawn(Event):
    """An evening no longer counts."""

    TYPE: ClassVar = "evening_withdrawn"
    PLACE: ClassVar = Place.SESSION
    session: str = part(NAMED_ID, "the id of the evening, or of a tournament that was entered")
    reason: str = part(REASON, "why")


@dataclass(frozen=True, slots=True)
class TournamentEntered(Event):
    """The tables of a tournament count for the club, all of them as one evening."""

    TYPE: ClassVar = "tournament_entered"
    PLACE: ClassVar = Place.SESSION
    tournament: str = part(NAMED_ID, "the id of the tournament")
    entrants: Mapping[str, str | Mapping[str, str | None] | None] = part(
        Each(PlayerId(), AnyOf((MEMBER, Each(PlayerId(), AnyOf((MEMBER, Nothing()))), Nothing()))),
        "from each entrant to a member or guest, or to null without an account; of a pair, and "
        "where substitutes played, from each player of the entrant to one of these",
    )


@dataclass(frozen=True, slots=True)
class SeasonOpened(Event):
    """A season: the evenings between two days, some games, and how its players are ranked."""

    TYPE: ClassVar = "season_opened"
    PLACE: ClassVar = Place.SESSION
    id: str = part(MEMBER, "lower-case letters, digits, _ and -, at most 32")
    name: str = part(TITLE, "what the season is called")
    start: str = part(Day(), "its first day", log_name="from")
    games: tuple[str, ...] = part(Many(NAMED_ID, fewest=1), "the ids of its games")
    ranking: str | Ranking = part(
        AnyOf((OneOf(RANKINGS, words=""), Nested(Ranking))), "what is counted, alone or with more"
    )
    to: str | None = part(Day(), "its last day", optional=True)


@dataclass(frozen=True, slots=True)
class SeasonChanged(Event):
    """An open season has another name or last day: at least one of them."""

    TYPE: ClassVar = "season_changed"
    PLACE: ClassVar = Place.SESSION
    FEWEST_FIELDS: ClassVar = 2  # the season, and a change
    season: str = part(MEMBER, "the id of the season")
    name: str | None = part(TITLE, "what the season is called now", optional=True)
    to: str | None = part(LastDay(), "its last day now, or null for no end", optional=True)


@dataclass(frozen=True, slots=True)
class SeasonClosed(Event):
    """A season ends: its final table is that of these evenings as they stood then."""

    TYPE: ClassVar = "season_closed"
    PLACE: ClassVar = Place.SESSION
    season: str = part(MEMBER, "the id of the season")
    heads: Mapping[str, str] = part(
        Each(NAMED_ID, NAMED_HASH),
        "from each of its evenings to the hash of its last event; of a tournament also from each "
        "of its tables",
    )


@dataclass(frozen=True, slots=True)
class PointsAdjusted(Event):
    """The club gives a member points in a season, or takes some."""

    TYPE: ClassVar = "points_adjusted"
    PLACE: ClassVar = Place.SESSION
    season: str = part(MEMBER, "the id of the season")
    member: str = part(MEMBER, "whose figure changes")
    points: int = part(Whole(-1_000_000, 1_000_000, signed=True), "by how much, with its sign")
    reason: str = part(REASON, "why")


@dataclass(frozen=True, slots=True)
class PaymentMade(Event):
    """Money that changed hands."""

    TYPE: ClassVar = "payment_made"
    PLACE: ClassVar = Place.SESSION
    payer: str = part(MEMBER, "who paid", log_name="from")
    to: str = part(MEMBER, "who got it")
    amount: int = part(Whole(1), "in the minor units of the club's currency")
    note: str | None = part(REASON, "what for", optional=True)


@dataclass(frozen=True, slots=True)
class HouseKept(Event):
    """The club keeps house rules of a game under a name: a new table begins with them at a tap."""

    TYPE: ClassVar = "house_kept"
    PLACE: ClassVar = Place.SESSION
    name: str = part(NAME, "what the club calls them")
    game: str = part(NAMED_ID, "the id of the game")
    options: JsonObject = part(
        Anything(), "the options of a match; those left out have their defaults"
    )


@dataclass(frozen=True, slots=True)
class HouseDropped(Event):
    """The club no longer keeps these house rules; matches by them stay as they were played."""

    TYPE: ClassVar = "house_dropped"
    PLACE: ClassVar = Place.SESSION
    name: str = part(NAME, "what the club called them")
    game: str = part(NAMED_ID, "the id of the game")


CLUB_EVENTS: Final[tuple[type[Event], ...]] = (
    ClubOpened, ClubChanged, MemberJoined, MemberRenamed, MemberLeft, MembersMerged, EveningEntered,
    EveningWithdrawn, TournamentEntered, SeasonOpened, SeasonChanged, SeasonClosed, PointsAdjusted,
    PaymentMade, HouseKept, HouseDropped, NoteAdded, *CORRECTING,
)  # fmt: skip
