"""What entries add to the findings, and what is asked about them."""

import pytest

from scorekeeper.play.scoring import Finding, Text
from scorekeeper.service.cache import Folded
from scorekeeper.service.judge import FIRST_HAND, HandId, Judge, is_irregular, last_hand
from tests.evenings import Raw, event, opening
from tests.service.evenings import folded
from tests.service.test_cache import HIDING, add

SEATS = ["mara", "leo", "nina"]
BEGUN = (
    opening(*SEATS),
    event("match_started", game="riparto", seats=SEATS),
    event("hand_started", dealer="mara"),
)
OUT_OF_TURN = (
    event("bid_made", player="nina", points=5),
    event("card_played", player="mara", card="AS"),
)
COUNT = event("points_counted", points={"leo": 5, "mara": 4, "nina": 6})


def judged(found: Folded, *events: Raw, all_hands: bool = False) -> tuple[list[str], list[str]]:
    """The codes of what is asked about, and of what is new, as events are added."""
    judge = Judge(found, sees_all=True, all_hands=all_hands)
    for one in events:
        add(found, one)
        judge.observe()
    asked = codes(judge.new_to_ask())
    return asked, codes(judge.new())


def codes(findings: list[Finding]) -> list[str]:
    return [one.code for one in findings]


def test_what_breaks_a_rule_is_asked_about_once() -> None:
    found = folded(*BEGUN)
    assert judged(found, OUT_OF_TURN[0]) == ([], [])
    assert judged(found, OUT_OF_TURN[1]) == (["out_of_turn"], ["out_of_turn"])
    assert judged(found, event("card_played", player="leo", card="KS")) == ([], [])


def test_where_nothing_is_known_yet_what_stood_before_is_not_asked_about() -> None:
    found = folded(*BEGUN, *OUT_OF_TURN)
    assert judged(found, event("card_played", player="leo", card="KS")) == ([], [])


def test_only_a_correction_is_judged_by_all_hands() -> None:
    hands = (*BEGUN, event("bid_made", player="leo", points=5), COUNT,
             event("hand_started", dealer="leo"))  # fmt: skip
    wrong = event("event_replaced", seq=5, type="points_counted", reason="x",
                  data={"points": {"leo": 5, "mara": 4, "nina": 7}})  # fmt: skip
    assert judged(folded(*hands), wrong)[0] == []
    assert judged(folded(*hands), wrong, all_hands=True)[0] == ["total_mismatch"]


def test_the_last_hand_is_that_of_the_last_match_with_any() -> None:
    found = folded(*BEGUN[:2])
    assert last_hand(found.session) == FIRST_HAND
    for one in (BEGUN[2], BEGUN[1]):
        add(found, one)
    assert last_hand(found.session) == HandId(1, 1)


def test_who_does_not_see_all_is_not_asked_by_what_lies_face_down() -> None:
    twice = event("card_played", player="leo", card="7S")  # which Mara has laid away
    asked = {}
    for sees_all in (True, False):
        found = folded(*HIDING)
        judge = Judge(found, sees_all=sees_all, all_hands=False)
        add(found, event("card_played", player="mara", card="AS"))
        judge.observe()
        before = codes(judge.new_to_ask())
        add(found, twice)
        judge.observe()
        asked[sees_all] = codes(judge.new_to_ask())[len(before) :]
    assert asked[True] != []
    assert asked[False] == []


@pytest.mark.parametrize(
    ("code", "irregular"),
    [("revoke", True), ("incomplete", True), ("not_recorded", False), ("pique_unclear", False)],
)
def test_a_remark_is_no_irregularity(code: str, irregular: bool) -> None:
    assert is_irregular(Finding(code, "G1", Text("x"), ())) is irregular
