"""Balanced draws, with ``tournaments.draws.columns``, ``starters``, ``search`` and ``bounds``.

That is ``tournaments.draws.starters``, ``tournaments.draws.search``, ``tournaments.draws.bounds``.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.tournaments.draws import columns, search
from scorekeeper.tournaments.draws.balanced import count_rounds_without_repeat, draw_balanced
from scorekeeper.tournaments.draws.bounds import compute_fewest_repeats
from scorekeeper.tournaments.draws.check import check_draw
from scorekeeper.tournaments.draws.draw import count_meetings, count_repeats
from scorekeeper.tournaments.draws.starters import find_circular_rounds
from tests.tournaments.draws.published import DESIGNS, list_balanced

# Entrants, sizes of tables and rounds of draws in which nobody meets twice, and the tables.
WITHOUT_REPEAT = [
    (9, (3,), 4, 3), (15, (3,), 7, 5), (16, (4,), 5, 4), (20, (4,), 5, 5), (28, (4,), 7, 7),
    (25, (5,), 6, 5), (35, (5,), 7, 7), (40, (5,), 8, 8), (45, (5,), 9, 9), (55, (5,), 11, 11),
    (36, (5, 6), 7, 7), (38, (5, 6), 7, 7), (41, (5, 6), 7, 8), (43, (5, 6), 8, 8),
    (33, (4, 5), 7, 8), (50, (5, 6), 9, 9), (58, (5, 6), 11, 11), (50, (5,), 3, 10),
    (200, (5,), 10, 40), (30, (5,), 4, 6), (24, (4,), 5, 6), (50, (5,), 5, 10),
    (200, (4,), 12, 50), (38, (4,), 6, 9), (39, (4,), 9, 9),
]  # fmt: skip

# Entrants, the size of tables, rounds, and the fewest repeats, which are reached.
AT_THE_BOUND = [(20, 5, 3, 12), (20, 5, 4, 24), (15, 5, 3, 18), (12, 4, 3, 9)]


@pytest.mark.parametrize(("entrants", "sizes", "rounds", "tables"), WITHOUT_REPEAT)
def test_nobody_meets_twice(
    entrants: int, sizes: tuple[int, ...], rounds: int, tables: int
) -> None:
    draw = draw_balanced(entrants, rounds, sizes)
    assert check_draw(draw, sizes) == []
    assert [len(drawn.tables) for drawn in draw.rounds] == [tables] * rounds
    assert (draw.repeats, draw.fewest, draw.most_meetings) == (0, 0, 1)


@pytest.mark.parametrize(("entrants", "size", "rounds", "fewest"), AT_THE_BOUND)
def test_lower_bound_is_stated_and_reached(
    entrants: int, size: int, rounds: int, fewest: int
) -> None:
    draw = draw_balanced(entrants, rounds, (size,))
    assert check_draw(draw, (size,)) == []
    assert (draw.repeats, draw.fewest, draw.most_meetings) == (fewest, fewest, 2)


@pytest.mark.parametrize(
    ("entrants", "size", "fewest"), [(20, 5, 4), (15, 5, 6), (10, 5, 8), (12, 4, 3)]
)
def test_any_two_rounds_share_so_many_pairs(entrants: int, size: int, fewest: int) -> None:
    sizes = [size] * (entrants // size)
    assert compute_fewest_repeats(entrants, [sizes, sizes]) == fewest
    assert draw_balanced(entrants, 2, (size,)).repeats == fewest


@pytest.mark.parametrize("entrants", [33, 36, 38, 41])
def test_seven_tables_have_seven_rounds_without_repeat(entrants: int) -> None:
    rounds = columns.construct_rounds(entrants, 7, 7)
    meetings = count_meetings(tuple(table) for tables in rounds for table in tables)
    assert [len(tables) for tables in rounds] == [7] * 7
    assert count_repeats(meetings) == 0


@pytest.mark.parametrize("name", list_balanced())
def test_published_tables_have_no_repeat_and_so_have_ours(name: str) -> None:
    published = DESIGNS[name]
    tables = [tuple(table) for drawn in published["rounds"] for table in drawn]
    assert count_repeats(count_meetings(tables)) == 0
    sizes = {len(table) for table in tables}
    ours = draw_balanced(published["players"], len(published["rounds"]), sizes)
    assert ours.repeats == 0


def list_partitions(entrants: Sequence[int], size: int) -> Iterator[list[tuple[int, ...]]]:
    """Yield all ways to seat entrants at tables of one size."""
    if not entrants:
        yield []
        return
    first, *others = entrants
    for rest in combinations(others, size - 1):
        left = [entrant for entrant in others if entrant not in rest]
        for tables in list_partitions(left, size):
            yield [(first, *rest), *tables]


@pytest.mark.parametrize(
    ("entrants", "size", "rounds"), [(6, 3, 2), (6, 3, 3), (6, 2, 4), (8, 4, 3), (9, 3, 2)]
)
def test_small_draw_has_the_fewest_repeats_of_all(entrants: int, size: int, rounds: int) -> None:
    ways = list(list_partitions(range(1, entrants + 1), size))
    best = min(
        count_repeats(count_meetings(table for way in (ways[0], *others) for table in way))
        for others in product(ways, repeat=rounds - 1)
    )
    assert draw_balanced(entrants, rounds, (size,)).repeats == best
    sizes = [[size] * (entrants // size)] * rounds
    assert compute_fewest_repeats(entrants, sizes) <= best


@given(st.integers(5, 60), st.integers(1, 6), st.sampled_from([(5, 6), (3, 4), (4,), (5, 6, 7)]))
def test_every_draw_can_be_played_and_is_fair(
    entrants: int, rounds: int, sizes: tuple[int, ...]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "MAX_STEPS", 2_000)
        draw = draw_balanced(entrants, rounds, sizes)
    assert check_draw(draw, sizes) == []
    assert len(draw.rounds) == rounds
    assert draw.fewest is None or draw.fewest <= draw.repeats


def test_same_seed_gives_the_same_draw_and_another_seed_another() -> None:
    draws = [draw_balanced(19, 3, (5, 6), seed) for seed in (3, 3, 4)]
    assert draws[0] == draws[1]
    assert draws[0].rounds != draws[2].rounds


def test_rounds_beyond_the_construction_come_after_it() -> None:
    whole, longer = draw_balanced(35, 7, (5,)), draw_balanced(35, 8, (5,))
    assert whole.repeats == 0
    first = [table for drawn in longer.rounds[:7] for table in drawn.tables]
    assert count_repeats(count_meetings(first)) == 0


def test_search_for_shifts_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "MAX_STEPS", 12)
    assert 0 < len(columns.find_shifts(6, 5, 5)) < 4


def test_search_for_rounds_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MAX_STEPS", 0)
    draw = draw_balanced(20, 3, (5,))
    assert draw.repeats > (draw.fewest or 0)


def test_first_round_moves_on_in_circles() -> None:
    rounds = find_circular_rounds(15, 7, 3)
    assert rounds is not None
    meetings = count_meetings(tuple(table) for tables in rounds for table in tables)
    assert Counter(meetings.values()) == {1: 105}
    assert find_circular_rounds(9, 4, 3) is None  # every pair would have to meet, and half a turn
    assert find_circular_rounds(16, 7, 4) is None  # two would stay


def test_columns_are_the_last_round_where_tables_may_be_so_large() -> None:
    assert [count_rounds_without_repeat(25, sizes, 9) for sizes in ((5,), (4, 5))] == [6, 6]
    assert count_rounds_without_repeat(20, (4,), 9) == 5  # a column has five
