"""The events that every game has: the evening, its matches and its hands."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import ExactPoints, to_parts
from scorekeeper.events.corrections import CORRECTING
from scorekeeper.events.disputes import (
    CorrectionProposed,
    DisputeSettled,
    HandConfirmed,
    HandDisputed,
    ProposalDeclined,
    ProposalSigned,
)
from scorekeeper.events.event import Display, Event, Place
from scorekeeper.events.fields import (
    AMOUNT,
    ANYBODY,
    NAME,
    REASON,
    SEATED,
    TEXT,
    TITLE,
    Anything,
    Currency,
    Day,
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

# The kinds of an abandoned hand.
ABANDONED: Final = ("all_passed", "weak_hand", "misdeal", "annulled", "other")


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
        Many(Nested(NewPlayer), unique=False),
        "the players present; more than one match needs is fine",
    )
    place: str | None = part(TITLE, "where it is played", optional=True)
    date: str | None = part(
        Day(), "the day of play, for an evening that is recorded later", optional=True
    )
    format: int | None = part(Whole(1, 1), "the version of this log format", optional=True)


@dataclass(frozen=True, slots=True)
class SessionDescribed(Event):
    """The evening has another title, place or day of play from here on; the latest counts."""

    TYPE: ClassVar = "session_described"
    PLACE: ClassVar = Place.ABOUT
    FEWEST_FIELDS: ClassVar = 1
    SAYS: ClassVar = (
        "The evening is now called {title}[; place: {place}][; day of play: {date}]",
        "The place is now {place}[; day of play: {date}]",
        "The day of play is now {date}",
    )
    title: str | None = part(TITLE, "what the evening is called", optional=True)
    place: str | None = part(TITLE, "where it is played", optional=True)
    date: str | None = part(Day(), "the day of play", optional=True)


@dataclass(frozen=True, slots=True)
class PlayerJoined(Event):
    """Somebody arrives later."""

    TYPE: ClassVar = "player_joined"
    PLACE: ClassVar = Place.SESSION
    SAYS: ClassVar = ("{name} joined",)
    id: str = part(PlayerId(Whom.NEW), "lower-case letters, digits, _ and -, at most 32")
    name: str = part(NAME, "what the others call the player")


@dataclass(frozen=True, slots=True)
class PlayerRenamed(Event):
    """A player has another name, also for what was recorded before."""

    TYPE: ClassVar = "player_renamed"
    PLACE: ClassVar = Place.ABOUT
    SAYS: ClassVar = ("{player} is now called {name}",)
    player: str = part(ANYBODY, "whose name changes")
    name: str = part(NAME, "what the others call the player from now on")


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
    options: JsonObject | None = part(
        Anything(),
        "the options that the table chose; those left out have their usual value",
        optional=True,
    )
    rules: int | None = part(
        Whole(1), "the version of the game's rules; 1 if left out", optional=True
    )
    stake: Stake | None = part(
        Nested(Stake),
        "what it is played for, in money; left out, it is played for nothing",
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


@cache
def claimed_in(parts: int) -> type[ScoreClaimed]:
    """Return the declaration of scores on paper in parts of a point: with 2, of half points."""
    if parts == 1:
        return ScoreClaimed

    @dataclass(frozen=True, slots=True)
    class ScoreClaimedInParts(ScoreClaimed):
        __doc__ = ScoreClaimed.__doc__
        scores: Mapping[str, int] = part(
            Each(SideId(), Whole(parts=parts)),
            "points of the hand by side",
            label="What was written down",
            asks="Points",
        )

    return ScoreClaimedInParts


@cache
def penalty_in(parts: int) -> type[PenaltyGiven]:
    """Return the declaration of a penalty in parts of a point: with 2, of half points."""
    if parts == 1:
        return PenaltyGiven

    @dataclass(frozen=True, slots=True)
    class PenaltyGivenInParts(PenaltyGiven):
        __doc__ = PenaltyGiven.__doc__
        points: int = part(
            Whole(signed=True, parts=parts), "by how much, with its sign", label="Points"
        )

    return PenaltyGivenInParts


def claim_scores(scores: Mapping[str, ExactPoints], parts: int) -> ScoreClaimed:
    """Return the claim of these scores, in a game whose scores have ``parts`` of a point."""
    return claimed_in(parts)({side: to_parts(points, parts) for side, points in scores.items()})


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
    TITLE: ClassVar = "The match stops here"
    SAYS: ClassVar = ("The match was ended[: {reason}]",)
    SAYS_OF: ClassVar = {("undecided", True): "The match was ended, undecided[: {reason}]"}
    reason: str | None = part(REASON, "why", optional=True)
    undecided: bool | None = part(
        Flag("undecided", only_true=True),
        "true if the match was interrupted: its points count, but nobody has won it",
        optional=True,
    )


@dataclass(frozen=True, slots=True)
class SessionClosed(Event):
    """The evening ends; only corrections, disputes and other names come after it."""

    TYPE: ClassVar = "session_closed"
    PLACE: ClassVar = Place.SESSION
    TITLE: ClassVar = "Close the evening"
    SAYS: ClassVar = ("The evening was closed",)


# The events that every game has.
COMMON: Final[tuple[type[Event], ...]] = (
    SessionOpened, SessionDescribed, PlayerJoined, PlayerRenamed, MatchStarted, HandStarted,
    HandAbandoned, ScoreClaimed, HandConfirmed, HandDisputed, CorrectionProposed, ProposalSigned,
    ProposalDeclined, DisputeSettled, PenaltyGiven, NoteAdded, MatchEnded, SessionClosed,
    *CORRECTING,
)  # fmt: skip
