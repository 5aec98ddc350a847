"""The sizes of tables: how many tables, with how many entrants, and how many sit out."""

from collections.abc import Collection
from typing import NamedTuple

from scorekeeper.base.errors import Cause, UnusableError


class TablePlan(NamedTuple):
    """Tables of one round: their sizes, the largest first, and how many entrants sit out."""

    sizes: tuple[int, ...]
    byes: int

    @property
    def spread(self) -> int:
        """The difference of the largest and the smallest table."""
        return self.sizes[0] - self.sizes[-1]


def list_table_plans(entrants: int, sizes: Collection[int]) -> list[TablePlan]:
    """Return the plans with the fewest byes, the most equal first, then that with more tables.

    ``sizes`` are those that a table may have. Raises `UnusableError` if not even one table can be
    filled.

    >>> [len(plan.sizes) for plan in list_table_plans(36, (5, 6))]
    [6, 7]
    >>> [(n, list_table_plans(n, (5, 6))[0].byes) for n in (7, 8, 9, 13, 14, 19)]
    [(7, 1), (8, 2), (9, 3), (13, 1), (14, 2), (19, 1)]
    """
    for byes in range(entrants - min(sizes) + 1):
        plans = [
            TablePlan(split, byes)
            for tables in range(1, entrants // min(sizes) + 1)
            if set(split := split_evenly(entrants - byes, tables)) <= set(sizes)
        ]
        if plans:
            return sorted(plans, key=lambda plan: (plan.spread, -len(plan.sizes)))
    fewest = min(sizes)
    words = f"a table needs {fewest}, and there are {entrants}"
    raise UnusableError(Cause(words, "too_few_entrants", fewest=fewest, entrants=entrants))


def split_evenly(entrants: int, tables: int) -> tuple[int, ...]:
    """Return the sizes of tables that differ by at most one, the largest first.

    >>> split_evenly(38, 7)
    (6, 6, 6, 5, 5, 5, 5)
    """
    each, larger = divmod(entrants, tables)
    return (each + 1,) * larger + (each,) * (tables - larger)
