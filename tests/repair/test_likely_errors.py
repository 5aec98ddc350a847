"""The values that a recorded value may stand for, each with its cost."""

from typing import Any

import pytest

from scorekeeper.cards.packs import Card
from scorekeeper.events.fields import (
    AnyOf,
    CardCode,
    Each,
    Flag,
    Kind,
    Many,
    OneOf,
    PlayerId,
    SideId,
    Whole,
    Words,
)
from scorekeeper.games import GAMES
from scorekeeper.repair.likely_errors import (
    ANY_CARD,
    DAILY,
    EXCHANGED,
    RARE,
    RARER,
    Around,
    agreeing,
    alternatives,
    completing,
    distance,
    like,
    similar_figures,
)

PACK = GAMES["riparto"].pack(GAMES["riparto"].options(None, 3), 3)
AROUND = Around(PACK, ("mara", "leo", "nina"), ("A", "B"), frozenset())
THREE = OneOf(("low", "middle", "high"))


def costs(kind: Kind, value: Any) -> dict[Any, float]:
    return {meant: cost for cost, meant in alternatives(kind, value, AROUND)}


@pytest.mark.parametrize(
    ("value", "similar"),
    [
        (12, [21, 11, 13, 2, 22, -12]),
        (5, [4, 6, -5, 15, -5]),
        (-34, [-43, -35, -33, -44, -24, 34]),
        (105, [15, 150, 104, 106, 95, 115, -105]),
    ],
)
def test_digits_are_exchanged_and_one_or_ten_more_or_less_is_written(
    value: int, similar: list[int]
) -> None:
    assert sorted(similar_figures(value)) == sorted(similar)


def test_similarity_of_figures_is_symmetric() -> None:
    assert like(21, 12)
    assert like(12, 21)
    assert like(101, 11)  # 11 for 101 is two digits exchanged in the longer one
    assert not like(40, 65)


@pytest.mark.parametrize(
    ("kind", "value", "by_value"),
    [
        (Whole(0, 3), 1, {0: DAILY, 2: DAILY, 3: RARE}),
        (Whole(0, 120), 61, {16: DAILY, 60: DAILY, 62: DAILY, 51: DAILY, 71: DAILY}),
        (THREE, "low", {"middle": DAILY, "high": RARE}),
        (AnyOf((Whole(61, 63), OneOf(("pass",)))), 62, {61: DAILY, 63: DAILY, "pass": RARER}),
        (AnyOf((Whole(61, 63), THREE)), "high", {"middle": DAILY, "low": RARE}),
        (Flag(), True, {False: DAILY}),
        (PlayerId(), "leo", {"mara": DAILY, "nina": DAILY}),
        (SideId(), "A", {"B": DAILY}),
        (Many(THREE), ("low", "high"), {
            ("high", "low"): DAILY, ("middle", "high"): DAILY, ("low", "middle"): DAILY,
            ("low",): RARE, ("high",): RARE,
        }),
        (Many(THREE, fewest=2), ("low", "high"), {
            ("high", "low"): DAILY, ("middle", "high"): DAILY, ("low", "middle"): DAILY,
        }),
        (Words(), "anything", {}),
        (PlayerId(), None, {}),
    ],
    ids=repr,
)  # fmt: skip
def test_alternatives_have_costs(kind: Kind, value: Any, by_value: dict[Any, float]) -> None:
    assert costs(kind, value) == by_value


def test_a_count_has_two_figures_exchanged_or_one_written_wrongly() -> None:
    alternatives_found = list(
        alternatives(Each(SideId(), Whole(0, 120)), {"A": 50, "B": 70}, AROUND)
    )
    assert (EXCHANGED, {"A": 70, "B": 50}) in alternatives_found
    assert (DAILY, {"A": 5, "B": 70}) in alternatives_found
    assert (DAILY, {"A": 50, "B": 71}) in alternatives_found
    assert all(value != {"A": 50, "B": 70} for _, value in alternatives_found)


def test_a_card_is_taken_for_its_like() -> None:
    ace, king, seven, other, far = (Card.parse(code) for code in ("AS", "KS", "7S", "AH", "KH"))
    assert [distance(PACK, ace, card) for card in (king, other, seven, far)] == [
        DAILY, DAILY, RARE, ANY_CARD,
    ]  # fmt: skip
    assert set(costs(CardCode(), ace)) == set(PACK.cards) - {ace}


def test_a_count_agrees_with_the_record() -> None:
    assert agreeing({"A": 50, "B": 70}, {"A": 50, "B": 70}) is None
    assert agreeing({"A": 50, "B": 70}, {"A": 51}) is None  # of B the record makes nothing
    assert agreeing({"A": 50}, {"A": 51}) == (DAILY, {"A": 51})
    assert agreeing({"A": 50}, {"A": 83}) == (DAILY + 0.5, {"A": 83})
    two = agreeing({"A": 50, "B": 70}, {"A": 51, "B": 69})
    assert two == (DAILY + 0.5, {"A": 51, "B": 69})


def test_a_count_makes_its_total() -> None:
    completions = list(completing({"A": 50, "B": 71}, [120]))
    assert completions == [(DAILY, {"A": 49, "B": 71}), (DAILY, {"A": 50, "B": 70})]
    assert list(completing({"A": 5, "B": 200}, [120])) == [(DAILY + 0.5, {"A": 5, "B": 115})]
    assert list(completing({"A": 50, "B": 70}, [120])) == []
