"""The facts of a hand of Tressette, and the sentences about them."""

from typing import Final

from scorekeeper.authoring import (
    COUNT,
    EACH_SIDE,
    SIDE,
    Each,
    Flag,
    HandFact,
    HandFacts,
    Phrase,
    Sentence,
    has,
)
from scorekeeper_tressette.state import TressetteDeal

BY_SIDE: Final = Each(SIDE, COUNT)


def _declared(deal: TressetteDeal) -> dict[str, int]:
    """Return the points of each side for declarations (T7)."""
    lines = [line for line in deal.result.lines if line.rule == "T7"]
    return {side: sum(int(line.points) for line in lines if line.side == side)
            for side in deal.table.sides}  # fmt: skip


def _sweep(deal: TressetteDeal) -> dict[str, bool] | None:
    """Return whether each side took all the tricks, or None if some are not recorded."""
    if not deal.all_tricks:
        return None
    winners = {deal.table.side_of[won.player] for won in deal.won}
    return {side: winners == {side} for side in deal.table.sides}


FACTS: Final = HandFacts(
    (
        HandFact("taken", "Points taken", BY_SIDE, lambda deal: deal.result.taken),
        HandFact("declarations", "Points for declarations", BY_SIDE, _declared),
        HandFact("sweep", "All the tricks", Each(SIDE, Flag()), _sweep),
    ),
    (
        Sentence(EACH_SIDE, (
            (Phrase("took {taken}"),),
            (Phrase("declared for {declarations}", has("declarations")),),
            (Phrase("all the tricks", has("sweep")),),
        )),
    ),
)  # fmt: skip
