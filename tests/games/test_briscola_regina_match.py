from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.games.briscola_regina import GAME
from scorekeeper.games.briscola_regina.rules import BOOK
from scorekeeper.play.match import Penalty
from scorekeeper.play.scoring import Result
from tests.games.regina import result, table


def test_the_defaults() -> None:
    assert GAME.options(None, 4) == {
        "pack": "italian", "removed_two": "C", "bris_count": "deal", "hand_exchange": "look",
        "tie": "draw", "match": {"wins": 2}, "bris_points": [0, 10, 20, 30],
        "bris_until": "hand_end", "bris_when": "any", "trump_changes": False,
            "four_figures": "none",
    }  # fmt: skip
    assert GAME.options({"pack": "french"}, 4)["removed_two"] == "H"


def test_choices_of_the_tie_have_texts() -> None:
    (tie,) = (option for option in BOOK.options if option.name == "tie")
    assert [tie.meaning(value).partition(":")[0] for value in tie.choices] == [
        "nobody", "the one of them who took the latest trick; by a count alone, nobody",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"match": {"wins": 1}}, "match"), ({"match": {"wins": 5}}, "match"),
        ({"match": {"points": 0}}, "match"), ({"match": "wins"}, "match"),
        ({"match": {"target": 100}}, "match"), ({"match": {"wins": 2, "points": 3}}, "match"),
        ({"removed_two": "H"}, "removed_two"), ({"removed_two": "X"}, "removed_two"),
        ({"pack": "french", "removed_two": "B"}, "removed_two"), ({"pack": "tarot"}, "pack"),
        ({"hand_exchange": True}, "hand_exchange"), ({"sixty": "loss"}, "sixty"),
    ],
)  # fmt: skip
def test_impossible_options_are_refused(options: dict[str, Any], field: str) -> None:
    with pytest.raises(UnusableError) as refused:
        GAME.options(options, 3)
    assert refused.value.field == f"data.options.{field}"


def test_sides_by_number_of_players() -> None:
    assert GAME.sides(("p", "q", "r", "s")) == {"A": ("p", "r"), "B": ("q", "s")}
    assert GAME.sides(("p", "q", "r")) == {"p": ("p",), "q": ("q",), "r": ("r",)}
    assert GAME.seats == (2, 3, 4, 5)
    assert table(4).eldest == "a"


def course(match: Any, *hands: Result) -> tuple[dict[str, int], bool]:
    """Return the totals after hands of two sides, and whether the match is over."""
    options = GAME.options({"match": match}, 4)
    standing = GAME.course.start(("A", "B"), options)
    for hand in hands:
        standing = GAME.course.add(standing, hand, options, (), ())
    return {side: int(total) for side, total in standing.totals.items()}, standing.over


A, B, DRAW = result("=A61"), result("=A40"), result("=A60")


@pytest.mark.parametrize(
    ("match", "hands", "totals", "over"),
    [
        ({"wins": 2}, (A,), (1, 0), False),
        ({"wins": 2}, (A, A), (2, 0), True),
        ({"wins": 2}, (A, DRAW, B), (1, 1), False),
        ({"wins": 3}, (A, B, A), (2, 1), False),
        ({"wins": 3}, (A, B, A, A), (3, 1), True),
        ({"wins": 4}, (B, B, B), (0, 3), False),
        ({"wins": 4}, (B, B, B, B), (0, 4), True),
        ({"points": 121}, (A,), (61, 59), False),
        ({"points": 121}, (A, A), (122, 118), True),
        ({"points": 60}, (DRAW,), (60, 60), False),  # equal: they play on
        ({"points": 60}, (DRAW, A), (121, 119), True),
        ({"points": 119}, (A, A), (122, 118), True),
        ("open", (A, A, A, A, A), (305, 295), False),
    ],
)
def test_when_a_match_is_over(
    match: Any, hands: tuple[Result, ...], totals: tuple[int, int], over: bool
) -> None:
    assert course(match, *hands) == (dict(zip("AB", totals, strict=True)), over)


def test_penalties_are_refused_in_a_match_for_wins() -> None:
    for match, usable in (({"wins": 2}, False), ({"points": 300}, True), ("open", True)):
        options = GAME.options({"match": match}, 4)
        assert (GAME.no_penalty(options, over=False) is None) is usable
    options = GAME.options({"match": {"points": 60}}, 4)
    standing = GAME.course.start(("A", "B"), options)
    standing = GAME.course.add(standing, A, options, (Penalty(1, "A", -5),), ())
    assert (dict(standing.totals), standing.over) == ({"A": 56, "B": 59}, False)


def test_the_book_is_complete() -> None:
    assert [clause.id for clause in BOOK.clauses] == [f"B{n}" for n in range(1, 13)]
    assert all(option.clause in {c.id for c in BOOK.clauses} for option in BOOK.options)
