"""Checks of draws, and ``tournaments.draws.draw``."""

import json
from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.tournaments.draws.balanced import draw_balanced
from scorekeeper.tournaments.draws.check import check_draw
from scorekeeper.tournaments.draws.draw import Draw, DrawnRound, read_draw


def one_round(*tables: tuple[int, ...], byes: tuple[int, ...] = (), entrants: int = 6) -> Draw:
    return Draw(entrants, (DrawnRound(1, tables, byes),), 1, "by_hand 1")


@pytest.mark.parametrize(
    ("draw", "texts"),
    [
        (one_round((1, 2, 3), (4, 5, 6)), []),
        (one_round((1, 2, 3), (4, 5)),
         ["entrant 6 is at no table", "table 2 has 2 entrants, expected 3"]),
        (one_round((1, 2, 3), (4, 5, 1), byes=(6,)), ["entrant 1 is drawn twice"]),
        (one_round((1, 2, 3), (4, 5, 6), byes=(6,)), ["entrant 6 sits out and at a table"]),
        (one_round((1, 2, 3), (4, 5, 6, 7)),
         ["there is no entrant 7", "table 2 has 4 entrants, expected 3"]),
        (one_round((1, 2, 3), byes=(4, 5, 6, 6)), ["entrant 6 is drawn twice"]),
    ],
)  # fmt: skip
def test_each_wrong_round_is_found(draw: Draw, texts: list[str]) -> None:
    problems = check_draw(draw, (3,))
    assert [problem.text for problem in problems] == texts
    assert all(problem.wrong and problem.round == 1 for problem in problems)


def test_second_bye_before_the_others_and_uneven_deals_are_found() -> None:
    rounds = tuple(DrawnRound(n, ((1, 2, 3),), (4,)) for n in (1, 2))
    problems = check_draw(Draw(4, rounds, 1, "by_hand 1"))
    assert [(p.text, p.round, p.wrong) for p in problems] == [
        ("entrant 4 sits out again before all others have sat out", 2, True),
        ("some entrants deal first 2 times and some 0 times", None, False),
    ]


def test_a_draw_is_the_same_after_json() -> None:
    draw = draw_balanced(13, 3, (5, 6))
    assert read_draw(json.loads(json.dumps(draw.to_json()))) == draw


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "expected an object with entrants and rounds, got an empty list"),
        ({"rounds": []}, "field entrants: expected a whole number from 1 to 2000, got null"),
        ({"entrants": 4}, "field rounds: expected a list of at most 1000, got null"),
        ({"entrants": 4, "rounds": [3]}, "field rounds.1: expected an object with tables, got 3"),
        ({"entrants": 4, "rounds": [{"round": 2, "tables": []}]},
         "field rounds.1.round: the rounds are listed in order: expected round 1"),
        ({"entrants": 4, "rounds": [{"tables": [[1, "2"]]}]},
         'field rounds.1.tables.1: expected a whole number from 1 to 2000, got "2"'),
        ({"entrants": 4, "rounds": [{"tables": [], "byes": [True]}]},
         "field rounds.1.byes: expected a whole number from 1 to 2000, got true"),
        ({"entrants": 4, "rounds": [], "seed": "x"},
         'field seed: expected a whole number, got "x"'),
        ({"entrants": 4, "rounds": [], "by": 1},
         "field by: expected the name of a generator, got 1"),
    ],
)  # fmt: skip
def test_other_json_is_refused(data: Any, words: str) -> None:
    with pytest.raises(UnusableError) as refused:
        read_draw(data)
    assert str(refused.value) == words


def test_bound_is_unknown_where_there_are_repeats_and_no_bound() -> None:
    rounds = tuple(DrawnRound(n, ((1, 2), (3, 4), (5, 6))) for n in (1, 2))
    assert (Draw(6, rounds, 1, "x").repeats, Draw(6, rounds, 1, "x").fewest) == (3, None)
    assert Draw(6, rounds[:1], 1, "x").fewest == 0
