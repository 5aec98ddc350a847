"""A bounded search for rounds with few repeats, where no construction has them.

Two entrants of a round exchange their tables, again and again; exchanges that make it worse become
rarer with time (simulated annealing). The number of steps is fixed, so that the same seed gives the
same rounds on every machine.
"""

import math
import random
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from typing import Final

from scorekeeper.tournaments.draws.columns import RoundTables

MAX_STEPS: Final = 120_000  # a second or two
MAX_STEPS_AT_ONE_TABLE: Final = 5_000  # where only seats can be exchanged
FIRST_TEMPERATURE: Final = 20.0
LAST_TEMPERATURE: Final = 1.5
REPEAT_COST: Final = 16  # of one repeat; a third meeting costs a little more than three repeats
STEPS_OF_REPORT: Final = 1_000  # between two reports of the progress
MEETING: Final = (REPEAT_COST,)  # the costs of the only relation: at one table

# Called with the share of a search that is done, for a progress bar.
on_progress: Final = ContextVar[Callable[[float], None] | None]("on_progress", default=None)

Relations = Sequence[Sequence[int]]  # by two seats of a table, the number of their relation


class RoundSearch:
    """Rounds that are improved: ``counts`` has, by relation, how often each two entrants have it.

    ``costs`` has the cost of a repeat for each relation, and ``relations`` that of each two seats;
    without it all who sit at one table meet.
    """

    def __init__(
        self, entrants: int, rounds: Sequence[RoundTables], fixed: Iterable[RoundTables],
        costs: Sequence[int], relations: Relations | None,
    ) -> None:  # fmt: skip
        self.rounds = [[list(table) for table in tables] for tables in rounds]
        before = list(fixed)
        size = max(len(table) for tables in (*before, *rounds) for table in tables)
        self.relations = relations or [[0] * size for _ in range(size)]
        most = len(self.rounds) + len(before) + 2
        self.rises = [[_cost(count + 1, cost) - _cost(count, cost) for count in range(most)]
                      for cost in costs]  # fmt: skip
        self.counts = [[[0] * (entrants + 1) for _ in range(entrants + 1)] for _ in costs]
        self.cost = 0
        for tables in (*before, *self.rounds):
            for table in tables:
                self._add(table)

    def _add(self, table: Sequence[int], times: int = 1) -> None:
        """Count the meetings of a table, or with -1 times count them no more."""
        for seat, entrant in enumerate(table):
            for other_seat in range(seat):
                other, relation = table[other_seat], self.relations[other_seat][seat]
                counts = self.counts[relation]
                lower = counts[entrant][other] - (times < 0)
                self.cost += times * self.rises[relation][lower]
                counts[entrant][other] += times
                counts[other][entrant] += times

    def improve(self, seed: int, target: int, steps: int) -> list[RoundTables]:
        """Return the best rounds found, at the latest when the cost is the target."""
        generator = random.Random(seed)  # noqa: S311  # a draw is no secret
        draw, cooling = generator.random, LAST_TEMPERATURE / FIRST_TEMPERATURE
        best_cost, best, report = self.cost, self._copy(), on_progress.get()
        for step in range(steps):
            if best_cost <= target:
                break
            if report is not None and step % STEPS_OF_REPORT == 0:
                report(step / steps)
            tables = self.rounds[int(draw() * len(self.rounds))]
            first = int(draw() * len(tables))
            second = (first + 1 + int(draw() * (len(tables) - 1))) % len(tables)
            if first == second:  # the only table of the round
                self._turn(tables[first], draw)
            else:
                temperature = FIRST_TEMPERATURE * cooling ** (step / steps)
                self._try_exchange(tables[first], tables[second], temperature, draw)
            if self.cost < best_cost:
                best_cost, best = self.cost, self._copy()
        return best

    def _try_exchange(
        self, one: list[int], other: list[int], temperature: float, draw: Callable[[], float]
    ) -> None:
        """Exchange an entrant of each table, if it costs no more or if chance lets it."""
        seat, other_seat = int(draw() * len(one)), int(draw() * len(other))
        change = self._change(one, seat, other[other_seat])
        change += self._change(other, other_seat, one[seat])
        if change <= 0 or draw() < math.exp(-change / temperature):
            self._exchange(one, seat, other, other_seat)
            self.cost += change

    def _turn(self, table: list[int], draw: Callable[[], float]) -> None:
        """Exchange two seats of a table, unless it then costs more."""
        before, cost = list(table), self.cost
        self._add(table, times=-1)
        one, other = int(draw() * len(table)), int(draw() * len(table))
        table[one], table[other] = table[other], table[one]
        self._add(table)
        if self.cost > cost:
            self._add(table, times=-1)
            table[:] = before
            self._add(table)

    def _copy(self) -> list[RoundTables]:
        return [[list(table) for table in tables] for tables in self.rounds]

    def _change(self, table: Sequence[int], seat: int, comes: int) -> int:
        """Return how the cost changes when another entrant sits at a seat."""
        leaves, change, relations = table[seat], 0, self.relations[seat]
        for place, entrant in enumerate(table):
            if place != seat:
                relation = relations[place]
                counts, rises = self.counts[relation][entrant], self.rises[relation]
                change += rises[counts[comes]] - rises[counts[leaves] - 1]
        return change

    def _exchange(self, one: list[int], seat: int, other: list[int], other_seat: int) -> None:
        """Exchange two entrants of a round."""
        leaves, comes = one[seat], other[other_seat]
        self._count(one, seat, leaves, comes)
        self._count(other, other_seat, comes, leaves)
        one[seat], other[other_seat] = comes, leaves

    def _count(self, table: Sequence[int], seat: int, leaves: int, comes: int) -> None:
        """Count the meetings at a table anew when another entrant sits at a seat."""
        relations = self.relations[seat]
        for place, entrant in enumerate(table):
            if place != seat:
                counts = self.counts[relations[place]]
                counts[entrant][leaves] -= 1
                counts[leaves][entrant] -= 1
                counts[entrant][comes] += 1
                counts[comes][entrant] += 1


def _cost(count: int, of_repeat: int) -> int:
    """Return the cost of so many meetings of two entrants: repeats, and more for a third."""
    return of_repeat * count * (count - 1) // 2 + max(0, count - 2)


def search_rounds(
    entrants: int, playing: Sequence[Sequence[int]], sizes: Sequence[int], seed: int, *,
    fixed: Iterable[RoundTables] = (), fewest: int = 0, costs: Sequence[int] = MEETING,
    relations: Relations | None = None,
) -> list[RoundTables]:  # fmt: skip
    """Return rounds of tables of these sizes with few repeats, after the `fixed` ones.

    ``playing`` are the entrants who play in each round. The search ends early at the `fewest`
    repeats.
    """
    shuffling = random.Random(seed)  # noqa: S311  # a draw is no secret
    rounds = []
    for entrants_of_round in playing:
        order = list(entrants_of_round)
        shuffling.shuffle(order)
        rounds.append([[order.pop() for _ in range(size)] for size in sizes])
    if not rounds:
        return []
    search = RoundSearch(entrants, rounds, fixed, costs, relations)
    steps = MAX_STEPS if len(sizes) > 1 else MAX_STEPS_AT_ONE_TABLE
    return search.improve(seed, fewest * costs[0], steps)
