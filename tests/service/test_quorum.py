"""Which players have to sign a correction. Tests of ``service.quorum``."""

from typing import Any

import pytest

from scorekeeper.events.disputes import Correction
from scorekeeper.service.quorum import (
    Quorum,
    SignersNeeded,
    changed_matches,
    is_correction_of_figure,
)
from scorekeeper.session.session import Session
from tests.evenings import Raw, event, inserted, replaced, struck
from tests.service.evenings import COUNT, FOUR, HAND, add, knock, minute

SIDES = {"A": {"mara", "nina"}, "B": {"leo", "ugo"}}
SEATS = {seat: {seat} for seat in FOUR}
FIGURE = replaced(COUNT, "points_counted", points={"A": 61, "B": 39})
QUORUM = Quorum(minutes=30)


def correction(raw: Raw) -> Correction:
    return Correction(raw["type"], raw["data"])


def needs(
    session: Session, *corrections: Raw, at: int = COUNT, quorum: Quorum = QUORUM
) -> SignersNeeded:
    hand = session.structure.hand_by_seq[HAND]
    return quorum.needs(session, hand, [correction(raw) for raw in corrections], minute(at))


def of(needed: SignersNeeded) -> dict[str, set[str]]:
    return {signer: set(members) for signer, members in needed.of.items()}


def test_changed_figure_needs_each_side_in_time_and_every_seat_later() -> None:
    session = knock()
    in_time, late = needs(session, FIGURE, at=COUNT + 30), needs(session, FIGURE, at=COUNT + 31)
    assert (in_time.needed, of(in_time)) == ("sides", SIDES)
    assert (late.needed, of(late)) == ("seats", SEATS)
    assert in_time.missing({"leo"}) == ["A"]
    assert late.missing({"leo"}) == ["mara", "nina", "ugo"]
    assert in_time.missing(FOUR) == late.missing(FOUR) == []
    assert in_time.seats == set(FOUR)


@pytest.mark.parametrize(
    "raw",
    [
        struck(COUNT),
        inserted(HAND, "trick_taken", player="leo"),
        replaced(COUNT, "points_counted", points={"A": 60}, tricks={"A": 7}),
        replaced(COUNT, "rest_claimed", player="leo"),
    ],
    ids=["struck", "inserted", "tricks", "another event"],
)
def test_every_other_correction_needs_every_seat(raw: Raw) -> None:
    session = knock()
    assert needs(session, raw).needed == "seats"
    assert needs(session, FIGURE, raw).needed == "seats"


def test_quorum_of_every_seat_can_be_set_in_time_too() -> None:
    assert of(needs(knock(), FIGURE, quorum=Quorum(in_time="seats"))) == SEATS


def test_no_correction_is_in_time_after_the_session_closed() -> None:
    session = knock()
    hand = session.structure.hand_by_seq[HAND]
    assert QUORUM.is_in_time(session, hand, minute(5))
    add(session, event("session_closed"))
    assert not QUORUM.is_in_time(session, hand, minute(5))


@pytest.mark.parametrize(
    ("later", "counts"),
    [
        (event("score_claimed", scores={"A": 20}), False),
        (event("cards_shown", player="leo", cards=["KS"]), False),
        (inserted(COUNT, "trick_taken", player="leo"), False),
        (event("trick_taken", player="leo"), True),
    ],
    ids=["claimed", "shown", "inserted", "played"],
)
def test_time_limit_begins_at_the_result(later: Raw, counts: bool) -> None:
    session = knock(later)
    result = QUORUM.result_at(session, session.structure.hand_by_seq[HAND])
    assert result == minute(COUNT + counts)


def test_time_limit_of_a_hand_without_a_result_begins_with_the_hand() -> None:
    session = knock(struck(COUNT))
    assert QUORUM.result_at(session, session.structure.hand_by_seq[HAND]) == minute(HAND)


@pytest.mark.parametrize(
    ("raw", "figure"),
    [
        (FIGURE, True),
        (replaced(HAND, "hand_started", dealer="mara"), False),
        (replaced(COUNT, "score_claimed", scores={"A": 1}), False),
        (struck(COUNT), False),
    ],
    ids=["figure", "dealer", "of another type", "struck"],
)
def test_correction_is_a_figure_if_it_replaces_one_of_its_type(raw: Raw, figure: bool) -> None:
    assert is_correction_of_figure(knock(), HAND, raw["type"], raw["data"]) is figure


def test_figure_of_another_hand_is_none_of_this_hand() -> None:
    session = knock(event("hand_started", dealer="mara"), event("points_counted", points={"A": 50}))
    other = replaced(6, "points_counted", points={"A": 51})
    assert not is_correction_of_figure(session, HAND, other["type"], other["data"])
    assert is_correction_of_figure(session, 5, other["type"], other["data"])


def test_new_seating_needs_the_players_of_both_seatings() -> None:
    session = knock(others=("ada",))
    seats = ["ada", "leo", "nina", "ugo"]
    hand: dict[str, Any] = {"game": "knock", "seats": seats}
    changed = changed_matches(session, [correction(replaced(2, "match_started", **hand))])
    assert changed == {1: [*FOUR, *seats]}
    needed = needs(session, replaced(2, "match_started", **hand))
    assert needed.seats == {*FOUR, "ada"}
    assert (needed.matches, needed.others(session.structure.hand_by_seq[HAND])) == ((1,), [])


def test_a_note_changes_no_match() -> None:
    assert changed_matches(knock(), [correction(inserted(COUNT, "note_added", text="x"))]) == {}
