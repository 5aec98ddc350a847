"""The record of a hand with an auction and a called card: the contract and the two parties."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple
from weakref import proxy

from scorekeeper.base.cached import cached_property
from scorekeeper.cards.packs import Card, Suit
from scorekeeper.cards.tricks import Play, Trick
from scorekeeper.families.briscola import ALL_POINTS, POINTS, strengths
from scorekeeper.families.called_card.auction import Auction
from scorekeeper.families.called_card.carichi import bid_figure, carichi_bids, is_solo
from scorekeeper.families.called_card.course import Doubling, Waiting, waiting_doublings
from scorekeeper.families.called_card.events import CardCalled, PartnerRevealed
from scorekeeper.play.deal import Contract, Deal, RecordedEvent, card_points
from scorekeeper.play.folding import FOLD as COMMON_FOLD
from scorekeeper.play.folding import Fold, append_to
from scorekeeper.play.scoring import Text
from scorekeeper.play.table import Table

BIDDER: Final = "bidder"
DEFENDERS: Final = "defenders"


class Partner(NamedTuple):
    """The bidder's partner (the bidder if alone), and the events that prove it."""

    player: str
    events: tuple[int, ...]


class Call(NamedTuple):
    """A call that was recorded after ``after`` cards had been played."""

    seq: int
    event: Any
    after: int

    @property
    def player(self) -> str:
        """The player who called."""
        player: str = self.event.player
        return player


class CallingDeal(Deal):
    """The record of a hand with an auction and a called card."""

    TOTALS: ClassVar = (ALL_POINTS,)

    def __init__(self, table: Table, tricks: int) -> None:
        """Create the empty record of a hand of ``tricks`` tricks."""
        super().__init__(table, tricks)
        self.bids: list[RecordedEvent] = []
        self.calls: list[Call] = []
        self.reveals: list[RecordedEvent] = []
        # The deal owns the auction: a strong reference back would be a cycle.
        self._auction = Auction(
            proxy(self), table.players, self.last_bid,
            final=self.passes_are_final, least=self.least_of_the_last,
        )  # fmt: skip

    # ------------------------------------------------------------- overridden by the games

    def worth(self, bid: Any) -> int:
        """Return the height of a bid in the auction; each game defines it."""
        raise NotImplementedError

    def target(self, bid: Any) -> int:
        """Return the card points that a bid needs to be made; each game defines it."""
        raise NotImplementedError

    @property
    def last_bid(self) -> int:
        """The height of the bid that ends the auction."""
        above = carichi_bids(self.table.options)
        return self.worth(above[-1]) if above else int(self.table.options["max_bid"])

    def too_early(self, bid: object, standing: Sequence[RecordedEvent]) -> bool:
        """Return whether a bid is not yet allowed after the valid bids so far."""
        return False

    def find_partner(self) -> Partner | None:
        """Return the partner: the player of the called card, else the last one revealed.

        It is the bidder after a bid to play alone. None if the partner is not on record.
        """
        if self.bid is not None and self.solo:
            return Partner(self.bid.player, (self.bid.seq,))
        if self.call is not None and self.fell is not None:
            return Partner(self.fell.player, (self.call.seq, self.fell.seq))
        return self.revealed

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

    def partners_with(self, holder: str) -> Collection[str]:
        """Return the possible partners if ``holder`` held the called card: here the holder."""
        return (holder,)

    @property
    def first_leader(self) -> str | None:
        """Eldest or the bidder, by the option ``first_lead``; None for an unknown bidder."""
        if self.table.options["first_lead"] == "bidder":
            return self.bidder
        return super().first_leader

    @property
    def passes_are_final(self) -> bool:
        """Whether a player who passed is out of the auction."""
        return True

    @property
    def least_of_the_last(self) -> int | None:
        """The lowest bid of the last player if all others passed; None if that player may pass."""
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
    def can_be_alone(self) -> bool:
        """Whether the bidder may hold a card that the rules allow them to call."""
        return True

    # ----------------------------------------------------------------------- the contract

    @cached_property
    def auction(self) -> Auction:
        """The recorded auction."""
        return self._auction.update(self.bids)

    @property
    def bidding(self) -> bool:
        """Whether the record has no event that comes after the auction."""
        later = (self.calls, self.reveals, self.tricks.numbered, self.rest, self.counts,
                 self.outcomes)  # fmt: skip
        return not any(later)

    @cached_property
    def bid(self) -> RecordedEvent | None:
        """The highest valid bid; None without one."""
        return self.auction.best

    @property
    def contract(self) -> Contract | None:
        """The highest valid bid; it is ``open`` until the auction is over. None without a bid."""
        bid, still = self.bid, self.bidding and not self.auction.over
        return bid and Contract(bid.player, bid_figure(bid.event.bid), still)

    @property
    def bidder(self) -> str | None:
        """The player of the highest valid bid; None without one."""
        bid = self.bid
        return None if bid is None else bid.player

    @property
    def need(self) -> int | None:
        """The card points that the bidder's party needs; None without a bid."""
        bid = self.bid
        return None if bid is None else self.target(bid.event.bid)

    @cached_property
    def call(self) -> Call | None:
        """The valid call: the bidder's first, or the first of all if no bid is on record.

        None without one, and after a bid to play alone.
        """
        if self.solo:
            return None
        bidder = self.bidder
        return next((call for call in self.calls if bidder in (None, call.player)), None)

    @property
    def called(self) -> Card | None:
        """The called card; None without a valid call."""
        if self.call is None:
            return None
        card: Card = self.call.event.card
        return card

    def trumps(self) -> tuple[Suit, ...]:
        """Return the trump suit; empty while it is not known."""
        return (self.trump,) if self.trump else ()

    @property
    def concealer(self) -> str | None:
        """The bidder, who lays cards away; None without a bid."""
        return self.bidder

    def already_shows(self, kind: str) -> bool:
        """Return whether the partner, whom an event of this type would name, is on record."""
        return kind == PartnerRevealed.TYPE and self.partner is not None

    @cached_property
    def trump(self) -> Suit | None:
        """The suit of the called card; None if no call is on record."""
        return self.called.suit if self.called else None

    @cached_property
    def fell(self) -> Play | None:
        """The play of the called card, in a trick within the number of the hand.

        None if the card is on record twice, because its holder is in doubt then.
        """
        called = self.called
        if called not in self.first or called in self.twice:
            return None
        fell = self.first[called]
        return None if any(fell in trick.plays for trick in self.tricks.beyond()) else fell

    @property
    def twice(self) -> frozenset[Card]:
        """The cards that are on record twice; they prove nothing."""
        return frozenset(play.card for play in self.again)

    @property
    def revealed(self) -> Partner | None:
        """The partner by the last event that reveals one.

        None without one, or if the partner is still face down.
        """
        if not self.reveals or self.partner_face_down:
            return None
        return Partner(self.reveals[-1].player, (self.reveals[-1].seq,))

    @property
    def partner_face_down(self) -> bool:
        """Whether the partner is on record but still hidden from the table."""
        return bool(self.reveals) and self.reveals[-1].event.player is None

    @property
    def called_card_revealed(self) -> bool:
        """Whether the called card was played or shown, which reveals its holder."""
        called = self.called
        return called in self.first or any(called in shown.cards for shown in self.shown)

    def face_down(self, kind: str) -> bool:
        """Return whether hidden fields are face down; the partner is, until the card is seen."""
        seen = kind == PartnerRevealed.TYPE and self.called_card_revealed
        return not seen and super().face_down(kind)

    @cached_property
    def partner(self) -> Partner | None:
        """The bidder's partner (see :meth:`find_partner`); None until the record shows it."""
        return self.find_partner()

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

    def counted_sides(self) -> tuple[str, ...]:
        """Return the two parties of a count: the bidder's party and the defenders."""
        return (BIDDER, DEFENDERS)

    def counted_side(self, player: str) -> str | None:
        """Return the party of a player; None while it is not known."""
        bidder, partner = self.bidder, self.partner
        if bidder is None or player == bidder:
            return BIDDER if bidder else None
        if partner is None:
            return None
        return BIDDER if player == partner.player else DEFENDERS

    def points_by_player(self) -> dict[str, int] | None:
        """Return the card points by player; None unless all are known and no card is repeated."""
        if self.again:
            return None
        return card_points(self, POINTS, ALL_POINTS, self.table.players)

    def points_made(self) -> dict[str, int] | None:
        """Return the card points of each party from the tricks; None if they do not decide them.

        The bidder and the partner must be known too.
        """
        points = self.points_by_player()
        if points is None or self.bidder is None or self.partner is None:
            return None
        bidders = sum(points[player] for player in {self.bidder, self.partner.player})
        return {BIDDER: bidders, DEFENDERS: ALL_POINTS - bidders}

    def points_at_least(self) -> dict[str, int]:
        """Return the card points that each party has for certain, by complete tricks.

        A party with all the tricks has all points.
        """
        points = dict.fromkeys(self.counted_sides(), 0)
        if self.again:
            return points
        for won in self.won:
            side = self.counted_side(won.player)
            if side is not None and won.trick is not None and won.full:
                points[side] += sum(POINTS[play.card] for play in won.trick.plays)
        party = party_with_all_tricks(self, self.tricks_made())
        return points if party is None else {**points, party: ALL_POINTS}

    def contract_made(self) -> bool | None:
        """Return whether the contract was made, by tricks or count; None if they do not decide it.

        The points of incomplete tricks decide it as soon as one party has enough.
        """
        need, taken = self.need, self.taken()
        if need is None:
            return None
        if taken is not None:
            return taken.points[BIDDER] >= need
        sure = self.points_at_least()
        if sure[BIDDER] >= need:
            return True
        return False if sure[DEFENDERS] > ALL_POINTS - need else None


def party_with_all_tricks(deal: CallingDeal, tricks: Mapping[str, int] | None) -> str | None:
    """Return the party that took all the tricks; None if none did, or ``tricks`` is None."""
    total = deal.tricks.total
    return next((side for side, taken in (tricks or {}).items() if taken == total), None)


def card_called(deal: CallingDeal, seq: int, event: object) -> None:
    """Record a called card, with the number of cards played before."""
    deal.calls.append(Call(seq, event, len(deal.plays)))


FOLD: Final[Fold] = {
    **COMMON_FOLD,
    CardCalled: card_called,
    PartnerRevealed: append_to("reveals"),
}
