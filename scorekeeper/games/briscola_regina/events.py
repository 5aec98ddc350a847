"""What is written down of a hand of Briscola Regina."""

from dataclasses import dataclass
from typing import ClassVar, Final

from scorekeeper.events.common import PLAY, Event
from scorekeeper.events.fields import PLAYER, OneOf, SideId, part

SUIT: Final = OneOf(("S", "H", "C", "D", "B"), words="suit")


@dataclass(frozen=True, slots=True)
class BrisCalled(Event):
    """A player shows the king and the knight (queen) of one suit, and calls Bris (B5)."""

    TYPE: ClassVar = "bris_called"
    TITLE: ClassVar = "Bris"
    NOUN: ClassVar = "A Bris"
    SAYS: ClassVar = ("{player} called Bris in {suit}",)
    player: str = part(PLAYER, "who calls")
    suit: str = part(SUIT, "the suit of the two cards, by its letter", once=True)


@dataclass(frozen=True, slots=True)
class HandsExchanged(Event):
    """Two partners exchange hands, to look or to keep them (B8)."""

    TYPE: ClassVar = "hands_exchanged"
    TITLE: ClassVar = "Hands exchanged"
    SAYS: ClassVar = ("{side} exchanged hands",)
    side: str = part(SideId(), "the side of the two partners")


EVENTS: Final = (BrisCalled, HandsExchanged, *PLAY)
