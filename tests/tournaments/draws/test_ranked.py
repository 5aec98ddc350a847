"""Rounds by the standings or by lot, ``tournaments.draws.matching`` and ``separating``.

That is ``tournaments.draws.separating``.
"""

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.tournaments.draws import ranked
from scorekeeper.tournaments.draws.draw import count_meetings
from scorekeeper.tournaments.draws.ranked import Contenders, draw_random, draw_ranked

Cost = tuple[int, int, Fraction]


def cost_of(contenders: Contenders, pairs: Sequence[tuple[int, ...]]) -> Cost:
    """Return the rematches, the pairs of one group, and the squared differences of points."""
    points = contenders.points
    return (
        sum(contenders.is_rematch(one, other) for one, other in pairs),
        sum(contenders.is_group(one, other) for one, other in pairs),
        sum(((points[one] - points[other]) ** 2 for one, other in pairs), Fraction(0)),
    )


def list_pairings(entrants: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Yield all ways to pair entrants."""
    if not entrants:
        yield []
        return
    first, *others = entrants
    for other in others:
        left = [entrant for entrant in others if entrant != other]
        for pairs in list_pairings(left):
            yield [(first, other), *pairs]


def random_field(rng: random.Random) -> Contenders:
    """Return a field of 4 to 10 with points, meetings and groups."""
    entrants = range(1, 2 * rng.randint(2, 5) + 1)
    points = {entrant: Fraction(rng.randint(0, 12), rng.choice((1, 2, 3))) for entrant in entrants}
    order = tuple(sorted(entrants, key=lambda entrant: -points[entrant]))
    pairs = list(combinations(entrants, 2))
    met = frozenset(rng.sample(pairs, rng.randint(0, len(pairs))))
    groups = {entrant: rng.choice("ABC") for entrant in entrants if rng.random() < 0.6}
    return Contenders(order, points, met, groups)


@pytest.mark.parametrize("block", range(5))
def test_cost_equals_that_of_the_best_pairing(block: int) -> None:
    rng = random.Random(block)  # noqa: S311
    for _ in range(100):
        contenders = random_field(rng)
        drawn = draw_ranked(contenders, (2,), 1)
        best = min(cost_of(contenders, pairs) for pairs in list_pairings(contenders.order))
        assert cost_of(contenders, drawn.tables) == best


def test_published_field_has_the_one_cost() -> None:
    a, b, c, d, e, f = range(1, 7)
    points = {a: 4, c: 4, b: 2, e: 2, d: 0, f: 0}
    met = {(a, d), (b, e), (c, f), (a, b), (c, d), (e, f)}
    contenders = Contenders(tuple(points), {k: Fraction(v) for k, v in points.items()}, met)
    best = [
        frozenset(map(frozenset, pairs))
        for pairs in list_pairings((a, b, c, d, e, f))
        if cost_of(contenders, pairs) == (0, 0, Fraction(8))
    ]
    expected = [[(a, c), (b, f), (d, e)], [(a, e), (b, c), (d, f)]]
    assert set(best) == {frozenset(map(frozenset, pairs)) for pairs in expected}
    drawn = draw_ranked(contenders, (2,), 1)
    assert frozenset(map(frozenset, drawn.tables)) in best


def test_neighbours_meet_where_nothing_hinders() -> None:
    contenders = Contenders((4, 2, 1, 3))
    assert draw_ranked(contenders, (2,), 1).tables == ((4, 2), (1, 3))
    tables = draw_ranked(Contenders(tuple(range(1, 12))), (5, 6), 3)
    assert tables == (3, ((1, 2, 3, 4, 5, 6), (7, 8, 9, 10, 11)), ())


def test_bye_goes_to_the_lowest_place_without_one() -> None:
    contenders = Contenders((5, 4, 3, 2, 1), byes={1: 1, 2: 1})
    assert draw_ranked(contenders, (2,), 2).byes == (3,)
    again = Contenders((5, 4, 3, 2, 1), byes=dict.fromkeys(range(1, 6), 1))
    assert draw_ranked(again, (2,), 6).byes == (1,)


def test_large_field_without_rematches_among_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    order = tuple(range(1, 41))
    met = {pair for pair in combinations(order, 2) if pair[1] - pair[0] <= 3}
    contenders = Contenders(order, {n: Fraction(40 - n) for n in order}, met)
    dense = draw_ranked(contenders, (2,), 1)
    monkeypatch.setattr(ranked, "MAX_DENSE_ENTRANTS", 10)
    sparse = draw_ranked(contenders, (2,), 1)
    assert cost_of(contenders, sparse.tables) == cost_of(contenders, dense.tables)
    monkeypatch.setattr(ranked, "NEAREST_PLACES", 3)  # all of these are rematches
    assert draw_ranked(contenders, (2,), 1).tables == dense.tables


def test_larger_tables_avoid_rematches_and_groups_by_few_exchanges() -> None:
    met = set(count_meetings([(1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 14, 15, 16)]))
    contenders = Contenders(tuple(range(1, 17)), met=met)
    drawn = draw_ranked(contenders, (4,), 2)
    assert not set(count_meetings(drawn.tables)) & met
    grouped = Contenders(tuple(range(1, 17)), groups=dict.fromkeys((1, 2, 3, 4), "A"))
    drawn = draw_ranked(grouped, (4,), 1)
    assert [sum(entrant in table for entrant in (1, 2, 3, 4)) for table in drawn.tables] == [1] * 4


def test_lot_depends_on_the_seed_and_keeps_groups_apart() -> None:
    groups = {entrant: "AB"[entrant % 2] for entrant in range(1, 9)}
    contenders = Contenders(tuple(range(1, 9)), groups=groups)
    draws = [draw_random(contenders, (2,), 1, seed) for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]
    for drawn in draws:
        assert all(groups[one] != groups[other] for one, other in drawn.tables)


def test_too_few_entrants_are_refused() -> None:
    with pytest.raises(UnusableError, match="a table needs 5, and there are 4"):
        draw_ranked(Contenders((1, 2, 3, 4)), (5, 6), 1)
