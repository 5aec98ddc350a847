"""Knock!: its figures, the winners of tricks, its options.

Tests of ``games.knock.rules``.
"""

from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.cards.packs import FOOL, Card
from scorekeeper.games.knock import GAME
from scorekeeper.games.knock.rules import BOOK, PACK, SIGNALS, VALUE, agreed_signals
from tests.games.knock import findings_of, hand

# ---------------------------------------------------------------------------- the figures (K1)


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("T1 T21 FOOL", 5),
        ("KS KC KD KB", 5),
        ("QS QC QD QB", 4),
        ("NS NC ND NB", 3),
        ("JS JC JD JB", 2),
        ("10S 9S 8S 7S 10C 9C 8C 7C 10D 9D 8D 7D 10B 9B 8B 7B", 1),
        ("T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 T17 T18 T19 T20", 0),
    ],
)
def test_points_of_cards(cards: str, points: int) -> None:
    assert {VALUE[Card.parse(card)] for card in cards.split()} == {points}


def test_the_clauses_of_the_book_are_numbered() -> None:
    assert [clause.id for clause in BOOK.clauses] == [f"K{n + 1}" for n in range(len(BOOK.clauses))]


def test_the_pack_holds_87_and_a_hand_100() -> None:
    assert len(PACK.cards) == 54
    assert sum(VALUE.values()) == 87
    assert sum(VALUE.values()) + 13 == 100


# ------------------------------------------------------------------------ the tricks (K5, K6)


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("a>KS.QS.NS.JS", "a"),
        ("a>QS.KS.NS.JS", "b"),
        ("a>JS.QS.NS.10S", "b"),
        ("a>10S.9S.NS.JS", "c"),
        ("a>10S.9S.8S.JS", "d"),
        ("a>7S.8S.9S.10S", "d"),
        ("a>7S.KC.KD.KB", "a"),  # only the suit led can win
        ("a>KS.T6.NS.JS", "b"),
        ("a>KS.T1.NS.JS", "b"),  # the lowest trump is one
        ("a>KS.T6.T7.T1", "c"),
        ("a>T20.T21.T19.T18", "b"),
        ("a>T9.T10.T8.T7", "b"),  # by number, not as text
        ("a>T2.T1.KS.KC", "a"),
        # The Quartet: equal, below 6, above 1; the last played wins.
        ("a>T5.T2.KS.KC", "b"),
        ("a>T2.T5.KS.KC", "b"),
        ("a>T5.T4.T3.T2", "d"),
        ("a>T2.T3.T4.T5", "d"),
        ("a>T4.T1.T3.KS", "c"),
        ("a>T5.T6.T2.T3", "b"),
        ("a>KS.T3.QS.T2", "d"),
        ("a>T6.T5.T4.T3", "a"),
        # The Fool never wins; led, it sets no suit.
        ("a>KS.FOOL.QS.JS", "a"),
        ("a>7S.FOOL.KC.KD", "a"),
        ("a>T1.FOOL.KC.KD", "a"),
        ("a>FOOL.7S.KC.KD", "b"),
        ("a>FOOL.7S.8S.KD", "c"),
        ("a>FOOL.7S.T1.KS", "c"),
        ("a>FOOL.T2.KS.T5", "d"),
        ("a>FOOL.10B.KB.T3", "d"),
    ],
)
def test_winner_of_a_trick(trick: str, winner: str) -> None:
    assert hand(trick).won[0].player == winner
    assert findings_of(f"{trick} {winner}!") == []
    wrong = next(player for player in "abcd" if player != winner)
    assert [finding.split()[:2] for finding in findings_of(f"{trick} {wrong}!")] == [
        ["wrong_winner", "K5"]
    ]


# ------------------------------------------------------------------------------ the options


@pytest.mark.parametrize(
    "options",
    [
        {"hands": 4},
        {"hands": 8},
        {"hands": 400},
        {"signals": "seed"},
        {"signals": "none"},
        {"signals": []},
        {"signals": ["bijou", "have_world"]},
    ],
)
def test_an_option_value(options: dict[str, Any]) -> None:
    assert GAME.options(options, 4) == {
        "hands": 4, "signals": "seed", "own_signals": [],
    } | options  # fmt: skip


@pytest.mark.parametrize(
    "options",
    [
        {"hands": 0},
        {"hands": 6},
        {"hands": -4},
        {"hands": True},
        {"hands": "4"},
        {"hands": {"hands": 4}},
        {"signals": "some"},
        {"signals": ["wink"]},
        {"signals": ["bijou", "bijou"]},
        {"signals": None},
        {"trumps": 22},
    ],
)
def test_an_unknown_option_value(options: dict[str, Any]) -> None:
    with pytest.raises(UnusableError):
        GAME.options(options, 4)


def test_agreed_signals_of_the_options() -> None:
    every = {signal.id for signal in SIGNALS}
    assert len(every) == len(SIGNALS) == 21
    assert agreed_signals({"signals": "seed", "own_signals": []}) == every
    assert agreed_signals({"signals": "none", "own_signals": []}) == set()
    assert agreed_signals({"signals": ["bijou"], "own_signals": []}) == {"bijou"}
    own = {"signals": ["bijou"], "own_signals": [{"id": "wink", "text": "I have the World"}]}
    assert agreed_signals(own) == {"bijou", "wink"}
    assert all(
        f"{signal.gesture}: {signal.meaning}" in BOOK.clause("K11").text for signal in SIGNALS
    )


@pytest.mark.parametrize(
    ("script", "field"),
    [
        ("=A-1", "data.points.A"),
        ("=A101", "data.points"),
        ("a:T22", "data.card"),
        ("a:KS b:QS a:NS", "data.player"),
        ("a>KS.QS.NS.JS a:KS", "data.card"),
        ("d-KS,KS", "data.cards"),
        ("a~", "data.signal"),
    ],
)
def test_impossible_event_is_refused(script: str, field: str) -> None:
    with pytest.raises(UnusableError) as refusal:
        hand(script)
    assert refusal.value.field == field


def test_the_fool_has_no_suit() -> None:
    assert FOOL.suit is None
    assert PACK.show(FOOL) == "the Fool"
