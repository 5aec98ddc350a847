"""Matches that stop without a winner: undecided ones, and those without a complete hand."""

from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError, why_of
from scorekeeper.report.settlement import settle_evening
from tests.evenings import (
    GOLDEN,
    Evening,
    Raw,
    event,
    opening,
    play_hand,
    replaced,
    riparto,
    struck,
)
from tests.exports.samples import events_of
from tests.samples import SAMPLES

STAKE = {"currency": "EUR", "point": 10, "match": 500}


def first_hands(game: str, hands: int = 1) -> list[Raw]:
    """Return the golden evening of a game up to the end of its first hands, played for money."""
    kept: list[Raw] = []
    for raw in events_of(GOLDEN / game / "evening.jsonl"):
        begun = sum(one["type"] == "hand_started" for one in kept)
        if raw["type"] == "hand_started" and begun == hands:
            break
        if raw["type"] == "match_started":
            raw["data"]["stake"] = STAKE
        kept.append(raw)
    return kept


def money_of(evening: Evening) -> dict[str, int]:
    """Return the balances of an evening that is played for money in one currency."""
    [purse] = settle_evening(evening.view.matches)
    return dict(purse.balances)


@pytest.mark.parametrize("game", SAMPLES)
def test_undecided_match_has_no_winner_and_keeps_its_points(game: str) -> None:
    decided, undecided = Evening(*first_hands(game)), Evening(*first_hands(game))
    decided.say("match_ended")
    undecided.say("match_ended", undecided=True, reason="Leo went home")
    won, stopped = decided.match(), undecided.match()
    assert won["status"] == stopped["status"] == "finished"
    assert won["winners"]
    assert "undecided" not in won
    assert stopped["winners"] == []
    assert stopped["undecided"] is True
    assert (stopped["totals"], stopped["hands"]) == (won["totals"], won["hands"])


@pytest.mark.parametrize("game", SAMPLES)
def test_undecided_match_pays_its_points_and_not_the_match(game: str) -> None:
    still_open, undecided = Evening(*first_hands(game)), Evening(*first_hands(game))
    undecided.say("match_ended", undecided=True)
    assert money_of(undecided) == money_of(still_open)
    assert all(due["what"] != "match" for due in undecided.match()["settlement"]["dues"])


@pytest.mark.parametrize("game", SAMPLES)
@pytest.mark.parametrize("end", ["match_ended", "session_closed", "match_started"])
def test_match_without_a_complete_hand_has_no_winner(game: str, end: str) -> None:
    before = first_hands(game)
    kept = before[: next(n for n, one in enumerate(before) if one["type"] == "hand_started") + 1]
    again = next(one for one in kept if one["type"] == "match_started")
    evening = Evening(*kept)
    evening.add(again if end == "match_started" else event(end))
    match = evening.match()
    assert (match["status"], match["winners"]) == ("finished", [])
    assert "undecided" not in match
    assert set(match["totals"]) == set(match["sides"])
    assert not any(evening.view.money[0].balances.values())  # type: ignore[index]


@pytest.mark.parametrize("end", [event("session_closed"), event("match_ended", reason="late")])
def test_match_that_something_else_ends_is_won_by_the_highest_total(end: Raw) -> None:
    evening = riparto()
    play_hand(evening, "leo")
    evening.add(end)
    assert evening.match()["winners"] == ["mara"]


def test_match_ended_after_the_own_end_is_refused() -> None:
    evening = riparto(end={"hands": 1})
    play_hand(evening, "leo")
    assert evening.match()["status"] == "finished"
    for data in ({}, {"undecided": True}):
        with pytest.raises(UnusableError) as refused:
            evening.say("match_ended", **data)
        assert why_of(refused.value) == "ended_by_rule"


def test_end_that_a_correction_moves_before_match_ended_decides_the_match() -> None:
    evening = riparto(end={"hands": 2})
    play_hand(evening, "leo")
    ended = evening.say("match_ended", undecided=True)
    evening.add(replaced(2, "match_started", game="riparto", seats=["mara", "leo", "nina"],
                         options={"match_end": {"hands": 1}}))  # fmt: skip
    assert evening.match()["winners"] == ["mara"]
    assert "undecided" not in evening.match()
    evening.add(struck(ended))
    assert evening.match()["status"] == "finished"


def test_correction_makes_a_match_undecided_and_decided_again() -> None:
    evening = riparto()
    play_hand(evening, "leo")
    ended = evening.say("match_ended")
    evening.add(replaced(ended, "match_ended", undecided=True))
    assert evening.match()["winners"] == []
    evening.add(replaced(ended, "match_ended"))
    assert evening.match()["winners"] == ["mara"]


@pytest.mark.parametrize("value", [False, None, "yes", 1])
def test_undecided_is_true_or_left_out(value: Any) -> None:
    evening = riparto()
    with pytest.raises(UnusableError) as refused:
        evening.say("match_ended", undecided=value)
    assert refused.value.field == "data.undecided"


def test_undecided_match_and_one_without_a_hand_beside_others() -> None:
    evening = Evening(opening("mara", "leo", "nina"))
    start = event("match_started", game="riparto", seats=["mara", "leo", "nina"])
    evening.add(start)
    play_hand(evening, "leo")
    evening.say("match_ended", undecided=True)
    evening.add(start)
    evening.add(start)
    play_hand(evening, "leo")
    evening.say("session_closed")
    winners = [match["winners"] for match in evening.report["matches"]]
    assert winners == [[], [], ["mara"]]
