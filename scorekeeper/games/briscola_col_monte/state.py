"""The record of a hand of Briscola col Monte: the named card, the monte and the lay-away."""

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from scorekeeper.base.cached import cached_property
from scorekeeper.base.errors import Cause, UnusableError, expected
from scorekeeper.cards.packs import Card, Suit
from scorekeeper.families.briscola import ALL_POINTS
from scorekeeper.families.called_card.carichi import (
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
from scorekeeper.families.contracts.state import Partner, card_called
from scorekeeper.games.briscola_col_monte.events import (
    BidMade,
    CalledCardShown,
    CardCalled,
    CardsLaidAway,
    MonteTaken,
)
from scorekeeper.games.briscola_col_monte.rules import hand_size
from scorekeeper.play.deal import RecordedEvent
from scorekeeper.play.folding import Fold, Refusals, append_to
from scorekeeper.play.table import Table

AWAY: Final = ""  # the holder of the cards that were laid away


class Showing(NamedTuple):
    """A showing of the named card; ``late`` if a card or trick was on record before it (M5)."""

    seq: int
    player: str
    late: bool


class MonteDeal(CallingDeal):
    """The record of one hand of Briscola col Monte."""

    def __init__(self, table: Table) -> None:
        """Create the empty record of a hand, whose size depends on the players (M1)."""
        self.size = hand_size(table.options, len(table.players))
        super().__init__(table, self.size.tricks)
        self.montes: list[RecordedEvent] = []
        self.lay_aways: list[RecordedEvent] = []
        self.showings: list[Showing] = []
        self.suits: list[RecordedEvent] = []  # trump named, before the card
        self.early: set[int] = set()  # the seqs of calls before the monte

    def worth(self, bid: Bid) -> int:
        """Return the height of a bid: its points (M2)."""
        return bid if isinstance(bid, int) else carichi_height(bid)

    @property
    def ladder(self) -> tuple[Bid, ...]:
        """The possible bids, the lowest first (M2)."""
        options = self.table.options
        points = range(options["min_bid"], options["max_bid"] + 1)
        return (*points, *carichi_bids(options))

    def can_be(self, field: str, value: Any) -> bool:
        """Return whether the options allow this value of a field: only bids can be excluded."""
        if field != "bid" or value == PASS:
            return True
        options = self.table.options
        if is_solo(value):
            return is_allowed_carichi(value, options)
        return bool(options["min_bid"] <= value <= options["max_bid"])

    def target(self, bid: Bid) -> int:
        """Return the points needed: those bid, or 61 for carichi without a number (M7)."""
        return bid if isinstance(bid, int) else carichi_points_needed(bid)

    @property
    def bidding(self) -> bool:
        """Whether the record has no event that comes after the auction."""
        later = (self.suits, self.montes, self.lay_aways, self.showings)
        return super().bidding and not any(later)

    @property
    def suit_named(self) -> RecordedEvent | None:
        """The bidder's first naming of trump before the card; None without one (M3)."""
        return next((call for call in self.suits if self.bidder in (None, call.player)), None)

    @cached_property
    def trump(self) -> Suit | None:
        """The suit of the named card; before that, the suit that was named (M3).

        None without either, and after a bid to play without trumps.
        """
        if self.called is not None or self.solo:
            return self.called.suit if self.called else None
        return Suit(self.suit_named.event.suit) if self.suit_named else None

    @property
    def calls_first(self) -> bool:
        """Whether the card is named before the monte is taken (M3)."""
        return bool(self.table.options["call_time"] == "before")

    # -------------------------------------------------------------------------- the partner

    @property
    def showing(self) -> Showing | None:
        """The valid showing: the bidder's first, before the first lead; None without one (M5)."""
        bidder = self.bidder
        return next((s for s in self.showings if s.player == bidder and not s.late), None)

    @property
    def called_card_revealed(self) -> bool:
        """Whether the table has seen the named card: played, shown, or shown by the bidder."""
        return self.showing is not None or super().called_card_revealed

    @property
    def neighbour(self) -> str | None:
        """The player at the bidder's right; None without a bidder (M5)."""
        return self.table.after(self.bidder) if self.bidder else None

    def partners_with(self, holder: str) -> Collection[str]:
        """Return the possible partners: the holder, or a bidder's neighbour by the options (M5).

        The bidder is alone if it was laid away. Other tables have other partners then, by the
        option ``called_in_hand``.
        """
        bidder, neighbour = self.bidder, self.neighbour
        if bidder is None or neighbour is None or holder not in (bidder, AWAY):
            return (holder,)
        rule = self.table.options["called_in_hand"]
        if rule == "choice":
            return (bidder, neighbour) if holder == bidder else (bidder,)
        return {"alone": (bidder,), "right": (neighbour,)}.get(rule, self.table.players)

    def find_partner(self) -> Partner | None:
        """Return the partner; None if the record does not show it (M3, M5).

        It is another who played the named card, else the neighbour of a bidder who showed it, else
        the bidder, if they played it or laid it away, else the revealed player.
        """
        if self.bid is not None and self.solo:
            return super().find_partner()
        bidder, fell = self.bidder, self.fell
        called = (self.call.seq,) if self.call else ()
        if bidder is None:
            return None
        if fell is not None and fell.player != bidder:
            return Partner(fell.player, (*called, fell.seq))
        if self.table.options["called_in_hand"] != "choice":
            return self._partner_by_option(bidder, called)
        return self._partner_by_choice(bidder, called)

    def _partner_by_choice(self, bidder: str, called: tuple[int, ...]) -> Partner | None:
        """Return the partner if a bidder may show, or hide, that they hold the named card (M5).

        ``called`` is the seq of the call, as proof. None if the record does not show the partner.
        """
        fell, showing = self.fell, self.showing
        if showing is not None:
            return Partner(self.table.after(bidder), (*called, showing.seq))
        if fell is not None:
            return self._revealed_neighbour() or Partner(bidder, (*called, fell.seq))
        if self.called is not None and self.called in (self.laid_away or ()):
            return Partner(bidder, (*called, self.lay_away.seq) if self.lay_away else called)
        return self.revealed

    def _partner_by_option(self, bidder: str, called: tuple[int, ...]) -> Partner | None:
        """Return the partner of a bidder with the named card, by the other options (M5).

        Without proof that the bidder has it, the partner is the revealed one, or None.
        """
        laid = self.called is not None and self.called in (self.laid_away or ())
        shows = [self.showing, self.fell, self.lay_away if laid else None]
        proof = tuple(event.seq for event in shows if event is not None)[:1]
        if not (proof or laid):
            return self.revealed
        rule = self.table.options["called_in_hand"]
        if rule == "any":
            return self.revealed or (
                Partner(bidder, (*called, *proof)) if self.all_tricks else None
            )
        return Partner(bidder if rule == "alone" else self.table.after(bidder), (*called, *proof))

    def _revealed_neighbour(self) -> Partner | None:
        """Return the neighbour, if revealed as partner of a bidder with the named card (M5).

        That card must have been shown then, and no record says that it was shown too late. None
        otherwise.
        """
        if any(showing.player == self.bidder for showing in self.showings):
            return None
        revealed = self.revealed
        return revealed if revealed and revealed.player == self.neighbour else None

    # ------------------------------------------------------------------- the cards laid away

    @property
    def monte(self) -> RecordedEvent | None:
        """The valid event of taking the monte; None without one (M3)."""
        return self._valid_act(self.montes)

    @property
    def lay_away(self) -> RecordedEvent | None:
        """The valid event of laying cards away; None without one (M3)."""
        return self._valid_act(self.lay_aways)

    def _valid_act(self, acts: list[RecordedEvent]) -> RecordedEvent | None:
        """Return the bidder's first act with its cards, else the first act; None without one.

        ``acts`` are takings of the monte, or lay-aways.
        """
        bidder = self.bidder
        own = [act for act in acts if bidder in (None, act.event.player)]
        return next((act for act in own if act.event.cards is not None), own[0] if own else None)

    @cached_property
    def never_played(self) -> tuple[Card, ...] | None:
        """The cards that are in no trick; None unless all tricks have their cards (M4)."""
        played = {play.card for trick in self.tricks for play in trick.plays}
        if len(played) != self.tricks.total * self.tricks.players:
            return None
        return tuple(card for card in self.table.pack.cards if card not in played)

    @property
    def laid_away(self) -> tuple[Card, ...] | None:
        """The cards laid away: those in no trick, else as recorded; None if neither is known."""
        if self.never_played is not None:
            return self.never_played
        cards: tuple[Card, ...] | None = self.lay_away.event.cards if self.lay_away else None
        return cards

    def points_by_player(self) -> dict[str, int] | None:
        """Return card points by player; the winner of the last trick gets the lay-away (M4).

        None unless all points are known.
        """
        points = super().points_by_player()
        if points is not None:
            points[self.won[-1].player] += ALL_POINTS - sum(points.values())
        return points


def record_call(deal: MonteDeal, seq: int, event: CardCalled) -> None:
    """Record a named card, and whether it came before the monte; or trump named before it."""
    if event.card is None:
        deal.suits.append(RecordedEvent(seq, event))
        return
    if not (deal.montes or deal.lay_aways):
        deal.early.add(seq)
    card_called(deal, seq, event)


def called_card_shown(deal: MonteDeal, seq: int, event: CalledCardShown) -> None:
    """Record that the named card was shown, and whether the play had begun."""
    begun = bool(deal.tricks.numbered)
    deal.showings.append(Showing(seq, event.player, begun))


def refuse_bid(deal: MonteDeal, event: BidMade) -> None:
    """Raise `UnusableError` for a bid beyond a limit (M2)."""
    if not deal.can_be("bid", event.bid):
        raise UnusableError(no_such_bid(event.bid, deal.ladder), field="data.bid")


def refuse_call(deal: MonteDeal, event: CardCalled) -> None:
    """Raise `UnusableError` for a call that this table does not have (M3).

    A card must be named, or only its suit if the suit is named before the card.
    """
    if event.suit is None:
        if event.card is None:
            raise UnusableError(Cause("missing, expected a card", "missing"), field="data.card")
        return
    if event.card is not None or deal.table.options["call_time"] != "suit_then_card":
        cause = expected("a card, and no suit beside it", event.suit, "no_suit_here")
        raise UnusableError(cause, field="data.suit")
    suits = deal.table.pack.suits
    if event.suit not in suits:
        words = f"a suit of the pack: {' or '.join(suits)}"
        cause = expected(words, event.suit, "no_such_choice", choices=", ".join(suits))
        raise UnusableError(cause, field="data.suit")


def refuse_monte(deal: MonteDeal, event: MonteTaken | CardsLaidAway) -> None:
    """Raise `UnusableError` for a monte or a lay-away in a deal without a monte (M1)."""
    if not deal.size.monte:
        words = "there is no monte at this table"
        raise UnusableError(Cause(words, "no_monte"), field="data.player")


REFUSE: Final[Refusals] = {
    BidMade: refuse_bid,
    CardCalled: refuse_call,
    MonteTaken: refuse_monte,
    CardsLaidAway: refuse_monte,
}

FOLD: Final[Fold] = {
    **CALLING_FOLD,
    BidMade: append_to("bids"),
    CardCalled: record_call,
    MonteTaken: append_to("montes"),
    CardsLaidAway: append_to("lay_aways"),
    CalledCardShown: called_card_shown,
}
