"""Draws of pairs: all play all, and ``tournaments.draws.mitchell``."""

from itertools import pairwise

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.tournaments.draws.berger import draw_all_play_all, list_groups
from scorekeeper.tournaments.draws.check import check_draw
from scorekeeper.tournaments.draws.draw import count_meetings
from scorekeeper.tournaments.draws.mitchell import draw_mitchell
from tests.tournaments.draws.published import DESIGNS


@pytest.mark.parametrize("entrants", [6, 10, 12])
def test_round_robin_is_the_published_one(entrants: int) -> None:
    draw = draw_all_play_all(entrants)
    published = DESIGNS[f"round robin of {entrants} (Berger)"]["rounds"]
    assert [[list(table) for table in drawn.tables] for drawn in draw.rounds] == published


@pytest.mark.parametrize("entrants", range(2, 21))
def test_all_meet_once(entrants: int) -> None:
    draw = draw_all_play_all(entrants)
    assert check_draw(draw, (2,)) == []
    meetings = count_meetings(draw.list_tables())
    assert len(meetings) == entrants * (entrants - 1) // 2
    assert set(meetings.values()) == {1}


@pytest.mark.parametrize(
    ("entrants", "rounds", "sizes"),
    [(30, 5, [6] * 5), (11, 5, [6, 5]), (8, 3, [4, 4]), (8, 7, [8]), (4, 1, [2, 2]),
     (9, 7, [9]), (7, 5, [7]), (10, 4, [10])],
)  # fmt: skip
def test_groups_take_just_the_rounds(entrants: int, rounds: int, sizes: list[int]) -> None:
    groups = list_groups(entrants, rounds)
    assert [len(group) for group in groups] == sizes
    assert [entrant for group in groups for entrant in group] == list(range(1, entrants + 1))
    draw = draw_all_play_all(entrants, rounds)
    assert [problem for problem in check_draw(draw, (2,)) if problem.wrong] == []
    assert (draw.repeats, len(draw.rounds)) == (0, rounds)


def test_second_round_robin_exchanges_the_seats() -> None:
    draw = draw_all_play_all(4, 6)
    first, again = draw.rounds[:3], draw.rounds[3:]
    assert [[table[::-1] for table in drawn.tables] for drawn in first] == [
        list(drawn.tables) for drawn in again
    ]


@pytest.mark.parametrize(("entrants", "rounds"), [(22, 11), (11, 6), (12, 5), (2, 1), (3, 2)])
def test_half_stay_and_half_move_up(entrants: int, rounds: int) -> None:
    draw = draw_mitchell(entrants, rounds)
    assert check_draw(draw, (2,)) == []
    assert draw.repeats == 0
    staying = entrants // 2
    for drawn in draw.rounds:
        assert [min(table) for table in drawn.tables] == list(range(1, staying + 1))
    moved = [[max(table) for table in drawn.tables] for drawn in draw.rounds]
    for before, after in pairwise(moved):
        assert after[1:] == before[:-1]


def test_more_rounds_than_tables_are_refused() -> None:
    with pytest.raises(UnusableError, match="the same meet again after 5 rounds"):
        draw_mitchell(10, 6)
