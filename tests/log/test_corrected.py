"""What stood at a place before, and how the work that corrections make is counted."""

from itertools import pairwise

import pytest

from scorekeeper.log.corrected import find_event_at
from tests.evenings import Evening, riparto


@pytest.fixture
def bid() -> Evening:
    """An evening whose fourth event is a bid of five, in the first hand."""
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="leo", points=5)
    return evening


def points_at(evening: Evening, place: int, until: int) -> int | None:
    """The points of the bid that stood at a place; None if it was as recorded."""
    event = find_event_at(evening.session.corrections, place, until)
    data = getattr(event, "data", None)
    return data["points"] if data else None


def test_event_at_a_place_is_that_of_the_last_earlier_correction(bid: Evening) -> None:
    first = bid.replace(4, "bid_made", player="leo", points=6)
    bid.insert(3, "note_added", text="late")
    bid.replace(3, "hand_started", dealer="nina")
    second = bid.replace(4, "bid_made", player="leo", points=7)
    assert points_at(bid, 4, first) is None
    assert points_at(bid, 4, second) == 6
    assert points_at(bid, 4, second + 1) == 7


def test_correction_struck_earlier_does_not_count(bid: Evening) -> None:
    first = bid.replace(4, "bid_made", player="leo", points=6)
    strike = bid.strike(first)
    assert points_at(bid, 4, strike) == 6
    assert points_at(bid, 4, strike + 1) is None


def test_struck_place_has_no_event(bid: Evening) -> None:
    strike = bid.strike(4)
    corrections = bid.session.corrections
    assert find_event_at(corrections, 4, strike) is corrections.recorded[4].event
    assert find_event_at(corrections, 4, strike + 1) is None


def test_each_correction_of_a_correction_is_more_work(bid: Evening) -> None:
    counts = [bid.session.corrections.steps]
    seq = 4
    for _ in range(6):
        seq = bid.strike(seq)
        counts.append(bid.session.corrections.steps)
    more = [after - before for before, after in pairwise(counts)]
    assert more == sorted(more)
    assert more[0] < more[-1]
    assert bid.session.corrections.place_of(seq) == 4
    assert bid.session.corrections.steps == counts[-1] + 6


def test_steps_along_insertions_are_counted(bid: Evening) -> None:
    last = 4
    for text in "abc":
        last = bid.insert(last, "note_added", text=text)
    corrections = bid.session.corrections
    before = corrections.steps
    assert corrections.last_after(4) == last
    assert corrections.steps == before + 3
