"""The state of a recorded hand of Scopone: the captures and scope."""

from typing import Final, NamedTuple

from scorekeeper.authoring import FOLD as COMMON_FOLD
from scorekeeper.authoring import (
    CardPlayed,
    Deal,
    Fold,
    Play,
    RecordedEvent,
    Refusals,
    Table,
    UnusableError,
    append_to,
    cached_property,
)
from scorekeeper_scopone.events import CardsTaken, ScopaMade
from scorekeeper_scopone.rules import CARDS, Cards, captures


class Move(NamedTuple):
    """A played card, what it could take and took, and what lies on the table then.

    ``took`` and ``lying`` are None if that is not known; ``choice`` is the event that records it.
    """

    play: Play
    possible: tuple[Cards, ...]
    took: Cards | None
    lying: Cards | None
    choice: RecordedEvent | None


class ScoponeDeal(Deal):
    """The recorded state of one hand of Scopone, which has no tricks."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, 0)
        self.choices: dict[int, RecordedEvent] = {}  # by the seq of the card that took
        self.named_scope: list[RecordedEvent] = []

    @cached_property
    def moves(self) -> list[Move]:
        """The played cards with what each of them took (S2)."""
        moves: list[Move] = []
        lying: Cards | None = ()
        for play in self.plays:
            choice = self.choices.get(play.seq)
            possible = () if lying is None else captures(lying, play.card)
            took = None if lying is None or len(possible) > 1 else (*possible, ())[0]
            if choice is not None and lying is not None:
                took = tuple(card for card in lying if card in choice.event.cards)
            if took is None or lying is None:
                lying = None
            else:
                lying = tuple(c for c in lying if c not in took) if took else (*lying, play.card)
            moves.append(Move(play, possible, took, lying, choice))
        return moves

    @cached_property
    def swept(self) -> list[Play]:
        """The cards that took all that lay on the table, as far as that is known (S3)."""
        return [move.play for move in self.moves[: CARDS - 1] if move.took and move.lying == ()]

    @cached_property
    def piles(self) -> dict[str, Cards] | None:
        """The cards of each side at the end of the hand (S3); None if not all are known."""
        if len(self.plays) < CARDS or (left := self.moves[-1].lying) is None:
            return None
        piles: dict[str, Cards] = dict.fromkeys(self.table.sides, ())
        last = self.table.side_of[self.plays[-1].player]
        for move in self.moves:
            if move.took:
                last = self.table.side_of[move.play.player]
                piles[last] += (move.play.card, *move.took)
        piles[last] += left
        return piles

    def points_at_least(self) -> dict[str, int]:
        """Return the points of each side for the scope on record."""
        sides = self.table.sides
        swept, named = [
            [self.table.side_of[scopa.player] for scopa in scope]
            for scope in (self.swept, self.named_scope)
        ]
        return {side: max(swept.count(side), named.count(side)) for side in sides}

    @property
    def level(self) -> str:
        """The level of detail of the record."""
        if self.plays:
            return "cards" if self.piles is not None else "mixed"
        return "tricks" if self.named_scope else "totals"


# ------------------------------------------------------------------------------------- fold


def add_card(deal: ScoponeDeal, seq: int, event: CardPlayed) -> None:
    """Add a played card; it belongs to no trick."""
    play = Play(seq, event.player, event.card)
    if deal.first.setdefault(event.card, play) is not play:
        deal.again.append(play)
    deal.plays.append(play)


def add_choice(deal: ScoponeDeal, seq: int, event: CardsTaken) -> None:
    """Add what the last card of a player took."""
    last = next(play for play in reversed(deal.plays) if play.player == event.player)
    deal.choices[last.seq] = RecordedEvent(seq, event)


def refuse_choice(deal: ScoponeDeal, event: CardsTaken) -> None:
    """Refuse cards taken by a player who has not played."""
    if not any(play.player == event.player for play in deal.plays):
        raise UnusableError("a player takes with a card that they play (S2)", field="data.player")


FOLD: Final[Fold] = {
    **COMMON_FOLD, CardPlayed: add_card, CardsTaken: add_choice,
    ScopaMade: append_to("named_scope"),
}  # fmt: skip
REFUSE: Final[Refusals] = {CardsTaken: refuse_choice}
