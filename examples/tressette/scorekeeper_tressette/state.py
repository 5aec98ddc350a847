"""A hand of Tressette as recorded: what was declared, and who took which cards."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from scorekeeper.base.cached import cached_property
from scorekeeper.base.errors import Unusable
from scorekeeper.cards.packs import Card
from scorekeeper.cards.tricks import Trick
from scorekeeper.play import folding as common
from scorekeeper.play.deal import Deal, Shown, card_points
from scorekeeper.play.folding import Fold, Refusals
from scorekeeper.play.table import Table
from scorekeeper_tressette.events import NapoletanaDeclared, SameRankDeclared
from scorekeeper_tressette.rules import (
    ALL_THIRDS,
    HAND_POINTS,
    LAST_TRICK_THIRDS,
    PACK,
    POINT,
    THIRDS,
    TRICKS,
    napoletana,
    of_a_kind,
)

Declaration = NapoletanaDeclared | SameRankDeclared


class Declared(NamedTuple):
    """A declaration in its place; ``late`` is whether its player's first card was played (T7)."""

    seq: int
    event: Declaration
    late: bool

    @property
    def player(self) -> str:
        """Who declared."""
        return self.event.player


class TressetteDeal(Deal):
    """What is on record of one hand of Tressette."""

    TOTALS = (HAND_POINTS,)

    def __init__(self, table: Table) -> None:
        super().__init__(table, TRICKS)
        self.declared: list[Declared] = []

    # ------------------------------------------------------------------------ declarations

    @property
    def declares(self) -> bool:
        """Whether anything is declared at this table (T7)."""
        return bool(self.table.options["declarations"] != "none")

    def may_declare(self, player: str) -> bool:
        """Whether a player has still to play his first card, by what is on record so far (T7)."""
        first = self.tricks.numbered.get(1)
        if self.rest is not None or any(number > 1 for number in self.tricks.numbered):
            return False
        return first is None or (first is self.tricks.open and first.card_of(player) is None)

    @cached_property
    def scored(self) -> list[Declared]:
        """The declarations that score: in time, and each suit and each rank once (T7, T8)."""
        found: dict[str, Declared] = {}
        for one in self.declared:
            if self.declares and not one.late:
                found.setdefault(what_is_declared(one.event), one)
        return list(found.values())

    def cards_of(self, one: Declared) -> tuple[Card, ...]:
        """The cards that were declared; none where it is not known which of a rank they are.

        Of three without the suit that is lacking, it is that which another plays.
        """
        match one.event:
            case NapoletanaDeclared(_, suit):
                return napoletana(suit)
            case SameRankDeclared(player, 3, rank, None):
                plays = [self.first[card] for card in of_a_kind(rank) if card in self.first]
                lacked = next((play.card for play in plays if play.player != player), None)
                return of_a_kind(rank, lacked.suit) if lacked else ()
            case SameRankDeclared(_, _, rank, without):
                return of_a_kind(rank, without)

    def held(self) -> Sequence[Shown]:
        """What players held as recorded: what they showed, and declared in time (T7)."""
        said = [
            Shown(one.seq, one.event.player, self.cards_of(one), after=0) for one in self.scored
        ]
        return [*said, *self.shown]

    # ---------------------------------------------------------------------------- the play

    def strength(self, trick: Trick) -> Mapping[Card, int]:
        return strengths(str(trick.plays[0].card.suit))

    def points_made(self) -> dict[str, int] | None:
        """Points of cards and last trick by side, where all cards are on record (T5, T6)."""
        thirds = self.thirds()
        return None if thirds is None else {side: n // POINT for side, n in thirds.items()}

    def thirds(self) -> dict[str, int] | None:
        """Thirds of points by side, the last trick's among them; None where they are not known."""
        if self.again:
            return None
        by_player = card_points(self, THIRDS, ALL_THIRDS, self.table.players)
        if by_player is None:
            return None
        last = next(won.player for won in self.won if won.number == TRICKS)
        by_player[last] += LAST_TRICK_THIRDS
        return self.table.by_side(by_player)

    def points_at_least(self) -> dict[str, int]:
        """What a side has by its tricks on record, even if the other cards in them are the worst.

        What one side has a given number of at least, leaves the other a given number at most (T6).
        """
        if self.again:
            return {}
        thirds = dict.fromkeys(self.table.sides, 0)
        unseen = dict.fromkeys(self.table.sides, 0)  # cards in its tricks that are not on record
        for won in self.won:
            side = self.table.side_of[won.player]
            trick = self.tricks.numbered.get(won.number)
            plays = trick.plays if trick else []
            thirds[side] += sum(THIRDS[play.card] for play in plays)
            thirds[side] += LAST_TRICK_THIRDS * (won.number == TRICKS)
            unseen[side] += self.tricks.players - len(plays)
        worst = sorted(THIRDS[card] for card in PACK.cards if card not in self.first)
        return {side: (n + sum(worst[: unseen[side]])) // POINT for side, n in thirds.items()}


@cache
def strengths(led: str) -> Mapping[Card, int]:
    """How strong the cards of the suit led are; no other wins (T2, T4)."""
    return {card: height for card, height in PACK.height.items() if card.suit == led}


def what_is_declared(event: Declaration) -> str:
    """What can be declared once in a hand: a suit's napoletana, or cards of a rank."""
    return event.suit if isinstance(event, NapoletanaDeclared) else event.rank


# ------------------------------------------------------------------------------------- fold


def declared(deal: TressetteDeal, seq: int, event: Declaration) -> None:
    """Note what a player declared, and whether he had played before."""
    deal.declared.append(Declared(seq, event, not deal.may_declare(event.player)))


def refuse_kind(deal: TressetteDeal, event: SameRankDeclared) -> None:
    """Refuse all four of a rank without one of them (T7)."""
    if event.count == len(PACK.suits) and event.suit is not None:
        raise Unusable("a player who declares all four lacks no suit (T7)", field="data.suit")


FOLD: Final[Fold] = {
    **common.FOLD, NapoletanaDeclared: declared, SameRankDeclared: declared,
}  # fmt: skip
REFUSE: Final[Refusals] = {SameRankDeclared: refuse_kind}
