import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.tournaments.draws.sizes import list_table_plans

# The numbers for which somebody sits out, and how many, up to 60 entrants.
BYES = [
    ((5, 6), {7: 1, 8: 2, 9: 3, 13: 1, 14: 2, 19: 1}),
    ((3, 4), {5: 1}),
    ((5, 6, 7), {8: 1, 9: 2}),
]


@pytest.mark.parametrize(("sizes", "byes"), BYES)
def test_few_sit_out(sizes: tuple[int, ...], byes: dict[int, int]) -> None:
    for entrants in range(min(sizes), 61):
        plans = list_table_plans(entrants, sizes)
        assert {plan.byes for plan in plans} == {byes.get(entrants, 0)}, entrants
        for plan in plans:
            assert sum(plan.sizes) + plan.byes == entrants
            assert set(plan.sizes) <= set(sizes)


def test_most_equal_tables_come_first_and_then_more_tables() -> None:
    assert [plan.sizes for plan in list_table_plans(36, (5, 6))] == [(6,) * 6, (6, *(5,) * 6)]
    assert [len(plan.sizes) for plan in list_table_plans(30, (5, 6))] == [6, 5]


def test_too_few_are_refused() -> None:
    with pytest.raises(UnusableError, match="a table needs 5, and there are 4"):
        list_table_plans(4, (5, 6))
