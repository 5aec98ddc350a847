from itertools import combinations

import pytest

from scorekeeper.tournaments.draws.draw import EntrantPair
from scorekeeper.tournaments.draws.knockout import (
    draw_first_round,
    draw_lives_round,
    draw_next_round,
    list_in_bracket_order,
)


@pytest.mark.parametrize("entrants", range(2, 34))
def test_seeds_meet_as_late_as_possible(entrants: int) -> None:
    """The better seed wins every match; the last two are then the first two seeds."""
    drawn = draw_first_round(range(1, entrants + 1))
    bracket = list_in_bracket_order(drawn)
    assert {entrant for table in bracket for entrant in table} == set(range(1, entrants + 1))
    assert sorted(drawn.byes) == list(range(1, len(drawn.byes) + 1))
    while len(bracket) > 1:
        winners = {min(table) for table in bracket}
        assert winners == set(range(1, len(bracket) + 1))
        bracket = list(draw_next_round(bracket, winners, 2).tables)
    assert bracket == [(1, 2)]


def test_losers_of_the_semifinals_play_for_the_third_place() -> None:
    drawn = draw_next_round([(1, 4), (2, 3)], {4, 2}, 2, third_place=True)
    assert drawn.tables == ((4, 2), (1, 3))


def test_entrants_with_two_lives_meet_their_like_and_nobody_twice() -> None:
    order, met = tuple(range(1, 12)), set[EntrantPair]()
    lives, byes = dict.fromkeys(order, 2), dict[int, int]()
    for number in range(1, 30):
        drawn = draw_lives_round(order, lives, met, byes, number)
        if not drawn.tables:
            break
        alive = {entrant for entrant in order if lives[entrant]}
        assert {entrant for table in drawn.tables for entrant in table} == alive - {*drawn.byes}
        others = [pair for pair in combinations(sorted(alive), 2) if pair not in met]
        again = [table for table in drawn.tables if (min(table), max(table)) in met]
        assert not again or len(alive) < 5 or not others
        for one, other in drawn.tables:
            met.add((min(one, other), max(one, other)))
            lives[max(one, other)] -= 1
        for entrant in drawn.byes:
            byes[entrant] = byes.get(entrant, 0) + 1
    assert [entrant for entrant in order if lives[entrant]] == [1]
    assert max(byes.values()) == 1 or len(byes) > 2
