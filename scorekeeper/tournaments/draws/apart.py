"""Which entrant gets which number of a draw, so that entrants of one group meet late or never.

The tables of the numbers stay: so do all repeats of a draw, and the lines of a bracket.
"""

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from scorekeeper.tournaments.draws.draw import DrawnRound
from scorekeeper.tournaments.draws.knockout import list_bracket

MAX_STEPS: Final = 2_000
MAX_IDLE_STEPS: Final = 150  # without an improvement, after which the search ends
CANDIDATES: Final = 30  # with whom an entrant is tried to be exchanged, in one step

PlaceTables = Sequence[Sequence[int]]


def keep_apart(
    order: Sequence[int], groups: Mapping[int, str], rounds: Sequence[PlaceTables], seed: int,
    movable: Collection[int] | None = None,
) -> list[int]:  # fmt: skip
    """Return entrants in another order, in which few of one group meet at a table.

    ``rounds`` are tables of places, from 1 on: entrant ``order[p - 1]`` sits at the tables with p.
    Only the places ``movable`` are exchanged, by default all. The same seed returns the same order.
    """
    if len({groups.get(entrant) for entrant in order}) < 2:
        return list(order)
    return _Search(order, groups, rounds, movable).improve(seed)


def list_blocks(entrants: int, rounds: int | None = None) -> list[PlaceTables]:
    """Return the places that can meet in the first rounds of a bracket, before its final.

    >>> list_blocks(4)
    [[[1, 4], [2, 3]]]
    """
    slots = [place if place <= entrants else 0 for place in list_bracket(entrants)]
    sizes = [2**level for level in range(1, len(slots).bit_length() - 1)][:rounds]
    return [
        [[place for place in slots[start : start + size] if place]
         for start in range(0, len(slots), size)]
        for size in sizes
    ]  # fmt: skip


class _Search:
    """Exchanges of entrants that reduce how many of one group meet."""

    def __init__(
        self, order: Sequence[int], groups: Mapping[int, str], rounds: Sequence[PlaceTables],
        movable: Collection[int] | None,
    ) -> None:  # fmt: skip
        self.order = list(order)
        self.group = [groups.get(entrant) for entrant in order]  # by place
        tables = [table for tables in rounds for table in tables]
        self.tables_of: list[set[int]] = [set() for _ in order]
        for number, table in enumerate(tables):
            for place in table:
                self.tables_of[place - 1].add(number)
        self.counts = [Counter(self.group[place - 1] for place in table) for table in tables]
        self.places = sorted(place - 1 for place in movable) if movable is not None else list(
            range(len(order))
        )  # fmt: skip

    def improve(self, seed: int) -> list[int]:
        """Exchange entrants until none of one group meet, or it improves no more."""
        choosing = random.Random(f"{seed} apart")  # noqa: S311  # a draw is no secret
        idle = 0
        for _ in range(MAX_STEPS):
            meeting = [place for place in self.places if self._meets(place)]
            if not meeting or idle > MAX_IDLE_STEPS:
                break
            place = choosing.choice(meeting)
            others = [other for other in self.places if self.group[other] != self.group[place]]
            if not others:
                idle += 1
                continue
            tried = choosing.sample(others, min(CANDIDATES, len(others)))
            other = min(tried, key=lambda candidate: self._difference(place, candidate))
            difference = self._difference(place, other)
            idle = 0 if difference < 0 else idle + 1
            if difference <= 0:
                self._exchange(place, other)
        return self.order

    def _meets(self, place: int) -> bool:
        """Return whether somebody meets another of their group."""
        group = self.group[place]
        return group is not None and any(self.counts[n][group] > 1 for n in self.tables_of[place])

    def _difference(self, one: int, other: int) -> int:
        """Return by how much the meetings of one group change if two places are exchanged."""
        first, second = self.group[one], self.group[other]
        change = 0
        for left, came, tables in (
            (first, second, self.tables_of[one] - self.tables_of[other]),
            (second, first, self.tables_of[other] - self.tables_of[one]),
        ):
            for number in tables:
                counts = self.counts[number]
                change -= counts[left] - 1 if left is not None else 0
                change += counts[came] if came is not None else 0
        return change

    def _exchange(self, one: int, other: int) -> None:
        """Exchange the entrants of two places."""
        for place, left, came in (
            (one, self.group[one], self.group[other]), (other, self.group[other], self.group[one])
        ):  # fmt: skip
            for number in self.tables_of[place]:
                self.counts[number][left] -= 1
                self.counts[number][came] += 1
        order, group = self.order, self.group
        order[one], order[other] = order[other], order[one]
        group[one], group[other] = group[other], group[one]


def list_group_tables(groups: Mapping[int, str]) -> list[list[int]]:
    """Return the entrants of each group, as tables of a round at which they have met."""
    members: dict[str, list[int]] = {}
    for entrant, group in groups.items():
        members.setdefault(group, []).append(entrant)
    return [entrants for entrants in members.values() if len(entrants) > 1]


def as_tables(rounds: Sequence[DrawnRound]) -> list[PlaceTables]:
    """Return the tables of rounds."""
    return [drawn.tables for drawn in rounds]
