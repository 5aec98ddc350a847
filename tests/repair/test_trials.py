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
    walker = riparto()
    walker.say("hand_started", dealer="mara")
    walker.say("bid_made", player="leo", points=5)
    walker.say("points_counted", points=points)
    return walker


def bench(evening_: Evening) -> tuple[Bench, HandRecord]:
    match = evening_.session.structure.matches[0]
    return Bench(match, match.hands[0]), match.hands[0]


RIGHT = {"leo": 5, "mara": 4, "nina": 6}
WRONG = {"leo": 5, "mara": 4, "nina": 7}


def types(entries: list) -> list[str]:  # type: ignore[type-arg]
    return [entry.event.TYPE for entry in entries]


def test_entries_are_struck_replaced_and_inserted() -> None:
    table_bench, hand = bench(evening(**RIGHT))
    note = NoteAdded("x")
    assert types(table_bench.edited(hand.entries, [])) == ["bid_made", "points_counted"]
    assert types(table_bench.edited(hand.entries, [Edit(BID)])) == ["points_counted"]
    assert types(table_bench.edited(hand.entries, [Edit(BID, note)])) == [
        "note_added",
        "points_counted",
    ]
    inserted = table_bench.edited(hand.entries, [Edit(STARTED, note, insert=True)])
    assert types(inserted) == ["note_added", "bid_made", "points_counted"]
    assert [entry.seq for entry in inserted] == [0, BID, COUNT]


def test_the_beginning_of_a_hand_can_be_another() -> None:
    table_bench, hand = bench(evening(**RIGHT))
    entries = table_bench.edited(hand.entries, [Edit(STARTED, HandStarted("leo"))])
    assert types(entries)[0] == "hand_started"
    assert table_bench.write(entries).dealer == "leo"
    assert hand.dealer == "mara"


def test_a_trial_says_what_would_be_wrong_and_the_score() -> None:
    table_bench, hand = bench(evening(**WRONG))
    before = table_bench.trial(hand)
    assert before.grave == ("total_mismatch",)
    better = table_bench.edited(hand.entries, [Edit(COUNT, PointsCounted(RIGHT))])
    after = table_bench.attempt(better, most=1)
    assert after
    assert (after.wrong, sorted(after.scores)) == ((0, 0), ["leo", "mara", "nina"])
    assert any(after.scores.values())
    assert not any(before.scores.values())
    assert table_bench.grave(hand, most=5) == 1


def test_what_is_no_better_is_no_attempt() -> None:
    table_bench, hand = bench(evening(**WRONG))
    assert table_bench.attempt(hand.entries, most=1) is None
    assert table_bench.attempt(hand.entries, most=2)


def test_what_cannot_stand_is_no_attempt() -> None:
    table_bench, hand = bench(evening(**RIGHT))
    entries = table_bench.edited(hand.entries, [Edit(BID, BidMade("ugo", 5))])
    assert table_bench.attempt(entries, most=9) is None
    with pytest.raises(UnusableError):
        table_bench.write(entries)


def test_a_hand_still_at_play_lacks_nothing() -> None:
    walker = riparto()
    walker.say("hand_started", dealer="mara")
    table_bench, hand = bench(walker)
    assert table_bench.open
    assert table_bench.trial(hand).grave == ()
    walker.say("match_ended")
    table_bench, hand = bench(walker)
    assert not table_bench.open
    assert table_bench.trial(hand).grave == ("incomplete",)
