"""Of many cases a few in the suite, and all of them in the soak."""

from collections.abc import Callable, Iterable
from typing import Any, Final

import pytest

from tests.evenings import golden_evenings, golden_logs


def thinned(
    cases: Iterable[Any], every: int, always: Callable[[Any], bool] = lambda case: False
) -> list[Any]:
    """The cases of a parameter: one of so many is in the suite, and those that always are."""
    return [
        case if at % every == 0 or always(case) else pytest.param(case, marks=pytest.mark.soak)
        for at, case in enumerate(cases)
    ]


# A test of golden logs: in the suite of the evening of each game, and of every eighth other.
EACH_LOG: Final = pytest.mark.parametrize(
    "path",
    thinned(golden_logs(), 8, always=set(golden_evenings()).__contains__),
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)
