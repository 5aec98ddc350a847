"""The corrections that may set a hand right, each with how unlikely it is.

Each function of :data:`WAYS` yields candidates of one kind; the table is all there is.
"""

from collections.abc import Callable, Iterator
from typing import Final

from scorekeeper.repair import additions, changes
from scorekeeper.repair.suspects import Suspects
from scorekeeper.repair.trials import Candidate

CandidateSearch = Callable[[Suspects], Iterator[Candidate]]

WAYS: Final[tuple[CandidateSearch, ...]] = (
    changes.other_cards,
    changes.other_values,
    changes.what_was_due,
    changes.cards_unsaid,
    changes.agreeing_counts,
    changes.swapped_entries,
    changes.swapped_cards,
    changes.struck,
    additions.missing_cards,
    additions.missing_winners,
    additions.missing_words,
    additions.missing_parts,
    additions.missing_counts,
)
# Only where a hand is disputed: a wrong dealer alone is no error.
IN_A_DISPUTE: Final[tuple[CandidateSearch, ...]] = (changes.another_dealer,)


def candidates(scene: Suspects, *, disputed: bool = False) -> list[Candidate]:
    """All corrections of one event, or of two that were swapped, the likeliest first."""
    best: dict[str, Candidate] = {}
    for way in (*WAYS, *(IN_A_DISPUTE if disputed else ())):
        for one in way(scene):
            key = repr(one.edits)
            if key not in best or one.cost < best[key].cost:
                best[key] = one
    return sorted(best.values(), key=lambda one: one.cost)
