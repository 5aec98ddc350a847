"""``ranked`` and ``random``: one round at a time, by the standings or by lot."""

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Final

from scorekeeper.tournaments.draws.draw import DrawnRound, EntrantPair
from scorekeeper.tournaments.draws.matching import match_pairs
from scorekeeper.tournaments.draws.separating import fill_in_order, separate
from scorekeeper.tournaments.draws.sizes import list_table_plans

MAX_DENSE_ENTRANTS: Final = 60  # with more, each may first meet only the nearest places
NEAREST_PLACES: Final = 24
PAIR_SIZES: Final = (2,)


@dataclass(frozen=True)
class Contenders:
    """The entrants of the next round, in the order of the standings.

    ``met`` has the pairs who should not meet again, ``groups`` the group of each entrant who has
    one and should meet nobody of it, and ``byes`` how often each entrant sat out.
    """

    order: tuple[int, ...]
    points: Mapping[int, Fraction] = field(default_factory=dict)
    met: Collection[EntrantPair] = frozenset()
    groups: Mapping[int, str] = field(default_factory=dict)
    byes: Mapping[int, int] = field(default_factory=dict)

    def is_rematch(self, one: int, other: int) -> bool:
        """Return whether two entrants should not meet again."""
        return (min(one, other), max(one, other)) in self.met

    def is_group(self, one: int, other: int) -> bool:
        """Return whether two entrants are of one group and should not meet."""
        return one in self.groups and self.groups[one] == self.groups.get(other)

    def choose_byes(self, number: int) -> tuple[int, ...]:
        """Return the entrants who sit out: the fewest byes so far, then the lowest place."""
        places = range(len(self.order))
        turn = sorted(places, key=lambda place: (self.byes.get(self.order[place], 0), -place))
        return tuple(self.order[place] for place in turn[:number])


def draw_ranked(contenders: Contenders, sizes: Collection[int], number: int) -> DrawnRound:
    """Draw a round by the standings: neighbours meet.

    At tables of two the pairs have the fewest rematches, then the fewest of one group, then the
    lowest sum of squared differences of points, then of places. At larger tables the first places
    sit at the first table, and so on, with exchanges that avoid rematches. Raises `UnusableError`
    if not even one table can be filled.
    """
    plan = list_table_plans(len(contenders.order), sizes)[0]
    byes = contenders.choose_byes(plan.byes)
    order = [entrant for entrant in contenders.order if entrant not in byes]
    if set(plan.sizes) == set(PAIR_SIZES):
        tables = [list(pair) for pair in pair_by_standings(contenders, order)]
    else:
        tables = fill_in_order(order, plan.sizes)
        _keep_apart(tables, contenders)
    return DrawnRound(number, tuple(map(tuple, tables)), byes)


def draw_random(
    contenders: Contenders, sizes: Collection[int], number: int, seed: int
) -> DrawnRound:
    """Draw a round by lot, with nobody of one group at a table if that is possible."""
    order = list(contenders.order)
    random.Random(seed).shuffle(order)  # noqa: S311  # a draw is no secret
    plan = list_table_plans(len(order), sizes)[0]
    byes = contenders.choose_byes(plan.byes)
    tables = fill_in_order([entrant for entrant in order if entrant not in byes], plan.sizes)
    _keep_apart(tables, contenders)
    return DrawnRound(number, tuple(map(tuple, tables)), byes)


def _keep_apart(tables: list[list[int]], contenders: Contenders) -> None:
    """Exchange entrants so that few meet again, and then few of one group."""
    if contenders.met or contenders.groups:
        rematch = len(contenders.order) ** 2
        separate(tables, lambda one, other: rematch * contenders.is_rematch(one, other)
                 + contenders.is_group(one, other))  # fmt: skip


def pair_by_standings(contenders: Contenders, order: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs of an even number of entrants, the best placed first."""
    if not contenders.met and not contenders.groups:
        return list(zip(order[::2], order[1::2], strict=True))
    costs = compute_pair_costs(contenders, order)
    if len(order) > MAX_DENSE_ENTRANTS:
        near = {pair: cost for pair, cost in costs.items() if pair[1] - pair[0] <= NEAREST_PLACES}
        matched = match_pairs(near)
        clash = any(
            check(order[one], order[other])
            for one, other in matched
            for check in (contenders.is_rematch, contenders.is_group)
        )
        if 2 * len(matched) < len(order) or clash:
            matched = match_pairs(costs)
    else:
        matched = match_pairs(costs)
    return [(order[one], order[other]) for one, other in matched]


def compute_pair_costs(contenders: Contenders, order: Sequence[int]) -> dict[EntrantPair, int]:
    """Return the cost of each pair of places: one number for all criteria in their order.

    These are rematches, pairs of one group, squared differences of points, and of places. A unit
    of each weighs more than all that can be of the next.
    """
    size = len(order)
    points = [contenders.points.get(entrant, Fraction(0)) for entrant in order]
    scale = lcm(*(figure.denominator for figure in points))
    scaled = [int(figure * scale) for figure in points]
    of_points = size**3
    widest = max(scaled, default=0) - min(scaled, default=0)
    of_group = of_points * (1 + size * widest * widest)
    of_rematch = of_group * (1 + size)
    return {
        (one, other): (
            of_rematch * contenders.is_rematch(order[one], order[other])
            + of_group * contenders.is_group(order[one], order[other])
            + of_points * (scaled[one] - scaled[other]) ** 2
            + (one - other) ** 2
        )
        for one in range(size)
        for other in range(one + 1, size)
    }
