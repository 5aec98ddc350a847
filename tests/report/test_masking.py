"""Face-down cards of a session, and when they are turned up.

Tests of ``report.masking``.
"""

import pytest

from scorekeeper.report.masking import as_the_table_knows, face_down_seqs, is_over
from scorekeeper.report.what_if import compare_supposed
from tests.evenings import Evening, Raw, build_report, event, opening, replaced

PUT_AWAY = (
    opening("mara", "leo"),
    event("match_started", game="picchetto", seats=["mara", "leo"]),
    event("hand_started", dealer="leo"),
    event("cards_exchanged", player="mara", count=2, discarded=["7S", "8S"]),
)


@pytest.mark.parametrize(
    "later",
    [
        event("hand_started", dealer="leo"),
        event("match_ended"),
        event("hand_abandoned", reason="misdeal"),
        event("tricks_counted", tricks={"mara": 7, "leo": 5}, last="mara"),
    ],
)
def test_cards_are_turned_up_with_the_end_of_the_hand_or_where_it_is_left(
    later: dict[str, object],
) -> None:
    evening = Evening(*PUT_AWAY, event("note_added", text="Coffee."))
    hand = evening.session.structure.matches[0].hands[0]
    assert not is_over(hand)
    assert face_down_seqs(evening.session) == {4}
    known = as_the_table_knows(evening.session, frozenset({4}))
    assert known is not evening.session
    evening.add(later)
    assert is_over(hand)
    assert face_down_seqs(evening.session) == set()
    assert as_the_table_knows(evening.session, frozenset()) is evening.session


def test_a_count_of_tricks_that_does_not_add_up_ends_the_play_too() -> None:
    evening = Evening(*PUT_AWAY)
    evening.say("tricks_counted", tricks={"mara": 7, "leo": 4})
    hand = evening.session.structure.matches[0].hands[0]
    assert not hand.deal.result.complete
    assert is_over(hand)


def next_hand(evening: Evening, dealer: str) -> None:
    """A hand from its beginning to its end, by tricks alone."""
    evening.say("hand_started", dealer=dealer)
    evening.say("tricks_counted", tricks={"mara": 7, "leo": 5}, last="mara")


def assert_down_until_a_later_hand_is_over(evening: Evening, laid: int, dealer: str) -> None:
    """That an entry lies face down before the next hand and in it, and no longer."""
    assert face_down_seqs(evening.session) == {laid}
    evening.say("hand_started", dealer=dealer)
    assert face_down_seqs(evening.session) == {laid}
    evening.say("tricks_counted", tricks={"mara": 7, "leo": 5}, last="mara")
    assert face_down_seqs(evening.session) == set()


@pytest.mark.parametrize("before", [0, 1])
@pytest.mark.parametrize("notes", [0, 1])
def test_cards_of_a_struck_hand_lie_face_down_until_a_later_hand_is_over(
    before: int, notes: int
) -> None:
    evening = Evening(*PUT_AWAY[:2])
    for _ in range(before):
        next_hand(evening, "leo")
    dealt = evening.say("hand_started", dealer="leo")
    for _ in range(notes):
        evening.say("note_added", text="Coffee.")
    laid = evening.say("cards_exchanged", player="mara", count=2, discarded=["7S", "8S"])
    evening.strike(laid)
    evening.strike(dealt)
    assert_down_until_a_later_hand_is_over(evening, laid, "leo")
    evening.say("hand_started", dealer="mara")
    if before:  # what stands there now is in a hand
        other = replaced(laid, "cards_exchanged", player="mara", count=1, discarded=["7S"])
        evening.say("correction_proposed", match=1, hand=1, reason="so", corrections=[other])
        assert face_down_seqs(evening.session) == set()


@pytest.mark.parametrize("replaced_by", [None, event("note_added", text="Coffee.")])
def test_cards_lie_face_down_if_only_the_start_of_their_hand_was_struck(
    replaced_by: Raw | None,
) -> None:
    """They are then in an earlier hand that is over, while the players go on with the cards."""
    evening = Evening(*PUT_AWAY[:2])
    next_hand(evening, "leo")
    dealt = evening.say("hand_started", dealer="mara")
    laid = evening.say("cards_exchanged", player="leo", count=2, discarded=["7S", "8S"])
    if replaced_by:
        evening.replace(laid, replaced_by["type"], **replaced_by["data"])
    evening.strike(dealt)
    assert_down_until_a_later_hand_is_over(evening, laid, "mara")


def test_cards_of_a_hand_that_was_taken_back_are_turned_up_with_the_match() -> None:
    evening = Evening(*PUT_AWAY)
    evening.strike(4)
    evening.strike(3)
    assert face_down_seqs(evening.session) == {4}
    evening.say("match_ended")
    assert face_down_seqs(evening.session) == set()


def test_cards_that_were_taken_back_are_turned_up_with_their_hand() -> None:
    evening = Evening(*PUT_AWAY)
    evening.strike(4)
    assert face_down_seqs(evening.session) == {4}
    evening.say("tricks_counted", tricks={"mara": 7, "leo": 5}, last="mara")
    assert face_down_seqs(evening.session) == set()


# ----------------------------------------------------------------- the word of one seat


COUNT = event("tricks_counted", tricks={"mara": 7, "leo": 5}, last="mara")
NOTE = event("note_added", text="Coffee.")
ACCEPTS = event("hand_confirmed", player="mara")


def recorded(*events: tuple[Raw, str]) -> Evening:
    """An evening of cards put away by the keeper, and these events, each with its author."""
    evening = Evening(*PUT_AWAY)
    for raw, by in events:
        evening.add(raw, by=by)
    return evening


@pytest.mark.parametrize(
    ("events", "lies"),
    [
        ([(COUNT, "mara")], True),
        ([(COUNT, "keeper")], False),
        ([(COUNT, "import")], False),
        ([(COUNT, "")], False),
        ([(COUNT, "mara"), (NOTE, "mara")], True),
        ([(COUNT, "mara"), (NOTE, "leo")], False),
        ([(COUNT, "mara"), (NOTE, "keeper")], False),
        ([(COUNT, "mara"), (ACCEPTS, "mara")], False),
        ([(COUNT, "mara"), (ACCEPTS, "mara"), (NOTE, "mara")], False),
        ([(NOTE, "mara"), (COUNT, "mara")], True),
        ([(event("hand_started", dealer="mara"), "leo")], True),
        ([(event("hand_abandoned", reason="misdeal"), "leo")], True),
        ([(COUNT, "mara"), (event("event_struck", seq=5, reason="x"), "mara")], True),
        ([(COUNT, "mara"), (event("event_struck", seq=5, reason="x"), "leo")], True),
    ],
)
def test_one_seat_cannot_turn_up_cards_without_another_author(
    events: list[tuple[Raw, str]], *, lies: bool
) -> None:
    assert face_down_seqs(recorded(*events).session) == ({4} if lies else set())


def test_what_a_seat_put_away_itself_before_it_ended_the_hand_lies_too() -> None:
    evening = Evening(*PUT_AWAY[:3])
    laid = event("cards_exchanged", player="mara", count=2, discarded=["7S", "8S"])
    for raw in (laid, COUNT):
        evening.add(raw, by="mara")
    assert face_down_seqs(evening.session) == {4}
    evening.add(NOTE, by="leo")
    assert face_down_seqs(evening.session) == set()


def test_cards_laid_away_after_the_end_of_a_hand_are_face_up() -> None:
    evening = Evening(*PUT_AWAY[:3])
    laid = event("cards_exchanged", player="mara", count=2, discarded=["7S", "8S"])
    for raw in (COUNT, laid):
        evening.add(raw, by="mara")
    assert face_down_seqs(evening.session) == set()


def test_a_hand_that_awaits_acceptance_has_no_score_for_the_table() -> None:
    evening = recorded((COUNT, "mara"))
    session = evening.session
    known = as_the_table_knows(session, face_down_seqs(session))
    (values,) = build_report(known)["matches"][0]["hands"]
    assert (values["status"], values["awaiting"], values["lines"]) == ("open", "acceptance", [])
    (full,) = build_report(session)["matches"][0]["hands"]
    assert full["status"] == "complete"
    assert "awaiting" not in full
    supposed = compare_supposed(known, corrections=[event("event_struck", seq=4, reason="x")])
    assert supposed.report.matches[0].hands[0].lines == []


def test_every_hand_of_a_log_that_one_seat_wrote_awaits_until_a_player_confirms_one() -> None:
    evening = Evening(*PUT_AWAY[:2])
    laid = []
    for dealer in ("leo", "mara", "leo"):
        evening.add(event("hand_started", dealer=dealer), by="mara")
        exchange = event("cards_exchanged", player=dealer, count=1, discarded=["7S"])
        laid.append(evening.add(exchange, by="mara"))
        evening.add(COUNT, by="mara")
    assert face_down_seqs(evening.session) == set(laid)
    evening.add(ACCEPTS, by="mara")
    assert face_down_seqs(evening.session) == set()
