"""Corrections as events, in a form in which each can be recorded."""

from typing import Any

import pytest

from scorekeeper.cards.packs import Card
from scorekeeper.events.common import HandStarted
from scorekeeper.events.playing import CardPlayed, PointsCounted
from scorekeeper.log.codec import encode
from scorekeeper.repair.outcomes import Scratch, TriedCandidate, of_edit
from scorekeeper.repair.suggestion_views import SuggestionView
from scorekeeper.repair.trials import Bench, Candidate, Edit
from scorekeeper.report.views import EventView
from scorekeeper.session.matches import HandRecord
from tests.evenings import Evening, as_a_set, event
from tests.repair.scenes import BID, list_corrections, plays, table

WRONG = event("points_counted", points={"leo": 5, "mara": 4, "nina": 7})
RIGHT = PointsCounted({"leo": 5, "mara": 4, "nina": 6})


def found_in(evening: Evening, *edits: Edit) -> tuple[TriedCandidate, HandRecord]:
    """A candidate of these edits, tried."""
    match = evening.session.structure.matches[0]
    hand = match.hands[0]
    bench = Bench(match, hand)
    entries = bench.edited(hand.entries, edits)
    trial = bench.attempt(entries, 9) or bench.trial(hand)
    return TriedCandidate(Candidate(1.0, edits, "why"), entries, trial), hand


def played(player: str, card: str) -> CardPlayed:
    return CardPlayed(player, Card.parse(card))


def told(events: list[Any]) -> list[tuple[str, int]]:
    """The corrections by their types, and where."""
    return [(event_.TYPE, getattr(event_, "seq", None) or event_.after) for event_ in events]


@pytest.mark.parametrize(
    ("edit", "recorded"),
    [
        (Edit(4), [("event_struck", 4)]),
        (Edit(4, RIGHT), [("event_replaced", 4)]),
        (Edit(4, RIGHT, insert=True), [("event_inserted", 4)]),
        (Edit(9), [("event_struck", 9)]),
        (Edit(9, RIGHT), [("event_struck", 9), ("event_inserted", 9)]),
        (Edit(9, RIGHT, insert=True), [("event_inserted", 9)]),
    ],
)
def test_what_was_inserted_is_struck_and_inserted_anew(
    edit: Edit, recorded: list[tuple[str, int]]
) -> None:
    corrections = list(of_edit(edit, "why", inserted={9}))
    assert told(corrections) == recorded
    assert {correction.reason for correction in corrections} == {"why"}
    if edit.event:
        assert encode(corrections[-1])["data"] == encode(RIGHT)


def test_what_can_stand_only_together_is_one_suggestion() -> None:
    """Two cards of one player change places: between the two corrections one would stand twice."""
    evening = table(*plays("leo:AS nina:6S mara:7S leo:KS"))
    edits = Edit(4, played("leo", "KS")), Edit(7, played("leo", "AS"))
    candidate, hand = found_in(evening, *edits)
    suggestion = Scratch(evening.session).confirm(hand.match, hand, candidate, [])
    assert suggestion
    assert [correction.data["seq"] for correction in suggestion.corrections] == [4, 7]
    for correction_ in as_a_set(list_corrections(suggestion)):
        evening.add(correction_)
    assert [play.card.code for play in hand_of(evening).deal.plays] == ["KS", "6S", "7S", "AS"]


def test_several_corrections_come_in_an_order_in_which_each_can_be_appended_alone() -> None:
    """Leo's first card can be the king only after Leo's second card is another one."""
    evening = table(*plays("leo:AS nina:6S mara:7S leo:KS"))
    edits = Edit(4, played("leo", "KS")), Edit(7, played("leo", "9S"))
    candidate, hand = found_in(evening, *edits)
    suggestion = Scratch(evening.session).confirm(hand.match, hand, candidate, [])
    assert suggestion
    for correction in list_corrections(suggestion):
        evening.add(correction)
    assert [play.card.code for play in hand_of(evening).deal.plays] == ["KS", "6S", "7S", "9S"]


def test_cards_that_come_in_after_the_same_entry_stay_in_their_order() -> None:
    evening = table(*plays("leo:AS nina:6S"))
    edits = (
        Edit(5, played("leo", "AS"), insert=True), Edit(5, played("mara", "7S"), insert=True),
        Edit(4),
    )  # fmt: skip
    candidate, hand = found_in(evening, *edits)
    suggestion = Scratch(evening.session).confirm(hand.match, hand, candidate, [])
    assert suggestion
    for correction in list_corrections(suggestion):
        evening.add(correction)
    assert [play.card.code for play in hand_of(evening).deal.plays] == ["6S", "AS", "7S"]


def hand_of(evening: Evening) -> HandRecord:
    return evening.session.structure.matches[0].hands[0]


def test_a_suggestion_says_what_it_resolves_leaves_and_scores() -> None:
    evening = table(BID, WRONG)
    candidate, hand = found_in(evening, Edit(5, RIGHT))
    scratch = Scratch(evening.session)
    assert scratch.confirm(hand.match, hand, candidate, ["total_mismatch"]) == SuggestionView(
        match=1, hand=1, resolves=["total_mismatch"], leaves=[],
        scores={"mara": 0, "leo": 5, "nina": 0},
        corrections=[EventView("event_replaced", {
            "seq": 5, "type": "points_counted", "data": encode(RIGHT), "reason": "why",
        })],
    )  # fmt: skip


@pytest.mark.parametrize("impossible", [Edit(5, HandStarted("leo"), insert=True), Edit(99, RIGHT)])
def test_what_no_log_can_hold_is_no_suggestion_and_leaves_nothing_behind(impossible: Edit) -> None:
    evening = table(BID, WRONG)
    candidate, hand = found_in(evening, Edit(5, RIGHT))
    wrong = TriedCandidate(Candidate(1.0, (impossible,), "why"), candidate.entries, candidate.trial)
    scratch = Scratch(evening.session)
    assert scratch.confirm(hand.match, hand, wrong, []) is None
    assert scratch.confirm(hand.match, hand, candidate, [])
    other, hand = found_in(evening, Edit(4))  # the count is as wrong for it as it was
    anew = Scratch(evening.session).confirm(hand.match, hand, other, [])
    assert scratch.confirm(hand.match, hand, other, []) == anew
    assert anew
    assert "total_mismatch" in anew.leaves
    assert evening.session.events == len(evening.log)


def test_candidates_rank_by_findings_cost_and_size() -> None:
    evening = table(BID, WRONG)
    better, _ = found_in(evening, Edit(5, RIGHT))
    worse, _ = found_in(evening, Edit(4))
    likelier = TriedCandidate(Candidate(0.5, (Edit(5, RIGHT),), ""), better.entries, better.trial)
    larger = TriedCandidate(Candidate(1.0, (Edit(5, RIGHT),) * 2, ""), better.entries, better.trial)
    assert sorted([worse, larger, better, likelier], key=lambda candidate: candidate.rank) == [
        likelier, better, larger, worse,
    ]  # fmt: skip
