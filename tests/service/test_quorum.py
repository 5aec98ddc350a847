"""How many have to agree to a correction, and who."""

from typing import Any

import pytest

from scorekeeper.events.disputes import Correction
from scorekeeper.service.quorum import Quorum, SignersNeeded, changed_matches, is_figure
from scorekeeper.session.session import Session
from tests.evenings import Raw, event, inserted, replaced, struck
from tests.service.evenings import COUNT, FOUR, HAND, add, knock, minute

SIDES = {"A": {"mara", "nina"}, "B": {"leo", "ugo"}}
SEATS = {seat: {seat} for seat in FOUR}
FIGURE = replaced(COUNT, "points_counted", points={"A": 61, "B": 39})
QUORUM = Quorum(minutes=30)


def correction(one: Raw) -> Correction:
    return Correction(one["type"], one["data"])


def needs(
    session: Session, *corrections: Raw, at: int = COUNT, quorum: Quorum = QUORUM
) -> SignersNeeded:
    hand = session.structure.hand_by_seq[HAND]
    return quorum.needs(session, hand, [correction(one) for one in corrections], minute(at))


def of(found: SignersNeeded) -> dict[str, set[str]]:
    return {one: set(members) for one, members in found.of.items()}


def test_another_figure_needs_one_of_each_side_in_time_and_every_seat_later() -> None:
    session = knock()
    in_time, late = needs(session, FIGURE, at=COUNT + 30), needs(session, FIGURE, at=COUNT + 31)
    assert (in_time.needed, of(in_time)) == ("sides", SIDES)
    assert (late.needed, of(late)) == ("seats", SEATS)
    assert in_time.missing({"leo"}) == ["A"]
    assert late.missing({"leo"}) == ["mara", "nina", "ugo"]
    assert in_time.missing(FOUR) == late.missing(FOUR) == []
    assert in_time.seats == set(FOUR)


@pytest.mark.parametrize(
    "one",
    [
        struck(COUNT),
        inserted(HAND, "trick_taken", player="leo"),
        replaced(COUNT, "points_counted", points={"A": 60}, tricks={"A": 7}),
        replaced(COUNT, "rest_claimed", player="leo"),
    ],
    ids=["struck", "inserted", "tricks", "another event"],
)
def test_whatever_else_is_corrected_needs_every_seat(one: Raw) -> None:
    session = knock()
    assert needs(session, one).needed == "seats"
    assert needs(session, FIGURE, one).needed == "seats"


def test_a_house_may_ask_every_seat_at_once() -> None:
    assert of(needs(knock(), FIGURE, quorum=Quorum(in_time="seats"))) == SEATS


def test_once_the_evening_is_closed_no_correction_is_in_time() -> None:
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
def test_the_time_runs_from_the_result(later: Raw, counts: bool) -> None:
    session = knock(later)
    result = QUORUM.result_at(session, session.structure.hand_by_seq[HAND])
    assert result == minute(COUNT + counts)


def test_the_time_of_a_hand_with_nothing_on_record_runs_from_its_beginning() -> None:
    session = knock(struck(COUNT))
    assert QUORUM.result_at(session, session.structure.hand_by_seq[HAND]) == minute(HAND)


@pytest.mark.parametrize(
    ("one", "figure"),
    [
        (FIGURE, True),
        (replaced(HAND, "hand_started", dealer="mara"), False),
        (replaced(COUNT, "score_claimed", scores={"A": 1}), False),
        (struck(COUNT), False),
    ],
    ids=["figure", "dealer", "of another type", "struck"],
)
def test_a_figure_takes_the_place_of_one_of_its_kind(one: Raw, figure: bool) -> None:
    assert is_figure(knock(), HAND, one["type"], one["data"]) is figure


def test_a_figure_of_another_hand_is_none_of_this() -> None:
    session = knock(event("hand_started", dealer="mara"), event("points_counted", points={"A": 50}))
    other = replaced(6, "points_counted", points={"A": 51})
    assert not is_figure(session, HAND, other["type"], other["data"])
    assert is_figure(session, 5, other["type"], other["data"])


def test_everybody_has_a_say_in_a_match_that_another_seating_changes() -> None:
    session = knock(others=("ada",))
    seats = ["ada", "leo", "nina", "ugo"]
    hand: dict[str, Any] = {"game": "knock", "seats": seats}
    found = changed_matches(session, [correction(replaced(2, "match_started", **hand))])
    assert found == {1: [*FOUR, *seats]}
    asked = needs(session, replaced(2, "match_started", **hand))
    assert asked.seats == {*FOUR, "ada"}
    assert (asked.matches, asked.others(session.structure.hand_by_seq[HAND])) == ((1,), [])


def test_a_note_changes_no_match() -> None:
    assert changed_matches(knock(), [correction(inserted(COUNT, "note_added", text="x"))]) == {}
