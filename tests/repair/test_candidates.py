"""The corrections that may set a hand right, the likeliest first."""

from scorekeeper.repair.candidates import CANDIDATE_SEARCHES, candidates
from tests.evenings import event
from tests.repair.scenes import BID, REVOKE, scene

SCENES = (scene(*REVOKE), scene(BID, BID, event("points_counted", points={"leo": 5, "mara": 4})))


def test_candidates_are_listed_once_at_the_lowest_cost() -> None:
    for events in SCENES:
        listed = candidates(events)
        costs = [candidate.cost for candidate in listed]
        assert costs == sorted(costs)
        lowest: dict[str, float] = {}
        for candidate in (each for way in CANDIDATE_SEARCHES for each in way(events)):
            key = repr(sorted(map(repr, candidate.edits)))
            lowest[key] = min(candidate.cost, lowest.get(key, candidate.cost))
        assert {
            repr(sorted(map(repr, candidate.edits))): candidate.cost for candidate in listed
        } == lowest


def test_another_card_is_likelier_than_two_that_were_swapped_and_both_than_one_too_many() -> None:
    reasons = list(dict.fromkeys(candidate.reason for candidate in candidates(scene(*REVOKE))))
    kinds = (
        "another card was played", "the cards of the two were swapped", "the card was left out",
        "it was recorded once too often",
    )  # fmt: skip
    assert [reason for reason in reasons if reason in kinds] == list(kinds)
