"""The events of a hand of Knock!."""

from dataclasses import dataclass
from typing import ClassVar, Final

from scorekeeper.cards.packs import FOOL, Card
from scorekeeper.events.event import Afterwards, Display, Event
from scorekeeper.events.fields import CARD, CARDS, PLAYER, SideId, Words, part
from scorekeeper.events.playing import PLAY

SIGNAL: Final = Words(64, name=True, words="value")  # as the option that allows it


@dataclass(frozen=True, slots=True)
class CardsLaidAway(Event):
    """The dealer lays away two cards, which count for their side (K2, K3)."""

    TYPE: ClassVar = "cards_laid_away"
    TITLE: ClassVar = "Cards laid away"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = (
        "{player} laid away {cards}[, showing {trumps_shown}]",
        "{player} laid away cards[, showing {trumps_shown}]",
    )
    HIDDEN: ClassVar = ("cards",)
    AFTERWARDS: ClassVar = Afterwards.SAID_AGAIN
    player: str = part(PLAYER, "who lays away")
    cards: tuple[Card, ...] | None = part(
        CARDS, "the cards laid away", optional=True, put_away=True
    )
    trumps_shown: tuple[Card, ...] | None = part(
        CARDS, "the trumps among them, which were shown", optional=True,
        asks="Trumps shown", put_away=True,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SignalMade(Event):
    """A player makes a gesture to their partner (K11), recorded after the card it goes with."""

    TYPE: ClassVar = "signal_made"
    TITLE: ClassVar = "Gesture"
    NOUN: ClassVar = "A signal"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("{player} signalled {signal}",)
    player: str = part(PLAYER, "who makes it")
    signal: str = part(SIGNAL, "the id of the gesture", label="Signal", asks="Gesture")


@dataclass(frozen=True, slots=True)
class FoolPaid(Event):
    """The side that played the Fool pays a card for it (K7)."""

    TYPE: ClassVar = "fool_paid"
    TITLE: ClassVar = "Card paid for the Fool"
    NOUN: ClassVar = "A payment for the Fool"
    SAYS: ClassVar = ("{side} paid {card} for the Fool",)
    side: str = part(SideId(), "the side that played the Fool, and pays")
    card: Card = part(CARD, "the card paid, from its tricks", never=(FOOL.code,))


@dataclass(frozen=True, slots=True)
class FoolSurrendered(Event):
    """The side that played the Fool took no trick, and gives the Fool up (K8)."""

    TYPE: ClassVar = "fool_surrendered"
    TITLE: ClassVar = "The Fool given up"
    NOUN: ClassVar = "The Fool surrendered"
    SAYS: ClassVar = ("{side} gave up the Fool",)
    side: str = part(SideId(), "the side that played the Fool, and gives it up")


EVENTS: Final = (CardsLaidAway, SignalMade, FoolPaid, FoolSurrendered, *PLAY)
