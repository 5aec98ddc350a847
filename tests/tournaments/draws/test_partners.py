from collections import Counter
from collections.abc import Sequence

import pytest

from scorekeeper.tournaments.draws.check import check_draw
from scorekeeper.tournaments.draws.draw import Draw, count_meetings, count_partners
from scorekeeper.tournaments.draws.partners import draw_partners
from tests.tournaments.draws.published import DESIGNS

WHOLE = [(5, 5), (8, 7), (9, 9), (12, 11), (13, 13), (16, 15), (17, 17), (25, 25)]


def partners_and_opponents(tables: Sequence[tuple[int, ...]]) -> tuple[Counter[int], Counter[int]]:
    """Return how many pairs play together so often, and how many oppose so often."""
    partners, meetings = count_partners(tables), count_meetings(tables)
    opponents = {pair: meetings[pair] - partners[pair] for pair in meetings}
    return Counter(partners.values()), Counter(opponents.values())


@pytest.mark.parametrize(("entrants", "rounds"), WHOLE)
def test_each_pair_partners_once_and_opposes_twice(entrants: int, rounds: int) -> None:
    draw = draw_partners(entrants, rounds)
    assert check_draw(draw, (4,)) == []
    assert (draw.repeats, draw.fewest) == (0, 0)
    pairs = entrants * (entrants - 1) // 2
    together = rounds * (entrants // 4) * 2
    assert partners_and_opponents(list(draw.list_tables())) == ({1: together}, {2: pairs})


@pytest.mark.parametrize("entrants", [5, 8, 9, 12, 13, 16])
def test_published_tables_are_counted_alike(entrants: int) -> None:
    (name,) = [name for name in DESIGNS if f" {entrants} players x" in name and "pairs" in name]
    tables = [
        (one[0], other[0], one[1], other[1])
        for drawn in DESIGNS[name]["rounds"]
        for one, other in drawn
    ]
    ours = list(draw_partners(entrants, len(DESIGNS[name]["rounds"])).list_tables())
    assert partners_and_opponents(tables) == partners_and_opponents(ours)


@pytest.mark.parametrize(("entrants", "rounds"), [(6, 5), (7, 6), (10, 9), (24, 6)])
def test_other_numbers_have_no_repeat_of_partners_either(entrants: int, rounds: int) -> None:
    draw = draw_partners(entrants, rounds)
    assert [problem for problem in check_draw(draw, (4,)) if problem.wrong] == []
    assert draw.repeats == 0


def test_more_rounds_than_a_whole_tournament_begin_again() -> None:
    draw = draw_partners(8, 8)
    assert set(map(frozenset, draw.rounds[0].tables)) == set(map(frozenset, draw.rounds[7].tables))
    assert draw.repeats == 4


def test_repeats_are_those_of_partners_alone() -> None:
    rounds = draw_partners(8, 3).rounds
    assert Draw(8, rounds, 1, "partners 1").repeats == 0
    assert Draw(8, rounds, 1, "by_hand 1").repeats > 0
