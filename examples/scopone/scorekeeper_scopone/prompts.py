"""The events that can be recorded next in a hand of Scopone."""

from collections.abc import Iterator
from itertools import product
from typing import Final

from scorekeeper.authoring import (
    LEVELS,
    Ask,
    CardPlayed,
    Counts,
    PointsCounted,
    Prompt,
    offer,
    result_is_settled,
)
from scorekeeper_scopone.events import CardsTaken, ScopaMade
from scorekeeper_scopone.rules import CARDS, MOST_SCOPE, PACK, PACK_POINTS
from scorekeeper_scopone.state import ScoponeDeal

TOTALS: Final = (Ask((PointsCounted,)),)


def prompts(deal: ScoponeDeal) -> Iterator[Prompt]:
    """Yield the possible next events of a hand, the likeliest first."""
    if result_is_settled(deal):
        return
    yield from _card(deal)
    if len(deal.named_scope) < MOST_SCOPE:
        yield from offer((ScopaMade(player) for player in deal.table.players), ("tricks",))
    yield from _count(deal)


def _card(deal: ScoponeDeal) -> Iterator[Prompt]:
    """Yield what the last card took, where there is a choice; else the next card (S2)."""
    last = deal.moves[-1] if deal.moves else None
    if last is not None and last.took is None and last.possible:
        taken = (CardsTaken(last.play.player, cards) for cards in last.possible)
        yield from offer(taken, ("cards",))
    elif len(deal.plays) < CARDS:
        player = deal.table.after(last.play.player) if last else deal.table.eldest
        cards = (card for card in PACK.cards if card not in deal.first)
        yield from offer((CardPlayed(player, card) for card in cards), ("cards",), in_turn=True)


def _count(deal: ScoponeDeal) -> Iterator[Prompt]:
    """Yield the points of each side: at least its scope, and four of the pack at most."""
    least, sides = deal.points_at_least(), tuple(deal.table.sides)
    free = 0 if deal.named_scope else MOST_SCOPE - sum(least.values())
    most = {side: points + PACK_POINTS + free for side, points in least.items()}
    rows = [range(least[side], least[side] + PACK_POINTS + 1) for side in sides]
    counts = (
        PointsCounted(dict(zip(sides, points, strict=True)))
        for points in product(*rows)
        if sum(least.values()) < sum(points) <= sum(least.values()) + PACK_POINTS
    )
    levels = LEVELS if len(deal.plays) == CARDS else LEVELS[:2]
    yield from offer(counts, levels, Counts("points", sides, (), least, most))
