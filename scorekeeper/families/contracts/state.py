"""The record of a hand that a bidder plays for a contract: the contract and the two parties."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple
from weakref import proxy

from scorekeeper.base.cached import cached_property
from scorekeeper.cards.packs import Card
from scorekeeper.cards.tricks import Play
from scorekeeper.families.contracts.auction import Auction
from scorekeeper.families.contracts.events import PartnerRevealed
from scorekeeper.play.deal import Contract, Deal, RecordedEvent, card_points
from scorekeeper.play.scoring import Fact
from scorekeeper.play.table import Table

BIDDER: Final = "bidder"
DEFENDERS: Final = "defenders"


class Partner(NamedTuple):
    """The bidder's partner (the bidder if alone), and the events that prove it."""

    player: str
    events: tuple[int, ...]


class Call(NamedTuple):
    """A call of a card that was recorded after ``after`` cards had been played."""

    seq: int
    event: Any
    after: int

    @property
    def player(self) -> str:
        """The player who called; empty if the event does not tell, so that it is the bidder."""
        player: str = getattr(self.event, "player", "")
        return player


class ContractDeal(Deal):
    """The record of a hand that a bidder plays for a contract against the rest.

    The bidder's party is the bidder and the partner, the defenders are all others. A game appends
    events with a ``player`` and a ``bid`` to ``bids``, events with a ``card`` to ``calls``
    (`card_called`), and events with the partner as ``player`` to ``reveals``. It says how many
    points the contract needs (``need``) and, if they are the sum of the cards that a party took,
    what the cards are worth (``CARD_POINTS``).
    """

    CARD_POINTS: ClassVar[Mapping[Card, int]] = {}  # in the unit of the counts; empty for none

    def __init__(self, table: Table, tricks: int) -> None:
        """Create the empty record of a hand of ``tricks`` tricks."""
        super().__init__(table, tricks)
        self.bids: list[RecordedEvent] = []
        self.calls: list[Call] = []
        self.reveals: list[RecordedEvent] = []

    # ------------------------------------------------------------- overridden by the games

    @property
    def need(self) -> int | None:
        """The points that the bidder's party needs; None while they are not known."""
        return None

    @property
    def solo(self) -> bool:
        """Whether the bidder plays alone in any case, so that no card is called."""
        return False

    def find_partner(self) -> Partner | None:
        """Return the partner: the player of the called card, else the last one revealed.

        It is the bidder of a hand to play alone, and if all cards are on record but the called
        one, which was laid aside then. None if the partner is not on record.
        """
        bid, call, fell = self.bid, self.call, self.fell
        if bid is not None and self.solo:
            return Partner(bid.player, (bid.seq,))
        if call is not None and fell is not None:
            return Partner(fell.player, (call.seq, fell.seq))
        if bid is not None and call is not None and self.called_lies_aside:
            return Partner(bid.player, (call.seq,))
        return self.revealed

    @property
    def called_lies_aside(self) -> bool:
        """Whether all cards of the play are on record, and the called card is none of them."""
        every_card = self.tricks.total * self.tricks.players  # known without winners of tricks
        return len(self.first) == every_card and not self.again and self.called not in self.first

    def partners_with(self, holder: str) -> Collection[str]:
        """Return the possible partners if ``holder`` held the called card: here the holder."""
        return (holder,)

    # ----------------------------------------------------------------------- the contract

    @property
    def bid(self) -> RecordedEvent | None:
        """The bid that is played: here the last one on record; None without one."""
        return self.bids[-1] if self.bids else None

    @property
    def contract(self) -> Contract | None:
        """The bid that is played, as reports have it; None without one."""
        bid = self.bid
        return bid and Contract(bid.player, self.figure(bid.event.bid), self.may_be_outbid)

    def figure(self, bid: Any) -> str | int:
        """Return a bid as reports have it."""
        figure: str | int = bid
        return figure

    @property
    def may_be_outbid(self) -> bool:
        """Whether a player may still bid more."""
        return False

    @property
    def bidder(self) -> str | None:
        """The player of the bid that is played; None without one."""
        bid = self.bid
        return None if bid is None else bid.player

    @cached_property
    def call(self) -> Call | None:
        """The valid call: the bidder's first, or the first of all if no bid is on record.

        None without one, and if the bidder plays alone in any case.
        """
        if self.solo:
            return None
        bidder = self.bidder
        return next(
            (call for call in self.calls if bidder is None or call.player in ("", bidder)), None
        )

    @property
    def called(self) -> Card | None:
        """The called card; None without a valid call."""
        if self.call is None:
            return None
        card: Card = self.call.event.card
        return card

    # ------------------------------------------------------------------------ the partner

    @property
    def concealer(self) -> str | None:
        """The bidder, who lays cards away; None without a bid."""
        return self.bidder

    def already_shows(self, kind: str) -> bool:
        """Return whether the partner, whom an event of this type would name, is on record."""
        return kind == PartnerRevealed.TYPE and self.partner is not None

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

    # ------------------------------------------------------------------------ the parties

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

    def party_with_all_tricks(self, tricks: Mapping[str, int] | None) -> str | None:
        """Return the party that took all the tricks; None if none did, or ``tricks`` is None."""
        total = self.tricks.total
        return next((side for side, taken in (tricks or {}).items() if taken == total), None)

    def points_by_player(self) -> dict[str, int] | None:
        """Return the card points by player; None unless all are known and no card is repeated."""
        total = self.total()
        if self.again or not self.CARD_POINTS or total is None:
            return None
        return card_points(self, self.CARD_POINTS, total, self.table.players)

    def points_made(self) -> Mapping[str, int] | None:
        """Return the card points of each party from the tricks; None if they do not decide them.

        The bidder and the partner must be known too.
        """
        points, total = self.points_by_player(), self.total()
        if points is None or total is None or self.bidder is None or self.partner is None:
            return None
        bidders = sum(points[player] for player in {self.bidder, self.partner.player})
        return {BIDDER: bidders, DEFENDERS: total - bidders}

    def points_at_least(self) -> Mapping[str, int]:
        """Return the card points that each party has for certain, by complete tricks.

        A party with all the tricks has all points.
        """
        total = self.total()
        points = dict.fromkeys(self.counted_sides(), 0)
        if self.again or not self.CARD_POINTS or total is None:
            return points
        for won in self.won:
            side = self.counted_side(won.player)
            if side is not None and won.trick is not None and won.full:
                points[side] += sum([self.CARD_POINTS[play.card] for play in won.trick.plays])
        party = self.party_with_all_tricks(self.tricks_made())
        return points if party is None else {**points, party: total}

    def contract_made(self) -> bool | None:
        """Return whether the contract was made, by tricks or count; None if they do not decide it.

        The points of incomplete tricks decide it as soon as one party has enough.
        """
        need, taken, total = self.need, self.taken(), self.total()
        if need is None:
            return None
        if taken is not None:
            return taken.points[BIDDER] >= need
        sure = self.points_at_least()
        if sure.get(BIDDER, 0) >= need:
            return True
        return False if total is not None and sure.get(DEFENDERS, 0) > total - need else None


class AuctionDeal(ContractDeal):
    """The record of a hand whose bidder is found by an auction in which each bid is higher."""

    def __init__(self, table: Table, tricks: int) -> None:
        """Create the empty record of a hand of ``tricks`` tricks."""
        super().__init__(table, tricks)
        # The deal owns the auction: a strong reference back would be a cycle.
        self._auction = Auction(
            proxy(self), table.players, self.last_bid,
            final=self.passes_are_final, least=self.least_of_the_last,
        )  # fmt: skip

    # ------------------------------------------------------------- overridden by the games

    def worth(self, bid: Any) -> int:
        """Return the height of a bid in the auction; each game defines it."""
        raise NotImplementedError

    @property
    def last_bid(self) -> int:
        """The height of the bid that ends the auction; each game defines it."""
        raise NotImplementedError

    def too_early(self, bid: object, standing: Sequence[RecordedEvent]) -> bool:
        """Return whether a bid is not yet allowed after the valid bids so far."""
        return False

    @property
    def passes_are_final(self) -> bool:
        """Whether a player who passed is out of the auction."""
        return True

    @property
    def least_of_the_last(self) -> int | None:
        """The lowest bid of the last player if all others passed; None if that player may pass."""
        return None

    def bid_words(self, bid: Any) -> Fact:
        """Return a bid as a fact of a sentence."""
        return self.figure(bid)

    # ------------------------------------------------------------------------ the auction

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
    def may_be_outbid(self) -> bool:
        """Whether the auction is not over, and nothing that comes after it is on record."""
        return self.bidding and not self.auction.over


def card_called(deal: ContractDeal, seq: int, event: object) -> None:
    """Record a called card, with the number of cards played before."""
    deal.calls.append(Call(seq, event, len(deal.plays)))
