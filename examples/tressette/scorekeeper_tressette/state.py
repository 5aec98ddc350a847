"""The state of a recorded hand of Tressette: declarations, and the cards in the tricks."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from scorekeeper.authoring import FOLD as COMMON_FOLD
from scorekeeper.authoring import (
    Card,
    Deal,
    Fold,
    Refusals,
    ShownCards,
    Table,
    Trick,
    UnusableError,
    cached_property,
    card_points,
)
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


class RecordedDeclaration(NamedTuple):
    """A declaration with its seq; ``late`` is true after the first card of its player (T7)."""

    seq: int
    event: Declaration
    late: bool

    @property
    def player(self) -> str:
        """The player who declared."""
        return self.event.player


class TressetteDeal(Deal):
    """The recorded state of one hand of Tressette."""

    TOTALS = (HAND_POINTS,)

    def __init__(self, table: Table) -> None:
        super().__init__(table, TRICKS)
        self.declared: list[RecordedDeclaration] = []

    # ------------------------------------------------------------------------ declarations

    @property
    def declares(self) -> bool:
        """Whether this table plays with declarations (T7)."""
        return bool(self.table.options["declarations"] != "none")

    def may_declare(self, player: str) -> bool:
        """Return whether the first card of a player is still to come, as far as recorded (T7)."""
        first = self.tricks.numbered.get(1)
        if self.rest is not None or any(number > 1 for number in self.tricks.numbered):
            return False
        return first is None or (first is self.tricks.open and first.card_of(player) is None)

    @cached_property
    def scored(self) -> list[RecordedDeclaration]:
        """The declarations that score: in time, and only the first of a suit or rank (T7, T8)."""
        by_key: dict[str, RecordedDeclaration] = {}
        for declared in self.declared:
            if self.declares and not declared.late:
                by_key.setdefault(declaration_key(declared.event), declared)
        return list(by_key.values())

    def cards_of(self, declared: RecordedDeclaration) -> tuple[Card, ...]:
        """Return the declared cards; none if it is not known which cards of a rank they are.

        If a declaration of three does not name the lacking suit, it is that of the card of this
        rank that another player plays.
        """
        match declared.event:
            case NapoletanaDeclared(_, suit):
                return napoletana(suit)
            case SameRankDeclared(player, 3, rank, None):
                plays = [self.first[card] for card in of_a_kind(rank) if card in self.first]
                lacked = next((play.card for play in plays if play.player != player), None)
                return of_a_kind(rank, lacked.suit) if lacked else ()
            case SameRankDeclared(_, _, rank, without):
                return of_a_kind(rank, without)

    def held(self) -> Sequence[ShownCards]:
        """Return the recorded holdings: cards that were shown, or declared in time (T7)."""
        declared = [
            ShownCards(item.seq, item.event.player, self.cards_of(item), after=0)
            for item in self.scored
        ]
        return [*declared, *self.shown]

    # ---------------------------------------------------------------------------- the play

    def strength(self, trick: Trick) -> Mapping[Card, int]:
        return strengths(str(trick.plays[0].card.suit))

    def points_made(self) -> dict[str, int] | None:
        """Return the points of cards and last trick by side, or None without all cards (T5, T6)."""
        thirds = self.thirds()
        return None if thirds is None else {side: n // POINT for side, n in thirds.items()}

    def thirds(self) -> dict[str, int] | None:
        """Return the thirds of points by side, with the last trick, or None if not known."""
        if self.again:
            return None
        by_player = card_points(self, THIRDS, ALL_THIRDS, self.table.players)
        if by_player is None:
            return None
        last = next(won.player for won in self.won if won.number == TRICKS)
        by_player[last] += LAST_TRICK_THIRDS
        return self.table.by_side(by_player)

    def points_at_least(self) -> dict[str, int]:
        """Return the least points of each side: with the worst cards for those not recorded.

        The least points of one side limit the points of the other (T6).
        """
        if self.again:
            return {}
        thirds = dict.fromkeys(self.table.sides, 0)
        unseen = dict.fromkeys(self.table.sides, 0)  # unrecorded cards in its tricks
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
    """Return the strength of the cards of the suit led; no other card can win (T2, T4)."""
    return {card: height for card, height in PACK.height.items() if card.suit == led}


def declaration_key(event: Declaration) -> str:
    """Return the suit of a napoletana or the rank of a kind; each scores once in a hand."""
    return event.suit if isinstance(event, NapoletanaDeclared) else event.rank


# ------------------------------------------------------------------------------------- fold


def add_declaration(deal: TressetteDeal, seq: int, event: Declaration) -> None:
    """Add a declaration, and whether it came after its player's first card."""
    deal.declared.append(RecordedDeclaration(seq, event, not deal.may_declare(event.player)))


def refuse_kind(deal: TressetteDeal, event: SameRankDeclared) -> None:
    """Refuse all four of a rank without one of them (T7)."""
    if event.count == len(PACK.suits) and event.suit is not None:
        raise UnusableError("a player who declares all four lacks no suit (T7)", field="data.suit")


FOLD: Final[Fold] = {
    **COMMON_FOLD, NapoletanaDeclared: add_declaration, SameRankDeclared: add_declaration,
}  # fmt: skip
REFUSE: Final[Refusals] = {SameRankDeclared: refuse_kind}
