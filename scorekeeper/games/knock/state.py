"""The record of a hand of Knock!: the cards won, the lay-away, the payment for the Fool."""

from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import combinations
from typing import ClassVar, Final, NamedTuple

from scorekeeper.base.cached import cached_property
from scorekeeper.cards.packs import FOOL, Card, Suit
from scorekeeper.cards.tricks import Trick
from scorekeeper.events.playing import CardsShown
from scorekeeper.games.knock.events import CardsLaidAway, FoolPaid, FoolSurrendered, SignalMade
from scorekeeper.games.knock.rules import (
    EMPTY,
    HAND_POINTS,
    HONOUR_POINTS,
    LAID_AWAY,
    PACK,
    STRENGTH,
    TRICK_POINTS,
    TRICKS,
    VALUE,
    may_be_laid_away,
)
from scorekeeper.play.counts import Count
from scorekeeper.play.deal import Deal, RecordedEvent, ShownCards
from scorekeeper.play.folding import FOLD as COMMON_FOLD
from scorekeeper.play.folding import Fold, append_to
from scorekeeper.play.folding import cards_shown as record_shown
from scorekeeper.play.table import Table


class RecordedSignal(NamedTuple):
    """A recorded gesture, made after ``after`` cards had been played."""

    seq: int
    event: SignalMade
    after: int

    @property
    def player(self) -> str:
        """The player who made it."""
        return self.event.player


class FoolDebt(Enum):
    """The payment that a side owes for the Fool (K7, K8), and the reason."""

    CARD = "a side that has taken a trick keeps the Fool, and pays a card"
    FOOL = "a side that has taken no trick gives up the Fool itself"
    LAID_AWAY = "the Fool was laid away"
    NOT_PLAYED = "the other side played the Fool"
    OWN_TRICK = "the Fool's trick was won by its own side"


class TrickReckoning(NamedTuple):
    """The points of a hand as its tricks make them.

    ``cards`` are the card points by side, after the payment for the Fool. ``payer`` is the side
    that paid for it, with a card of ``paid`` points. ``agreed`` is a count that agrees, if any.
    """

    cards: Mapping[str, int]
    tricks: Mapping[str, int]
    payer: str | None
    paid: int
    agreed: Count | None

    @property
    def points(self) -> dict[str, int]:
        """The points by side, 100 in all (K9)."""
        return {side: n + TRICK_POINTS * self.tricks[side] for side, n in self.cards.items()}


class KnockDeal(Deal):
    """The record of one hand of Knock!."""

    TOTALS: ClassVar = (HAND_POINTS,)

    def __init__(self, table: Table) -> None:
        """Create the empty record of a hand."""
        super().__init__(table, TRICKS)
        self.lay_aways: list[RecordedEvent] = []
        self.signals: list[RecordedSignal] = []
        self.payments: list[RecordedEvent] = []
        self.surrenders: list[RecordedEvent] = []
        self.of_fifteen: set[int] = set()  # seqs of cards that the dealer showed before laying away

    # ------------------------------------------------------------------------- the tricks

    def strength(self, trick: Trick) -> Mapping[Card, int]:
        """Return the strength of each card that can win this trick, by the suit led (K5, K6)."""
        return STRENGTH[trick.led_suit or Suit.T]  # after a led Fool the next suit (K6)

    def other_side(self, side: str) -> str:
        """Return the other side."""
        return next(other for other in self.table.sides if other != side)

    @cached_property
    def won_cards(self) -> dict[Card, str]:
        """The cards in tricks whose winner is on record, each with the side that won it.

        With the rest claimed, all that is not on record goes with it once it makes the points.
        """
        won_by: dict[Card, str] = {}
        for won in self.won:
            side = self.table.side_of[won.player]
            for play in won.trick.plays if won.trick else ():
                won_by[play.card] = side
        if self.rest is not None and self.points_known and not self.all_cards:
            side = self.table.side_of[self.rest.event.player]
            for card in PACK.cards:
                if card not in self.laid_away:
                    won_by.setdefault(card, side)
        return won_by

    # ----------------------------------------------------------------------- the lay-away

    @property
    def dealers_side(self) -> str:
        """The side that the lay-away counts for (K2)."""
        return self.table.side_of[self.table.dealer]

    @property
    def lay_away(self) -> RecordedEvent | None:
        """The valid lay-away: the dealer's first that names its cards, else the first.

        None without one.
        """
        own = [lay_away for lay_away in self.lay_aways if lay_away.player == self.table.dealer]
        named = (lay_away for lay_away in own if cards_of(lay_away.event))
        return next(named, own[0] if own else None)

    @cached_property
    def laid_away(self) -> tuple[Card, ...]:
        """The known cards of the lay-away: those that it names, without cards that were played.

        Once all tricks have their cards, they are the cards that were not played.
        """
        if self.all_cards:
            played = {play.card for won in self.won if won.trick for play in won.trick.plays}
            return tuple(card for card in PACK.cards if card not in played)
        cards = cards_of(self.lay_away.event) if self.lay_away else ()
        return tuple(card for card in cards if card not in self.first)

    def held(self) -> Sequence[ShownCards]:
        """Return the cards shown, without those that the dealer may have laid away since."""
        known = len(self.laid_away) >= LAID_AWAY
        return [shown for shown in self.shown if known or shown.seq not in self.of_fifteen]

    # --------------------------------------------------------------------------- the Fool

    @property
    def fool_side(self) -> str | None:
        """The side that played the Fool; None if it is not on record."""
        play = self.first.get(FOOL)
        return self.table.side_of[play.player] if play else None

    def owes(self, side: str) -> FoolDebt | None:
        """Return what ``side`` owes for the Fool, or why it owes nothing.

        If the Fool is not on record, it is what the side owes if it played it. None if it is not
        on record whether the side took a trick.
        """
        if FOOL in self.laid_away:
            return FoolDebt.LAID_AWAY
        if self.fool_side not in {None, side}:
            return FoolDebt.NOT_PLAYED
        if self.won_cards.get(FOOL) == side:
            return FoolDebt.OWN_TRICK
        took = self._took_a_trick(side)
        return None if took is None else FoolDebt.CARD if took else FoolDebt.FOOL

    def _took_a_trick(self, side: str) -> bool | None:
        """Return whether a side took a trick, by the tricks or the count; None if unknown."""
        took = self.tricks_at_least()[side] > 0
        if took or self.all_tricks:
            return took
        count = self.count()
        return bool(count.tricks[side]) if count and count.tricks else None

    def cannot_have_won(self, card: Card, side: str) -> bool:
        """Return whether the record proves that a card is in no trick of a side."""
        if card is FOOL or card in self.laid_away:
            return True
        if card in self.won_cards:
            return self.won_cards[card] != side
        return self.all_tricks and all(
            won.full for won in self.won if self.table.side_of[won.player] == side
        )

    @cached_property
    def payment(self) -> RecordedEvent | None:
        """The valid payment for the Fool: a card that a side gives the other one.

        It is the first that is due, or may be due as far as the record shows, of a card that the
        side can have won. None without one.
        """
        for payment in self.payments:
            side = payment.event.side
            due = self.owes(side) in {FoolDebt.CARD, None}
            if due and not self.cannot_have_won(payment.event.card, side):
                return payment
        return None

    def lawful_payments(self, side: str) -> set[int]:
        """Return the possible points of the card that a side has to pay for the Fool (K7).

        They are those of its empty cards, else of all its cards; empty if it has won none.
        """
        worth = {VALUE[card] for card, owner in self.won_cards.items() if owner == side}
        return {points for points in worth if points <= EMPTY} or worth

    # ------------------------------------------------------------------------- the points

    def points_made(self) -> dict[str, int] | None:
        """Return the points of each side from the tricks; None if they do not suffice."""
        return self.reckoning.points if self.reckoning else None

    @cached_property
    def reckoning(self) -> TrickReckoning | None:
        """The points as the tricks on record make them; None if they do not suffice.

        If several payments are possible and none is on record, a count that agrees with one of
        them decides; else the lowest is taken.
        """
        if not self.points_known:
            return None
        first, second = self.table.sides
        cards = self._cards_won()
        tricks = self.tricks_at_least()
        payer = self._payer(tricks)
        sign = 1 if payer == first else -1
        kept = {sign * (HONOUR_POINTS - paid) for paid in self._payable_points(payer)} or {0}
        gain, agreed = sign * max(sign * points for points in kept), None
        possible = {a + b for a in kept for b in self._points_wrongly_in_rest(payer)}
        for count in self.sound_counts():  # of several the last
            difference = count.points[first] - cards[first] - TRICK_POINTS * tricks[first]
            if difference in possible:
                gain, agreed = difference, count
        if gain not in kept:
            payer = None
        cards = {first: cards[first] + gain, second: cards[second] - gain}
        return TrickReckoning(cards, tricks, payer, HONOUR_POINTS - sign * gain, agreed)

    def _cards_won(self) -> dict[str, int]:
        """Return the card points on record by side, before the payment for the Fool.

        The lay-away counts for the dealer's side.
        """
        points = dict.fromkeys(self.table.sides, 0)
        for card, side in self.won_cards.items():
            points[side] += VALUE[card]
        points[self.dealers_side] += sum(VALUE[card] for card in self.laid_away)
        return points

    def _payer(self, tricks: Mapping[str, int]) -> str | None:
        """Return the side that keeps the Fool and pays for it; None if none does.

        All points of the hand must be known.
        """
        side = self.fool_side or (self.payment.event.side if self.payment else None)
        if side is None or self.owes(side) is not FoolDebt.CARD:
            return None
        return side

    def _payable_points(self, payer: str | None) -> set[int]:
        """Return the possible points of the card that the ``payer`` paid; empty without a payer.

        A valid payment on record has its points; an invalid one counts as the lowest possible.
        """
        if payer is None:
            return set()
        if self.payment is not None:
            return {VALUE[self.payment.event.card]}
        lawful = self.lawful_payments(payer)
        named = any(payment.event.side == payer for payment in self.payments)
        return set(sorted(lawful)[:1]) if named else lawful

    def _points_wrongly_in_rest(self, payer: str | None) -> set[int]:
        """Return the points that a claim of the rest may wrongly include, for the first side.

        A lay-away or a Fool of the other side that is not on record goes with the rest. A count
        with these points at the other side is believed.
        """
        if self.rest is None:
            return {0}
        other = self.other_side(self.table.side_of[self.rest.event.player])
        unseen = [c for c in PACK.cards if c not in self.first and c not in self.laid_away]
        away = {0}
        missing = LAID_AWAY - len(self.laid_away)
        if self.dealers_side == other and missing > 0:
            worth = [VALUE[card] for card in unseen if may_be_laid_away(card)]
            away |= {sum(some) for some in combinations(worth, missing)}
        kept = {0}
        if FOOL in unseen and payer is None and self._took_a_trick(other):
            kept |= {HONOUR_POINTS - paid for paid in self.lawful_payments(other)}
        sign = 1 if other == next(iter(self.table.sides)) else -1
        return {sign * (a + b) for a in away for b in kept}

    def points_of_tricks(self, tricks: int) -> range:
        """Return the points that a side with this many tricks can have (K2, K9).

        They are 1 for each trick, and up to 100 with cards or the lay-away.
        """
        return range(tricks, HAND_POINTS + 1)

    def points_at_least(self) -> dict[str, int]:
        """Return the points of each side for certain, whatever the other tricks contained."""
        points = self.tricks_at_least()
        if points[self.dealers_side] == TRICKS:  # and the lay-away: the other side has nothing
            return {**points, self.dealers_side: HAND_POINTS}
        for card, side in self.won_cards.items():
            points[side] += 0 if card is FOOL else VALUE[card]
        if len(self.laid_away) <= LAID_AWAY:
            points[self.dealers_side] += sum(VALUE[card] for card in self.laid_away)
        for side, more in self._fool_at_least().items():
            points[side] += more
        return points

    def _fool_at_least(self) -> dict[str, int]:
        """Return the least points that the Fool brings to each side, after the payment for it.

        A side without any is left out.
        """
        side = self.fool_side
        if side is None or FOOL in self.laid_away:
            return {}
        if self.won_cards.get(FOOL) == side:
            return {side: HONOUR_POINTS}
        if not self.tricks_at_least()[side]:
            return {}
        if self.payment is None:
            empty = min(self.lawful_payments(side), default=HONOUR_POINTS) <= EMPTY
            return {side: HONOUR_POINTS - (EMPTY if empty else HONOUR_POINTS)}
        card = self.payment.event.card
        paid = VALUE[card] if self.won_cards.get(card) == side else 0
        return {side: HONOUR_POINTS - paid, self.other_side(side): paid}


def cards_of(lay_away: CardsLaidAway) -> tuple[Card, ...]:
    """Return the cards that a lay-away names."""
    return tuple(dict.fromkeys((*(lay_away.cards or ()), *(lay_away.trumps_shown or ()))))


def cards_shown(deal: KnockDeal, seq: int, event: CardsShown) -> None:
    """Record cards that a player showed; the dealer may have shown them before laying away."""
    record_shown(deal, seq, event)
    begun = bool(deal.tricks.numbered) or deal.lay_away is not None
    if event.player == deal.table.dealer and not begun:
        deal.of_fifteen.add(seq)


def signal_made(deal: KnockDeal, seq: int, event: SignalMade) -> None:
    """Record a gesture, with the number of cards played before."""
    deal.signals.append(RecordedSignal(seq, event, len(deal.plays)))


FOLD: Final[Fold] = {
    **COMMON_FOLD,
    CardsShown: cards_shown,
    CardsLaidAway: append_to("lay_aways"),
    SignalMade: signal_made,
    FoolPaid: append_to("payments"),
    FoolSurrendered: append_to("surrenders"),
}
