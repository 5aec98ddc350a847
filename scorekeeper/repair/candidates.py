"""The corrections that may set a hand right, each with how unlikely it is.

Each function of :data:`WAYS` yields candidates of one kind; the table is all there is.
"""

from collections.abc import Callable, Iterator
from typing import Final

from scorekeeper.repair import changed, left_out
from scorekeeper.repair.scene import Scene
from scorekeeper.repair.trying import Candidate

Way = Callable[[Scene], Iterator[Candidate]]

WAYS: Final[tuple[Way, ...]] = (
    changed.other_cards,
    changed.other_values,
    changed.agreeing_counts,
    changed.swapped_entries,
    changed.swapped_cards,
    changed.struck,
    left_out.missing_cards,
    left_out.missing_winners,
    left_out.missing_words,
)
# Only where a hand is disputed: a wrong dealer alone is no error.
IN_A_DISPUTE: Final[tuple[Way, ...]] = (changed.another_dealer,)


def candidates(scene: Scene, *, disputed: bool = False) -> list[Candidate]:
    """All corrections of one event, or of two that were swapped, the likeliest first."""
    best: dict[str, Candidate] = {}
    for way in (*WAYS, *(IN_A_DISPUTE if disputed else ())):
        for one in way(scene):
            key = repr(one.edits)
            if key not in best or one.cost < best[key].cost:
                best[key] = one
    return sorted(best.values(), key=lambda one: one.cost)
