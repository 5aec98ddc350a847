"""A selection of many cases: a few in the suite, all in the soak."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import pytest

from tests.evenings import golden_evenings, golden_logs


def thinned(
    cases: Iterable[Any], every: int, always: Callable[[Any], bool] = lambda case: False
) -> list[Any]:
    """Return the cases of a parameter; all but each ``every``-th are only in the soak.

    Cases for which ``always`` returns true are in the suite, too.
    """
    return [
        case if at % every == 0 or always(case) else pytest.param(case, marks=pytest.mark.soak)
        for at, case in enumerate(cases)
    ]


def thinned_rows(rows: Iterable[Sequence[Any]], every: int) -> list[Any]:
    """Return the cases of several parameters; all but each ``every``-th are only in the soak."""
    return [
        row if at % every == 0 else pytest.param(*row, marks=pytest.mark.soak)
        for at, row in enumerate(rows)
    ]


# Parameters of a test of golden logs: in the suite each evening and every sixteenth other log.
EACH_LOG: Final = pytest.mark.parametrize(
    "path",
    thinned(golden_logs(), 16, always=set(golden_evenings()).__contains__),
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)
