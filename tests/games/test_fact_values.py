"""The value of a fact is of the kind that its game declares, or the game has a fault."""

from typing import Any

import pytest

from scorekeeper.cards.packs import Card
from scorekeeper.events.fields import (
    CARD,
    COUNT,
    PLAYER,
    TEXT,
    AnyOf,
    Each,
    Flag,
    Kind,
    Many,
    OneOf,
    Whole,
)
from scorekeeper.games import GAMES
from scorekeeper.games.fact_values import fits
from scorekeeper.play.facts import SIDE
from scorekeeper.play.table import Table

SEATS = ("mara", "leo", "nina")
RIPARTO = GAMES["riparto"]
TABLE = Table(
    pack=RIPARTO.pack({}, 3), seats=SEATS, players=SEATS, dealer="nina", options={},
    sides={player: (player,) for player in SEATS}, names={player: player for player in SEATS},
)  # fmt: skip
SUITS = OneOf(("S", "H"))


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (COUNT, [0, 7], [-1, 1.5, True, "7", None]),
        (Whole(-2, 2), [-2, 2], [3, 2.0]),
        (Flag(), [True, False], [1, 0, "yes"]),
        (SUITS, ["S"], ["D", 1, ["S"]]),
        (AnyOf((COUNT, SUITS)), [3, "H"], ["x", -3]),
        (PLAYER, ["leo"], ["zoe", 1, ("leo",)]),
        (SIDE, ["leo", "bidder"], ["A", None]),
        (CARD, [Card.parse("AS")], ["AS", 1]),
        (Many(COUNT), [(), [1, 2]], [3, "12", (1, "2"), {1}]),
        (Each(SIDE, COUNT), [{}, {"leo": 1, "mara": None}], [{"zoe": 1}, {"leo": "1"}, [1]]),
        (TEXT, ["", "x" * 1_000], ["x" * 1_001, 7, b"x"]),
    ],
)
def test_a_value_is_of_a_kind(kind: Kind, good: list[Any], bad: list[Any]) -> None:
    assert [value for value in good if not fits(kind, value, TABLE)] == []
    assert [value for value in bad if fits(kind, value, TABLE)] == []
