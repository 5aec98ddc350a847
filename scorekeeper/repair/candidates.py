"""The corrections that may set a hand right, each with how unlikely it is.

Each function of :data:`WAYS` yields candidates of one kind; the table is all there is.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from scorekeeper.repair import additions, changes, hypotheses
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
    additions.missing_claim_of_rest,
    additions.missing_words,
    additions.missing_parts,
    additions.missing_counts,
)


def candidates(scene: Suspects) -> list[Candidate]:
    """All corrections of one event, or of two that were swapped, the likeliest first."""
    return _likeliest_first(scene, WAYS)


def over_several(scene: Suspects) -> list[Candidate]:
    """All corrections of mistakes over several events, and of the dealer, the likeliest first."""
    return _likeliest_first(scene, hypotheses.HYPOTHESES)


def _likeliest_first(scene: Suspects, ways: Iterable[CandidateSearch]) -> list[Candidate]:
    best: dict[str, Candidate] = {}
    for way in ways:
        for one in way(scene):
            key = repr(sorted(map(repr, one.edits)))
            if key not in best or one.cost < best[key].cost:
                best[key] = one
    return sorted(best.values(), key=lambda one: one.cost)
