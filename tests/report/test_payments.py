"""The fewest payments, compared with what trying all ways finds."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.report.payments import (
    MAX_EXACT_BALANCES,
    compute_payments,
    is_fewest_known,
    split_balances,
)
from scorekeeper.report.views import PaymentView
from tests.conftest import SOAK


def balanced(amounts: list[int]) -> dict[str, int]:
    return {str(n): amount for n, amount in enumerate([*amounts, -sum(amounts)])}


OWED = st.lists(st.integers(-9, 9), min_size=1, max_size=5).map(balanced)
MANY = st.lists(st.integers(-900, 900), min_size=MAX_EXACT_BALANCES, max_size=40).map(balanced)


def settles(owed: dict[str, int], some: list[PaymentView]) -> bool:
    left = dict(owed)
    for payment in some:
        assert payment.amount > 0
        left[payment.payer] += payment.amount
        left[payment.to] -= payment.amount
    return not any(left.values())


def fewest_by_trial(owed: dict[str, int]) -> int:
    """The fewest payments, found without any thought: every one is made, of every possible sum.

    Among so many in a group that settles by itself one payment less is needed; all ways to part
    them into groups are tried.
    """
    some = [amount for amount in owed.values() if amount]
    best = 0
    for parts in product(range(len(some)), repeat=len(some)):
        sums = [sum(v for v, p in zip(some, parts, strict=True) if p == n) for n in set(parts)]
        best = max(best, len(sums) if not any(sums) else 0)
    return len(some) - best


@given(OWED)
@settings(max_examples=1_000 if SOAK else 15)
def test_there_can_be_no_fewer_payments(owed: dict[str, int]) -> None:
    assert settles(owed, compute_payments(owed))
    assert len(compute_payments(owed)) == fewest_by_trial(owed)


def test_twelve_players_of_six_pairs_need_six_payments() -> None:
    """The largest debt and the largest credit do not belong to the same pair."""
    amounts = [17, 16, 15, 14, 13, 12]
    owed = {f"{n}+": amount for n, amount in enumerate(amounts)}
    owed |= {f"{n}-": -amount for n, amount in enumerate(amounts)}
    assert len(owed) == MAX_EXACT_BALANCES
    assert len(compute_payments(owed)) == 6
    assert is_fewest_known(owed)
    threes = balanced([30, -11, -19, 21, -8, -13, 9, -2, -7, 5, -1])
    assert len(compute_payments(threes)) == 12 - len(split_balances(threes)) == 8


@given(MANY)
@settings(max_examples=30)
def test_of_many_players_all_is_settled_with_few_payments(owed: dict[str, int]) -> None:
    payments = compute_payments(owed)
    some = sum(1 for amount in owed.values() if amount)
    assert settles(owed, payments)
    assert len(payments) <= max(some - 1, 0)
    assert is_fewest_known(owed) == (some <= MAX_EXACT_BALANCES)


@pytest.mark.parametrize("many", [2, MAX_EXACT_BALANCES + 1])
def test_balances_that_do_not_add_up_to_nothing_cannot_be_settled(many: int) -> None:
    with pytest.raises(ValueError, match="add up to nothing"):
        compute_payments({f"p{number}": 1 for number in range(many)})
