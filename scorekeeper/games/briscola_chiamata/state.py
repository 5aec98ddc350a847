"""The record of a hand of Briscola Chiamata."""

from collections.abc import Sequence
from typing import Any, Final

from scorekeeper.base.errors import UnusableError, expected
from scorekeeper.cards.packs import Card
from scorekeeper.families.briscola import PACKS
from scorekeeper.families.called_card.carichi import (
    CARICHI,
    Bid,
    carichi_bids,
    carichi_height,
    carichi_points_needed,
    is_allowed_carichi,
    is_solo,
    no_such_bid,
)
from scorekeeper.families.called_card.state import FOLD as CALLING_FOLD
from scorekeeper.families.called_card.state import CallingDeal
from scorekeeper.families.contracts.auction import PASS
from scorekeeper.games.briscola_chiamata.events import BidMade
from scorekeeper.games.briscola_chiamata.rules import (
    HIGHEST_NUMBER,
    LOWEST_NUMBER,
    LOWEST_RANK,
    POINTS_NEEDED,
    TRICKS,
    TWO_AS_NUMBER,
)
from scorekeeper.play.deal import RecordedEvent
from scorekeeper.play.folding import Fold, Refusals, append_to
from scorekeeper.play.table import Table


class ChiamataDeal(CallingDeal):
    """The record of one hand of Briscola Chiamata."""

    def __init__(self, table: Table) -> None:
        """Create the empty record of a hand."""
        super().__init__(table, TRICKS)

    def worth(self, bid: Any) -> int:
        """Return the height of a bid: ranks from the strongest to the weakest, then numbers (C2).

        If only the 2 comes before the numbers, it is the lowest of them.
        """
        if isinstance(bid, int):
            return bid
        if is_solo(bid):
            return carichi_height(bid)
        if self.table.options["ladder"] == "two":
            return self.target(bid)
        return PACKS[self.table.options["pack"]].ranks.index(bid)

    def too_early(self, bid: Any, standing: Sequence[RecordedEvent]) -> bool:
        """Return whether a bid of points is not yet allowed because the 2 must come first (C2)."""
        if self.table.options["points_bids"] == "any" or not isinstance(bid, int):
            return False
        return not any(
            isinstance(bid.event.bid, int) or bid.event.bid == LOWEST_RANK for bid in standing
        )

    @property
    def last_bid(self) -> int:
        """The height of the bid that ends the auction (C1, C2).

        If only ranks are bid, it is that of the lowest rank.
        """
        options = self.table.options
        if options["ladder"] == "ranks" and options["carichi"] == "off":
            return self.worth(LOWEST_RANK)
        return super().last_bid

    @property
    def ladder(self) -> tuple[Any, ...]:
        """The possible bids, the lowest first (C2)."""
        numbers = range(TWO_AS_NUMBER, HIGHEST_NUMBER + 1)
        points = [bid for bid in numbers if self.is_bid(bid)]
        ranks = [rank for rank in self.table.pack.ranks if self.is_bid(rank)]
        above = carichi_bids(self.table.options)
        return (*ranks, *(bid for bid in points if not ranks or bid > TWO_AS_NUMBER), *above)

    def can_be(self, field: str, value: Any) -> bool:
        """Return whether the options allow this value of a field: only bids can be excluded."""
        return field != "bid" or value == PASS or self.is_bid(value)

    def is_bid(self, bid: Bid) -> bool:
        """Return whether the options have such a bid; the 2 is the same as 61 points (C2)."""
        options = self.table.options
        ladder = options["ladder"]
        if isinstance(bid, int):
            least = TWO_AS_NUMBER if ladder in ("points", "two") else LOWEST_NUMBER
            low, high = max(least, options["min_bid"]), options["max_bid"]
            return bool(ladder != "ranks" and low <= bid <= high)
        if is_solo(bid):
            return is_allowed_carichi(bid, options)
        if ladder in ("points", "two"):
            return ladder == "two" and bid == LOWEST_RANK
        return bid in self.table.pack.ranks

    def target(self, bid: Any) -> int:
        """Return the points needed: 61 on a bid of a rank, else the points bid (C7).

        Carichi without a number needs 61.
        """
        if is_solo(bid):
            return carichi_points_needed(bid)
        return bid if isinstance(bid, int) else POINTS_NEEDED

    @property
    def rank_bid(self) -> str | None:
        """The rank that the bidder must call; None if the bidder may choose (C4)."""
        if self.table.options["call_duty"] != "rank_bid" or self.solo:
            return None
        bid = self.bid.event.bid if self.bid else LOWEST_RANK
        if isinstance(bid, int) or bid == LOWEST_RANK:
            two_only = self.table.options["two_call"] == "two_only"
            return LOWEST_RANK if two_only and self.bid else None
        return str(bid)

    @property
    def passes_are_final(self) -> bool:
        """Whether a player who passed is out of the auction, by the option ``pass``."""
        return bool(self.table.options["pass"] == "final")  # noqa: S105 - a word of the auction

    @property
    def least_of_the_last(self) -> int | None:
        """The lowest bid of the last player if all others passed.

        None if that player may pass, by the option ``last_must_bid``.
        """
        least = self.table.options["last_must_bid"]
        return None if least == "none" else int(least)

    @property
    def blind(self) -> bool:
        """Whether the card is called after the first trick, by the option ``trump_named``."""
        return bool(self.table.options["trump_named"] == "after_first_trick")

    @property
    def holding_of_bidder(self) -> frozenset[Card] | None:
        """The cards that the bidder was dealt; None unless all are on record."""
        bidder = self.bidder
        cards = {play.card for play in self.plays if play.player == bidder}
        cards |= {card for shown in self.shown if shown.player == bidder for card in shown.cards}
        return frozenset(cards) if len(cards) == self.tricks.total else None

    @property
    def may_be_alone(self) -> bool:
        """Whether the bidder may call a card of their own, by the option ``alone``."""
        return bool(self.table.options["alone"] == "allowed")

    @property
    def can_be_alone(self) -> bool:
        """Whether the bidder may hold a card that the option ``call_duty`` allows (C4)."""
        ranks = [self.rank_bid] if self.rank_bid else self.table.pack.ranks
        cards = (card for card in self.table.pack.cards if card.rank in ranks)
        return self.may_be_alone and any(self.trumps_implied_by(card) is None for card in cards)

    def trumps_implied_by(self, called: Card) -> tuple[Card, ...] | None:
        """Return the trumps that the bidder must hold after this call; None if it implies none.

        By the options the bidder calls the lowest trump that they lack, unless it is the 2, or the
        highest one that they lack (C4).
        """
        options = self.table.options
        suit = self.table.pack.cards_of_suit(called.suit) if called.suit else ()
        if options["call_duty"] == "highest_missing":
            return suit[: suit.index(called)]
        if options["call_duty"] == "any" or self.rank_bid is not None:
            return None
        if called.rank == LOWEST_RANK and options["two_call"] != "must_lowest_missing":
            return None
        return suit[suit.index(called) + 1 :]


def refuse_bid(deal: ChiamataDeal, event: BidMade) -> None:
    """Raise `UnusableError` for a bid of a rank that the pack lacks, or beyond a limit (C2)."""
    pack, bid = deal.table.pack, event.bid
    if isinstance(bid, str) and bid not in (PASS, CARICHI, *pack.ranks):
        ranks = ", ".join(pack.ranks)
        what = f"a rank of the {pack.name} pack ({ranks})"
        raise UnusableError(expected(what, bid, "no_such_choice", choices=ranks), field="data.bid")
    if not deal.can_be("bid", bid):
        raise UnusableError(no_such_bid(bid, deal.ladder), field="data.bid")


REFUSE: Final[Refusals] = {BidMade: refuse_bid}


FOLD: Final[Fold] = {**CALLING_FOLD, BidMade: append_to("bids")}
