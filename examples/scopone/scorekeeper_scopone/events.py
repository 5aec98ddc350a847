"""The events of a hand of Scopone."""

from dataclasses import dataclass
from typing import ClassVar, Final

from scorekeeper.authoring import (
    CARD,
    PLAYER,
    Card,
    CardPlayed,
    Display,
    Event,
    Many,
    PointsCounted,
    part,
)


@dataclass(frozen=True, slots=True)
class CardsTaken(Event):
    """The cards that a player took with their last card, where the rules leave a choice (S2)."""

    TYPE: ClassVar = "cards_taken"
    TITLE: ClassVar = "Which cards does it take?"
    NOUN: ClassVar = "Cards taken"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("{player} took {cards}",)
    player: str = part(PLAYER, "who plays", follows=True)
    cards: tuple[Card, ...] = part(Many(CARD), "the cards")


@dataclass(frozen=True, slots=True)
class ScopaMade(Event):
    """A player takes all that lies on the table (S3)."""

    TYPE: ClassVar = "scopa_made"
    TITLE: ClassVar = "Who made a scopa?"
    NOUN: ClassVar = "A scopa"
    DISPLAY: ClassVar = Display.LOGGED  # the running score shows it
    SAYS: ClassVar = ("{player} makes a scopa",)
    player: str = part(PLAYER, "who plays")


EVENTS: Final[tuple[type[Event], ...]] = (CardPlayed, CardsTaken, ScopaMade, PointsCounted)
