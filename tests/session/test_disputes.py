"""Disputes in a log: what can be proposed, which signatures count, and what the report says."""

from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.session.session import Session
from tests.evenings import (
    Evening,
    Raw,
    event,
    inserted,
    play_hand,
    replaced,
    riparto,
    score,
    sealed,
    struck,
)

COUNT = replaced(5, "points_counted", points={"mara": 4, "leo": 11, "nina": 0})


def disputed() -> Evening:
    """Hand 1 in events 3 to 5, disputed by Leo in 6."""
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("hand_disputed", player="leo", reason="I took eleven")
    return evening


def propose(evening: Evening, *corrections: Raw, **more: Any) -> int:
    corrections = corrections or (COUNT,)
    return evening.say("correction_proposed", corrections=list(corrections),
                       reason="counted again", **more)  # fmt: skip


def sign(evening: Evening, proposal: int, *players: str) -> None:
    for player in players:
        evening.say("proposal_signed", proposal=proposal, player=player)


def the_dispute(evening: Evening, place: int = 0) -> dict[str, Any]:
    dispute: dict[str, Any] = evening.report["disputes"][place]
    return dispute


def signers(evening: Evening, place: int = -1) -> list[str]:
    return [signature["player"] for signature in the_dispute(evening)["proposals"][place]["signed"]]


# --------------------------------------------------------------------------------- proposals


@pytest.mark.parametrize(
    ("corrections", "reason"),
    [
        ([struck(99)], "field data.corrections.0.data.seq: expected the seq of an earlier event"),
        ([struck(7)], "field data.corrections.0.data.seq: expected the seq of an earlier event"),
        ([struck(1)], "field data.corrections.0.data.seq: session_opened cannot be struck"),
        ([struck(3)], "field data.corrections.0: with this correction event 4 is no longer valid"),
        ([struck(2)], "field data.corrections.0: with this correction event 3 is no longer valid"),
        ([{"type": "event_struck", "data": {"seq": 5}}], "field data.corrections.0.data.reason"),
        ([replaced(5, "points_counted", points={"ugo": 1})], "field data.corrections.0.data.data"),
        ([replaced(4, "bid_made", player="ugo", points=1)], "field data.corrections.0.data.data"),
        ([COUNT, inserted(5, "card_played", player="leo", card="XX")],
         "field data.corrections.1.data.data.card"),
        ([COUNT, struck(8)], "field data.corrections.1.data.seq"),
        ([struck(5), struck(3)], "field data.corrections.1: with this correction event 4"),
    ],
)  # fmt: skip
def test_what_would_leave_an_unusable_log_is_not_proposed(
    corrections: list[Raw], reason: str
) -> None:
    evening = disputed()
    before = evening.report
    for _ in range(2):
        with pytest.raises(UnusableError) as refused:
            evening.say("correction_proposed", corrections=corrections, reason="")
        assert str(refused.value).startswith(reason)
        assert evening.report == before
    assert propose(evening) == 7
    assert evening.hand(1) == Evening(*evening.log).hand(1)


@pytest.mark.parametrize(
    "corrections",
    [
        [COUNT],
        [struck(4), inserted(3, "bid_made", player="leo", points=3), COUNT],
        [inserted(5, "score_claimed", scores={"leo": 1}), struck(5)],
        [replaced(3, "hand_started", dealer="leo"), COUNT],
        [inserted(6, "hand_started", dealer="nina"), struck(4)],
        [replaced(8, "bid_made", player="leo", points=6), COUNT],
    ],
)  # fmt: skip
def test_what_is_tried_leaves_no_trace(corrections: list[Raw]) -> None:
    evening = disputed()
    play_hand(evening, "leo")
    before, matches = evening.session.structure.segments, evening.report["matches"]
    keys = [list(segment.keys) for segment in before]
    proposal = propose(evening, *corrections, hand=1)
    assert evening.report["matches"] == matches
    segments = evening.session.structure.segments
    assert [list(segment.keys) for segment in segments][:-1] == keys[:-1]
    assert segments[-1].keys == [*keys[-1], proposal]
    for correction in corrections:
        evening.add(correction)
    assert evening.report == Evening(*evening.log).report


def test_log_may_contain_proposals_that_the_service_refuses() -> None:
    """A log by hand, or of another service: each is signed for itself, and the ruling names one."""
    evening = disputed()
    nothing = evening.say("correction_proposed", corrections=[], reason="")
    first, second = propose(evening), propose(evening, struck(4))
    sign(evening, first, "leo")
    sign(evening, second, "mara", "nina")
    sign(evening, nothing, "leo")
    values = the_dispute(evening)["proposals"]
    assert [value["seq"] for value in values] == [nothing, first, second]
    assert [signers(evening, place) for place in range(3)] == [["leo"], ["leo"], ["mara", "nina"]]
    evening.say("proposal_declined", proposal=second, player="leo")
    assert open_proposal(evening) == first
    evening.say("dispute_settled", ruling="corrected", text="", proposal=first)
    evening.add(COUNT)
    assert the_dispute(evening)["state"] == "corrected"
    assert open_proposal(evening) is None


def open_proposal(evening: Evening) -> int | None:
    record = evening.session.structure
    proposal = record.disputes.find_open_proposal(record.matches[0].hands[0])
    return None if proposal is None else proposal.entry.seq


@pytest.mark.parametrize("how", ["declined", "settled", "changed"])
def test_a_proposal_is_open_until_it_is_closed(how: str) -> None:
    evening = disputed()
    first = propose(evening)
    assert open_proposal(evening) == first
    if how == "declined":
        evening.say("proposal_declined", proposal=first, player="nina")
    elif how == "settled":
        evening.say("dispute_settled", ruling="unresolved", text="")
    else:
        evening.say("score_claimed", scores={"leo": 1})
    assert open_proposal(evening) is None
    second = propose(evening, struck(4))
    sign(evening, second, "leo")
    assert open_proposal(evening) == second


# -------------------------------------------------------------------------------- signatures


def test_only_players_sign_and_second_signature_adds_nothing() -> None:
    evening = disputed()
    proposal = propose(evening)
    sign(evening, proposal, "leo", "nina", "leo")
    with pytest.raises(UnusableError, match="expected a player of this session"):
        sign(evening, proposal, "otto")
    sign(evening, proposal, "mara")
    assert signers(evening) == ["leo", "nina", "mara"]


@pytest.mark.parametrize("what", ["entry", "strike", "replace", "insert", "dealer", "options"])
def test_what_bears_on_the_hand_voids_all_signatures(what: str) -> None:
    evening = disputed()
    proposal = propose(evening)
    sign(evening, proposal, "leo")
    if what == "entry":
        evening.say("score_claimed", scores={"leo": 1})
    elif what == "strike":
        evening.strike(5)
    elif what == "replace":
        evening.replace(4, "bid_made", player="mara", points=4)
    elif what == "insert":
        evening.insert(5, "score_claimed", scores={"leo": 1})
    elif what == "dealer":
        evening.replace(3, "hand_started", dealer="leo")
    else:
        evening.replace(2, "match_started", game="riparto", seats=["mara", "leo", "nina"],
                        options={"award_tie": "none"})  # fmt: skip
    sign(evening, proposal, "mara")  # passed over: it is on record, and does not count
    (values,) = the_dispute(evening)["proposals"]
    assert (values["void"], values["signed"]) == (True, [])
    assert the_dispute(evening)["state"] == "open"


@pytest.mark.parametrize("what", ["note", "signature", "another hand", "dispute"])
def test_what_does_not_bear_on_the_hand_leaves_them(what: str) -> None:
    evening = disputed()
    proposal = propose(evening)
    sign(evening, proposal, "leo")
    if what == "note":
        evening.say("note_added", text="")
    elif what == "signature":
        evening.say("hand_confirmed", player="mara")
    elif what == "dispute":
        evening.say("hand_disputed", player="nina", reason="so do I")
    else:
        evening.strike(play_hand(evening, "leo")[2])
    sign(evening, proposal, "mara")
    assert signers(evening) == ["leo", "mara"]
    assert the_dispute(evening)["state"] == "signed"


def test_a_correction_that_was_struck_counts_as_never_recorded() -> None:
    evening = disputed()
    sign(evening, propose(evening), "leo")
    strike = evening.strike(5)
    assert signers(evening) == []
    evening.strike(strike)
    assert signers(evening) == ["leo"]


def test_other_words_are_another_proposal() -> None:
    evening = disputed()
    proposal = propose(evening)
    sign(evening, proposal, "leo")
    changed = evening.replace(proposal, "correction_proposed", corrections=[struck(4)], reason="")
    assert signers(evening) == []
    sign(evening, proposal, "leo", "mara")
    assert signers(evening) == ["leo", "mara"]
    evening.strike(changed)
    assert signers(evening) == ["leo"]
    with pytest.raises(UnusableError, match="the seq of an earlier event"):
        evening.replace(proposal, "correction_proposed", corrections=[struck(77)], reason="")


def test_a_proposal_puts_into_a_proposal_what_has_parts_within_parts() -> None:
    evening = disputed()
    seats, options = ["mara", "leo", "nina"], {"match_end": {"hands": 3}}
    other = replaced(2, "match_started", game="riparto", seats=seats, options=options)
    reworded = replaced(propose(evening), "correction_proposed", corrections=[other], reason="")
    propose(evening, reworded)
    evening.add(reworded)
    assert the_dispute(evening)["proposals"][0]["corrections"] == [other]


@pytest.mark.parametrize("how", ["declined", "settled"])
def test_a_signature_under_what_is_closed_is_passed_over(how: str) -> None:
    evening = disputed()
    proposal = propose(evening)
    sign(evening, proposal, "leo")
    if how == "declined":
        evening.say("proposal_declined", proposal=proposal, player="mara")
    else:
        evening.say("dispute_settled", ruling="upheld", text="")
    sign(evening, proposal, "nina")
    assert signers(evening) == ["leo"]


# -------------------------------------------------------------------------------- the report


def test_a_dispute_from_its_opening_to_its_ruling() -> None:
    evening = disputed()
    states = [the_dispute(evening)["state"]]
    proposal = propose(evening)
    states.append(the_dispute(evening)["state"])
    sign(evening, proposal, "leo", "mara", "nina")
    states.append(the_dispute(evening)["state"])
    evening.say("dispute_settled", ruling="corrected", text="eleven", proposal=proposal)
    evening.add(COUNT)
    states.append(the_dispute(evening)["state"])
    assert states == ["open", "proposed", "signed", "corrected"]
    by = {"by": None}
    assert evening.report["disputes"] == [{
        "match": 1, "hand": 1, "state": "corrected",
        "opened": [{"seq": 6, "player": "leo", "reason": "I took eleven"}],
        "proposals": [{
            "seq": 7, "hash": None, "reason": "counted again", "corrections": [COUNT],
            "signed": [{"player": "leo", "seq": 8, **by}, {"player": "mara", "seq": 9, **by},
                       {"player": "nina", "seq": 10, **by}],
            "declined": [], "void": False,
        }],
        "settled": {"seq": 11, "text": "eleven", "proposal": 7, **by},
    }]  # fmt: skip
    values = score(sealed(evening.log, by="keeper"))["disputes"][0]["proposals"][0]
    assert len(values["hash"]) == 64
    assert {signature["by"] for signature in values["signed"]} == {"keeper"}


@pytest.mark.parametrize("ruling", ["corrected", "upheld", "unresolved"])
def test_a_ruling_stands_whoever_signed(ruling: str) -> None:
    evening = disputed()
    proposal = propose(evening)
    evening.say("dispute_settled", ruling=ruling, text="", proposal=proposal)
    assert the_dispute(evening)["state"] == ruling
    evening.say("hand_disputed", player="nina", reason="still")
    assert [dispute["state"] for dispute in evening.report["disputes"]] == [ruling, "open"]


def test_a_signature_is_bound_to_its_place_and_names_what_voided_it() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.strike(evening.say("score_claimed", scores={"leo": 1}))
    first = evening.say("hand_confirmed", player="leo")
    play_hand(evening, "leo")
    voided = evening.replace(5, "points_counted", points={"mara": 4, "leo": 11, "nina": 0})
    evening.strike(6)
    again = evening.say("hand_confirmed", player="mara")
    values = score(sealed(evening.log))["signatures"]
    assert [(value["hand"], value["player"], value["seq"], value["holds"], value["voided_by"])
            for value in values] == [(1, "leo", first, False, voided),
                                 (2, "mara", again, True, None)]  # fmt: skip
    assert values[1]["head"] == score(sealed(evening.log))["session"]["head"]


def test_corrections_of_an_old_hand_keep_the_later_ones() -> None:
    evening = disputed()
    for dealer in ("leo", "nina", "mara"):
        play_hand(evening, dealer)
    before = evening.match()["hands"]
    proposal = propose(evening, hand=1)
    sign(evening, proposal, "leo", "mara", "nina")
    evening.say("dispute_settled", ruling="corrected", text="", proposal=proposal)
    evening.add(COUNT)
    after = evening.match()["hands"]
    assert [hand["scores"] for hand in after[1:]] == [hand["scores"] for hand in before[1:]]
    assert after[0]["scores"] != before[0]["scores"]
    assert [dispute["state"] for dispute in evening.report["disputes"]] == ["corrected"]


def test_replay_of_all_entries_gives_the_same_session() -> None:
    evening = disputed()
    proposal = propose(evening)
    sign(evening, proposal, "leo")
    evening.strike(5)
    sign(evening, proposal, "mara")
    propose(evening, struck(4), hand=1)
    evening.insert(1, "player_joined", id="new", name="New")
    again = Session.of(evening.session.corrections.recorded.values())
    assert Evening(*evening.log).report == evening.report
    assert (
        again.structure.disputes.disputes_by_hand.keys()
        == evening.session.structure.disputes.disputes_by_hand.keys()
    )


def test_trying_costs_as_much_as_correcting() -> None:
    evening = disputed()
    for number in range(60):
        play_hand(evening, ("leo", "nina", "mara")[number % 3])
    steps = evening.session.corrections.steps
    evening.say("event_replaced", **COUNT["data"])
    corrected = evening.session.corrections.steps - steps
    propose(evening, event("event_struck", seq=4, reason=""), hand=1)
    assert evening.session.corrections.steps - steps < 3 * corrected


def test_to_sign_costs_no_look_at_the_hand() -> None:
    evening = disputed()
    proposal = propose(evening)
    steps = evening.session.corrections.steps
    sign(evening, proposal, "leo", "mara")
    assert evening.session.corrections.steps == steps
    evening.say("hand_confirmed", player="leo")
    assert evening.session.corrections.steps > steps
