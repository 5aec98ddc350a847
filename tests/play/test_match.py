"""Matches: what hands and penalties add up to, and when they are over."""

from collections.abc import Mapping
from typing import Any

import pytest

from scorekeeper.base.parts import ExactPoints
from scorekeeper.play.match import (
    Goal,
    Penalty,
    Standing,
    begin,
    ends_at,
    goal_of,
    leaders,
    penalize,
    points_course,
)
from scorekeeper.play.scoring import Result, ScoreLine, Text


def result(**scores: int) -> Result:
    """Return the result of a complete hand with these scores."""
    lines = tuple(ScoreLine(side, n, "X1", Text("so"), (1,)) for side, n in scores.items())
    return Result(complete=True, lines=lines)


@pytest.mark.parametrize(
    ("option", "totals", "hands", "over"),
    [
        ("open", {"a": 99, "b": 0}, 99, False),
        ({"target": 10}, {"a": 9, "b": 0}, 1, False),
        ({"target": 10}, {"a": 10, "b": 9}, 1, True),
        ({"target": 10}, {"a": 12, "b": 12}, 1, False),  # they play on
        ({"wins": 2}, {"a": 1, "b": 2}, 3, True),
        ({"hands": 3}, {"a": 5, "b": 5}, 2, False),
        ({"hands": 3}, {"a": 5, "b": 5}, 3, True),
    ],
)
def test_match_ends_by_its_option(
    option: Any, totals: dict[str, int], hands: int, over: bool
) -> None:
    assert ends_at("end")(Standing(totals, hands), {"end": option}) is over


@pytest.mark.parametrize(
    ("option", "totals", "hands", "over"),
    [
        ("open", {"a": -99, "b": 0}, 99, False),
        ({"target": 10}, {"a": -9, "b": 0}, 1, False),
        ({"target": 10}, {"a": -10, "b": 0}, 1, True),
        ({"target": 10}, {"a": 12, "b": 0}, 1, False),  # by a present
        ({"target": 10}, {"a": -12, "b": -12, "c": 0}, 1, True),
        ({"hands": 3}, {"a": -50, "b": 0}, 2, False),
        ({"hands": 3}, {"a": 0, "b": 0}, 3, True),
    ],
)
def test_match_of_lost_points_ends_at_the_figure(
    option: Any, totals: dict[str, int], hands: int, over: bool
) -> None:
    assert ends_at("end", lost=True)(Standing(totals, hands), {"end": option}) is over


@pytest.mark.parametrize(
    ("option", "goal"),
    [
        ("open", None), ({"target": 10}, Goal("points", 10)), ({"points": 10}, Goal("points", 10)),
        ({"wins": 2}, Goal("wins", 2)), ({"hands": 3}, Goal("hands", 3)),
    ],
)  # fmt: skip
def test_goal_of_an_option(option: Any, goal: Goal | None) -> None:
    assert goal_of("end")({"end": option}) == goal


@pytest.mark.parametrize(
    ("option", "goal"),
    [("open", None), ({"target": 10}, Goal("points", -10)), ({"hands": 3}, Goal("hands", 3))],
)
def test_goal_of_lost_points_is_negative(option: Any, goal: Goal | None) -> None:
    assert goal_of("end", lost=True)({"end": option}) == goal


def test_hands_and_penalties_are_added_in_order() -> None:
    options = {"end": {"target": 10}}
    course = points_course(ends_at("end"))
    standing = course.start("ab", options)
    assert standing == begin("ab", {}) == Standing({"a": 0, "b": 0})
    before, after = (Penalty(4, "a", 2),), (Penalty(9, "a", -5),)
    standing = course.add(standing, result(a=8, b=3), options, before, after)
    assert standing == Standing({"a": 5, "b": 3}, hands=1, over=True)  # it was 10 when asked


def test_after_the_end_only_penalties_change_a_total() -> None:
    course = points_course(ends_at("end"))
    over = Standing({"a": 10, "b": 3}, hands=1, over=True)
    options = {"end": {"target": 10}}
    assert course.add(over, result(a=8), options, (), ()) == over
    assert course.penalize(over, Penalty(5, "b", -1)).totals == {"a": 10, "b": 2}
    assert penalize(over, Penalty(5, "b", -1)).over


def test_incomplete_hand_does_not_change_the_standing() -> None:
    course = points_course(ends_at("end"))
    standing = course.add(begin("ab", {}), Result(), {"end": {"hands": 1}}, (), ())
    assert standing == Standing({"a": 0, "b": 0})


def test_credit_replaces_the_points_of_a_hand() -> None:
    def a_win(
        hand: Result, scores: Mapping[str, ExactPoints], options: Mapping[str, Any]
    ) -> Mapping[str, ExactPoints]:
        return {max(scores, key=lambda side: scores[side]): 1}

    course = points_course(ends_at("end"), a_win)
    standing = course.add(begin("ab", {}), result(a=3, b=8), {"end": "open"}, (), ())
    assert standing.totals == {"a": 0, "b": 1}


def test_leaders_are_all_with_the_highest_total() -> None:
    assert leaders({"a": 1, "b": 3, "c": 3}) == ["b", "c"]
    assert leaders({"a": -2, "b": -3}) == ["a"]
    assert leaders({}) == []
