from itertools import product

import pytest

from scorekeeper.tournaments.draws.finite_fields import get_field


@pytest.mark.parametrize("order", [2, 3, 4, 5, 7, 8, 9, 16])
def test_field_keeps_the_laws(order: int) -> None:
    field = get_field(order)
    assert field is not None
    sums, products = field.sums, field.products
    elements = range(order)
    for a, b in product(elements, repeat=2):
        assert sums[a][b] == sums[b][a]
        assert products[a][b] == products[b][a]
        assert products[a][b] != 0 or 0 in (a, b)
    for a, b, c in product(elements, repeat=3):
        assert products[a][sums[b][c]] == sums[products[a][b]][products[a][c]]
        assert sums[a][sums[b][c]] == sums[sums[a][b]][c]
        assert products[a][products[b][c]] == products[products[a][b]][c]
    assert [products[1][a] for a in elements] == list(elements)
    assert [sums[a][field.negate(a)] for a in elements] == [0] * order
    assert sorted(field.list_powers()) == list(elements)[1:]


@pytest.mark.parametrize("order", [1, 6, 10, 12, 36])
def test_other_numbers_have_no_field(order: int) -> None:
    assert get_field(order) is None
