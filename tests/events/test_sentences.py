"""Titles, labels and words of events, their fields and values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from scorekeeper.cards.packs import Pack, french, italian
from scorekeeper.events.common import HandStarted, PenaltyGiven
from scorekeeper.events.event import Event
from scorekeeper.events.fields import (
    CARDS,
    COUNT,
    PLAYER,
    REASON,
    TEXT,
    AnyOf,
    Each,
    Flag,
    Kind,
    Many,
    OneOf,
    SideId,
    Whole,
    Words,
    part,
    parts_of,
)
from scorekeeper.events.playing import CardPlayed
from scorekeeper.events.sentences import (
    Voice,
    in_words,
    label_of,
    noun_of,
    question_of,
    standalone_words,
    title_of,
)

SUIT = OneOf(("S", "H", "C", "D", "B"), words="suit")
FRENCH, ITALIAN = french("A K Q J"), italian("A K N J")


@dataclass(frozen=True, slots=True)
class CardsDiscarded(Event):
    """An event of which nothing but its fields is declared."""

    TYPE: ClassVar = "cards_discarded"
    player: str = part(PLAYER, "who")
    side: str = part(SideId(), "his side")
    suit: str = part(SUIT, "of which suit")
    reason: str = part(REASON, "why")
    cards_left: tuple[Any, ...] = part(CARDS, "the others")
    how_many: int = part(COUNT, "how many")
    points: Mapping[str, int] = part(Each(SideId(), COUNT), "the points", label="Worth")
    last: str = part(PLAYER, "the last", asks="Who was last?")


def test_undeclared_titles_come_from_the_type_and_the_fields() -> None:
    assert title_of(CardsDiscarded) == noun_of(CardsDiscarded) == "Cards discarded"
    assert [(label_of(part), question_of(part)) for part in parts_of(CardsDiscarded)] == [
        ("Who", "Who?"),
        ("Side", "Which side?"),
        ("Suit", "Suit"),
        ("Reason", "Why?"),
        ("Cards left", "Cards left"),
        ("How many", "How many"),
        ("Worth", "Worth"),
        ("Who", "Who was last?"),
    ]


def test_declared_titles_and_labels_are_used() -> None:
    assert (title_of(CardPlayed), noun_of(CardPlayed)) == ("Which card?", "A card")
    assert noun_of(HandStarted) == "Who deals?"
    assert [(label_of(part), question_of(part)) for part in parts_of(HandStarted)] == [
        ("Who dealt", "Who?")
    ]


@pytest.mark.parametrize(
    ("value", "kind", "words"),
    [
        ("K", OneOf(("K",), words="rank"), "king"),
        ("K", Many(OneOf(("K",), words="ranks")), "king"),
        ("10", OneOf(("10",), words="high"), "10"),
        ("pass", AnyOf((Whole(1, 9), OneOf(("pass", "K"), words="rank"))), "pass"),
        (7, AnyOf((Whole(1, 9), OneOf(("pass", "K"), words="rank"))), "7"),
        ("not_good", OneOf(("not_good",)), "not good"),
        ("not_said", OneOf(("not_said",), words=""), "not_said"),
        ("have_sun", Words(9, name=True, words="value"), "have sun"),
        ("as_I_wrote", REASON, "as_I_wrote"),
        ("as_I_wrote", TEXT, "as_I_wrote"),
        (True, Flag(), "yes"),
        (False, Flag("made", "lost"), "lost"),
        (5, Whole(signed=True), "+5"),
        (5, Whole(), "5"),
    ],
)
def test_words_of_a_value_depend_on_its_kind(value: Any, kind: Kind, words: str) -> None:
    assert in_words(value, kind) == words


@pytest.mark.parametrize(
    ("value", "kind", "pack", "words"),
    [
        ("S", SUIT, FRENCH, "spades"),
        ("S", SUIT, ITALIAN, "swords"),
        ("H", SUIT, ITALIAN, "H"),
        ("S", SUIT, None, "S"),
        ("K", OneOf(("K",), words="ranks"), FRENCH, "K"),
        ("pass", OneOf(("K", "pass"), words="rank"), FRENCH, "pass"),
        ("not_good", OneOf(("not_good",), words="answer"), FRENCH, "not good"),
    ],
)
def test_words_of_a_single_value_come_from_the_pack(
    value: str, kind: Kind, pack: Pack | None, words: str
) -> None:
    assert standalone_words(value, kind, pack) == words


def test_sentence_formats_fields_by_kind_not_name() -> None:
    fine = PenaltyGiven("leo", 3, "talked")
    assert Voice({"leo": "Leo"}).describe(fine) == "Penalty for Leo, +3: talked"
    discarded = CardsDiscarded("leo", "A", "S", "talked", (), 3, {"A": 2}, "ann")
    assert Voice({"leo": "Leo"}, suit=FRENCH.suit_name).describe(discarded) == (
        "cards discarded: player Leo, side A, suit spades, reason talked, cards_left none, "
        "how_many 3, points A 2, last ann"
    )
