"""Cached properties, and functions that are cached in their argument."""

from scorekeeper.base.cached import cached_in_argument, cached_names, cached_property


class Square:
    def __init__(self, side: int) -> None:
        self.side, self.calls = side, 0

    @cached_property
    def area(self) -> int:
        """Its area."""
        self.calls += 1
        return self.side**2


def test_property_is_cached_for_each_instance() -> None:
    small, large = Square(2), Square(3)
    assert [small.area, small.area, large.area] == [4, 4, 9]
    assert (small.calls, large.calls) == (1, 1)
    assert cached_names(Square) == ("area",)
    assert isinstance(vars(Square)["area"], cached_property)


def test_function_result_is_cached_in_its_argument() -> None:
    calls = []

    @cached_in_argument
    def describe(square: Square) -> str:
        """A square in words."""
        calls.append(square.side)
        return f"{square.side} by {square.side}"

    @cached_in_argument
    def halve(square: Square) -> float:
        return square.side / 2

    small, large = Square(2), Square(3)
    assert [describe(small), describe(small), describe(large), halve(small)] == [
        "2 by 2",
        "2 by 2",
        "3 by 3",
        1,
    ]
    assert calls == [2, 3]
    assert describe.__doc__ == "A square in words."
