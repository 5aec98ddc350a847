"""The corrections that may set a hand right, the likeliest first."""

from scorekeeper.repair.candidates import IN_A_DISPUTE, WAYS, candidates
from tests.evenings import event
from tests.repair.scenes import BID, REVOKE, said, scene

SCENES = (scene(*REVOKE), scene(BID, BID, event("points_counted", points={"leo": 5, "mara": 4})))


def test_they_are_those_of_all_ways_once_each_at_their_lowest_cost() -> None:
    for one in SCENES:
        found = candidates(one)
        costs = [candidate.cost for candidate in found]
        assert costs == sorted(costs)
        lowest: dict[str, float] = {}
        for candidate in (each for way in WAYS for each in way(one)):
            key = repr(candidate.edits)
            lowest[key] = min(candidate.cost, lowest.get(key, candidate.cost))
        assert {repr(candidate.edits): candidate.cost for candidate in found} == lowest


def test_another_dealer_is_none_but_in_a_dispute() -> None:
    for one in SCENES:
        more = candidates(one, disputed=True)
        dealers = [said(candidate) for way in IN_A_DISPUTE for candidate in way(one)]
        assert len(more) == len(candidates(one)) + len(dealers)
        assert all(dealer in [said(candidate) for candidate in more] for dealer in dealers)


def test_another_card_is_likelier_than_two_that_were_swapped_and_both_than_one_too_many() -> None:
    reasons = list(dict.fromkeys(one.reason for one in candidates(scene(*REVOKE))))
    kinds = (
        "another card was played", "the cards of the two were swapped", "the card was left out",
        "it was recorded once too often",
    )  # fmt: skip
    assert [one for one in reasons if one in kinds] == list(kinds)
