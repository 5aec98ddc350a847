"""Corrections of entries that a table forgot are among the first three."""

from collections.abc import Sequence

from scorekeeper.events.fields import Whole
from scorekeeper.repair import additions, changes, hypotheses
from scorekeeper.repair.likely_errors import EXCHANGED, Around, agreeing, alternatives, like
from tests.evenings import Raw, event
from tests.repair.scenes import BID, cheapest, list_edits, plays, scene
from tests.repair.test_hypotheses import BIDS, GIVEN, TRICKS, TRUE, corrected, evening, hand_of

COUNT = event("points_counted", points={"leo": 5, "mara": 10})
PAPER = event("score_claimed", scores={"leo": 14})
WINNERS = [event("trick_taken", player=player) for player in ("leo", "leo", "nina", *["leo"] * 6)]


def is_offered(true: Sequence[Raw], record: Sequence[Raw]) -> bool:
    return hand_of(evening(true)) in corrected(evening(record))


def test_the_claim_of_the_rest_is_left_out() -> None:
    rest = event("rest_claimed", player="leo")
    record = [*BIDS, TRUE[4], *plays(TRICKS)[:28]]
    assert is_offered([*record, rest, PAPER], [*record, PAPER])


def test_a_trick_is_left_out_before_all_are_one_seat_off() -> None:
    """Its place says nothing; so each player is offered once."""
    true = [*BIDS, *WINNERS, PAPER]
    first = corrected(evening([entry for entry in true if entry != WINNERS[2]]))
    offered = [sorted(map(repr, hand)) for hand in first]
    assert sorted(map(repr, hand_of(evening(true)))) in offered
    assert len({tuple(hand) for hand in offered}) == 3


def test_an_entry_that_was_put_right_by_the_next_is_struck() -> None:
    """The wrong card of an insieme, and the wrong player of a card."""
    wrong_set = event("set_distributed", player="leo", set=1, kept="AH", given=GIVEN)
    assert is_offered(TRUE, [*BIDS, wrong_set, *TRUE[4:]])
    candidates = changes.propose_strikes(scene(*plays("leo:AS nina:6S mara:6S")))
    assert cheapest(candidates) == [[(5, "", None)]]


def test_an_entry_of_a_wrong_player_that_was_put_right_by_the_next_is_struck() -> None:
    sets = [event("set_distributed", player=who, set=1) for who in ("mara", "leo")]
    assert cheapest(changes.propose_strikes(scene(BID, *sets))) == [[(5, "", None)]]


def test_one_entry_is_no_shift_of_all_seats() -> None:
    candidates = list(hypotheses.propose_shifted_seats(scene(BID, TRICK, TRICK)))
    assert candidates
    assert all(len(candidate.edits) > 1 for candidate in candidates)


def test_an_outcome_is_offered_beside_many_counts_that_agree_with_the_paper() -> None:
    outcome = event("outcome_recorded", made=True)
    assert is_offered([*BIDS, outcome, PAPER], [*BIDS, PAPER])


def test_a_raise_is_left_out_before_the_count() -> None:
    edits_found = [
        list_edits(candidate)[0]
        for candidate in additions.propose_missing_events(scene(BID, COUNT))
    ]
    assert {seq for seq, kind, _ in edits_found if kind == "bid_raised+"} == {4}


def test_a_late_act_is_moved_before_all_bids() -> None:
    late = event("hierarchy_declared", player="leo", suits=[])
    shown = [event("bid_made", player="nina", points=n) for n in range(1, 13)]
    edits_found = [
        list_edits(act) for act in hypotheses.propose_timely_acts(scene(BID, *shown, TRICK, late))
    ]
    assert (4, "hierarchy_declared+", late["data"]) in [edits[-1] for edits in edits_found]


TRICK = event("trick_taken", player="leo")


def test_a_digit_is_left_out_of_a_figure() -> None:
    around = Around(scene(BID).match.pack, ("leo",), ("leo",), frozenset())
    meant = {figure for _, figure in alternatives(Whole(0, 60), 2, around)}
    assert {12, 24, 20, 52} <= meant
    assert 62 not in meant
    assert like(2, 24)
    assert not like(2, 46)


def test_figures_exchanged_in_a_claim_are_one_mistake() -> None:
    assert agreeing({"A": 96, "B": 24}, {"A": 24, "B": 96}) == (EXCHANGED, {"A": 24, "B": 96})
