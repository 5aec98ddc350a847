"""Rounds from one: a first round whose entrants move on by one place in each further round.

The entrants are split into circles of as many places as there are rounds, and at most one entrant
stays. If no difference of two places occurs twice in the first round, nobody meets twice in all
rounds. Two relations of seats can have limits of their own, as partners and opponents.
"""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Final

from scorekeeper.tournaments.draws.columns import RoundTables

MAX_STEPS: Final = 20_000  # of the search for a first round; it takes half a second
MAX_CIRCLE_ENTRANTS: Final = 60  # beyond, the search finds nothing in time


class StarterSearch:
    """The search for a first round.

    ``relations`` has the relation of each two seats of a table, as a number; ``limits`` is how
    often each difference may occur, for each relation.
    """

    def __init__(
        self, entrants: int, rounds: int, size: int, relations: Sequence[Sequence[int]],
        limits: Sequence[int], seed: int,
    ) -> None:  # fmt: skip
        self.rounds, self.size, self.relations, self.limits = rounds, size, relations, limits
        self.circles = entrants // rounds
        self.order = list(range(entrants))
        random.Random(seed).shuffle(self.order)  # noqa: S311  # a draw is no secret
        self.free = set(range(entrants))
        self.used: Counter[tuple[object, int]] = Counter()
        self.tables: RoundTables = []
        self.steps = 0

    def fill(self, table: list[int]) -> bool:
        """Complete a table and all further ones; return whether a first round was found."""
        self.steps += 1
        if len(table) == self.size:
            self.tables.append(table)
            if self._begin_table():
                return True
            self.tables.pop()
            return False
        for entrant in self.order:
            if entrant in self.free and self.steps < MAX_STEPS and self._try(table, entrant):
                return True
        return False

    def find(self) -> RoundTables | None:
        """Return the tables of a first round; None if none was found."""
        return self.tables if self._begin_table() else None

    def _begin_table(self) -> bool:
        """Begin the next table with a free entrant, if any is left."""
        if not self.free:
            return True
        first = min(self.free)
        self.free.remove(first)
        if self.fill([first]):
            return True
        self.free.add(first)
        return False

    def _try(self, table: list[int], entrant: int) -> bool:
        """Seat an entrant at a table, if the differences allow it, and go on."""
        seat, taken = len(table), list[tuple[object, int]]()
        for other_seat, other in enumerate(table):
            difference, times = self._difference(other, entrant)
            key = difference, self.relations[other_seat][seat]
            if difference is None or self.used[key] + times > self.limits[key[1]]:
                break
            self.used[key] += times
            taken += [key] * times
        else:
            self.free.remove(entrant)
            if self.fill([*table, entrant]):
                return True
            self.free.add(entrant)
        self.used.subtract(taken)
        return False

    def _difference(self, one: int, other: int) -> tuple[object, int]:
        """Return the difference of two entrants, and how often it makes them meet.

        It is None for two entrants who both stay.
        """
        (circle, place), (other_circle, other_place) = sorted(
            (divmod(one, self.rounds), divmod(other, self.rounds))
        )
        if circle == self.circles:
            return None, 0
        if other_circle == self.circles:
            return (circle, "stays"), 1
        distance = (other_place - place) % self.rounds
        if circle != other_circle:
            return (circle, other_circle, distance), 1
        shorter = min(distance, self.rounds - distance)
        return (circle, circle, shorter), 1 + (2 * shorter == self.rounds)


def develop(first: RoundTables, entrants: int, rounds: int) -> list[RoundTables]:
    """Return all rounds: each moves the entrants of the circles on by one place."""
    staying = entrants // rounds * rounds

    def move(entrant: int, by: int) -> int:
        circle, place = divmod(entrant, rounds)
        return entrant if entrant >= staying else circle * rounds + (place + by) % rounds

    return [[[move(entrant, by) + 1 for entrant in table] for table in first]
            for by in range(rounds)]  # fmt: skip


def find_circular_rounds(
    entrants: int, rounds: int, size: int, relations: Sequence[Sequence[int]] | None = None,
    limits: Sequence[int] = (1,), *, seed: int = 1, tries: int = 1,
) -> list[RoundTables] | None:  # fmt: skip
    """Return rounds of tables of one size from a first round; None if none was found.

    Without `relations` all who sit at one table meet, and nobody meets twice.
    """
    if entrants % rounds > 1 or entrants > MAX_CIRCLE_ENTRANTS or entrants % size:
        return None
    of_seats = relations or [[0] * size for _ in range(size)]
    for number in range(tries):
        search = StarterSearch(entrants, rounds, size, of_seats, limits, seed + number)
        first = search.find()
        if first is not None:
            return develop(first, entrants, rounds)
    return None
