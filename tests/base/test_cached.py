"""What is worked out once, and kept in what it follows from."""

from scorekeeper.base.cached import cached_names, cached_property, kept_in_it


class Square:
    def __init__(self, side: int) -> None:
        self.side, self.asked = side, 0

    @cached_property
    def area(self) -> int:
        """Its area."""
        self.asked += 1
        return self.side**2


def test_a_property_is_worked_out_once_for_each() -> None:
    small, large = Square(2), Square(3)
    assert [small.area, small.area, large.area] == [4, 4, 9]
    assert (small.asked, large.asked) == (1, 1)
    assert cached_names(Square) == ("area",)
    assert isinstance(vars(Square)["area"], cached_property)


def test_what_a_function_makes_of_it_is_made_once_for_each() -> None:
    asked = []

    @kept_in_it
    def told(square: Square) -> str:
        """A square in words."""
        asked.append(square.side)
        return f"{square.side} by {square.side}"

    @kept_in_it
    def halved(square: Square) -> float:
        return square.side / 2

    small, large = Square(2), Square(3)
    assert [told(small), told(small), told(large), halved(small)] == [
        "2 by 2",
        "2 by 2",
        "3 by 3",
        1,
    ]
    assert asked == [2, 3]
    assert told.__doc__ == "A square in words."
