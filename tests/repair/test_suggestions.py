"""Suggestions for a hand: their content, their form, and that it can be recorded as it stands."""

from importlib import import_module
from itertools import count
from typing import Any

import pytest

from scorekeeper.repair import searched, suggestions
from scorekeeper.repair.likely_errors import completing, similar_figures
from scorekeeper.repair.suggestion_views import SearchedView, SuggestionView
from tests.evenings import Evening, as_a_set, build_report, event, inserted, opening
from tests.repair.scenes import list_corrections

SEATS = ("mara", "leo", "nina")


def table(*events: dict[str, Any], dealer: str = "mara") -> Evening:
    """An evening of Riparto; the events of its first hand begin with seq 4."""
    return Evening(
        opening(*SEATS),
        event("match_started", game="riparto", seats=list(SEATS)),
        event("hand_started", dealer=dealer),
        *events,
    )


def bid(player: str, points: int) -> dict[str, Any]:
    return event("bid_made", player=player, points=points)


def counted(**points: int) -> dict[str, Any]:
    return event("points_counted", points=points)


def claimed(**scores: int) -> dict[str, Any]:
    return event("score_claimed", scores=scores)


def first_of(evening: Evening) -> SuggestionView:
    return suggestions(evening.session)[0]


def list_edits(suggestion: SuggestionView) -> list[tuple[str, dict[str, Any]]]:
    """The corrections without their reasons."""
    return [
        (
            correction.type,
            {key: value for key, value in correction.data.items() if key != "reason"},
        )
        for correction in suggestion.corrections
    ]


def test_nothing_is_suggested_where_nothing_is_wrong() -> None:
    evening = table(bid("leo", 5), counted(leo=5, nina=6))
    assert suggestions(evening.session) == []


def test_a_hand_still_at_play_needs_nothing() -> None:
    assert suggestions(table(bid("leo", 5)).session) == []


def test_a_wrong_claim_is_set_to_the_score() -> None:
    evening = table(bid("leo", 5), counted(leo=5, nina=6), claimed(leo=6))
    suggestion = first_of(evening)
    replaced = {"seq": 6, "type": "score_claimed", "data": {"scores": {"leo": 5}}}
    assert list_edits(suggestion) == [("event_replaced", replaced)]
    assert suggestion.corrections[0].data["reason"]
    assert suggestion == SuggestionView(
        match=1, hand=1, corrections=suggestion.corrections, resolves=["claim_mismatch"],
        leaves=[], scores={"mara": 0, "leo": 5, "nina": 0},
    )  # fmt: skip


def test_a_bid_that_would_give_the_claim_is_among_them() -> None:
    evening = table(bid("leo", 5), counted(leo=6, nina=5), claimed(leo=6, nina=0, mara=0))
    replaced = {"seq": 4, "type": "bid_made", "data": {"player": "leo", "points": 6}}
    assert [("event_replaced", replaced)] in [
        list_edits(suggestion) for suggestion in suggestions(evening.session)
    ]


def test_a_count_that_misses_the_total_is_completed() -> None:
    evening = table(bid("leo", 5), counted(leo=5, nina=6, mara=14))
    replaced = {
        "seq": 5,
        "type": "points_counted",
        "data": {"points": {"leo": 5, "nina": 6, "mara": 4}},
    }
    assert list_edits(first_of(evening)) == [("event_replaced", replaced)]


def test_a_repeated_bid_is_struck() -> None:
    evening = table(bid("leo", 5), bid("leo", 5), counted(leo=5, nina=6))
    assert ("event_struck", {"seq": 5}) in list_edits(first_of(evening))


def test_a_hand_left_behind_without_its_bid_gets_one() -> None:
    evening = table(counted(leo=5, nina=6), event("hand_started", dealer="leo"))
    suggestion = first_of(evening)
    [(kind, data)] = list_edits(suggestion)
    assert (kind, data["type"]) == ("event_inserted", "bid_made")
    assert (suggestion.resolves, suggestion.leaves) == (["incomplete"], [])


def test_what_was_inserted_is_struck_and_inserted_anew() -> None:
    evening = table(bid("leo", 5), counted(leo=5, nina=6))
    evening.add(inserted(5, "score_claimed", scores={"leo": 6}))
    assert list_edits(first_of(evening)) == [
        ("event_struck", {"seq": 6}),
        ("event_inserted", {"after": 6, "type": "score_claimed", "data": {"scores": {"leo": 5}}}),
    ]


def test_the_dealer_whose_deal_it_was_is_suggested() -> None:
    evening = table(bid("leo", 5), counted(leo=5, nina=6), event("hand_started", dealer="nina"))
    evening.add(bid("mara", 5))
    evening.add(counted(mara=5, nina=6))
    suggested = suggestions(evening.session)
    assert [list_edits(suggestion) for suggestion in suggested] == [
        [("event_replaced", {"seq": 6, "type": "hand_started", "data": {"dealer": "leo"}})],
        [("event_replaced", {"seq": 3, "type": "hand_started", "data": {"dealer": "leo"}})],
    ]
    assert {(*suggestion.resolves, *suggestion.leaves) for suggestion in suggested} == {
        ("wrong_dealer",)
    }


def test_the_hand_after_says_which_of_two_dealers_is_wrong() -> None:
    """Nina deals after Mara, and then Mara: not Nina's deal is wrong, but who dealt before."""
    evening = table(bid("leo", 5), counted(leo=5, nina=6), event("hand_started", dealer="nina"))
    for raw in (bid("mara", 5), counted(mara=5, nina=6), event("hand_started", dealer="mara")):
        evening.add(raw)
    replaced = {"seq": 3, "type": "hand_started", "data": {"dealer": "leo"}}
    assert list_edits(first_of(evening)) == [("event_replaced", replaced)]


def test_equal_sets_are_suggested_once() -> None:
    """Whoever answers for elder: the two answers are struck, the one or the other first."""
    evening = table(bid("leo", 5), bid("leo", 5), bid("leo", 5), counted(leo=5, nina=6))
    sets_found = [
        frozenset(repr(sorted(data.items())) for _, data in list_edits(suggestion))
        for suggestion in suggestions(evening.session)
    ]
    assert len(sets_found) == len(set(sets_found)) > 0


def test_two_mistakes_need_two_corrections() -> None:
    evening = table(
        bid("leo", 5), bid("leo", 5), counted(leo=5, nina=6, mara=14), claimed(leo=5)
    )  # fmt: skip
    suggestion = first_of(evening)
    assert {correction.type for correction in suggestion.corrections} == {
        "event_struck",
        "event_replaced",
    }
    assert suggestion.leaves == []


def test_suggestions_are_limited_to_the_requested_hands() -> None:
    wrong = (counted(leo=5, nina=6), claimed(leo=6))
    evening = table(
        bid("leo", 5), *wrong, event("hand_started", dealer="leo"), bid("leo", 5), *wrong
    )
    session = evening.session
    both = suggestions(session)
    assert {place.hand for place in both} == {1, 2}
    assert suggestions(session, match=1, hand=2) == [place for place in both if place.hand == 2]
    assert suggestions(session, match=2) == []


def test_the_session_stays_as_it_was() -> None:
    evening = table(bid("leo", 5), counted(leo=5, nina=6), claimed(leo=6))
    before = build_report(evening.session)
    assert suggestions(evening.session)
    assert build_report(evening.session) == before


@pytest.mark.parametrize("closed", [False, True])
def test_each_can_be_recorded_and_scores_as_it_says(*, closed: bool) -> None:
    events = [bid("leo", 5), bid("leo", 5), counted(leo=6, nina=5), claimed(leo=6, nina=1)]
    events += [event("session_closed")] if closed else []
    suggested = suggestions(table(*events).session)
    assert suggested
    for suggestion in suggested:
        evening = table(*events)
        for correction in as_a_set(list_corrections(suggestion)):
            evening.add(correction)
        report = build_report(evening.session)
        assert report["matches"][0]["hands"][0]["scores"] == suggestion.scores
        codes = {finding["code"] for finding in report["findings"] if finding["severity"] != "info"}
        assert codes == set(suggestion.leaves)
        assert not codes.intersection(suggestion.resolves) or suggestion.leaves


def test_a_search_whose_time_is_over_says_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some forty corrections are tried in a second, by this clock."""
    wrong = (bid("leo", 5), counted(leo=5, nina=6), claimed(leo=9))
    session = table(*wrong, event("hand_started", dealer="leo"), *wrong).session
    clock = count()
    module = import_module("scorekeeper.repair.suggestions")  # not the function of that name
    monkeypatch.setattr(module, "monotonic", lambda: next(clock) / 40)
    found, extent = searched(session)
    assert 120 < extent.tried < 200
    assert extent == SearchedView(
        hands=0, of=2, tried=extent.tried, untried=extent.untried,
        said="searched 0 of 2 hands: ask for one; "
             f"corrections tried: {extent.tried}, not tried: {extent.untried}",
    )  # fmt: skip
    assert extent.untried > 0
    assert {suggestion.hand for suggestion in found} == {1, 2}


def test_at_most_ten_for_a_hand() -> None:
    suggested = suggestions(table(bid("leo", 5), counted(leo=5, nina=6), claimed(leo=9)).session)
    assert 1 <= len(suggested) <= 10


@pytest.mark.parametrize(
    ("value", "meant"),
    [(54, {45, 53, 55, 44, 64, -54}), (7, {6, 8, -3, 17, -7}), (-12, {-21, -13, -11, -22, -2, 12})],
)
def test_figures_easily_mistaken(value: int, meant: set[int]) -> None:
    assert set(similar_figures(value)) == meant


def test_a_count_is_completed_by_any_one_of_its_figures() -> None:
    values = [value for _, value in completing({"A": 60, "B": 50}, (120,))]
    assert values == [{"A": 70, "B": 50}, {"A": 60, "B": 60}]
