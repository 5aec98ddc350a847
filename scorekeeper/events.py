"""How an event is declared, and the events that every game has.

An event is a frozen dataclass whose fields say what may stand in them. The declaration is the
one source: validation, the JSON Schema, the documentation and the checks of what a field refers
to (a known player, a card of the pack, a side of the match) are all derived from it. Names
never change; what was recorded once can be read for ever.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Final, NamedTuple

from scorekeeper.cards import Card

LARGEST: Final = 2**53 - 1  # whole numbers beyond it are not exact in JSON
PLAYER_ID: Final = r"[a-z0-9][a-z0-9_-]{0,31}"
RESERVED_IDS: Final = frozenset({"bidder", "defenders", "keeper", "import"})
NAME_LENGTH: Final = 60
TEXT_LENGTH: Final = 10_000


# ------------------------------------------------------------------ what may stand in a field


@dataclass(frozen=True, slots=True)
class Kind:
    """What may stand in a field; the codec knows how to read and write each kind."""

    @property
    def expected(self) -> str:
        """In words, for the message to who sent something else."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Whole(Kind):
    """A whole number from ``low`` to ``high``."""

    low: int = -LARGEST
    high: int = LARGEST

    @property
    def expected(self) -> str:
        if self.low == self.high:
            return f"the number {self.low}"
        if self.high == LARGEST:
            return "a whole number" if self.low < 0 else f"a whole number from {self.low} on"
        return f"a whole number from {self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class Words(Kind):
    """Free text of so many code points; a name or title is one line of at least one."""

    longest: int = TEXT_LENGTH
    name: bool = False

    @property
    def expected(self) -> str:
        if self.name:
            return f"a text of 1 to {self.longest} characters without control characters"
        return f"a text of at most {self.longest} characters"


@dataclass(frozen=True, slots=True)
class Flag(Kind):
    """true or false."""

    @property
    def expected(self) -> str:
        return "true or false"


@dataclass(frozen=True, slots=True)
class OneOf(Kind):
    """One of a few texts."""

    values: tuple[str, ...]

    @property
    def expected(self) -> str:
        return " or ".join(f'"{value}"' for value in self.values)


@dataclass(frozen=True, slots=True)
class AnyOf(Kind):
    """Whatever one of several kinds accepts."""

    kinds: tuple[Kind, ...]

    @property
    def expected(self) -> str:
        return ", or ".join(kind.expected for kind in self.kinds)


class Whom(Enum):
    """Which players a field may name."""

    NEW = "a new player's id"
    SESSION = "a player of this session"
    SEATED = "a player seated in this match"
    ACTIVE = "a player who takes part in this hand"


@dataclass(frozen=True, slots=True)
class PlayerId(Kind):
    """The id of a player."""

    whom: Whom = Whom.ACTIVE

    @property
    def expected(self) -> str:
        return self.whom.value


@dataclass(frozen=True, slots=True)
class SideId(Kind):
    """The id of a side of the match; ``counted`` for the parties that a count is given for."""

    counted: bool = False

    @property
    def expected(self) -> str:
        return "a side that the count is given for" if self.counted else "a side of this match"


@dataclass(frozen=True, slots=True)
class CardCode(Kind):
    """A card of the match's pack."""

    @property
    def expected(self) -> str:
        return "a card, such as AS or 10H"


@dataclass(frozen=True, slots=True)
class Many(Kind):
    """A list of ``fewest`` to ``most``, or of one of ``sizes``; ``unique``: nothing twice."""

    of: Kind
    fewest: int = 0
    most: int = 1000
    unique: bool = True
    sizes: tuple[int, ...] = ()

    @property
    def expected(self) -> str:
        many = " or ".join(map(str, self.sizes))
        return f"a list{' of ' + many if many else ''}, each {self.of.expected}"


@dataclass(frozen=True, slots=True)
class Each(Kind):
    """An object with a value for each key."""

    key: Kind
    of: Kind

    @property
    def expected(self) -> str:
        return f"an object from {self.key.expected} to {self.of.expected}"


@dataclass(frozen=True, slots=True)
class Nested(Kind):
    """An object with the fields of a declaration of its own."""

    of: type["Declared"]

    @property
    def expected(self) -> str:
        return "an object with " + ", ".join(part.name for part in parts(self.of))


@dataclass(frozen=True, slots=True)
class Anything(Kind):
    """An object that is read elsewhere: a match's options, the data of a corrected event."""

    @property
    def expected(self) -> str:
        return "an object"


SEQ: Final = Whole(1)
NAME: Final = Words(NAME_LENGTH, name=True)
TITLE: Final = Words(200, name=True)
TEXT: Final = Words()
CARD: Final = CardCode()
CARDS: Final = Many(CARD)
PLAYER: Final = PlayerId()
SEATED: Final = PlayerId(Whom.SEATED)
COUNT: Final = Whole(0)


def part(kind: Kind, doc: str, *, optional: bool = False) -> Any:
    """A field of a declaration: what may stand in it, and what it means."""
    metadata = {"kind": kind, "doc": doc, "optional": optional}
    if optional:
        return dataclasses.field(default=None, metadata=metadata)
    return dataclasses.field(metadata=metadata)


class Part(NamedTuple):
    """A field as declared."""

    name: str
    kind: Kind
    doc: str
    optional: bool


class Declared:
    """What has declared fields: every event, and the objects within one."""

    __slots__ = ()


def parts(declared: type[Declared]) -> tuple[Part, ...]:
    """The fields of a declaration, in order."""
    return tuple(
        Part(f.name, f.metadata["kind"], f.metadata["doc"], f.metadata["optional"])
        for f in dataclasses.fields(declared)  # type: ignore[arg-type]
    )


# ------------------------------------------------------------------------------------ events


class Place(Enum):
    """Where in a session an event can stand."""

    OPENING = "first of all"
    SESSION = "anywhere in an open session"
    MATCH = "in a match"
    HAND = "in a hand"
    DISPUTE = "anywhere, also in a closed session"
    CORRECTION = "anywhere, naming an earlier event"


# Looking a member up in an enumeration takes four times as long, and every entry asks.
IN_A_HAND: Final = Place.HAND
A_CORRECTION: Final = Place.CORRECTION


class Event(Declared):
    """What happened. ``TYPE`` is its name in the log, ``PLACE`` where it can stand."""

    __slots__ = ()
    TYPE: ClassVar[str]
    PLACE: ClassVar[Place] = Place.HAND


@dataclass(frozen=True, slots=True)
class Entry:
    """An event with its place in the stream; ``line`` is its line in a file, if it is from one."""

    seq: int
    event: Event
    at: str = ""
    by: str = ""
    hash: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class NewPlayer(Declared):
    """A player of the session."""

    id: str = part(PlayerId(Whom.NEW), "lower-case letters, digits, _ and -, at most 32")
    name: str = part(NAME, "what the others call the player")


@dataclass(frozen=True, slots=True)
class SessionOpened(Event):
    """The evening begins. Always the first event."""

    TYPE: ClassVar = "session_opened"
    PLACE: ClassVar = Place.OPENING
    title: str = part(TITLE, "what the evening is called")
    players: tuple[NewPlayer, ...] = part(
        Many(Nested(NewPlayer), unique=False), "who is there; more than a match seats is fine"
    )
    place: str | None = part(TITLE, "where it is played", optional=True)
    format: int | None = part(Whole(1, 1), "the version of this log format", optional=True)


@dataclass(frozen=True, slots=True)
class PlayerJoined(Event):
    """Somebody arrives later."""

    TYPE: ClassVar = "player_joined"
    PLACE: ClassVar = Place.SESSION
    id: str = part(PlayerId(Whom.NEW), "lower-case letters, digits, _ and -, at most 32")
    name: str = part(NAME, "what the others call the player")


@dataclass(frozen=True, slots=True)
class MatchStarted(Event):
    """A match of one game begins; an open match ends by it."""

    TYPE: ClassVar = "match_started"
    PLACE: ClassVar = Place.SESSION
    game: str = part(Words(64, name=True), "the id of the game")
    seats: tuple[str, ...] = part(
        Many(PlayerId(Whom.SESSION), fewest=1), "the players in order of play"
    )
    options: Mapping[str, Any] | None = part(
        Anything(), "the house's choices; those left out have their defaults", optional=True
    )
    rules: int | None = part(
        Whole(1), "the version of the game's rules, 1 where it is left out", optional=True
    )


@dataclass(frozen=True, slots=True)
class HandStarted(Event):
    """A hand is dealt."""

    TYPE: ClassVar = "hand_started"
    PLACE: ClassVar = Place.MATCH
    dealer: str = part(SEATED, "who deals")


@dataclass(frozen=True, slots=True)
class HandAbandoned(Event):
    """The hand comes to nothing: a misdeal, a new deal asked for, all passed."""

    TYPE: ClassVar = "hand_abandoned"
    reason: str = part(TEXT, "why")
    player: str | None = part(SEATED, "who asked for it", optional=True)


@dataclass(frozen=True, slots=True)
class PointsCounted(Event):
    """The count at the end of the hand."""

    TYPE: ClassVar = "points_counted"
    points: Mapping[str, int] = part(
        Each(SideId(counted=True), COUNT),
        "points of each side; where the total is fixed one may be left out",
    )
    tricks: Mapping[str, int] | None = part(
        Each(SideId(counted=True), COUNT), "tricks of each side; one may be left out", optional=True
    )


@dataclass(frozen=True, slots=True)
class OutcomeRecorded(Event):
    """Whether the contract was made."""

    TYPE: ClassVar = "outcome_recorded"
    made: bool = part(Flag(), "made, or lost")


@dataclass(frozen=True, slots=True)
class ScoreClaimed(Event):
    """What the table wrote down for this hand; sides left out are not checked."""

    TYPE: ClassVar = "score_claimed"
    scores: Mapping[str, int] = part(Each(SideId(), Whole()), "points of the hand by side")


@dataclass(frozen=True, slots=True)
class HandConfirmed(Event):
    """A player signs the last complete hand."""

    TYPE: ClassVar = "hand_confirmed"
    PLACE: ClassVar = Place.MATCH
    player: str = part(SEATED, "who signs")


@dataclass(frozen=True, slots=True)
class HandDisputed(Event):
    """A player disputes the last complete hand, or the one of that number."""

    TYPE: ClassVar = "hand_disputed"
    PLACE: ClassVar = Place.DISPUTE
    player: str = part(SEATED, "who disputes")
    reason: str = part(TEXT, "what is wrong")
    match: int | None = part(SEQ, "the number of the match, else the current one", optional=True)
    hand: int | None = part(SEQ, "the number of the hand in that match", optional=True)


@dataclass(frozen=True, slots=True)
class Correction(Declared):
    """A correction as proposed."""

    type: str = part(
        OneOf(("event_struck", "event_replaced", "event_inserted")), "the correcting event"
    )
    data: Mapping[str, Any] = part(Anything(), "its data")


@dataclass(frozen=True, slots=True)
class CorrectionProposed(Event):
    """Corrections that would settle a dispute; no effect of its own."""

    TYPE: ClassVar = "correction_proposed"
    PLACE: ClassVar = Place.DISPUTE
    corrections: tuple[Correction, ...] = part(
        Many(Nested(Correction), unique=False), "what would be recorded"
    )
    reason: str = part(TEXT, "why")
    match: int | None = part(SEQ, "the number of the match, else the current one", optional=True)
    hand: int | None = part(SEQ, "the number of the hand in that match", optional=True)


@dataclass(frozen=True, slots=True)
class ProposalSigned(Event):
    """A player agrees to a proposal."""

    TYPE: ClassVar = "proposal_signed"
    PLACE: ClassVar = Place.DISPUTE
    proposal: int = part(SEQ, "the seq of the proposal")
    player: str = part(SEATED, "who signs")


@dataclass(frozen=True, slots=True)
class ProposalDeclined(Event):
    """A player declines a proposal, which closes it."""

    TYPE: ClassVar = "proposal_declined"
    PLACE: ClassVar = Place.DISPUTE
    proposal: int = part(SEQ, "the seq of the proposal")
    player: str = part(SEATED, "who declines")


@dataclass(frozen=True, slots=True)
class DisputeSettled(Event):
    """A dispute ends."""

    TYPE: ClassVar = "dispute_settled"
    PLACE: ClassVar = Place.DISPUTE
    ruling: str = part(OneOf(("corrected", "upheld", "unresolved")), "how")
    text: str = part(TEXT, "the ruling in words")
    match: int | None = part(SEQ, "the number of the match", optional=True)
    hand: int | None = part(SEQ, "the number of the hand in that match", optional=True)
    proposal: int | None = part(SEQ, "the seq of the proposal that settles it", optional=True)


@dataclass(frozen=True, slots=True)
class PenaltyGiven(Event):
    """A penalty given at the table: it changes the match score of one side (G7)."""

    TYPE: ClassVar = "penalty_given"
    PLACE: ClassVar = Place.MATCH
    side: str = part(SideId(), "whose score changes")
    points: int = part(Whole(), "by how much, with its sign")
    reason: str = part(TEXT, "what for")


@dataclass(frozen=True, slots=True)
class NoteAdded(Event):
    """A remark."""

    TYPE: ClassVar = "note_added"
    PLACE: ClassVar = Place.SESSION
    text: str = part(TEXT, "the remark")


@dataclass(frozen=True, slots=True)
class MatchEnded(Event):
    """The match ends, though its own rule does not end it."""

    TYPE: ClassVar = "match_ended"
    PLACE: ClassVar = Place.MATCH
    reason: str | None = part(TEXT, "why", optional=True)


@dataclass(frozen=True, slots=True)
class SessionClosed(Event):
    """The evening ends; only corrections and disputes come after it."""

    TYPE: ClassVar = "session_closed"
    PLACE: ClassVar = Place.SESSION


# ------------------------------------------------------------------------------- corrections


@dataclass(frozen=True, slots=True)
class EventStruck(Event):
    """An earlier event is passed over."""

    TYPE: ClassVar = "event_struck"
    PLACE: ClassVar = Place.CORRECTION
    seq: int = part(SEQ, "the event")
    reason: str = part(TEXT, "why")


@dataclass(frozen=True, slots=True)
class EventReplaced(Event):
    """Another event takes the place of an earlier one."""

    TYPE: ClassVar = "event_replaced"
    PLACE: ClassVar = Place.CORRECTION
    seq: int = part(SEQ, "the event")
    type: str = part(Words(64, name=True), "the type of what takes its place")
    data: Mapping[str, Any] = part(Anything(), "the data of what takes its place")
    reason: str = part(TEXT, "why")


@dataclass(frozen=True, slots=True)
class EventInserted(Event):
    """An event that was left out comes right after an earlier one."""

    TYPE: ClassVar = "event_inserted"
    PLACE: ClassVar = Place.CORRECTION
    after: int = part(SEQ, "the event that it comes after")
    type: str = part(Words(64, name=True), "the type of what comes in")
    data: Mapping[str, Any] = part(Anything(), "the data of what comes in")
    reason: str = part(TEXT, "why")


# ---------------------------------------------------------------- play, common to the games


@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """A player plays a card to the trick."""

    TYPE: ClassVar = "card_played"
    player: str = part(PLAYER, "who plays")
    card: Card = part(CARD, "the card")


@dataclass(frozen=True, slots=True)
class TrickTaken(Event):
    """Who took a trick, as said at the table."""

    TYPE: ClassVar = "trick_taken"
    player: str = part(PLAYER, "who took it")
    trick: int | None = part(SEQ, "its number in the hand, else the one that is due", optional=True)


@dataclass(frozen=True, slots=True)
class RestClaimed(Event):
    """All tricks and card points not yet on record go to one player."""

    TYPE: ClassVar = "rest_claimed"
    player: str = part(PLAYER, "who takes the rest")


@dataclass(frozen=True, slots=True)
class CardsShown(Event):
    """Cards that were in a player's holding at that moment; proof for the audit."""

    TYPE: ClassVar = "cards_shown"
    player: str = part(PLAYER, "whose cards")
    cards: tuple[Card, ...] = part(Many(CARD, fewest=1), "the cards")


CORRECTIONS: Final = (EventStruck, EventReplaced, EventInserted)

# What every game has, whichever is played.
COMMON: Final[tuple[type[Event], ...]] = (
    SessionOpened, PlayerJoined, MatchStarted, HandStarted, HandAbandoned, ScoreClaimed,
    HandConfirmed, HandDisputed, CorrectionProposed, ProposalSigned, ProposalDeclined,
    DisputeSettled, PenaltyGiven, NoteAdded, MatchEnded, SessionClosed, *CORRECTIONS,
)  # fmt: skip

# How tricks are recorded, in every game so far.
PLAY: Final[tuple[type[Event], ...]] = (
    PointsCounted, CardPlayed, TrickTaken, RestClaimed, CardsShown,
)  # fmt: skip
