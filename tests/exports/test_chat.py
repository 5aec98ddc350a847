"""``exports.chat``: the text for a chat has the results of the report."""

import re
from typing import Any
from unicodedata import normalize

import pytest

from scorekeeper.exports import chat
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.filenames import BIDI_CONTROLS
from scorekeeper.languages.money import MINUS
from scorekeeper.languages.reader import Reader
from tests.evenings import event
from tests.exports.samples import EVENINGS, ID, NAMES, evening_of, events_of, hand, riparto

COUNT = event("points_counted", points={"mara": 7, "leo": 5, "nina": 3})
OTHER = event("hand_disputed", player="leo", reason="no", match=1, hand=2)
DISPUTE = event("hand_disputed", player="leo", reason="no")
UNRESOLVED = event("dispute_settled", ruling="unresolved", text="nobody knows")


def lines_of(events: list[Any], **reader: str) -> list[str]:
    """Return the lines of the text about these events."""
    evening = Evening.of(ID, evening_of(events).session, Reader(**reader))
    return chat.chat_text(evening).decode("utf-8").splitlines()


def test_text_has_winners_standings_and_payments() -> None:
    assert lines_of([*riparto(2, place="At home"), event("match_ended")]) == [
        "Friday", "21 November 2026, At home",
        "",
        "Riparto: Shared by Leo and Nina",
        "1. Leo: 5", "1. Nina: 5", "3. Mara: 0",
        "Who pays whom:",
        "Mara pays Nina 5", "Mara pays Leo 5",
    ]  # fmt: skip


def test_text_is_in_the_language_of_the_reader() -> None:
    assert lines_of(riparto(1), language="it")[-1] == "Mara paga 5 a Leo"
    french = lines_of(riparto(1), language="fr")
    assert "Qui paie qui\u00a0:" in french
    assert [line for line in french if re.search(r"[^\u00a0]:", line)] == []


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.parent.name)
def test_standings_are_those_of_the_report(path: Any) -> None:
    evening = evening_of(events_of(path))
    content = chat.summarize_evening(evening)
    for match, in_words in zip(evening.report.matches, content.matches, strict=True):
        figures = [int(place.figure.replace(MINUS, "-")) for place in in_words.places]
        assert sorted(figures) == sorted(match.totals.values())
        won = sum(place.won for place in in_words.places)
        assert won == (len(match.winners) if in_words.places and match.hands else 0)
        is_french = match.game in ("riparto", "picchetto")
        assert in_words.pack == ("french" if is_french else "italian")


@pytest.mark.parametrize(
    ("events", "mark"),
    [
        ([*riparto(1), DISPUTE], "⚑ Disputed: hand 1"),
        ([*riparto(3), DISPUTE, OTHER], "⚑ Disputed: hands 2–3"),
        ([*riparto(1), DISPUTE, UNRESOLVED], "⚑ No agreement: hand 1"),
        ([*riparto(1), event("hand_started", dealer="leo"), *hand(2)], "⚑ Incomplete: hand 2"),
        ([*riparto(2), event("score_claimed", scores={"nina": 4})],
         "⚑ Something is wrong: hand 2"),
    ],
)  # fmt: skip
def test_doubtful_hands_are_marked(events: list[Any], mark: str) -> None:
    assert mark in lines_of(events)
    assert mark not in lines_of(riparto(2))


def test_text_without_a_match_says_so() -> None:
    assert lines_of(riparto(0)[:1]) == [
        "Friday",
        "21 November 2026",
        "",
        "No match was played.",
    ]


def test_money_is_settled_for_the_evening_and_points_by_match() -> None:
    events = riparto(1)
    events[1]["data"]["stake"] = {"currency": "EUR", "point": 10, "match": 0}
    lines = lines_of(events)
    assert "For money, in EUR" in lines
    assert "Mara pays Leo €0.50" in lines
    assert lines.count("Who pays whom:") == 1


def test_long_text_is_shortened() -> None:
    opening, *match = riparto(1)
    events = [opening, *(event for _ in range(20) for event in match)]
    content = chat.summarize_evening(evening_of(events))
    assert content.more
    assert len(content.matches) < 20
    assert lines_of(events)[-1] == "More is in the score sheet."


@pytest.mark.parametrize("name", NAMES)
def test_names_are_isolated_and_otherwise_unchanged(name: str) -> None:
    lines = lines_of(riparto(1, name, "Leo", "Nina"))
    line = lines[-1]
    assert line.endswith(" pays Leo 5")
    isolated = line.removesuffix(" pays Leo 5")
    assert isolated.count("\u2068") == isolated.count("\u2069") <= 1
    printed = isolated.strip("\u2068\u2069")
    assert not BIDI_CONTROLS.search(printed)
    assert printed == (normalize("NFC", BIDI_CONTROLS.sub("", name)) or "mara")
