"""Games and levels of detail for tests that take long with each."""

from collections.abc import Iterator
from itertools import product
from typing import Any, Final

import pytest

from scorekeeper.games import GAMES

LEVELS: Final = ("totals", "tricks", "cards")


def games_and_levels() -> Iterator[Any]:
    """Parametrize every game at every level; in the suite, every level with another game."""
    suite = set(zip(list(GAMES)[::2], LEVELS, strict=True))
    for case in product(GAMES, LEVELS):
        yield pytest.param(*case, marks=[] if case in suite else [pytest.mark.soak])
