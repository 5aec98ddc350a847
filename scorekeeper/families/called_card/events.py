"""The events that games with a called card share."""

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


@dataclass(frozen=True, slots=True)
class PartnerRevealed(Event):
    """Who the bidder's partner is, as said at the table."""

    TYPE: ClassVar = "partner_revealed"
    TITLE: ClassVar = "Who is the partner?"
    NOUN: ClassVar = "The partner"
    SAYS: ClassVar = (
        "The partner is {player}",
        "The partner is recorded, and stays hidden for now",
    )
    SAYS_OF_BIDDER: ClassVar = {"player": "{player} plays alone"}
    HIDDEN: ClassVar = ("player",)
    AUTHOR_HIDDEN: ClassVar = True  # the author usually is the partner
    player: str = part(PLAYER, "the partner; the bidder if they are alone")
