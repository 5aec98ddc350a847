"""What is written down of a called card, in every game that has one."""

from dataclasses import dataclass
from typing import ClassVar

from scorekeeper.cards import Card
from scorekeeper.events import CARD, PLAYER, Event, part


@dataclass(frozen=True, slots=True)
class CardCalled(Event):
    """The bidder calls a card: its suit is trump, and its holder his partner."""

    TYPE: ClassVar = "card_called"
    player: str = part(PLAYER, "who calls")
    card: Card = part(CARD, "the card")


@dataclass(frozen=True, slots=True)
class PartnerRevealed(Event):
    """Who the bidder's partner is, as said at the table."""

    TYPE: ClassVar = "partner_revealed"
    player: str = part(PLAYER, "the partner; the bidder himself where he is alone")
