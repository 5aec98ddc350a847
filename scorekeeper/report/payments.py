"""Who pays whom: balances settled with the fewest payments."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from scorekeeper.base.cached import cached_property

MAX_EXACT_BALANCES: Final = 12  # of up to 12 balances the fewest payments are found; of more, few


class Payment(NamedTuple):
    """So much from one to another: points, or minor units of a currency."""

    payer: str
    to: str
    amount: int


class Accounts:
    """Money that moved, and who owes whom by it."""

    @property
    def transfers(self) -> Iterable[Mapping[str, int]]:
        """What moved it, one after the other: each is nothing in all."""
        raise NotImplementedError

    @cached_property
    def balances(self) -> dict[str, int]:
        """What each gets, or below 0 pays; together nothing."""
        return add_balances(self.transfers)

    @cached_property
    def payments(self) -> list[Payment]:
        """Who has to pay whom that nobody owes anything: the fewest payments, if they are few."""
        return compute_payments(self.balances)

    @property
    def fewest(self) -> bool:
        """Whether there can be no fewer payments; of many balances that is not known."""
        return is_fewest_known(self.balances)


def add_balances(every: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Balances added up."""
    found: dict[str, int] = {}
    for balances in every:
        for one, amount in balances.items():
            found[one] = found.get(one, 0) + amount
    return found


def compute_payments(owed: Mapping[str, int]) -> list[Payment]:
    """The payments by which all balances become nothing, the fewest up to ``MOST`` balances.

    Of more there may be some that are not needed: there each who owes most pays who gets most.

    >>> compute_payments({"mara": 12, "leo": -3, "nina": -9})
    [Payment(payer='nina', to='mara', amount=9), Payment(payer='leo', to='mara', amount=3)]
    """
    return [one for group in split_balances(owed) for one in _settle_group(group)]


def split_balances(owed: Mapping[str, int]) -> list[dict[str, int]]:
    """The balances parted into as many can settle each by itself.

    Within a group one payment less than that is enough. Raises ValueError if the balances do not
    add up to nothing.
    """
    left = {one: amount for one, amount in owed.items() if amount}
    if sum(left.values()):
        raise ValueError("expected balances that add up to nothing")
    names = list(left)
    if len(names) > MAX_EXACT_BALANCES:
        return [left]
    last = _last_of_each_set([left[one] for one in names])
    order = []
    mask = (1 << len(names)) - 1
    while mask:
        order.append(last[mask])
        mask ^= 1 << last[mask]
    found: list[dict[str, int]] = []
    group: dict[str, int] = {}
    for place in reversed(order):
        group[names[place]] = left[names[place]]
        if sum(group.values()) == 0:
            found.append(group)
            group = {}
    return found


def is_fewest_known(owed: Mapping[str, int]) -> bool:
    """Whether the payments of these balances are known to be the fewest that there can be."""
    return sum(1 for amount in owed.values() if amount) <= MAX_EXACT_BALANCES


def _last_of_each_set(values: list[int]) -> list[int]:
    """Return for each set of balances which of them joins it last to make most groups."""
    size = 1 << len(values)
    sums, most, last = [0] * size, [0] * size, [0] * size
    for mask in range(1, size):
        members = [place for place in range(len(values)) if mask >> place & 1]
        sums[mask] = sums[mask & (mask - 1)] + values[members[0]]
        best = max(members, key=lambda place: most[mask ^ (1 << place)])
        last[mask] = best
        most[mask] = most[mask ^ (1 << best)] + (sums[mask] == 0)
    return last


def _settle_group(group: Mapping[str, int]) -> Iterator[Payment]:
    """Who owes most pays who gets most, until nothing is left."""
    left = dict(group)
    while any(left.values()):
        payer, to = min(left, key=lambda one: left[one]), max(left, key=lambda one: left[one])
        amount = min(-left[payer], left[to])
        yield Payment(payer, to, amount)
        left[payer] += amount
        left[to] -= amount
