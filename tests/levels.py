"""Games and levels of detail for tests that take long with each."""

from collections.abc import Iterator
from itertools import cycle
from typing import Any, Final

import pytest

from scorekeeper.games import GAMES

LEVELS: Final = ("totals", "tricks", "cards")


def games_and_levels() -> Iterator[Any]:
    """Parametrize every game at every level; all but one level of each only in the soak."""
    for game, suite in zip(GAMES, cycle(LEVELS), strict=False):
        for level in LEVELS:
            yield pytest.param(game, level, marks=[] if level == suite else [pytest.mark.soak])
