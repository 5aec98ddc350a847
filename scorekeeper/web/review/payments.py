"""Who pays whom: what scores come to among players, in as few payments as there can be."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

MOST: Final = 12  # of so many the fewest payments are sought; of more, few


class Payment(NamedTuple):
    """So many points from one to another."""

    payer: str
    to: str
    points: int


def balances(totals: Mapping[str, int]) -> dict[str, int]:
    """What each has to get or to pay; together nothing.

    Scores that add up to nothing are what was won and lost. From others everybody pays everybody
    the difference.

    >>> balances({"mara": 9, "leo": 4, "nina": 2})
    {'mara': 12, 'leo': -3, 'nina': -9}
    """
    total = sum(totals.values())
    if total == 0:
        return dict(totals)
    return {one: points * len(totals) - total for one, points in totals.items()}


def payments(owed: Mapping[str, int]) -> list[Payment]:
    """The payments by which all balances become nothing, as few as there can be.

    >>> payments({"mara": 12, "leo": -3, "nina": -9})
    [Payment(payer='nina', to='mara', points=9), Payment(payer='leo', to='mara', points=3)]
    """
    left = {one: points for one, points in owed.items() if points}
    return [one for group in groups(left) for one in _within(group)]


def groups(owed: Mapping[str, int]) -> list[dict[str, int]]:
    """The balances parted into as many groups as can settle each by itself.

    Among so many in a group one payment less than that is enough.
    """
    names = list(owed)
    if len(names) > MOST:
        return [dict(owed)]
    whole = (1 << len(names)) - 1
    sums, last = _tables([owed[one] for one in names])
    assert not names or sums[whole] == 0  # noqa: S101  # what one wins another loses
    order = []
    mask = whole
    while mask:
        order.append(last[mask])
        mask ^= 1 << last[mask]
    found: list[dict[str, int]] = []
    group: dict[str, int] = {}
    for place in reversed(order):
        group[names[place]] = owed[names[place]]
        if sum(group.values()) == 0:
            found.append(group)
            group = {}
    return found


def _tables(values: list[int]) -> tuple[list[int], list[int]]:
    """For each set of balances its sum, and who joins it last to make most groups."""
    size = 1 << len(values)
    sums, most, last = [0] * size, [0] * size, [0] * size
    for mask in range(1, size):
        members = [place for place in range(len(values)) if mask >> place & 1]
        sums[mask] = sums[mask & (mask - 1)] + values[members[0]]
        best = max(members, key=lambda place: most[mask ^ (1 << place)])
        last[mask] = best
        most[mask] = most[mask ^ (1 << best)] + (sums[mask] == 0)
    return sums, last


def _within(group: Mapping[str, int]) -> Iterator[Payment]:
    """Who owes most pays who gets most, until nothing is left."""
    left = dict(group)
    while any(left.values()):
        payer, to = min(left, key=lambda one: left[one]), max(left, key=lambda one: left[one])
        points = min(-left[payer], left[to])
        yield Payment(payer, to, points)
        left[payer] += points
        left[to] -= points
