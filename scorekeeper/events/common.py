"""The events that every game has.

An event is a frozen dataclass in the past tense (see :mod:`scorekeeper.events.fields`). Names never
change; what was recorded once can be read for ever. The file is long, one declaration after
another: all that can be recorded at any table stands in one place.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Final, NamedTuple

from scorekeeper.cards.packs import Card
from scorekeeper.events.fields import (
    AMOUNT,
    ANYBODY,
    CARD,
    COUNT,
    NAME,
    PLAYER,
    REASON,
    SEATED,
    SEQ,
    TEXT,
    TITLE,
    Anything,
    Currency,
    Declared,
    Each,
    Flag,
    Many,
    Nested,
    OneOf,
    PlayerId,
    SideId,
    Whole,
    Whom,
    Words,
    part,
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


# Why a hand is abandoned.
ABANDONED: Final = ("all_passed", "weak_hand", "misdeal", "annulled", "other")

# Looking a member up in an enumeration takes four times as long, and every entry asks.
IN_A_HAND: Final = Place.HAND
A_CORRECTION: Final = Place.CORRECTION


class Display(Enum):
    """How long the page of a table shows what happened in the hand that is played."""

    STAYS = "till the hand is over"
    CALLED = "large, to the whole table, and as soon as nothing else can be recorded"
    LOGGED = "in the log, or at a place of its own"


class Afterwards(Enum):
    """How what nobody saw in a hand comes on record once the hand is over."""

    SAID_AGAIN = "as it is: its first record that tells what was hidden has effect"
    INSERTED = "by a correction, at its place before the play: everybody does it, elder first"


class Together(NamedTuple):
    """What is asked where several fields are chosen at once, and a template of one choice."""

    asks: str
    says: str


class Event(Declared):
    """What happened. ``TYPE`` is its name in the log, ``PLACE`` where it can stand.

    ``TITLE`` stands above the form in which it is recorded, ``NOUN`` names it among what can have
    been left out of a hand; without them it is called by its type. ``TITLE_AFTER`` stands, with
    facts in it, above the form that adds after the hand what was hidden. Where several of its
    fields are chosen at once, ``TOGETHER`` says how. ``DISPLAY`` is how long the table sees it.

    ``SAYS`` are templates of a sentence that tells it. A part in brackets is said where its
    facts are on record; of several templates the first is taken whose facts outside brackets
    are. ``SAYS_OF`` are sentences for one value of a field. An event without either is told by
    the names of its fields. ``HIDDEN`` are the fields that not everybody at the table may see
    before the game turns them up; while they lie face down they are None. The data of such an
    event may have a salt beside its fields. ``AFTERWARDS`` is how one that was left out can still
    come on record then, and ``BEFORE`` are the types of the events that it comes before.
    """

    __slots__ = ()
    TYPE: ClassVar[str]
    PLACE: ClassVar[Place] = Place.HAND
    TITLE: ClassVar[str] = ""
    NOUN: ClassVar[str] = ""
    TITLE_AFTER: ClassVar[str] = ""
    TOGETHER: ClassVar[Together | None] = None
    DISPLAY: ClassVar[Display] = Display.STAYS
    SAYS: ClassVar[tuple[str, ...]] = ()
    SAYS_OF: ClassVar[Mapping[tuple[str, Any], str]] = {}
    HIDDEN: ClassVar[tuple[str, ...]] = ()
    AFTERWARDS: ClassVar[Afterwards | None] = None
    BEFORE: ClassVar[tuple[str, ...]] = ()


# Stands in the data of what can lie face down, so that its hash does not tell few possible cards
# apart. It says nothing: an event that was read has none.
SALT: Final = "salt"
SALT_SAYS: Final = "made at random by the recorder: the hash tells nothing of what lies face down"


def has_salt(declared: type[Declared]) -> bool:
    """Whether the data of such an event may have a salt."""
    return issubclass(declared, Event) and bool(declared.HIDDEN)


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
    SAYS: ClassVar = ("The evening began: {title}",)
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
    SAYS: ClassVar = ("{name} joined",)
    id: str = part(PlayerId(Whom.NEW), "lower-case letters, digits, _ and -, at most 32")
    name: str = part(NAME, "what the others call the player")


@dataclass(frozen=True, slots=True)
class Stake(Declared):
    """What a match is played for, in money."""

    currency: str = part(Currency(), "the code of the currency, by ISO 4217")
    point: int = part(AMOUNT, "what a point of the totals is worth, in minor units")
    match: int = part(AMOUNT, "what each who did not win the match pays for it, in minor units")


@dataclass(frozen=True, slots=True)
class MatchStarted(Event):
    """A match begins; any open match ends."""

    TYPE: ClassVar = "match_started"
    PLACE: ClassVar = Place.SESSION
    TITLE: ClassVar = "Play"
    SAYS: ClassVar = ("A match began",)
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
    stake: Stake | None = part(
        Nested(Stake),
        "what it is played for, in money; nothing where it is left out",
        optional=True,
    )


@dataclass(frozen=True, slots=True)
class HandStarted(Event):
    """A hand is dealt."""

    TYPE: ClassVar = "hand_started"
    PLACE: ClassVar = Place.MATCH
    TITLE: ClassVar = "Who deals?"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("{dealer} dealt",)
    dealer: str = part(SEATED, "who deals", label="Who dealt", asks="Who?")


@dataclass(frozen=True, slots=True)
class HandAbandoned(Event):
    """The hand is abandoned: a misdeal, a new deal asked for, everybody passed."""

    TYPE: ClassVar = "hand_abandoned"
    TITLE: ClassVar = "Misdeal (hand abandoned)"
    NOUN: ClassVar = "The abandoned hand"
    SAYS: ClassVar = ("The hand was abandoned[ by {player}]: {reason}",)
    reason: str = part(REASON, "why")
    player: str | None = part(SEATED, "who asked for it", optional=True, asks="Who asked for it?")
    kind: str | None = part(
        OneOf(ABANDONED, words="abandoned"),
        "why the hand was abandoned: some tables double the next hand after some of these",
        optional=True, label="What kind", follows=True,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PointsCounted(Event):
    """The count at the end of the hand."""

    TYPE: ClassVar = "points_counted"
    TITLE: ClassVar = "Count the points"
    NOUN: ClassVar = "The count"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("Points counted: {points}[; tricks: {tricks}]",)
    points: Mapping[str, int] = part(
        Each(SideId(counted=True), COUNT),
        "points of each side; where the total is fixed one may be left out",
        label="Points",
    )
    tricks: Mapping[str, int] | None = part(
        Each(SideId(counted=True), COUNT),
        "tricks of each side; one may be left out",
        optional=True,
        label="Tricks",
    )


@dataclass(frozen=True, slots=True)
class OutcomeRecorded(Event):
    """Whether the contract was made."""

    TYPE: ClassVar = "outcome_recorded"
    TITLE: ClassVar = "Was the contract made?"
    NOUN: ClassVar = "Whether the contract was made"
    SAYS_OF: ClassVar = {
        ("made", True): "The contract was made",
        ("made", False): "The contract was lost",
    }
    made: bool = part(Flag("made", "lost"), "made, or lost", label="Contract")


@dataclass(frozen=True, slots=True)
class ScoreClaimed(Event):
    """The score on paper for this hand; sides left out are not checked."""

    TYPE: ClassVar = "score_claimed"
    TITLE: ClassVar = "Compare with paper"
    NOUN: ClassVar = "What was written down"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("The table wrote down: {scores}",)
    scores: Mapping[str, int] = part(
        Each(SideId(), Whole()),
        "points of the hand by side",
        label="What was written down",
        asks="Points",
    )


@dataclass(frozen=True, slots=True)
class HandConfirmed(Event):
    """A player signs the last complete hand."""

    TYPE: ClassVar = "hand_confirmed"
    PLACE: ClassVar = Place.MATCH
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("{player} signed the hand",)
    player: str = part(SEATED, "who signs")


@dataclass(frozen=True, slots=True)
class HandDisputed(Event):
    """A player disputes the last complete hand, or the one of that number."""

    TYPE: ClassVar = "hand_disputed"
    PLACE: ClassVar = Place.DISPUTE
    SAYS: ClassVar = (
        "{player} disputed hand {hand}[ of match {match}]: {reason}",
        "{player} disputed the hand: {reason}",
    )
    player: str = part(SEATED, "who disputes")
    reason: str = part(REASON, "what is wrong")
    match: int | None = part(SEQ, "the number of the match, else the current one", optional=True)
    hand: int | None = part(SEQ, "the number of the hand in that match", optional=True)


@dataclass(frozen=True, slots=True)
class Correction(Declared):
    """A correction as proposed."""

    type: str = part(
        OneOf(("event_struck", "event_replaced", "event_inserted"), words=""),
        "the correcting event",
    )
    data: Mapping[str, Any] = part(Anything(), "its data")


@dataclass(frozen=True, slots=True)
class CorrectionProposed(Event):
    """Corrections that would settle a dispute; no effect of its own."""

    TYPE: ClassVar = "correction_proposed"
    PLACE: ClassVar = Place.DISPUTE
    SAYS: ClassVar = (
        "A correction of hand {hand}[ of match {match}] was proposed: {reason}",
        "A correction was proposed: {reason}",
    )
    corrections: tuple[Correction, ...] = part(
        Many(Nested(Correction), unique=False), "what would be recorded"
    )
    reason: str = part(REASON, "why")
    match: int | None = part(SEQ, "the number of the match, else the current one", optional=True)
    hand: int | None = part(SEQ, "the number of the hand in that match", optional=True)


@dataclass(frozen=True, slots=True)
class ProposalSigned(Event):
    """A player agrees to a proposal."""

    TYPE: ClassVar = "proposal_signed"
    PLACE: ClassVar = Place.DISPUTE
    SAYS: ClassVar = ("{player} signed proposal {proposal}",)
    proposal: int = part(SEQ, "the seq of the proposal")
    player: str = part(ANYBODY, "who signs")


@dataclass(frozen=True, slots=True)
class ProposalDeclined(Event):
    """A player declines a proposal, which closes it."""

    TYPE: ClassVar = "proposal_declined"
    PLACE: ClassVar = Place.DISPUTE
    SAYS: ClassVar = ("{player} declined proposal {proposal}",)
    proposal: int = part(SEQ, "the seq of the proposal")
    player: str = part(ANYBODY, "who declines")


@dataclass(frozen=True, slots=True)
class DisputeSettled(Event):
    """A dispute ends."""

    TYPE: ClassVar = "dispute_settled"
    PLACE: ClassVar = Place.DISPUTE
    SAYS: ClassVar = (
        "Dispute[ about hand {hand}][ of match {match}] settled, {ruling}[ ({proposal})]: {text}",
    )
    ruling: str = part(OneOf(("corrected", "upheld", "unresolved"), words="ruling"), "how")
    text: str = part(TEXT, "the ruling in words")
    match: int | None = part(SEQ, "the number of the match", optional=True)
    hand: int | None = part(SEQ, "the number of the hand in that match", optional=True)
    proposal: int | None = part(SEQ, "the seq of the proposal that settles it", optional=True)


@dataclass(frozen=True, slots=True)
class PenaltyGiven(Event):
    """A penalty given at the table: it changes the match score of one side (G7)."""

    TYPE: ClassVar = "penalty_given"
    PLACE: ClassVar = Place.MATCH
    TITLE: ClassVar = "Penalty"
    SAYS: ClassVar = ("Penalty for {side}, {points}: {reason}",)
    SAYS_OF: ClassVar = {
        ("spread", "others"): "Penalty for {side}, {points}, which the others share: {reason}"
    }
    side: str = part(SideId(), "whose score changes")
    points: int = part(Whole(signed=True), "by how much, with its sign", label="Points")
    reason: str = part(REASON, "what for")
    spread: str | None = part(
        OneOf(("others",), words="spread"),
        "who gets the opposite in equal shares: the other players who take part in the hand",
        optional=True, label="Shared by",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class NoteAdded(Event):
    """A remark."""

    TYPE: ClassVar = "note_added"
    PLACE: ClassVar = Place.SESSION
    TITLE: ClassVar = "Note"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("Note: {text}",)
    text: str = part(TEXT, "the remark")


@dataclass(frozen=True, slots=True)
class MatchEnded(Event):
    """The match ends, though its own rule does not end it."""

    TYPE: ClassVar = "match_ended"
    PLACE: ClassVar = Place.MATCH
    TITLE: ClassVar = "End the match here"
    SAYS: ClassVar = ("The match was ended[: {reason}]",)
    reason: str | None = part(REASON, "why", optional=True)


@dataclass(frozen=True, slots=True)
class SessionClosed(Event):
    """The evening ends; only corrections and disputes come after it."""

    TYPE: ClassVar = "session_closed"
    PLACE: ClassVar = Place.SESSION
    TITLE: ClassVar = "Close the evening"
    SAYS: ClassVar = ("The evening was closed",)


# ------------------------------------------------------------------------------- corrections


@dataclass(frozen=True, slots=True)
class EventStruck(Event):
    """An earlier event is passed over."""

    TYPE: ClassVar = "event_struck"
    PLACE: ClassVar = Place.CORRECTION
    seq: int = part(SEQ, "the event")
    reason: str = part(REASON, "why")


@dataclass(frozen=True, slots=True)
class EventReplaced(Event):
    """Another event takes the place of an earlier one."""

    TYPE: ClassVar = "event_replaced"
    PLACE: ClassVar = Place.CORRECTION
    seq: int = part(SEQ, "the event")
    type: str = part(Words(64, name=True), "the type of what takes its place")
    data: Mapping[str, Any] = part(Anything(), "the data of what takes its place")
    reason: str = part(REASON, "why")


@dataclass(frozen=True, slots=True)
class EventInserted(Event):
    """An event that was left out comes right after an earlier one."""

    TYPE: ClassVar = "event_inserted"
    PLACE: ClassVar = Place.CORRECTION
    after: int = part(SEQ, "the event that it comes after")
    type: str = part(Words(64, name=True), "the type of what comes in")
    data: Mapping[str, Any] = part(Anything(), "the data of what comes in")
    reason: str = part(REASON, "why")


# ---------------------------------------------------------------- play, common to the games


@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """A player plays a card to the trick."""

    TYPE: ClassVar = "card_played"
    TITLE: ClassVar = "Which card?"
    NOUN: ClassVar = "A card"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("{player} played {card}",)
    player: str = part(PLAYER, "who plays")
    card: Card = part(CARD, "the card")


@dataclass(frozen=True, slots=True)
class TrickTaken(Event):
    """Who took a trick, as said at the table."""

    TYPE: ClassVar = "trick_taken"
    TITLE: ClassVar = "Who took the trick?"
    NOUN: ClassVar = "Who took a trick"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("{player} took trick {trick}", "{player} took the trick")
    player: str = part(PLAYER, "who took it")
    trick: int | None = part(
        SEQ, "its number in the hand, else the one that is due", optional=True,
        label="Number of the trick", follows=True,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class RestClaimed(Event):
    """All tricks and card points not yet on record go to one player."""

    TYPE: ClassVar = "rest_claimed"
    TITLE: ClassVar = "Who takes all the rest?"
    NOUN: ClassVar = "The rest claimed"
    SAYS: ClassVar = ("{player} took all the rest",)
    player: str = part(PLAYER, "who takes the rest")


@dataclass(frozen=True, slots=True)
class CardsShown(Event):
    """Cards that were in a player's holding at that moment; proof for the audit."""

    TYPE: ClassVar = "cards_shown"
    TITLE: ClassVar = "Cards shown"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("{player} showed {cards}",)
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
