"""Counts that leave a side out, and what numbers can make together."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.base.errors import UnusableError
from scorekeeper.play.counts import complete_count, refuse_count, sums_of
from tests.refusals import refusal_of


def test_missing_side_of_a_count_gets_the_rest() -> None:
    assert complete_count({"b": 3}, "ab", 10) == {"a": 7, "b": 3}
    assert complete_count({"b": 3}, "ab", None) == {"b": 3}
    assert complete_count({"b": 3}, "abc", 10) == {"b": 3}
    assert list(complete_count({"b": 3, "a": 1}, "ab", 10)) == ["a", "b"]


@pytest.mark.parametrize(
    ("points", "sides", "total"),
    [({"a": 1}, "ab", None), ({"a": 1}, "abc", 10), ({"a": 11}, "ab", 10)],
)
def test_count_with_too_few_sides_or_too_many_points_is_refused(
    points: dict[str, int], sides: str, total: int | None
) -> None:
    with pytest.raises(UnusableError) as refused:
        refuse_count("data.points", points, sides, total)
    assert refused.value.field == "data.points"


def test_count_with_all_sides_or_all_but_one_is_accepted() -> None:
    for points in ({"a": 1, "b": 20}, {"a": 10}):
        assert refusal_of(refuse_count, "data.points", points, "ab", 10) == ""


@given(st.lists(st.integers(0, 12), max_size=6))
def test_sums_of_each_quantity_of_numbers(numbers: list[int]) -> None:
    for many, bits in enumerate(sums_of(numbers)):
        sums = {sum(some) for some in combinations(numbers, many)}
        assert {n for n in range(bits.bit_length()) if bits >> n & 1} == sums
