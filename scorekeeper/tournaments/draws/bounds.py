"""Lower bounds of the repeats of a draw: no arrangement of tables of these sizes has fewer."""

from collections.abc import Sequence
from itertools import combinations
from math import comb


def spread_evenly(items: int, cells: int) -> int:
    """Return the fewest pairs of items in one cell, when items are spread over cells.

    >>> [spread_evenly(5, 4), spread_evenly(5, 3), spread_evenly(5, 5)]
    [1, 2, 0]
    """
    each, rest = divmod(items, cells)
    return cells * comb(each, 2) + rest * each


def compute_fewest_repeats(
    entrants: int, sizes_of_rounds: Sequence[Sequence[int]], *, partners: bool = False
) -> int:
    """Return a lower bound of the repeats of rounds whose tables have these sizes.

    With `partners` it is that of partnerships, of which a table of four has two. Three bounds
    hold, and the highest is returned: over all pairs of entrants, over the others whom each
    entrant meets, and over each two rounds.
    """
    pairs = comb(entrants, 2)
    if pairs == 0:
        return 0
    if partners:
        tables = sum(len(sizes) for sizes in sizes_of_rounds)
        return spread_evenly(2 * tables, pairs)
    meetings = sum(comb(size, 2) for sizes in sizes_of_rounds for size in sizes)
    two_rounds = sum(
        count_shared_pairs(entrants, one, other) for one, other in combinations(sizes_of_rounds, 2)
    )
    bounds = [spread_evenly(meetings, pairs), two_rounds]
    all_sizes = {size for sizes in sizes_of_rounds for size in sizes}
    if len(all_sizes) == 1 and all(sum(sizes) == entrants for sizes in sizes_of_rounds):
        met = len(sizes_of_rounds) * (all_sizes.pop() - 1)
        bounds.append(-(-entrants * spread_evenly(met, entrants - 1) // 2))
    return max(bounds)


def count_shared_pairs(entrants: int, one: Sequence[int], other: Sequence[int]) -> int:
    """Return the fewest pairs that meet in both of two rounds with tables of these sizes.

    The entrants of a table of the one round spread over the tables of the other, and over those
    who sit out there. With T tables of k, k = qT + r, it is T · (T · C(q, 2) + r · q).

    >>> [count_shared_pairs(t * k, [k] * t, [k] * t) for t, k in ((4, 5), (3, 5), (2, 5), (3, 4))]
    [4, 6, 8, 3]
    """
    return (
        max(
            sum(spread_evenly(size, len(apart) + entrants - sum(apart)) for size in sizes)
            for sizes, apart in ((one, other), (other, one))
            if apart
        )
        if one and other
        else 0
    )
