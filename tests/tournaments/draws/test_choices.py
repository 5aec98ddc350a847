from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.tournaments.draws.choices import (
    choose_evenly,
    choose_in_turn,
    rotate_first_dealers,
)
from scorekeeper.tournaments.draws.draw import DrawnRound


def test_nobody_is_chosen_twice_before_all_were_chosen() -> None:
    chosen = choose_in_turn([[1, 2], [1, 3], [1, 2], [2, 3]], (1, 2, 3))
    assert chosen is not None
    assert sorted(chosen[:3]) == [1, 2, 3]
    assert choose_in_turn([[1], [1, 2]], (1, 2)) == [1, 2]
    assert choose_in_turn([[1], [1]], (1, 2)) is None


@given(st.lists(st.sets(st.integers(1, 8), min_size=2, max_size=4), min_size=1, max_size=12))
def test_choices_are_as_even_as_any(candidates: list[set[int]]) -> None:
    lists = [sorted(listed) for listed in candidates]
    chosen = choose_evenly(lists)
    assert all(one in listed for one, listed in zip(chosen, lists, strict=True))
    times = Counter(chosen)
    # No chain leads from a candidate to one that is rarer by two.
    for start in times:
        reached, waiting = {start}, [start]
        while waiting:
            candidate = waiting.pop()
            for one, listed in zip(chosen, lists, strict=True):
                new = set(listed) - reached if one == candidate else set()
                reached |= new
                waiting += new
        assert all(times[other] >= times[start] - 1 for other in reached)


def test_earlier_first_deals_count() -> None:
    drawn = DrawnRound(2, ((1, 2, 3), (4, 5, 6)))
    (rotated,) = rotate_first_dealers([drawn], {1: 1, 2: 1, 4: 1})
    assert rotated.tables == ((3, 1, 2), (5, 6, 4))
