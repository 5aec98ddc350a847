"""The events of a hand of Briscola Regina."""

from dataclasses import dataclass
from typing import ClassVar, Final

from scorekeeper.events.event import Event
from scorekeeper.events.fields import PLAYER, OneOf, SideId, part
from scorekeeper.events.playing import PLAY
from scorekeeper.families.briscola import SUIT
from scorekeeper.games.briscola_regina.rules import FIGURES, KINGS, KNIGHTS


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
class FiguresShown(Event):
    """A player shows four kings and a knight (queen), or four knights and a king (B7)."""

    TYPE: ClassVar = "figures_shown"
    TITLE: ClassVar = "Four kings or knights"
    NOUN: ClassVar = "Four kings or knights shown"
    SAYS: ClassVar = ("{player} showed four {figures}",)
    SAYS_OF: ClassVar = {
        ("figures", KNIGHTS): "{player} showed four knights (queens) and a king",
        ("figures", KINGS): "{player} showed four kings and a knight (queen)",
    }
    player: str = part(PLAYER, "who shows them")
    figures: str = part(
        OneOf(FIGURES, words="figures"), "which of them are four", label="Four of", once=True
    )


@dataclass(frozen=True, slots=True)
class HandsExchanged(Event):
    """Two partners exchange hands, to look or to keep them (B8)."""

    TYPE: ClassVar = "hands_exchanged"
    TITLE: ClassVar = "Hands exchanged"
    SAYS: ClassVar = ("{side} exchanged hands",)
    side: str = part(SideId(), "the side of the two partners")


EVENTS: Final = (BrisCalled, FiguresShown, HandsExchanged, *PLAY)
