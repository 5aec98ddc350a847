"""Rounds by construction: entrants in columns, and each round moves every column by a shift.

There are T tables. Entrant number jT + i + 1 stands in column j and row i, and in each round every
table gets one entrant of each column. A last column that is only partly filled makes tables of two
sizes; a free place in it can serve a late entry without moving anybody.

Over a field of T elements the entrant sits in round r at table i + r · j, and two entrants meet at
most once in T rounds. Where T is no power of a prime, a bounded search finds shifts modulo T with
the same property, for fewer rounds.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from scorekeeper.tournaments.draws.draw import EntrantPair
from scorekeeper.tournaments.draws.finite_fields import get_field

MAX_STEPS: Final = 2_000  # of the search for shifts, which takes a few hundredths of a second
MAX_SHIFTED: Final = 400  # columns of all rounds together, because the search is recursive

RoundTables = list[list[int]]  # the tables of one round, as lists of entrants


def construct_rounds(entrants: int, tables: int, rounds: int) -> list[RoundTables]:
    """Return as many of the rounds as the construction has, in which nobody meets twice."""
    columns = -(-entrants // tables)
    field = get_field(tables)
    if field is None:
        shifts = find_shifts(tables, columns, rounds)
        rows = range(tables)
        moved = [[[(row + shift) % tables for row in rows] for shift in shifts_of]
                 for shifts_of in shifts]  # fmt: skip
    elif columns > tables:  # two columns would move alike
        moved = [[list(range(tables))] * columns][:rounds]
    else:
        moved = [[list(field.sums[field.products[number][column]]) for column in range(columns)]
                 for number in range(min(rounds, tables))]  # fmt: skip
    return [_fill_tables(entrants, tables, tables_of) for tables_of in moved]


def _fill_tables(entrants: int, tables: int, tables_of: Sequence[Sequence[int]]) -> RoundTables:
    """Return the tables of a round; ``tables_of`` has the table of each row, for each column."""
    filled: RoundTables = [[] for _ in range(tables)]
    for entrant in range(entrants):
        column, row = divmod(entrant, tables)
        filled[tables_of[column][row]].append(entrant + 1)
    return filled


def group_columns(entrants: int, tables: int) -> RoundTables:
    """Return the round in which every column is a table; nobody of a column has met before."""
    return [
        list(range(start + 1, min(start + tables, entrants) + 1))
        for start in range(0, entrants, tables)
    ]


def find_shifts(tables: int, columns: int, rounds: int) -> list[list[int]]:
    """Return for each round the shift of each column modulo the number of tables.

    The difference of the shifts of two columns is another one in every round, so that nobody meets
    twice. At most ``MAX_STEPS`` shifts are tried, and the most rounds that were found are returned.

    >>> find_shifts(6, 3, 3)
    [[0, 0, 0], [0, 1, 2], [0, 2, 1]]
    """
    search = ShiftSearch(tables, columns, min(rounds, MAX_SHIFTED // columns))
    search.extend()
    return search.best


class ShiftSearch:
    """The search of `find_shifts`: rows of shifts, one for each round, and the most rows found."""

    def __init__(self, tables: int, columns: int, rounds: int) -> None:
        self.tables, self.columns, self.rounds = tables, columns, rounds
        self.rows: list[list[int]] = []
        self.best: list[list[int]] = []
        self.used: dict[EntrantPair, set[int]] = {
            pair: set() for pair in combinations(range(columns), 2)
        }
        self.steps = 0

    def extend(self) -> bool:
        """Add rows; return whether the search has ended, by success or for want of steps."""
        if len(self.rows) > len(self.best):
            self.best = list(self.rows)
        return len(self.rows) == self.rounds or self._fill([0])

    def _fill(self, row: list[int]) -> bool:
        """Complete a row, and go on to the next; return whether the search has ended."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            return True
        if len(row) < self.columns:
            return any(
                self._fill([*row, shift]) for shift in range(self.tables) if self._fits(row, shift)
            )
        self._mark(row, taken=True)
        self.rows.append(row)
        if self.extend():
            return True
        self.rows.pop()
        self._mark(row, taken=False)
        return False

    def _fits(self, row: Sequence[int], shift: int) -> bool:
        """Return whether the next column of a row may have a shift."""
        column = len(row)
        return all(
            (shift - before) % self.tables not in self.used[other, column]
            for other, before in enumerate(row)
        )

    def _mark(self, row: Sequence[int], *, taken: bool) -> None:
        """Add the differences of a row to those in use, or remove them."""
        for (one, other), differences in self.used.items():
            difference = (row[other] - row[one]) % self.tables
            (differences.add if taken else differences.discard)(difference)
