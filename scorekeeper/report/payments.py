"""Payments that settle balances, as few as possible."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from scorekeeper.report.views import PaymentView

MAX_EXACT_BALANCES: Final = (
    12  # balances whose fewest payments are found; each more doubles the work
)


def add_balances(all_balances: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Return the sum of balances by account."""
    sums: dict[str, int] = {}
    for balances in all_balances:
        for account, amount in balances.items():
            sums[account] = sums.get(account, 0) + amount
    return sums


def compute_payments(balances: Mapping[str, int]) -> list[PaymentView]:
    """Return the payments that settle all balances; the fewest for up to ``MAX_EXACT_BALANCES``.

    With more balances, the account that owes most pays the one that gets most, step by step, which
    may take more payments than needed.

    >>> compute_payments({"mara": 12, "leo": -3, "nina": -9})
    [PaymentView(payer='nina', to='mara', amount=9), PaymentView(payer='leo', to='mara', amount=3)]
    """
    return [payment for group in split_balances(balances) for payment in _settle_group(group)]


def split_balances(balances: Mapping[str, int]) -> list[dict[str, int]]:
    """Split balances into as many groups as possible that sum to zero.

    A group needs one payment less than it has accounts. Raises ValueError if the balances do not
    sum to zero.
    """
    left = {account: amount for account, amount in balances.items() if amount}
    if sum(left.values()):
        raise ValueError("expected balances that add up to nothing")
    names = list(left)
    if len(names) > MAX_EXACT_BALANCES:
        return [left]
    last = _last_of_each_set([left[account] for account in names])
    order = []
    mask = (1 << len(names)) - 1
    while mask:
        order.append(last[mask])
        mask ^= 1 << last[mask]
    groups: list[dict[str, int]] = []
    group: dict[str, int] = {}
    for place in reversed(order):
        group[names[place]] = left[names[place]]
        if sum(group.values()) == 0:
            groups.append(group)
            group = {}
    return groups


def is_fewest_known(balances: Mapping[str, int]) -> bool:
    """Return whether the payments of these balances are known to be the fewest possible."""
    return sum(1 for amount in balances.values() if amount) <= MAX_EXACT_BALANCES


def _last_of_each_set(values: list[int]) -> list[int]:
    """Return for each set of balances the one that joins it last to make the most groups."""
    size = 1 << len(values)
    sums, most, last = [0] * size, [0] * size, [0] * size
    for mask in range(1, size):
        members = [place for place in range(len(values)) if mask >> place & 1]
        sums[mask] = sums[mask & (mask - 1)] + values[members[0]]
        best = max(members, key=lambda place: most[mask ^ (1 << place)])
        last[mask] = best
        most[mask] = most[mask ^ (1 << best)] + (sums[mask] == 0)
    return last


def _settle_group(group: Mapping[str, int]) -> Iterator[PaymentView]:
    """Yield payments from the largest debt to the largest credit until all are settled."""
    left = dict(group)
    while any(left.values()):
        payer, to = (
            min(left, key=lambda account: left[account]),
            max(left, key=lambda account: left[account]),
        )
        amount = min(-left[payer], left[to])
        yield PaymentView(payer, to, amount)
        left[payer] += amount
        left[to] -= amount
