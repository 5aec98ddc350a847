"""The candidates for the correction of a hand, each with its cost.

Each function of :data:`CANDIDATE_SEARCHES` yields candidates of one kind.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from scorekeeper.repair import additions, changes, hypotheses
from scorekeeper.repair.suspects import Suspects
from scorekeeper.repair.trials import Candidate

CandidateSearch = Callable[[Suspects], Iterator[Candidate]]

CANDIDATE_SEARCHES: Final[tuple[CandidateSearch, ...]] = (
    changes.propose_other_cards,
    changes.propose_other_values,
    changes.propose_due_events,
    changes.propose_unnamed_cards,
    changes.propose_agreeing_counts,
    changes.propose_swapped_entries,
    changes.propose_swapped_cards,
    changes.propose_strikes,
    additions.propose_missing_cards,
    additions.propose_missing_winners,
    additions.propose_claim_of_rest,
    additions.propose_missing_events,
    additions.propose_missing_fields,
    additions.propose_missing_counts,
)


def candidates(scene: Suspects) -> list[Candidate]:
    """Return all candidates that change one event, or swap two, cheapest first."""
    return _likeliest_first(scene, CANDIDATE_SEARCHES)


def candidates_over_several_events(scene: Suspects) -> list[Candidate]:
    """Return all candidates for mistakes over several events, and other dealers, cheapest first."""
    return _likeliest_first(scene, hypotheses.HYPOTHESES)


def _likeliest_first(scene: Suspects, ways: Iterable[CandidateSearch]) -> list[Candidate]:
    best: dict[str, Candidate] = {}
    for way in ways:
        for candidate in way(scene):
            key = repr(sorted(map(repr, candidate.edits)))
            if key not in best or candidate.cost < best[key].cost:
                best[key] = candidate
    return sorted(best.values(), key=lambda candidate: candidate.cost)
