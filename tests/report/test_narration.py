"""A session in words: its events as they stand corrected, its tricks, its penalties."""

from typing import Any

import pytest

from scorekeeper.report.narration import (
    describe_event,
    describe_raw_event,
    format_ranges,
    narrate_event,
    narrate_hands,
    narrate_penalties,
    narrate_tricks,
)  # fmt: skip
from scorekeeper.report.views import EventView
from tests.evenings import Evening, event, riparto


@pytest.fixture
def evening() -> Evening:
    """A hand with two tricks; the winner of the second is not the player named as winner."""
    walker = riparto()
    walker.say("hand_started", dealer="mara")
    walker.say("bid_made", player="leo", points=5)
    for player, card in (("leo", "AS"), ("nina", "6S"), ("mara", "7S")):
        walker.say("card_played", player=player, card=card)
    walker.say("trick_taken", player="mara")
    walker.say("card_played", player="leo", card="KS")
    return walker


def story(walker: Evening) -> Any:
    (narrated,) = narrate_hands(walker.session).values()
    return narrated


def test_narrated_event_has_its_author_and_time(evening: Evening) -> None:
    evening.add(event("note_added", text="so"), by="leo")
    segment = evening.session.structure.segment_of[10]
    values = narrate_event(evening.session, 10, segment)
    assert (values.seq, values.type, values.words, values.by, values.how) == (
        10, "note_added", "Note: so", "Leo", "",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("correct", "words", "how"),
    [
        (lambda walker: walker.strike(4), "Leo bid 5", "struck"),
        (lambda walker: walker.replace(4, "bid_made", player="nina", points=6), "Nina bid 6",
         "replaced"),
        (lambda walker: None, "Leo bid 5", ""),
    ],
)  # fmt: skip
def test_corrected_event_is_narrated_as_corrected(
    evening: Evening, correct: Any, words: str, how: str
) -> None:
    correct(evening)
    values = next(entry for entry in story(evening).events if entry.seq == 4)
    assert (values.words, values.how) == (words, how)
    assert describe_event(evening.session, 4) == words
    assert describe_event(evening.session, 99) == ""


def test_what_was_inserted_stands_in_its_place(evening: Evening) -> None:
    evening.insert(4, "bid_raised", player="leo", points=7)
    values = story(evening).events
    assert [value.seq for value in values[:3]] == [3, 4, 10]
    assert (values[2].words, values[2].how) == ("Leo raised to 7", "inserted")


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (event("bid_made", player="mara", points=3), "Mara bid 3"),
        (event("event_struck", seq=4, reason="typed wrongly"),
         "Correction, event 4 crossed out: typed wrongly"),
        (event("event_inserted", after=4, type="x", data={}, reason="left out"),
         "Correction after event 4: left out"),
        (event("goal_scored", player="mara"), "Goal scored"),  # of a game that it was before
    ],
)  # fmt: skip
def test_former_event_at_a_place_is_described(evening: Evening, raw: Any, words: str) -> None:
    assert describe_raw_event(evening.session, 4, EventView(**raw)) == words


def test_tricks_have_the_winner_and_the_named_winners(evening: Evening) -> None:
    first, second = story(evening).tricks
    assert (first.number, first.winner, first.otherwise, first.scored) == (
        1,
        "leo",
        ("mara",),
        True,
    )
    assert [(play.player, play.led, play.won) for play in first.plays] == [
        ("leo", True, True), ("nina", False, False), ("mara", False, False),
    ]  # fmt: skip
    assert first.events == {5, 6, 7, 8}
    assert (second.winner, second.of("leo").card.code, second.of("nina")) == (None, "KS", None)


def test_tricks_beyond_the_number_are_narrated_and_not_scored() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    evening.say("card_played", player="leo", card="AS")
    evening.say("trick_taken", player="mara")
    for _ in range(9):
        evening.say("trick_taken", player="leo")
    values = narrate_tricks(evening.session.structure.matches[0].hands[0])
    assert [(value.number, value.winner, value.scored) for value in values] == [
        (1, "mara", True), *((n, "leo", True) for n in range(2, 10)), (10, None, False),
    ]  # fmt: skip
    (play,) = values[0].plays
    assert (play.seq, play.player, play.led, play.won) == (4, "leo", True, False)
    assert values[0].of("leo") == play
    assert values[0].of("mara") is None
    assert [value.otherwise for value in values] == [()] * 10
    assert [sorted(value.events) for value in values[:2]] == [[4, 5], [6]]


@pytest.mark.parametrize(
    ("seqs", "beside", "tricks"),
    [
        ((4,), ["Leo bid 5"], []),
        ((5, 6), [], [1]),
        ((5,), ["Leo played A♠"], []),
        ((4, 5, 6, 7, 9), ["Leo bid 5", "Leo played K♠"], [1]),
    ],
)
def test_proof_has_tricks_and_other_events(
    evening: Evening, seqs: tuple[int, ...], beside: list[str], tricks: list[int]
) -> None:
    words, numbers = story(evening).proof(seqs)
    assert ([word.words for word in words], numbers) == (beside, tricks)


def test_penalties_stand_with_the_hand_before_them() -> None:
    walker = riparto()
    walker.say("penalty_given", side="leo", points=-1, reason="late")
    walker.say("hand_started", dealer="mara")
    walker.say("penalty_given", side="nina", points=-2, reason="")
    struck = walker.say("penalty_given", side="nina", points=-3, reason="")
    walker.strike(struck)
    match = walker.session.structure.matches[0]
    assert {
        number: [
            (penalty_.seq, penalty_.side, penalty_.points, penalty_.reason) for penalty_ in penalty
        ]
        for number, penalty in narrate_penalties(walker.session, match).items()
    } == {0: [(3, "leo", -1, "late")], 1: [(5, "nina", -2, "")]}


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([], ""),
        ([4], "4"),
        ([1, 2], "1–2"),
        ([1, 3], "1, 3"),
        ([1, 2, 3, 7, 9, 10], "1–3, 7, 9–10"),
    ],
)
def test_consecutive_numbers_are_formatted_as_ranges(numbers: list[int], text: str) -> None:
    assert format_ranges(numbers) == text
