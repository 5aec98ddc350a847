"""A hand tried with other entries."""

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.events.common import HandStarted, NoteAdded
from scorekeeper.events.playing import PointsCounted
from scorekeeper.games.riparto.events import BidMade
from scorekeeper.repair.trials import Bench, Edit
from scorekeeper.session.matches import HandRecord
from tests.evenings import Evening, riparto

STARTED, BID, COUNT = 3, 4, 5


def evening(**points: int) -> Evening:
    """A hand with a bid of five by Leo, counted so."""
    found = riparto()
    found.say("hand_started", dealer="mara")
    found.say("bid_made", player="leo", points=5)
    found.say("points_counted", points=points)
    return found


def bench(found: Evening) -> tuple[Bench, HandRecord]:
    match = found.session.structure.matches[0]
    return Bench(match, match.hands[0]), match.hands[0]


RIGHT = {"leo": 5, "mara": 4, "nina": 6}
WRONG = {"leo": 5, "mara": 4, "nina": 7}


def types(entries: list) -> list[str]:  # type: ignore[type-arg]
    return [entry.event.TYPE for entry in entries]


def test_entries_are_struck_replaced_and_inserted() -> None:
    made, hand = bench(evening(**RIGHT))
    note = NoteAdded("x")
    assert types(made.edited(hand.entries, [])) == ["bid_made", "points_counted"]
    assert types(made.edited(hand.entries, [Edit(BID)])) == ["points_counted"]
    assert types(made.edited(hand.entries, [Edit(BID, note)])) == ["note_added", "points_counted"]
    inserted = made.edited(hand.entries, [Edit(STARTED, note, insert=True)])
    assert types(inserted) == ["note_added", "bid_made", "points_counted"]
    assert [entry.seq for entry in inserted] == [0, BID, COUNT]


def test_the_beginning_of_a_hand_can_be_another() -> None:
    made, hand = bench(evening(**RIGHT))
    entries = made.edited(hand.entries, [Edit(STARTED, HandStarted("leo"))])
    assert types(entries)[0] == "hand_started"
    assert made.write(entries).dealer == "leo"
    assert hand.dealer == "mara"


def test_a_trial_says_what_would_be_wrong_and_the_score() -> None:
    made, hand = bench(evening(**WRONG))
    before = made.trial(hand)
    assert before.grave == ("total_mismatch",)
    better = made.edited(hand.entries, [Edit(COUNT, PointsCounted(RIGHT))])
    after = made.attempt(better, most=1)
    assert after
    assert (after.wrong, sorted(after.scores)) == ((0, 0), ["leo", "mara", "nina"])
    assert any(after.scores.values())
    assert not any(before.scores.values())
    assert made.grave(hand, most=5) == 1


def test_what_is_no_better_is_no_attempt() -> None:
    made, hand = bench(evening(**WRONG))
    assert made.attempt(hand.entries, most=1) is None
    assert made.attempt(hand.entries, most=2)


def test_what_cannot_stand_is_no_attempt() -> None:
    made, hand = bench(evening(**RIGHT))
    entries = made.edited(hand.entries, [Edit(BID, BidMade("ugo", 5))])
    assert made.attempt(entries, most=9) is None
    with pytest.raises(UnusableError):
        made.write(entries)


def test_a_hand_still_at_play_lacks_nothing() -> None:
    found = riparto()
    found.say("hand_started", dealer="mara")
    made, hand = bench(found)
    assert made.open
    assert made.trial(hand).grave == ()
    found.say("match_ended")
    made, hand = bench(found)
    assert not made.open
    assert made.trial(hand).grave == ("incomplete",)
