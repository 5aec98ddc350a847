"""Tables of many that are filled in an order, and then exchanges that keep entrants apart."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Final

from scorekeeper.tournaments.draws.columns import RoundTables

MAX_EXCHANGES: Final = 1_000  # of one round

PairCost = Callable[[int, int], int]  # of two entrants at one table


def fill_in_order(order: Sequence[int], sizes: Sequence[int]) -> RoundTables:
    """Return tables of these sizes: the first entrants at the first table, and so on."""
    waiting = iter(order)
    return [[next(waiting) for _ in range(size)] for size in sizes]


def separate(tables: RoundTables, cost: PairCost) -> None:
    """Exchange entrants of different tables as long as that lowers the cost of the tables.

    Of equal exchanges that between the nearest tables is made, so that an order is kept as well as
    possible.
    """
    for _ in range(MAX_EXCHANGES):
        exchange = min(_list_exchanges(tables, cost), default=None)
        if exchange is None:
            return
        _gain, _distance, first, seat, second, other_seat = exchange
        one, other = tables[first], tables[second]
        one[seat], other[other_seat] = other[other_seat], one[seat]


def _list_exchanges(
    tables: RoundTables, cost: PairCost
) -> Iterator[tuple[int, int, int, int, int, int]]:
    """Yield the exchanges that lower the cost: by how much, how far, and the two places."""
    for first, table in enumerate(tables):
        crowded = {entrant for pair in combinations(table, 2) if cost(*pair) for entrant in pair}
        for seat, entrant in enumerate(table):
            for second, other_table in enumerate(tables) if entrant in crowded else ():
                for other_seat, other in enumerate(other_table) if second != first else ():
                    change = _cost_at(other, table, entrant, cost)
                    change += _cost_at(entrant, other_table, other, cost)
                    change -= _cost_at(entrant, table, entrant, cost)
                    change -= _cost_at(other, other_table, other, cost)
                    if change < 0:
                        yield change, abs(second - first), first, seat, second, other_seat


def _cost_at(entrant: int, table: Sequence[int], except_for: int, cost: PairCost) -> int:
    """Return the cost of an entrant at a table, without the one whose place it is."""
    return sum(cost(entrant, other) for other in table if other not in (entrant, except_for))
