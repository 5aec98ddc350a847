"""Knock!: gestures that were not agreed on, and those that the cards contradict (K11).

Tests of ``games.knock.gestures`` and ``games.knock.prompts_signals``.
"""

from typing import Any

import pytest

from scorekeeper.cards.packs import Card
from scorekeeper.cards.tricks import Play
from scorekeeper.games.knock import GAME
from scorekeeper.games.knock.rules import SIGNAL
from scorekeeper.games.knock.signals import JUDGES, GestureMoment
from scorekeeper.play.scoring import run_checks
from tests.games.knock import PLAY, findings_of, hand, swapped, words

QUARTET_LAST = swapped(PLAY, "T19", "T4", "T18", "T5", "T17", "T3")


def with_gesture(signal: str, card: str, play: str = PLAY) -> str:
    """Return a whole hand with a gesture of the player of a card, right after it."""
    script = list(words(play))
    place = next(n for n, word in enumerate(script) if word[2:] == card)
    script.insert(place + 1, f"{script[place][0]}~{signal}")
    return " ".join(script)


def contradicted_by(script: str) -> str | None:
    """Return the cards that contradict the gesture of a hand; None if nothing does."""
    deal = hand(script)
    sights = [s for check, s in run_checks(GAME.checks, deal) if check.code == "false_signal"]
    if not sights:
        return None
    ((gesture, *proof),) = [sight.events for sight in sights]
    spoken = script.split()
    assert "~" in spoken[gesture - 1]
    return " ".join(spoken[seq - 1][2:] for seq in proof)


@pytest.mark.parametrize(
    ("signal", "card", "contradiction"),
    [
        ("last_trump", "T2", None),
        ("last_trump", "T21", "T20"),
        ("last_trump", "KS", ""),  # it was none
        ("highest_trump", "T10", None),
        ("highest_trump", "T21", None),
        ("highest_trump", "T3", "T20"),
        ("highest_trump", "T6", None),
        ("highest_trump", "T12", "T19"),
        ("highest_trump", "T19", ""),
        ("two_highest_trumps", "T10", None),
        ("two_highest_trumps", "T21", "T19"),
        ("two_highest_trumps", "T16", "T19"),  # the player has one left
        ("have_world", "KS", None),
        ("have_world", "FOOL", None),
        ("have_world", "7S", "T21"),
        ("have_world", "T21", ""),  # no longer
        ("have_sun", "T3", None),
        ("have_sun", "T21", "T19"),
        ("have_moon", "T5", None),
        ("have_moon", "T3", "T18"),
        ("say_15_16_17", "T3", None),
        ("say_15_16_17", "T4", None),
        ("say_15_16_17", "T16", None),
        ("say_15_16_17", "T17", ""),
        ("say_15_16_17", "T5", "T15 T16 T17"),
        ("last_of_suit", "10S", None),
        ("last_of_suit", "7S", "10S"),
        ("last_of_suit", "FOOL", None),  # it has no suit
        ("highest_of_suit", "KS", None),
        ("highest_of_suit", "7S", "QS"),
        ("highest_of_suit", "10C", "QC"),
        ("have_queen", "KS", None),
        ("have_queen", "7C", None),
        ("have_queen", "KC", "QC"),
        ("have_queen", "QS", ""),
        ("one_more", "KS", None),
        ("one_more", "KC", None),
        ("one_more", "10S", ""),
        ("one_more", "T20", "T9 T1"),
        ("one_more", "FOOL", None),
        ("all_but_one", "QS", "10S JS"),
        ("all_but_one", "QB", "9B JB"),
        # Requests, and matters of opinion.
        ("long_suit", "T19", None),
        ("trump_low", "KS", None),
        ("magician_at_risk", "T19", None),
        ("do_not_lead", "7S", None),
        ("bijou", "KS", None),
        ("grand", "KS", None),
    ],
)
def test_a_gesture_against_the_cards(signal: str, card: str, contradiction: str | None) -> None:
    assert contradicted_by(with_gesture(signal, card)) == contradiction


@pytest.mark.parametrize(
    ("signal", "card", "play", "contradiction"),
    [
        # The Quartet is equal: with T3 left, and T5, T2 and T4 in the other hands.
        ("highest_trump", "T16", QUARTET_LAST, None),
        ("highest_trump", "T15", QUARTET_LAST, "T16"),
        # The lay-away is left out: here the queen of batons.
        ("highest_of_suit", "NB", swapped(PLAY, "QB", "8B"), None),
        ("highest_of_suit", "NB", PLAY, "QB"),
        # When b leads QB, only 9B is out; b has none left.
        ("all_but_one", "QB", swapped(PLAY, "JB", "FOOL"), None),
    ],
)
def test_gestures_about_the_highest_cards_left(
    signal: str, card: str, play: str, contradiction: str | None
) -> None:
    assert contradicted_by(with_gesture(signal, card, play)) == contradiction


def moment(card: str, own: str, others: str) -> GestureMoment:
    """Return a moment with cards in the player's hand and with the others."""
    mine = tuple(Play(n, "a", Card.parse(c)) for n, c in enumerate(own.split()))
    out = tuple(Play(n, "b", Card.parse(c)) for n, c in enumerate(others.split()))
    return GestureMoment(Card.parse(card), mine, out)


def test_exhausted_suit_has_no_highest_card() -> None:
    assert JUDGES["highest_of_suit"](moment("KS", "T1", "KD")) == ()


@pytest.mark.parametrize(
    ("own", "others", "true"),
    [
        ("T20 T21", "T19", True),
        ("T20 T19", "T21", False),
        ("T21 T19", "T20", False),
        ("T21", "T1", False),
        ("T21 T1", "KS", True),
        ("T2 T5", "T3 T4", True),
        ("T6 T2", "T5 T1", True),
        ("T6 T1", "T5", False),
        ("KS QS", "T1", False),
    ],
)
def test_the_two_highest_trumps(own: str, others: str, true: bool) -> None:
    judge = JUDGES["two_highest_trumps"]
    assert (judge(moment("T7", own, others)) is None) == true


@pytest.mark.parametrize(
    ("card", "own", "others", "true"),
    [
        ("KS", "QS JS", "NS", True),
        ("KS", "QS JS", "NS T1", True),
        ("KS", "QS JS", "NS 7S", False),
        ("KS", "QS JS", "T1", False),  # all of them
        ("T21", "T20", "T1", True),
    ],
)
def test_all_but_one(card: str, own: str, others: str, true: bool) -> None:
    assert (JUDGES["all_but_one"](moment(card, own, others)) is None) == true


def test_gestures_are_not_checked_before_all_cards_are_on_record() -> None:
    false = with_gesture("have_world", "7S")
    assert contradicted_by(false) == "T21"
    short = " ".join(false.split()[:-1])
    assert [finding.split()[0] for finding in findings_of(short)] == []
    assert findings_of(f"{short} b!") == []
    assert findings_of("a~have_world =A55") == []


def test_a_gesture_before_any_card() -> None:
    assert findings_of(f"a~have_world {PLAY}") == []
    assert findings_of(f"b~have_world {PLAY}") == ["false_signal K11 [1 34]"]
    for signal in ("last_trump", "one_more", "last_of_suit", "highest_of_suit", "have_queen"):
        assert findings_of(f"b~{signal} {PLAY}") == []


@pytest.mark.parametrize(
    ("signals", "signal", "codes"),
    [
        ("seed", "have_sun", ["false_signal"]),
        ("seed", "have_world", []),
        ("seed", "bijou", []),
        ("seed", "wink", ["unknown_signal"]),
        ("none", "have_world", ["unknown_signal"]),
        ("none", "have_sun", ["unknown_signal", "false_signal"]),
        (["have_sun"], "have_sun", ["false_signal"]),
        (["have_sun"], "have_world", ["unknown_signal"]),
        ([], "bijou", ["unknown_signal"]),
    ],
)
def test_gestures_not_agreed_on_are_found(signals: Any, signal: str, codes: list[str]) -> None:
    findings = findings_of(with_gesture(signal, "KS"), signals=signals)
    assert [finding.split()[0] for finding in findings] == codes
    assert all(finding.split()[1] == "K11" for finding in findings)


def test_own_gesture_is_not_checked_against_the_cards() -> None:
    own = [{"id": "wink", "text": "the World is mine"}]
    assert findings_of(with_gesture("wink", "7S"), own_signals=own) == []
    assert findings_of(with_gesture("wink", "7S"), signals="none", own_signals=own) == []
    (unknown,) = findings_of(with_gesture("bijou", "KS"), signals="none", own_signals=own)
    assert unknown.startswith("unknown_signal K11")


def test_a_gesture_never_changes_the_score() -> None:
    for signal in SIGNAL:
        assert hand(with_gesture(signal, "T21")).result.taken == {"A": 55, "B": 45}


def test_only_gestures_about_cards_are_checked() -> None:
    judged = (
        "last_trump highest_trump two_highest_trumps have_world have_sun have_moon say_15_16_17"
    )
    judged += " last_of_suit highest_of_suit have_queen one_more all_but_one"
    assert set(JUDGES) == set(judged.split())
    assert set(JUDGES) < set(SIGNAL)
