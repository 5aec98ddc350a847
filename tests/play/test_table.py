"""The table of a hand: seats, sides and turns."""

from tests.play.plain import table

FOUR = table("abcd", {"A": ("a", "c"), "B": ("b", "d")})


def test_points_by_side_are_sums_of_the_players() -> None:
    assert FOUR.side_of == {"a": "A", "c": "A", "b": "B", "d": "B"}
    assert FOUR.by_side({"a": 1, "b": 2, "c": 4, "d": 8}) == {"A": 5, "B": 10}


def test_order_of_play() -> None:
    assert FOUR.eldest == "a"
    assert FOUR.turns["c"] == ("c", "d", "a", "b")
    assert [FOUR.after("d"), FOUR.after("a", 2)] == ["a", "c"]


def test_name_of_a_side_lists_its_players() -> None:
    assert [FOUR.name("a"), FOUR.name("A"), FOUR.name("nobody")] == ["Ada", "Ada & Cleo", "nobody"]
