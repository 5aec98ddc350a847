"""The event by which the bidder of a Briscola calls a card."""

from dataclasses import dataclass
from typing import ClassVar

from scorekeeper.cards.packs import Card
from scorekeeper.events.event import Event
from scorekeeper.events.fields import CARD, PLAYER, part


@dataclass(frozen=True, slots=True)
class CardCalled(Event):
    """The bidder calls a card: its suit is trump, and the player who holds it is the partner."""

    TYPE: ClassVar = "card_called"
    TITLE: ClassVar = "Which card is called?"
    NOUN: ClassVar = "The called card"
    SAYS: ClassVar = ("{player} called {card}",)
    player: str = part(PLAYER, "who calls")
    card: Card = part(CARD, "the card")
