"""The record of a hand with an auction and a called card: the contract and the two parties."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from scorekeeper.base.cached import cached_property
from scorekeeper.cards.packs import Card, Suit
from scorekeeper.cards.tricks import Trick
from scorekeeper.families.briscola import ALL_POINTS, POINTS, strengths
from scorekeeper.families.called_card.carichi import (
    Bid,
    bid_figure,
    bid_words,
    carichi_bids,
    is_solo,
)
from scorekeeper.families.called_card.course import Doubling, Waiting, waiting_doublings
from scorekeeper.families.called_card.events import CardCalled
from scorekeeper.families.contracts.events import PartnerRevealed
from scorekeeper.families.contracts.state import AuctionDeal, card_called
from scorekeeper.play.folding import FOLD as COMMON_FOLD
from scorekeeper.play.folding import Fold, append_to
from scorekeeper.play.scoring import Text, Word


class CallingDeal(AuctionDeal):
    """The record of a hand of Briscola with an auction and a called card."""

    TOTALS: ClassVar = (ALL_POINTS,)
    CARD_POINTS: ClassVar = POINTS

    # ------------------------------------------------------------- overridden by the games

    def target(self, bid: Any) -> int:
        """Return the card points that a bid needs to be made; each game defines it."""
        raise NotImplementedError

    @property
    def last_bid(self) -> int:
        """The height of the bid that ends the auction."""
        above = carichi_bids(self.table.options)
        return self.worth(above[-1]) if above else int(self.table.options["max_bid"])

    @property
    def passes(self) -> Doubling | None:
        """The passes of all players that abandoned the hand; None unless all are on record."""
        passes = self.auction.passes.values() if self.auction.all_passed else ()
        seqs = tuple(recorded.seq for recorded in passes)
        return Doubling("all_passed", seqs) if seqs else None

    def marks_if_abandoned(self) -> Doubling | None:
        """Return the kind of an abandoned hand as recorded, with its event.

        Without a recorded kind they are the passes of all players, or None.
        """
        if self.abandoned is None or self.abandoned.event.kind is None:
            return self.passes
        return Doubling(self.abandoned.event.kind, (self.abandoned.seq,))

    @property
    def waits(self) -> Waiting:
        """The doublings that waited for this hand."""
        return waiting_doublings(self.standing)

    @property
    def abandonment_kind_matters(self) -> bool:
        """Whether the next hand can be doubled, or the options define a weak hand."""
        options = self.table.options
        return bool(options["next_double"] or options["four_twos"]) or (
            options["redeal_max_points"] not in ("none", 0)
        )

    @property
    def times(self) -> int:
        """The factor by which the waiting doublings multiply the payments: 1, 2, 4 and so on."""
        return int(2 ** len(self.waits.doublings))

    def stakes(self) -> Text | None:
        """Return a text with the factor by which the hand is multiplied; None if it is 1."""
        times = self.times
        return Text("This hand pays {times} times as much", times=times) if times > 1 else None

    def can_hold_four_twos(self, player: str) -> bool:
        """Return whether the cards that a player showed allow that they held all four 2s."""
        others = [card for card in self._cards_shown_by(player) if card.rank != "2"]
        return len(others) <= self.tricks.total - len(self.table.pack.suits)

    def _cards_shown_by(self, player: str) -> set[Card]:
        """Return all cards that a player showed."""
        return {card for shown in self.shown if shown.player == player for card in shown.cards}

    def may_ask_redeal(self, player: str) -> bool:
        """Return whether the cards that a player showed allow them to ask for a new deal.

        The options decide: at most so many card points, or all four 2s. Cards not shown may be
        any.
        """
        options = self.table.options
        if options["four_twos"] and self.can_hold_four_twos(player):
            return True
        most = options["redeal_max_points"]
        if most == "none":
            return "weak_hand" in options["next_double"]
        return sum(POINTS[card] for card in self._cards_shown_by(player)) <= int(most)

    @property
    def first_leader(self) -> str | None:
        """Eldest or the bidder, by the option ``first_lead``; None for an unknown bidder."""
        if self.table.options["first_lead"] == "bidder":
            return self.bidder
        return super().first_leader

    @cached_property
    def solo(self) -> bool:
        """Whether the bid is to play alone and without trumps, so that no card is called."""
        return self.bid is not None and is_solo(self.bid.event.bid)

    @property
    def blind(self) -> bool:
        """Whether the card is called after the first trick."""
        return False

    @property
    def first_trick_over(self) -> bool:
        """Whether all cards of the first trick are on record, or another trick has begun."""
        first = self.tricks.numbered.get(1)
        return (first is not None and self.tricks.is_full(first)) or self.tricks.due > 1

    @property
    def can_be_alone(self) -> bool:
        """Whether the bidder may hold a card that the rules allow them to call."""
        return True

    # ----------------------------------------------------------------------- the contract

    def figure(self, bid: Bid) -> str | int:
        """Return a bid as reports have it: a rank, a number of points, or ``carichi 85``."""
        return bid_figure(bid)

    def bid_words(self, bid: Bid) -> Word | Text:
        """Return a bid as a fact of a sentence."""
        return bid_words(bid)

    @property
    def need(self) -> int | None:
        """The card points that the bidder's party needs; None without a bid."""
        bid = self.bid
        return None if bid is None else self.target(bid.event.bid)

    def trumps(self) -> tuple[Suit, ...]:
        """Return the trump suit; empty while it is not known."""
        return (self.trump,) if self.trump else ()

    @cached_property
    def trump(self) -> Suit | None:
        """The suit of the called card; None if no call is on record."""
        return self.called.suit if self.called else None

    # ------------------------------------------------------------------------- the tricks

    def decided(self, trick: Trick) -> bool:
        """Return whether the cards of a trick decide its winner.

        Without a called card trumps are unknown: then only a trick of a single suit is decided.
        If the card is called after the first trick, no trick is decided before the call.
        """
        if self.trump is not None or self.solo:
            return True
        return not self.blind and len({play.card.suit for play in trick.plays}) == 1

    def strength(self, trick: Trick) -> Mapping[Card, int]:
        """Return the strength of each card that can win this trick, by the suit led and trumps."""
        led = trick.plays[0].card.suit or ""
        return strengths(led, self.trump, self.table.options["pack"])


FOLD: Final[Fold] = {
    **COMMON_FOLD,
    CardCalled: card_called,
    PartnerRevealed: append_to("reveals"),
}
