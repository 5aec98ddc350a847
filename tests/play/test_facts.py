"""``play.facts``: facts as declared, and the sentences made of them.

Tests of ``report.hand_facts``.
"""

from types import SimpleNamespace
from typing import Any

import pytest

from scorekeeper.base.language import Language, speaking
from scorekeeper.events.fields import COUNT, PLAYER, Each, Flag, Many, Whole
from scorekeeper.events.sentences import Voice
from scorekeeper.play.facts import (
    EACH_SIDE,
    SIDE,
    HandFact,
    HandFacts,
    Phrase,
    Sentence,
    SummaryLine,
    has,
    lacks,
    players_in,
)
from scorekeeper.report.hand_facts import get_facts, summarize_hand
from scorekeeper.report.narration import get_voice
from tests.evenings import Evening, event, opening

VOICE = Voice({"leo": "Leo", "nina": "Nina", "A": "Leo & Nina", "B": "Ugo & Zoe"})
FACTS = HandFacts(
    (
        HandFact("bidder", "Bidder", PLAYER, lambda deal: deal.bidder),
        HandFact("took", "Took", COUNT, lambda deal: deal.took),
        HandFact("over", "Over", Whole(signed=True), lambda deal: deal.over),
        HandFact("made", "Made", Flag(), lambda deal: deal.made),
        HandFact("award", "Award", Many(PLAYER), lambda deal: deal.award),
        HandFact("bris", "Bris", Each(SIDE, COUNT), lambda deal: deal.bris),
    ),
    (
        Sentence("bidder", (
            (Phrase("took {took} ({over})"), Phrase("took {took}"), Phrase("made it", has("made"))),
            (Phrase("not counted", lacks("took")),),
        )),
        Sentence("award", ((Phrase("most of the others"),),)),
        Sentence(EACH_SIDE, ((Phrase("Bris for {bris}", has("bris")),),)),
    ),
)  # fmt: skip
NOTHING: dict[str, Any] = dict.fromkeys(fact.id for fact in FACTS.facts)


def summary_lines(**known: Any) -> list[SummaryLine]:
    deal: Any = SimpleNamespace(**{**NOTHING, **known})
    return list(FACTS.summarize(FACTS.known(deal), ("A", "B"), VOICE))


@pytest.mark.parametrize(
    ("known", "texts"),
    [
        ({"bidder": "leo", "took": 4, "over": 1}, ["took 4 (+1)"]),
        ({"bidder": "leo", "took": 0}, ["took 0"]),
        ({"bidder": "leo", "made": True}, ["made it, not counted"]),
        ({"bidder": "leo", "made": False}, ["not counted"]),
        ({"took": 4}, []),  # nobody to say it of
        ({"bris": {"A": 0, "B": 20}}, ["Bris for 20"]),
        ({"bris": {"B": 20}}, ["Bris for 20"]),
        ({"award": ()}, []),
        ({}, []),
    ],
)
def test_summary_has_the_first_phrase_that_applies(known: dict[str, Any], texts: list[str]) -> None:
    assert [line.text for line in summary_lines(**known)] == texts


def test_subject_of_a_sentence_comes_from_its_fact() -> None:
    about = [
        line.about
        for line in summary_lines(bidder="leo", took=4, award=("nina", "leo"), bris={"A": 3})
    ]
    assert about == [("leo",), ("nina", "leo"), ("A",)]


def test_facts_not_on_record_are_left_out() -> None:
    deal: Any = SimpleNamespace(**{**NOTHING, "took": 0, "made": False, "bris": {"B": 1}})
    known = FACTS.known(deal)
    assert known == {"took": 0, "made": False, "bris": {"B": 1}}
    assert FACTS.of_side(known, "A") == {"took": 0, "made": False}
    assert FACTS.of_side(known, "B") == {"took": 0, "made": False, "bris": 1}


def test_phrases_are_translated_before_they_are_filled() -> None:
    class Loud(Language):
        def say(self, text: str) -> str:
            return f"«{text}»"

    with speaking(Loud()):
        texts = summary_lines(bidder="leo", took=4)
    assert [choice.text for choice in texts] == ["«took 4»"]
    assert "took {took}" in list(FACTS.templates())


@pytest.mark.parametrize(
    ("value", "kind", "players"),
    [
        ("leo", PLAYER, ("leo",)),
        (("leo", "nina"), Many(PLAYER), ("leo", "nina")),
        ("A", SIDE, ("A",)),
        (4, COUNT, None),
    ],
)
def test_players_in_a_value(value: Any, kind: Any, players: tuple[str, ...] | None) -> None:
    assert players_in(value, kind) == players


# ---------------------------------------------------------------------------- of a session


def riparto(*entries: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the facts of a hand of Riparto, and its summary."""
    begun = event("match_started", game="riparto", seats=["mara", "leo", "nina"])
    start = (opening("mara", "leo", "nina"), begun, event("hand_started", dealer="mara"))
    session = Evening(*start, *entries).session
    match = session.structure.matches[0]
    hand = match.hands[0]
    match.standing()
    return get_facts(hand), [line.text for line in summarize_hand(hand, get_voice(session, match))]


BID = event("bid_made", player="leo", points=3)


def test_open_and_abandoned_hands_have_no_facts() -> None:
    assert riparto(BID) == ({}, [])
    assert riparto(BID, event("hand_abandoned", reason="misdealt")) == ({}, [])


def test_complete_hand_has_facts_and_a_summary() -> None:
    facts, line = riparto(BID, event("points_counted", points={"leo": 4, "nina": 6}))
    assert facts["over"] == 1
    assert line == ["declared 3, took 4", "had the most points of the others"]


def test_score_lines_replace_a_missing_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    count = event("points_counted", points={"leo": 4, "nina": 6})
    monkeypatch.setattr("scorekeeper.play.facts.HandFacts.summarize", lambda *_: iter(()))
    assert riparto(BID, count)[1] == ["Declared 3 and took 4", "Most points of the others: 6"]
