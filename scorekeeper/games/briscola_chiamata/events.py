"""The events of a hand of Briscola Chiamata."""

from dataclasses import dataclass
from typing import ClassVar, Final

from scorekeeper.events.event import Display, Event
from scorekeeper.events.fields import PLAYER, AnyOf, Nested, OneOf, Whole, part
from scorekeeper.events.playing import PLAY, OutcomeRecorded
from scorekeeper.families.called_card.carichi import CARICHI, ON_BUTTONS, Bid, Carichi
from scorekeeper.families.called_card.events import CardCalled
from scorekeeper.families.contracts.auction import PASS
from scorekeeper.families.contracts.events import PartnerRevealed
from scorekeeper.games.briscola_chiamata.rules import HIGHEST_NUMBER, TWO_AS_NUMBER

# The knight N is a bid with the Italian pack, the queen Q with the French one (C2).
RANKS: Final = ("A", "3", "K", "N", "Q", "J", "7", "6", "5", "4", "2")
BID: Final = AnyOf((
    OneOf((PASS, *RANKS, CARICHI), words="rank"),
    Whole(TWO_AS_NUMBER, HIGHEST_NUMBER),
    Nested(Carichi),
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class BidMade(Event):
    """A player bids, or passes (C1, C2)."""

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
        BID, 'a rank, a number of card points, "carichi" alone or with a number, or "pass"',
        label="Bid", called={CARICHI: ON_BUTTONS},
    )  # fmt: skip


EVENTS: Final = (BidMade, CardCalled, PartnerRevealed, OutcomeRecorded, *PLAY)
