"""Signatures and disputes in the report."""

from typing import Any

import pytest

from scorekeeper.base.views import to_json_values
from scorekeeper.report.agreements import (
    get_dispute_state,
    list_relevant_corrections,
    view_disputes,
    view_signatures,
)
from tests.evenings import Evening, play_hand, replaced, riparto

OTHERWISE = {"mara": 4, "leo": 11, "nina": 0}
WRONG = replaced(5, "points_counted", points=OTHERWISE)


@pytest.fixture
def evening() -> Evening:
    """Two hands, of which Leo signed the first."""
    walker = riparto()
    play_hand(walker, "mara")
    walker.say("hand_confirmed", player="leo")
    play_hand(walker, "leo")
    return walker


def report_items(walker: Evening, what: str) -> list[dict[str, Any]]:
    values = {"signatures": view_signatures, "disputes": view_disputes}[what](walker.session)
    return [to_json_values(value) for value in values]


def test_a_signature_holds_until_its_hand_is_corrected(evening: Evening) -> None:
    signed = {"match": 1, "hand": 1, "player": "leo", "seq": 6, "head": None}
    assert report_items(evening, "signatures") == [{**signed, "holds": True, "voided_by": None}]
    correction = evening.replace(5, "points_counted", points=OTHERWISE)
    assert report_items(evening, "signatures") == [
        {**signed, "holds": False, "voided_by": correction}
    ]
    evening.strike(correction)
    assert report_items(evening, "signatures")[0]["holds"]


def test_a_signature_outlives_what_is_corrected_of_another_hand(evening: Evening) -> None:
    evening.replace(9, "points_counted", points=OTHERWISE)
    assert report_items(evening, "signatures")[0]["holds"]


def test_the_corrections_that_bear_on_a_hand(evening: Evening) -> None:
    of_the_first = evening.replace(5, "points_counted", points=OTHERWISE)
    inserted = evening.insert(8, "bid_raised", player="mara", points=6)
    struck = evening.strike(of_the_first)
    first, second = evening.session.structure.matches[0].hands
    assert list_relevant_corrections(evening.session, second) == [inserted]
    assert of_the_first not in list_relevant_corrections(evening.session, first)
    assert struck not in list_relevant_corrections(evening.session, second)


def test_a_dispute_from_its_flag_to_its_end(evening: Evening) -> None:
    states = []

    def note() -> dict[str, Any]:
        (course,) = evening.session.structure.disputes.disputes_by_hand[3]
        states.append(get_dispute_state(evening.session.structure.disputes, course))
        (dispute,) = report_items(evening, "disputes")
        assert dispute["state"] == states[-1]
        return dispute

    evening.say("hand_disputed", player="nina", reason="Wrong score", match=1, hand=1)
    opened = [{"seq": 10, "player": "nina", "reason": "Wrong score"}]
    assert note()["opened"] == opened
    proposal = evening.say("correction_proposed", corrections=[WRONG], reason="so", match=1, hand=1)
    (proposed,) = note()["proposals"]
    assert (proposed["seq"], proposed["reason"], proposed["signed"]) == (proposal, "so", [])
    evening.say("proposal_signed", proposal=proposal, player="leo")
    (proposed,) = note()["proposals"]
    assert proposed["signed"] == [{"player": "leo", "seq": 12, "by": None}]
    evening.say("dispute_settled", ruling="upheld", text="counted together", match=1, hand=1)
    assert note()["settled"] == {
        "seq": 13, "text": "counted together", "proposal": None, "by": None,
    }  # fmt: skip
    assert states == ["open", "proposed", "signed", "upheld"]


def test_a_proposal_that_was_declined_leaves_the_dispute_open(evening: Evening) -> None:
    evening.say("hand_disputed", player="nina", reason="", match=1, hand=1)
    proposal = evening.say("correction_proposed", corrections=[WRONG], reason="", match=1, hand=1)
    evening.say("proposal_declined", proposal=proposal, player="leo")
    (dispute,) = report_items(evening, "disputes")
    assert dispute["proposals"][0]["declined"] == [{"player": "leo", "seq": 12, "by": None}]
    assert dispute["state"] in ("open", "proposed")


def test_session_without_agreements_has_empty_lists() -> None:
    session = riparto().session
    assert [*view_signatures(session), *view_disputes(session)] == []
