"""``exports.chat``: what is sent to a chat says what the report says, and nothing else."""

import re
from typing import Any
from unicodedata import normalize

import pytest

from scorekeeper.exports import chat
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.filenames import BIDI_CONTROLS
from scorekeeper.languages.reader import Reader
from tests.evenings import event
from tests.exports.taken import EVENINGS, ID, NAMES, events_of, hand, riparto, taken

COUNT = event("points_counted", points={"mara": 7, "leo": 5, "nina": 3})
OTHER = event("hand_disputed", player="leo", reason="no", match=1, hand=2)
DISPUTE = event("hand_disputed", player="leo", reason="no")
UNRESOLVED = event("dispute_settled", ruling="unresolved", text="nobody knows")


def said(events: list[Any], **reader: str) -> list[str]:
    """The lines of the text."""
    evening = Evening.of(ID, taken(events).session, Reader(**reader))
    return chat.text(evening).decode("utf-8").splitlines()


def test_who_won_how_it_stands_and_who_pays_whom() -> None:
    assert said([*riparto(2, place="At home"), event("match_ended")]) == [
        "Friday", "21 November 2026, At home",
        "",
        "Riparto: Shared by Leo and Nina",
        "1. Leo: 5", "1. Nina: 5", "3. Mara: 0",
        "Who pays whom:",
        "Mara pays Nina 5", "Mara pays Leo 5",
    ]  # fmt: skip


def test_it_is_in_the_language_of_the_reader() -> None:
    assert said(riparto(1), language="it")[-1] == "Mara paga 5 a Leo"
    french = said(riparto(1), language="fr")
    assert "Qui paie qui\u00a0:" in french
    assert [line for line in french if re.search(r"[^\u00a0]:", line)] == []


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.parent.name)
def test_each_standing_is_that_of_the_report(path: Any) -> None:
    evening = taken(events_of(path))
    told = chat.message(evening)
    for match, one in zip(evening.report["matches"], told.matches, strict=True):
        figures = sorted((int(n.figure.replace(chat.MINUS, "-")) for n in one.places), reverse=True)
        assert figures == sorted(match["totals"].values(), reverse=True)
        won = sum(place.won for place in one.places)
        assert won == (len(match["winners"]) if one.places and match["hands"] else 0)
        assert one.pack == ("french" if match["game"] in ("riparto", "picchetto") else "italian")


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
def test_what_is_in_doubt_is_marked(events: list[Any], mark: str) -> None:
    assert mark in said(events)
    assert mark not in said(riparto(2))


def test_an_evening_without_a_match() -> None:
    assert said(riparto(0)[:1]) == [
        "Friday",
        "21 November 2026",
        "",
        "No match was played.",
    ]


def test_money_is_settled_over_the_evening_and_points_are_not() -> None:
    events = riparto(1)
    events[1]["data"]["stake"] = {"currency": "EUR", "point": 10, "match": 0}
    lines = said(events)
    assert "For money, in EUR" in lines
    assert "Mara pays Leo €0.50" in lines
    assert lines.count("Who pays whom:") == 1


def test_a_long_evening_says_that_there_is_more() -> None:
    one = riparto(1)
    evening = [*one[:1], *(event for _ in range(20) for event in one[1:])]
    told = chat.message(taken(evening))
    assert told.more
    assert len(told.matches) < 20
    assert said(evening)[-1] == "More is in the score sheet."


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_as_it_was_typed_and_keeps_to_itself(name: str) -> None:
    lines = said(riparto(1, name, "Leo", "Nina"))
    line = lines[-1]
    assert line.endswith(" pays Leo 5")
    own = line.removesuffix(" pays Leo 5")
    assert own.count("\u2068") == own.count("\u2069") <= 1
    shown = own.strip("\u2068\u2069")
    assert not BIDI_CONTROLS.search(shown)
    assert shown == (normalize("NFC", BIDI_CONTROLS.sub("", name)) or "mara")
