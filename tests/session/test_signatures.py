"""Signatures and disputes: which hand they are about, and what a correction does to them."""

import pytest

from scorekeeper.base.errors import UnusableError
from tests.evenings import Evening, play_hand, riparto, struck

SIGNED = ["leo", "mara"]


def signed() -> tuple[Evening, list[int]]:
    """Two hands, the first signed by two; the seqs of the first hand and of the signatures."""
    evening = riparto()
    seqs = play_hand(evening, "mara")
    seqs += [evening.say("hand_confirmed", player=player) for player in SIGNED]
    play_hand(evening, "leo")
    return evening, seqs


# ------------------------------------------------------------------------------- signatures


def test_a_signature_is_under_the_last_complete_hand() -> None:
    evening, _ = signed()
    evening.say("hand_started", dealer="nina")
    evening.say("hand_confirmed", player="nina")
    assert [hand["confirmed"] for hand in evening.match()["hands"]] == [SIGNED, ["nina"], []]


def test_second_signature_adds_nothing() -> None:
    evening, _ = signed()
    evening.say("hand_confirmed", player="leo")
    evening.say("hand_confirmed", player="leo")
    assert evening.hand(2)["confirmed"] == ["leo"]


def test_a_signature_stays_under_its_hand_whatever_becomes_complete() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    second = evening.say("hand_started", dealer="leo")
    evening.say("bid_made", player="mara", points=5)
    evening.say("hand_confirmed", player="leo")
    evening.insert(second, "points_counted", points={"mara": 5, "leo": 10})
    assert [hand["confirmed"] for hand in evening.match()["hands"]] == [["leo"], []]
    evening.insert(1, "player_joined", id="new", name="New")  # places all anew
    assert [hand["confirmed"] for hand in evening.match()["hands"]] == [["leo"], []]


@pytest.mark.parametrize("what", ["strike", "replace", "insert", "dealer", "options"])
def test_a_correction_of_the_hand_voids_what_was_signed(what: str) -> None:
    evening, (hand, bid, count, *_) = signed()
    if what == "strike":
        evening.strike(count)
    elif what == "replace":
        evening.replace(bid, "bid_made", player="mara", points=4)
    elif what == "insert":
        evening.insert(count, "score_claimed", scores={"mara": 5})
    elif what == "dealer":
        evening.replace(hand, "hand_started", dealer="nina")
    else:
        evening.replace(2, "match_started", game="riparto", seats=["mara", "leo", "nina"],
                        options={"award_tie": "none"})  # fmt: skip
    assert evening.hand(1)["confirmed"] == []


def test_a_correction_struck_counts_as_never_recorded_for_signatures_too() -> None:
    evening, (_, bid, count, *_) = signed()
    before = evening.match()
    for correction in (
        evening.strike(count),
        evening.replace(bid, "bid_made", player="mara", points=4),
        evening.insert(count, "score_claimed", scores={"mara": 5}),
    ):
        again = evening.strike(correction)
        assert evening.report["corrections"][-1]["seq"] == again
    assert evening.match() == before


def test_what_was_struck_before_the_signature_and_comes_back_voids_it() -> None:
    evening = riparto()
    *_, _count = play_hand(evening, "mara")
    claim = evening.say("score_claimed", scores={"mara": 5})
    strike = evening.strike(claim)
    evening.say("hand_confirmed", player="leo")
    assert evening.hand(1)["confirmed"] == ["leo"]
    evening.strike(strike)
    assert evening.hand(1)["confirmed"] == []


def test_a_correction_of_another_hand_does_not_touch_it() -> None:
    evening, _ = signed()
    count = evening.say("score_claimed", scores={"mara": 5})
    evening.strike(count)
    evening.replace(9, "bid_made", player="leo", points=9)  # the bid of the second hand
    assert evening.hand(1)["confirmed"] == SIGNED


def test_a_hand_that_gave_events_to_an_inserted_one_is_not_what_was_signed() -> None:
    evening = riparto()
    _, bid, _ = play_hand(evening, "mara")
    evening.say("hand_confirmed", player="leo")
    evening.insert(bid, "hand_started", dealer="leo")
    assert evening.hand(1)["confirmed"] == []


@pytest.mark.parametrize("what", ["note", "signature", "player", "end"])
def test_a_correction_that_does_not_bear_on_the_hand_leaves_it_signed(what: str) -> None:
    evening = riparto()
    play_hand(evening, "mara")
    first = evening.say("hand_confirmed", player="leo")
    note = evening.say("note_added", text="cofee")
    second = evening.say("hand_confirmed", player="mara")
    end = evening.say("match_ended")
    if what == "note":
        evening.replace(note, "note_added", text="coffee")
        evening.insert(first, "note_added", text="tea")
        evening.strike(note)
    elif what == "player":
        evening.insert(first, "player_joined", id="new", name="New")
    elif what == "end":
        evening.strike(end)
    else:
        evening.strike(second)
    assert evening.hand(1)["confirmed"] == (["leo"] if what == "signature" else SIGNED)


def test_a_signature_can_be_inserted_and_replaced() -> None:
    evening, (*_, leo, mara) = signed()
    evening.insert(mara, "hand_confirmed", player="nina")
    assert evening.hand(1)["confirmed"] == [*SIGNED, "nina"]
    evening.replace(leo, "hand_confirmed", player="nina")
    assert evening.hand(1)["confirmed"] == ["nina", "mara"]


def test_later_entries_leave_the_signature_valid() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("hand_confirmed", player="leo")
    evening.say("score_claimed", scores={"mara": 5})
    assert evening.hand(1)["confirmed"] == ["leo"]


def test_hand_with_signatures_or_disputes_cannot_be_struck() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    second = evening.say("hand_started", dealer="leo")
    dispute = evening.say("hand_disputed", player="leo", reason="misdealt", hand=2)
    with pytest.raises(
        UnusableError, match="event 7 is no longer valid: the hand that this is about no lon"
    ):
        evening.strike(second)
    evening.strike(dispute)
    evening.strike(second)
    assert len(evening.match()["hands"]) == 1


# --------------------------------------------------------------------------------- disputes


def disputed(evening: Evening) -> list[bool]:
    return [hand["disputed"] for match in evening.report["matches"] for hand in match["hands"]]


def test_a_dispute_is_about_the_last_complete_hand_or_the_one_named() -> None:
    evening, _ = signed()
    evening.say("hand_disputed", player="leo", reason="I took six")
    assert disputed(evening) == [False, True]
    evening.say("hand_disputed", player="leo", reason="and here too", hand=1)
    assert disputed(evening) == [True, True]
    evening.say("match_started", game="riparto", seats=["mara", "leo", "ugo"])
    play_hand(evening, "ugo")
    evening.say("hand_disputed", player="ugo", reason="", match=2)
    assert disputed(evening) == [True, True, True]


def test_who_is_not_of_that_match_does_not_dispute_it() -> None:
    evening, _ = signed()
    evening.say("match_started", game="riparto", seats=["mara", "leo", "ugo"])
    with pytest.raises(UnusableError):
        evening.say("hand_disputed", player="ugo", reason="", match=1, hand=1)
    evening.say("hand_disputed", player="nina", reason="", match=1, hand=1)


@pytest.mark.parametrize("ruling", ["corrected", "upheld", "unresolved"])
def test_a_ruling_closes_the_dispute(ruling: str) -> None:
    evening, _ = signed()
    evening.say("hand_disputed", player="leo", reason="I took six", hand=1)
    evening.say("hand_disputed", player="nina", reason="so did I", hand=1)
    evening.say("dispute_settled", ruling=ruling, text="counted again")
    assert disputed(evening) == [False, False]
    evening.say("hand_disputed", player="leo", reason="still", hand=1)
    assert disputed(evening) == [True, False]


def test_without_a_number_the_dispute_opened_last_is_settled() -> None:
    evening, _ = signed()
    for hand in (1, 2, 1):
        evening.say("hand_disputed", player="leo", reason="again", hand=hand)
    evening.say("dispute_settled", ruling="upheld", text="")
    assert disputed(evening) == [False, True]
    evening.say("dispute_settled", ruling="upheld", text="")
    assert disputed(evening) == [False, False]
    with pytest.raises(UnusableError, match="no dispute is open"):
        evening.say("dispute_settled", ruling="upheld", text="")


def test_a_ruling_names_a_hand_or_a_proposal() -> None:
    evening, _ = signed()
    for hand in (1, 2):
        evening.say("hand_disputed", player="leo", reason="again", hand=hand)
    proposal = evening.say("correction_proposed", hand=1, corrections=[struck(5)], reason="")
    evening.say("proposal_signed", proposal=proposal, player="mara")
    evening.say("proposal_declined", proposal=proposal, player="nina")
    with pytest.raises(UnusableError, match="the proposal is about another hand"):
        evening.say("dispute_settled", ruling="upheld", text="", hand=2, proposal=proposal)
    evening.say("dispute_settled", ruling="upheld", text="", proposal=proposal)
    assert disputed(evening) == [False, True]
    evening.say("dispute_settled", ruling="upheld", text="", hand=2)
    assert disputed(evening) == [False, False]


def test_a_proposal_changes_nothing_by_itself() -> None:
    evening, (_, bid, *_) = signed()
    before = evening.match()
    strike = {"type": "event_struck", "data": {"seq": bid, "reason": ""}}
    evening.say("correction_proposed", corrections=[strike], reason="")
    assert evening.match() == before


def test_a_dispute_that_was_a_mistake_can_be_struck() -> None:
    evening, _ = signed()
    dispute = evening.say("hand_disputed", player="leo", reason="", hand=1)
    evening.strike(dispute)
    assert disputed(evening) == [False, False]
    evening.strike(len(evening.log))
    assert disputed(evening) == [True, False]


def test_replaced_dispute_is_about_the_newly_named_hand() -> None:
    evening, _ = signed()
    dispute = evening.say("hand_disputed", player="leo", reason="", hand=1)
    replacement = evening.replace(dispute, "hand_disputed", player="leo", reason="", hand=2)
    assert disputed(evening) == [False, True]
    evening.strike(replacement)
    assert disputed(evening) == [True, False]


def test_a_dispute_stays_with_its_hand_when_others_come_before_it() -> None:
    evening, _ = signed()
    evening.say("hand_disputed", player="leo", reason="", hand=1)
    evening.insert(2, "hand_started", dealer="nina")
    assert disputed(evening) == [False, True, False]


def test_a_refused_dispute_leaves_no_trace() -> None:
    evening, _ = signed()
    with pytest.raises(UnusableError):
        evening.say("hand_disputed", player="ugo", reason="", hand=1)
    evening.say("hand_disputed", player="leo", reason="", hand=2)
    assert disputed(evening) == [False, True]


def test_a_refused_correction_leaves_no_trace_of_what_it_was_about() -> None:
    """The next correction has the same seq, and is about another hand."""
    evening, _ = signed()
    note = evening.say("note_added", text="")
    with pytest.raises(UnusableError):
        evening.replace(note, "hand_disputed", player="ugo", reason="", hand=1)
    evening.replace(note, "hand_disputed", player="leo", reason="", hand=2)
    assert disputed(evening) == [False, True]
