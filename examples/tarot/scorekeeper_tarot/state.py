"""The state of a recorded hand of French Tarot: the taker's side, and what each side took."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from scorekeeper.authoring import (
    BIDDER,
    DEFENDERS,
    FOOL,
    Card,
    ContractDeal,
    Duties,
    Fold,
    RecordedEvent,
    Suit,
    Table,
    Trick,
    append_to,
    cached_property,
    card_called,
)
from scorekeeper.authoring import FOLD as COMMON_FOLD
from scorekeeper_tarot import events, rules

TAKER, DEFENCE = BIDDER, DEFENDERS


class TarotDeal(ContractDeal):
    """The recorded state of one hand of French Tarot."""

    TOTALS = (rules.ALL_HALVES,)
    COUNTED_IN = 2
    duties = Duties(rules.PACK, Suit.T)

    def __init__(self, table: Table) -> None:
        super().__init__(table, rules.TRICKS[len(table.players)])
        self.handfuls: list[RecordedEvent] = []
        self.slams: list[RecordedEvent] = []
        self.bouts_counted: list[RecordedEvent] = []

    @property
    def solo(self) -> bool:
        return len(self.table.players) < rules.PLAYERS_WITH_CALL

    @property
    def need(self) -> int | None:
        return rules.NEEDED[self.bouts[0]] if self.bouts else None

    # ------------------------------------------------------------------------------ the play

    def strength(self, trick: Trick) -> Mapping[Card, int]:
        table = strengths(str(trick.led_suit))
        excuse = next((play for play in trick.plays if play.card is FOOL), None)
        if excuse is None or trick.number < self.tricks.total:
            return table
        before = [other for other in self.tricks if self.tricks.is_full(other)]
        winners = {self.counted_side(self.winner(other).player)
                   for other in before if other.number < trick.number}  # fmt: skip
        slam = winners == {self.counted_side(excuse.player)} and self.partner is not None
        return {**table, FOOL: 200} if slam and len(before) >= trick.number - 1 else table

    @cached_property
    def slam(self) -> str | None:
        """The side with all the tricks, or the taker's with all the points; None without (F8)."""
        if self.all_tricks:
            return self.party_with_all_tricks(self.tricks_made())
        taken = self.taken()
        return TAKER if taken and taken.points[TAKER] == rules.ALL_HALVES else None

    @cached_property
    def piles(self) -> dict[str, dict[Card, int]] | None:
        """The half points of each side by card, with what lies aside (F3); None if not known.

        For the excuse that its side keeps, half a point goes to the other side (F4).
        """
        if not self.all_cards or self.bid is None or self.partner is None or self.again:
            return None
        piles: dict[str, dict[Card, int]] = {TAKER: {}, DEFENCE: {}}
        for won, play in ((w, p) for w in self.won if w.trick for p in w.trick.plays):
            side, own = str(self.counted_side(won.player)), str(self.counted_side(play.player))
            kept = play.card is FOOL and play.seq not in self.won[-1].events
            if kept and own != side and self.won_by.get(own):
                piles[own][FOOL], piles[side][FOOL] = rules.HALVES[FOOL] - 1, 1
            else:
                piles[side][play.card] = rules.HALVES[play.card]
        aside = DEFENCE if self.bid.event.contract == "garde contre" else TAKER
        piles[aside] |= {c: n for c, n in rules.HALVES.items() if c not in self.first}
        return piles

    def points_made(self) -> dict[str, int] | None:
        if self.piles is None:
            return None
        return {side: sum(pile.values()) for side, pile in self.piles.items()}

    @property
    def bouts(self) -> tuple[int, str] | None:
        """The bouts of the taker's side, and who took the petit in the last trick (F2, F6).

        By the cards, or else as counted; None if neither is on record.
        """
        if self.piles is None:
            counted = self.bouts_counted[-1].event if self.bouts_counted else None
            return counted and (counted.bouts, counted.petit)
        excuse_won = self.won[-1].best and self.won[-1].best.card is FOOL
        last, petit = self.won[-2 if excuse_won else -1], "none"
        if last.trick and any(play.card is rules.PETIT for play in last.trick.plays):
            petit = "taker" if self.counted_side(last.player) == TAKER else "defence"
        return sum(self.piles[TAKER].get(card, 0) > 1 for card in rules.BOUTS), petit


@cache
def strengths(led: str) -> Mapping[Card, int]:
    """Return the strength of the trumps, and of the cards of the suit led (F4)."""
    pack = rules.PACK
    trumps = {card: 100 + int(card.rank) for card in pack.cards if card.suit is Suit.T}
    return {**{card: n for card, n in pack.height.items() if card.suit == led}, **trumps}


FOLD: Final[Fold] = {
    **COMMON_FOLD, events.ContractTaken: append_to("bids"),
    events.KingCalled: card_called, events.PartnerNamed: append_to("reveals"),
    events.HandfulShown: append_to("handfuls"), events.SlamAnnounced: append_to("slams"),
    events.BoutsCounted: append_to("bouts_counted"),
}  # fmt: skip
