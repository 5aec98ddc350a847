"""The events of a hand of Riparto."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from scorekeeper.cards.packs import Card
from scorekeeper.events.event import Display, Event
from scorekeeper.events.fields import CARD, PLAYER, Each, Many, OneOf, Whole, part
from scorekeeper.events.playing import PLAY, OutcomeRecorded
from scorekeeper.games.riparto.rules import LARGEST_BID

BID: Final = Whole(0, LARGEST_BID)


@dataclass(frozen=True, slots=True)
class BidMade(Event):
    """A player bids the exact number of points that they expect to take (R2)."""

    TYPE: ClassVar = "bid_made"
    TITLE: ClassVar = "Bid"
    NOUN: ClassVar = "A bid"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("{player} bid {points}",)
    player: str = part(PLAYER, "who bids")
    points: int = part(BID, "the points that they expect to take", label="Points")


@dataclass(frozen=True, slots=True)
class SetDistributed(Event):
    """The ripartitore deals out an insieme (R4)."""

    TYPE: ClassVar = "set_distributed"
    TITLE: ClassVar = "Insieme dealt out"
    NOUN: ClassVar = "An insieme dealt out"
    TITLE_AFTER: ClassVar = "Insieme {set}"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("{player} dealt out insieme {set}[, kept {kept}][, gave {given}]",)
    HIDDEN: ClassVar = ("kept", "given")
    player: str = part(PLAYER, "who distributes")
    set: int = part(
        Whole(1, 2), "the first insieme or the second", label="Which insieme", follows=True
    )
    kept: Card | None = part(CARD, "the card that the player took", optional=True, label="Kept")
    given: Mapping[str, Card] | None = part(
        Each(PLAYER, CARD), "the card given to each other player", optional=True
    )


@dataclass(frozen=True, slots=True)
class BidRaised(Event):
    """The ripartitore raises their bid (R5)."""

    TYPE: ClassVar = "bid_raised"
    TITLE: ClassVar = "Raise the bid"
    NOUN: ClassVar = "A raise"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("{player} raised to {points}",)
    player: str = part(PLAYER, "who raises")
    points: int = part(BID, "the new figure", label="Points")


@dataclass(frozen=True, slots=True)
class HierarchyDeclared(Event):
    """The ripartitore declares a hierarchy of the suits, or none (R6)."""

    TYPE: ClassVar = "hierarchy_declared"
    TITLE: ClassVar = "Hierarchy, strongest first"
    NOUN: ClassVar = "The hierarchy"
    SAYS: ClassVar = ("{player} declared the hierarchy {suits}",)
    SAYS_OF: ClassVar = {("suits", ()): "{player} declared no hierarchy"}
    player: str = part(PLAYER, "who declares")
    suits: tuple[str, ...] = part(
        Many(OneOf(("S", "H", "D", "C"), words="suit"), sizes=(0, 4)),
        "the four suits, strongest first, or an empty list for none",
        label="Suits, the strongest first",
        asks="Suits",
    )


EVENTS: Final = (BidMade, SetDistributed, BidRaised, HierarchyDeclared, OutcomeRecorded, *PLAY)
