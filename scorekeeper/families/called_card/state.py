"""A hand with an auction and a called card as recorded: the contract and the two parties."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from scorekeeper.base.cached import cached_property
from scorekeeper.cards.packs import Card, Suit
from scorekeeper.cards.tricks import Play, Trick
from scorekeeper.families.briscola import ALL_POINTS, POINTS, strengths
from scorekeeper.families.called_card.auction import Auction
from scorekeeper.families.called_card.carichi import carichi_bids, in_figures, is_solo
from scorekeeper.families.called_card.course import Doubling, Waiting, waiting
from scorekeeper.families.called_card.events import CardCalled, PartnerRevealed
from scorekeeper.play.deal import Contract, Deal, RecordedEvent, card_points
from scorekeeper.play.folding import FOLD as COMMON_FOLD
from scorekeeper.play.folding import Fold, append_to
from scorekeeper.play.scoring import Text
from scorekeeper.play.table import Table

BIDDER: Final = "bidder"
DEFENDERS: Final = "defenders"


class Partner(NamedTuple):
    """Who plays with the bidder, himself where he is alone, and what proves it."""

    player: str
    events: tuple[int, ...]


class Call(NamedTuple):
    """A card called when a given number of cards had been played."""

    seq: int
    event: Any
    after: int

    @property
    def player(self) -> str:
        """Who called it."""
        who: str = self.event.player
        return who


class CallingDeal(Deal):
    """What is on record of a hand with an auction and a called card."""

    TOTALS: ClassVar = (ALL_POINTS,)

    def __init__(self, table: Table, tricks: int) -> None:
        super().__init__(table, tricks)
        self.bids: list[RecordedEvent] = []
        self.calls: list[Call] = []
        self.reveals: list[RecordedEvent] = []
        self._auction = Auction(
            table.players, self.worth, self.last_bid,
            final=self.passes_are_final, least=self.least_of_the_last, too_early=self.too_early,
        )  # fmt: skip

    # -------------------------------------------------------------- what the game must say

    def worth(self, bid: Any) -> int:
        """How high a bid is."""
        raise NotImplementedError

    def target(self, bid: Any) -> int:
        """The card points that the bidder's party needs."""
        raise NotImplementedError

    @property
    def last_bid(self) -> int:
        """How high the bid is that ends the auction."""
        above = carichi_bids(self.table.options)
        return self.worth(above[-1]) if above else int(self.table.options["max_bid"])

    def too_early(self, bid: Any, standing: Sequence[RecordedEvent]) -> bool:
        """Whether a bid cannot be made yet, after those that have effect."""
        return False

    def find_partner(self) -> Partner | None:
        """Who plays with the bidder: who played the called card, else who was revealed."""
        if self.bid is not None and self.solo:
            return Partner(self.bid.player, (self.bid.seq,))
        if self.call is not None and self.fell is not None:
            return Partner(self.fell.player, (self.call.seq, self.fell.seq))
        return self.revealed

    @property
    def passes(self) -> Doubling | None:
        """The passes by all that abandoned the hand, where they are on record."""
        passes = self.auction.passes.values() if self.auction.all_passed else ()
        return Doubling("all_passed", tuple(one.seq for one in passes)) if passes else None

    def marks_if_abandoned(self) -> Doubling | None:
        """What kind of hand was abandoned, as it was said, or as all passed."""
        if self.abandoned is None or self.abandoned.event.kind is None:
            return self.passes
        return Doubling(self.abandoned.event.kind, (self.abandoned.seq,))

    @property
    def waits(self) -> Waiting:
        """The doublings that waited for this hand."""
        return waiting(self.standing)

    @property
    def abandonment_kind_matters(self) -> bool:
        """Where the next hand can be doubled, or where tables differ on what is a weak hand."""
        options = self.table.options
        return bool(options["next_double"] or options["four_twos"]) or (
            options["redeal_max_points"] not in ("none", 0)
        )

    @property
    def times(self) -> int:
        return int(2 ** len(self.waits.doublings))

    def stakes(self) -> Text | None:
        times = self.times
        return Text("This hand pays {times} times as much", times=times) if times > 1 else None

    def can_hold_four_twos(self, player: str) -> bool:
        """Whether a player can have been dealt the four 2s, by the cards that he showed."""
        shown = {card for one in self.shown if one.player == player for card in one.cards}
        others = [card for card in shown if card.rank != "2"]
        return len(others) <= self.tricks.total - len(self.table.pack.suits)

    def may_ask_anew(self, player: str) -> bool:
        """Whether a player may have asked for a new deal, by the cards that he showed."""
        options = self.table.options
        if options["four_twos"] and self.can_hold_four_twos(player):
            return True
        most = options["redeal_max_points"]
        if most == "none":
            return "weak_hand" in options["next_double"]
        shown = {card for one in self.shown if one.player == player for card in one.cards}
        return sum(POINTS[card] for card in shown) <= int(most)

    def partners_with(self, holder: str) -> Collection[str]:
        """Who may be the partner where ``holder`` held the called card."""
        return (holder,)

    @property
    def first_leader(self) -> str | None:
        """Eldest or the bidder, by the option ``first_lead``."""
        if self.table.options["first_lead"] == "bidder":
            return self.bidder
        return super().first_leader

    @property
    def passes_are_final(self) -> bool:
        """Whether who passed is out of the auction for good."""
        return True

    @property
    def least_of_the_last(self) -> int | None:
        """What the last must bid if all others have passed; None where he may pass, too."""
        return None

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
    def may_be_alone(self) -> bool:
        """Whether the rules allow the bidder to play alone."""
        return True

    # ----------------------------------------------------------------------- the contract

    @cached_property
    def auction(self) -> Auction:
        """The auction as far as it is on record."""
        return self._auction.heard(self.bids)

    @property
    def bidding(self) -> bool:
        """Whether nothing that comes after the auction is on record."""
        later = (self.calls, self.reveals, self.tricks.numbered, self.rest, self.counts,
                 self.outcomes)  # fmt: skip
        return not any(later)

    @cached_property
    def bid(self) -> RecordedEvent | None:
        """The highest bid that has effect."""
        return self.auction.best

    @property
    def contract(self) -> Contract | None:
        bid, still = self.bid, self.bidding and not self.auction.over
        return bid and Contract(bid.player, in_figures(bid.event.bid), still)

    @property
    def bidder(self) -> str | None:
        """Who made the highest bid that has effect."""
        bid = self.bid
        return None if bid is None else bid.player

    @property
    def need(self) -> int | None:
        """The card points that the bidder's party needs; None without a bid."""
        bid = self.bid
        return None if bid is None else self.target(bid.event.bid)

    @cached_property
    def call(self) -> Call | None:
        """The call that has effect: the bidder's first, or where no bid is on record the first."""
        if self.solo:
            return None
        whose = self.bidder
        return next((one for one in self.calls if whose in (None, one.player)), None)

    @property
    def called(self) -> Card | None:
        """The called card."""
        if self.call is None:
            return None
        card: Card = self.call.event.card
        return card

    @cached_property
    def trump(self) -> Suit | None:
        """The suit of the called card; None where no call is on record."""
        return self.called.suit if self.called else None

    @cached_property
    def fell(self) -> Play | None:
        """The play of the called card, in a trick that the hand has room for.

        None where it is on record twice: then who held it is in doubt.
        """
        called = self.called
        if called not in self.first or called in self.twice:
            return None
        fell = self.first[called]
        return None if any(fell in trick.plays for trick in self.tricks.beyond()) else fell

    @property
    def twice(self) -> frozenset[Card]:
        """The cards that are on record twice, and accuse nobody."""
        return frozenset(play.card for play in self.again)

    @property
    def revealed(self) -> Partner | None:
        """The partner as said at the table; the last word stands."""
        if not self.reveals or self.partner_face_down:
            return None
        return Partner(self.reveals[-1].player, (self.reveals[-1].seq,))

    @property
    def partner_face_down(self) -> bool:
        """Whether it is on record who the partner is, and the table does not know it yet."""
        return bool(self.reveals) and self.reveals[-1].event.player is None

    @property
    def called_card_seen(self) -> bool:
        """Whether the table has seen the called card, and so its holder: played, or shown."""
        called = self.called
        return called in self.first or any(called in shown.cards for shown in self.shown)

    def face_down(self, kind: str) -> bool:
        """Who the partner is lies face down until the called card is seen."""
        seen = kind == PartnerRevealed.TYPE and self.called_card_seen
        return not seen and super().face_down(kind)

    @cached_property
    def partner(self) -> Partner | None:
        """Who plays with the bidder, as soon as the record says so."""
        return self.find_partner()

    # ------------------------------------------------------------------------- the tricks

    def decided(self, trick: Trick) -> bool:
        """Without a called card the trump is unknown, and says nothing only in a single suit.

        Where it is named after the first trick, no trick belongs to anybody before that.
        """
        if self.trump is not None or self.solo:
            return True
        return not self.blind and len({play.card.suit for play in trick.plays}) == 1

    def strength(self, trick: Trick) -> Mapping[Card, int]:
        led = trick.plays[0].card.suit or ""
        return strengths(led, self.trump, self.table.options["pack"])

    def counted_sides(self) -> tuple[str, ...]:
        return (BIDDER, DEFENDERS)

    def counted_side(self, player: str) -> str | None:
        bidder, partner = self.bidder, self.partner
        if bidder is None or player == bidder:
            return BIDDER if bidder else None
        if partner is None:
            return None
        return BIDDER if player == partner.player else DEFENDERS

    def points_by_player(self) -> dict[str, int] | None:
        """Card points by player, where all are on record and no card is there twice."""
        if self.again:
            return None
        return card_points(self, POINTS, ALL_POINTS, self.table.players)

    def points_made(self) -> dict[str, int] | None:
        points = self.points_by_player()
        if points is None or self.bidder is None or self.partner is None:
            return None
        bidders = sum(points[player] for player in {self.bidder, self.partner.player})
        return {BIDDER: bidders, DEFENDERS: ALL_POINTS - bidders}

    def points_at_least(self) -> dict[str, int]:
        """What the cards on record make for each party; all, where it has all the tricks."""
        points = dict.fromkeys(self.counted_sides(), 0)
        if self.again:
            return points
        for won in self.won:
            side = self.counted_side(won.player)
            if side is not None and won.trick is not None and won.full:
                points[side] += sum(POINTS[play.card] for play in won.trick.plays)
        party = who_took_all(self, self.tricks_made())
        return points if party is None else {**points, party: ALL_POINTS}

    def contract_made(self) -> bool | None:
        need, taken = self.need, self.taken()
        if need is None:
            return None
        if taken is not None:
            return taken.points[BIDDER] >= need
        sure = self.points_at_least()
        if sure[BIDDER] >= need:
            return True
        return False if sure[DEFENDERS] > ALL_POINTS - need else None


def who_took_all(deal: CallingDeal, tricks: Mapping[str, int] | None) -> str | None:
    """The party that took all the tricks, where one did."""
    total = deal.tricks.total
    return next((side for side, taken in (tricks or {}).items() if taken == total), None)


def card_called(deal: CallingDeal, seq: int, event: Any) -> None:
    """Note a card that was called, and when."""
    deal.calls.append(Call(seq, event, len(deal.plays)))


FOLD: Final[Fold] = {
    **COMMON_FOLD,
    CardCalled: card_called,
    PartnerRevealed: append_to("reveals"),
}
