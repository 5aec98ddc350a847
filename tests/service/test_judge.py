"""Findings that new events add, and those that need a confirmation.

Tests of ``service.judge``.
"""

import pytest

from scorekeeper.play.scoring import Finding, Text
from scorekeeper.service.folded_session import FoldedSession
from scorekeeper.service.judge import FIRST_HAND, HandId, Judge, is_irregular, last_hand
from tests.evenings import Raw, event, opening
from tests.service.evenings import folded
from tests.service.test_folded_session import HIDING, add

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


def judge_events(
    session: FoldedSession, *events: Raw, all_hands: bool = False
) -> tuple[list[str], list[str]]:
    """Add events; return the codes of findings that need a confirmation, and of new findings."""
    judge = Judge(session, sees_all=True, all_hands=all_hands)
    for raw in events:
        add(session, raw)
        judge.observe()
    asked = codes(judge.new_to_ask())
    return asked, codes(judge.new())


def codes(findings: list[Finding]) -> list[str]:
    return [finding.code for finding in findings]


def test_breach_of_a_rule_needs_one_confirmation() -> None:
    session = folded(*BEGUN)
    assert judge_events(session, OUT_OF_TURN[0]) == ([], [])
    assert judge_events(session, OUT_OF_TURN[1]) == (["out_of_turn"], ["out_of_turn"])
    assert judge_events(session, event("card_played", player="leo", card="KS")) == ([], [])


def test_findings_before_the_first_observation_need_no_confirmation() -> None:
    session = folded(*BEGUN, *OUT_OF_TURN)
    assert judge_events(session, event("card_played", player="leo", card="KS")) == ([], [])


def test_only_a_correction_is_judged_by_all_hands() -> None:
    hands = (*BEGUN, event("bid_made", player="leo", points=5), COUNT,
             event("hand_started", dealer="leo"))  # fmt: skip
    wrong = event("event_replaced", seq=5, type="points_counted", reason="x",
                  data={"points": {"leo": 5, "mara": 4, "nina": 7}})  # fmt: skip
    assert judge_events(folded(*hands), wrong)[0] == []
    assert judge_events(folded(*hands), wrong, all_hands=True)[0] == ["total_mismatch"]


def test_last_hand_belongs_to_the_last_match_that_has_hands() -> None:
    session = folded(*BEGUN[:2])
    assert last_hand(session.session) == FIRST_HAND
    for raw in (BEGUN[2], BEGUN[1]):
        add(session, raw)
    assert last_hand(session.session) == HandId(1, 1)


def test_question_to_a_seat_does_not_depend_on_cards_face_down() -> None:
    twice = event("card_played", player="leo", card="7S")  # which Mara has laid away
    asked_codes = {}
    for sees_all in (True, False):
        session = folded(*HIDING)
        judge = Judge(session, sees_all=sees_all, all_hands=False)
        add(session, event("card_played", player="mara", card="AS"))
        judge.observe()
        before = codes(judge.new_to_ask())
        add(session, twice)
        judge.observe()
        asked_codes[sees_all] = codes(judge.new_to_ask())[len(before) :]
    assert asked_codes[True] != []
    assert asked_codes[False] == []


@pytest.mark.parametrize(
    ("code", "irregular"),
    [("revoke", True), ("incomplete", True), ("not_recorded", False), ("pique_unclear", False)],
)
def test_a_remark_is_no_irregularity(code: str, irregular: bool) -> None:
    assert is_irregular(Finding(code, "G1", Text("x"), ())) is irregular
