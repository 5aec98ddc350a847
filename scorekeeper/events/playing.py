"""The events of the play of a hand, for use in any game."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final

from scorekeeper.base.parts import MOST_PARTS
from scorekeeper.cards.packs import Card
from scorekeeper.events.event import Display, Event
from scorekeeper.events.fields import (
    CARD,
    COUNT,
    PLAYER,
    SEQ,
    Each,
    Flag,
    Many,
    SideId,
    Whole,
    part,
)


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
        SEQ, "its number in the hand; if left out, the one that is due", optional=True,
        label="Number of the trick", follows=True,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class RestClaimed(Event):
    """All tricks and card points not yet recorded go to one player."""

    TYPE: ClassVar = "rest_claimed"
    TITLE: ClassVar = "Who takes all the rest?"
    NOUN: ClassVar = "The rest claimed"
    SAYS: ClassVar = ("{player} took all the rest",)
    player: str = part(PLAYER, "who takes the rest")


@dataclass(frozen=True, slots=True)
class CardsShown(Event):
    """Cards that a player held at that moment: proof for the audit."""

    TYPE: ClassVar = "cards_shown"
    TITLE: ClassVar = "Cards shown"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("{player} showed {cards}",)
    player: str = part(PLAYER, "whose cards")
    cards: tuple[Card, ...] = part(Many(CARD, fewest=1), "the cards")


@cache
def counted_in(parts: int) -> type[PointsCounted]:
    """Return the declaration of a count in parts of a point: with 2, of half points.

    The log has whole numbers of parts. Pages show points, and points are typed.
    """
    if parts == 1:
        return PointsCounted
    if not 1 <= parts <= MOST_PARTS:
        raise ValueError(f"expected 1 to {MOST_PARTS} parts of a point, got {parts}")

    @dataclass(frozen=True, slots=True)
    class PointsCountedInParts(PointsCounted):
        __doc__ = PointsCounted.__doc__
        points: Mapping[str, int] = part(
            Each(SideId(counted=True), Whole(0, parts=parts)),
            "points of each side; where the total is fixed one may be left out",
            label="Points",
        )

    return PointsCountedInParts


def play_events(parts: int = 1) -> tuple[type[Event], ...]:
    """Return the events that record tricks and counts, the counts in ``parts`` of a point."""
    return (counted_in(parts), CardPlayed, TrickTaken, RestClaimed, CardsShown)


# The events that record tricks and counts; all games so far use them.
PLAY: Final[tuple[type[Event], ...]] = play_events()
