"""The score of a hand of Scopone."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from scorekeeper.authoring import (
    Basis,
    Play,
    RecordedEvent,
    Result,
    RunningScore,
    ScoreLine,
    Text,
    add_up,
)
from scorekeeper_scopone.rules import COINS, SETTEBELLO, Cards, primiera
from scorekeeper_scopone.state import ScoponeDeal


def score(deal: ScoponeDeal) -> Result:
    """Return the score of a hand by the cards (S3 to S6), else by the count (S7)."""
    if deal.piles is not None:
        taken = {side: len(pile) for side, pile in deal.piles.items()}
        lines = (*_scope(deal, deal.swept), *_pack(deal, deal.piles))
        return Result(complete=True, basis=Basis.CARDS, lines=lines, taken=taken)
    count = deal.count()
    if count is None:
        return Result()
    scope = tuple(_scope(deal, deal.named_scope))
    made = add_up(scope, deal.table.sides)
    text = "Points of the pack: {points}" if scope else "Points counted: {points}"
    rest = (
        ScoreLine(side, points, "S7", Text(text, points=points), (count.seq,))
        for side, points in ((side, n - made[side]) for side, n in count.points.items())
    )
    return Result(complete=True, basis=Basis.COUNT, lines=(*scope, *rest))


def so_far(deal: ScoponeDeal) -> RunningScore | None:
    """Return the scope of an open hand, by the cards or as named; None if there is none."""
    lines = tuple(_scope(deal, deal.named_scope or deal.swept))
    return RunningScore(add_up(lines, deal.table.sides), lines) if lines else None


def _scope(
    deal: ScoponeDeal, scope: Sequence[Play] | Sequence[RecordedEvent]
) -> Iterator[ScoreLine]:
    for scopa in scope:
        text = Text("{player} makes a scopa", player=deal.name(scopa.player))
        yield ScoreLine(deal.table.side_of[scopa.player], 1, "S3", text, (scopa.seq,))


PACK_TEXTS: Final = (
    "{best} cards to {other}", "{best} coins to {other}", "The settebello",
    "Primiera: {best} to {other}",
)  # fmt: skip
PACK_POINTS: Final[tuple[tuple[str, Callable[[Cards], int]], ...]] = (
    ("S4", len),
    ("S4", lambda pile: sum(card.suit == COINS for card in pile)),
    ("S5", lambda pile: SETTEBELLO in pile),
    ("S6", primiera),
)


def _pack(deal: ScoponeDeal, piles: dict[str, Cards]) -> Iterator[ScoreLine]:
    """Yield the points of the pack: cards, coins, settebello and primiera (S4, S5, S6)."""
    proof = tuple(play.seq for play in deal.plays)
    for place, (clause, figure) in enumerate(PACK_POINTS):
        (other, _), (best, side) = sorted((figure(pile), side) for side, pile in piles.items())
        if best != other:
            text = Text(PACK_TEXTS[place], best=best, other=other)
            yield ScoreLine(side, 1, clause, text, proof)
