"""The events of a hand of Briscola col Monte."""

from dataclasses import dataclass
from typing import ClassVar, Final

from scorekeeper.cards.packs import Card
from scorekeeper.events.event import Afterwards, Display, Event
from scorekeeper.events.fields import CARD, CARDS, PLAYER, AnyOf, Nested, OneOf, Whole, part
from scorekeeper.events.playing import PLAY, OutcomeRecorded
from scorekeeper.families.briscola import SUIT
from scorekeeper.families.called_card.carichi import CARICHI, ON_BUTTONS, Bid, Carichi
from scorekeeper.families.called_card.rules import HIGHEST_BID
from scorekeeper.families.contracts.auction import PASS
from scorekeeper.families.contracts.events import PartnerRevealed
from scorekeeper.games.briscola_col_monte.rules import LOWEST_BID

BID: Final = AnyOf((
    OneOf((PASS, CARICHI), words="rank"),
    Whole(LOWEST_BID, HIGHEST_BID),
    Nested(Carichi),
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class BidMade(Event):
    """A player bids card points, or passes (M2)."""

    TYPE: ClassVar = "bid_made"
    TITLE: ClassVar = "Bid"
    NOUN: ClassVar = "A bid"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("{player} bid {bid}",)
    SAYS_OF: ClassVar = {
        ("bid", "pass"): "{player} passed",
        ("bid", CARICHI): "{player} bid carichi: alone, without trumps",
    }
    player: str = part(PLAYER, "who bids")
    bid: Bid = part(
        BID, 'a number of card points, "carichi" alone or with a number, or "pass"',
        label="Bid", called={CARICHI: ON_BUTTONS},
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class CardCalled(Event):
    """The bidder names a card, or at some tables its suit first, which is trump (M3)."""

    TYPE: ClassVar = "card_called"
    TITLE: ClassVar = "The call"
    NOUN: ClassVar = "The called card"
    SAYS: ClassVar = ("{player} called {card}", "{player} named {suit} as trump")
    player: str = part(PLAYER, "who calls")
    card: Card | None = part(CARD, "the card; left out where only trump is named", optional=True)
    suit: str | None = part(
        SUIT, "trump, where the card is named later", optional=True, label="Trump"
    )


@dataclass(frozen=True, slots=True)
class MonteTaken(Event):
    """The bidder takes the monte (M3)."""

    TYPE: ClassVar = "monte_taken"
    TITLE: ClassVar = "The monte"
    NOUN: ClassVar = "The monte taken"
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("{player} took the monte[: {cards}]",)
    HIDDEN: ClassVar = ("cards",)
    player: str = part(PLAYER, "who takes it")
    cards: tuple[Card, ...] | None = part(CARDS, "the cards that lay in it", optional=True)


@dataclass(frozen=True, slots=True)
class CardsLaidAway(Event):
    """The bidder lays away as many cards as the monte had (M3)."""

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


@dataclass(frozen=True, slots=True)
class CalledCardShown(Event):
    """The bidder shows that they have the named card, so their neighbour is the partner (M5)."""

    TYPE: ClassVar = "called_card_shown"
    TITLE: ClassVar = "Named card shown"
    NOUN: ClassVar = "The named card shown"
    SAYS: ClassVar = ("{player} showed the named card",)
    player: str = part(PLAYER, "who shows it")


EVENTS: Final = (
    BidMade, CardCalled, MonteTaken, CardsLaidAway, CalledCardShown, PartnerRevealed,
    OutcomeRecorded, *PLAY,
)  # fmt: skip
