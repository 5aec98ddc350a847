from itertools import product
from typing import Any

import pytest

from scorekeeper.events.playing import PointsCounted
from scorekeeper.log.codec import encode
from scorekeeper.play.prompts import Prompt
from tests.games.riparto import FOUR, choices, hand, prompted, taken


def points(script: str, **more: Any) -> list[tuple[int, ...]]:
    """Return the offered counts of a, b and c, the likeliest first."""
    return [tuple(count.points.values()) for count in choices(script, "points_counted", **more)]


def test_any_player_takes_a_trick() -> None:
    for so_far in ("", "a", "aab", "aabbccaa"):
        offered = choices(f"b=6 {taken(so_far)}", "trick_taken")
        assert [encode(prompt) for prompt in offered] == [{"player": player} for player in "abc"]


@pytest.mark.parametrize(
    ("script", "option", "counts"),
    [
        # The last trick alone is left.
        ("aabbbbba", "majority", [(3, 5, 7), (3, 12, 0), (10, 5, 0)]),
        ("aabbbbba", "sweep", [(3, 7, 0), (5, 5, 0), (3, 5, 2)]),
        ("aabbbbbb", "sweep", [(2, 13, 0), (2, 6, 2), (4, 6, 0)]),
        ("aabbbbba", "last_trick", [(3, 5, 7), (3, 12, 0), (10, 5, 0)]),
        ("aabbbbbb", "majority", [(2, 11, 2), (4, 11, 0), (2, 13, 0)]),
    ],
)
def test_the_counts_that_one_trick_can_make(
    script: str, option: str, counts: list[tuple[int, ...]]
) -> None:
    assert set(points(f"b=6 {taken(script)}", last_three=option)) == set(counts)


@pytest.mark.parametrize("option", ["majority", "sweep", "last_trick"])
def test_offered_counts_follow_from_possible_tricks(option: str) -> None:
    so_far = "abcab"
    ends = ("".join(end) for end in product("abc", repeat=4))
    expected = {
        tuple(hand(f"b=6 {taken(so_far + end)}", last_three=option).result.taken.values())  # type: ignore[union-attr]
        for end in ends
    }
    offered = points(f"b=6 {taken(so_far)}", last_three=option)
    assert len(offered) == len(set(offered))
    assert set(offered) == expected


def test_a_card_that_is_beaten_takes_no_trick() -> None:
    before_the_last = f"b=6 b>SDHC {' '.join(FOUR.split()[:-4])}"
    # Nothing trumps spades, and the ace is the highest.
    for lying, takers in (("", 4), ("a:AS", 4), ("a:AS b:9D", 3), ("a:AS b:9D c:JS", 2)):
        assert len(points(f"{before_the_last} {lying}", players=4)) == takers


def test_the_likeliest_counts_are_near_the_declaration() -> None:
    offered = points("b=6")
    assert [count[1] for count in offered] == sorted(
        (count[1] for count in offered), key=lambda n: abs(n - 6)
    )
    assert offered[0][1] == 6
    # Somebody has the five points, and a trick with them.
    assert min(max(count) for count in offered) == 7


def test_many_counts_are_given_by_their_bounds() -> None:
    (prompt,) = [
        prompt for prompt in prompted("b=6", "totals", 4) if prompt.type == "points_counted"
    ]
    assert prompt.counts is not None
    assert len(prompt.choices) == 130
    assert prompt.counts.totals == (15,)
    assert set(prompt.counts.least.values()) == {0}
    assert set(prompt.counts.most.values()) == {15}
    (prompt,) = [
        prompt
        for prompt in prompted(f"b=6 {taken('bb')}", "totals", 4)
        if prompt.type == "points_counted"
    ]
    assert prompt.counts is not None
    assert prompt.counts.least == {"a": 0, "b": 2, "c": 0, "d": 0}
    assert prompt.counts.most == {"a": 13, "b": 15, "c": 13, "d": 13}


@pytest.mark.parametrize(
    ("script", "outcomes"),
    [
        ("b=6", [True, False]),
        ("b=6 b^9", [True, False]),
        (f"b=0 {taken('aac')}", [True, False]),
        (f"b=0 {taken('b')}", [False]),
        (f"b=15 {taken('bbb')}", [True, False]),
        (f"b=15 {taken('bba')}", [False]),
        # The eighth trick makes 6, the ninth 7 or 12, both of them 13.
        (f"b=6 {taken('bbbbbaa')}", [True, False]),
        (f"b=8 {taken('bbbbbaa')}", [False]),
        (f"b=13 {taken('bbbbbaa')}", [True, False]),
        (f"b=9 {taken('bbbaaabb')}", [False]),
        (f"b=10 {taken('bbbaaabb')}", [True, False]),
    ],
)
def test_possible_outcomes_are_offered(script: str, outcomes: list[bool]) -> None:
    assert [choice.made for choice in choices(script, "outcome_recorded")] == outcomes


def test_after_a_lost_contract_only_losing_counts_are_offered() -> None:
    fewer, more = prompted(f"b=6 {taken('bbba')} lost")
    assert taken_by("b", fewer) == {3, 4, 5}
    # Without the five points there are 7 at the most, with them 10 at least.
    assert taken_by("b", more) == {7, *range(10, 15)}
    (only,) = prompted(f"b=0 {taken('aac')} lost")
    assert taken_by("b", only) == {*range(1, 6), *range(7, 13)}


def test_bounds_of_counts_after_a_lost_contract() -> None:
    fewer, more = (prompt.counts for prompt in prompted("b=6 lost", players=4))
    assert fewer is not None
    assert more is not None
    assert (fewer.least["b"], fewer.most["b"]) == (0, 5)
    assert (more.least["b"], more.most["b"]) == (7, 15)


def taken_by(player: str, prompt: Prompt) -> set[int]:
    return {choice.points[player] for choice in prompt.choices if isinstance(choice, PointsCounted)}
