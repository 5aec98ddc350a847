"""Every choice of the prompts keeps the rules where a record mixes levels of detail.

Options are drawn from the whole rule book of each game, and the level changes within tricks.
"""

from typing import Final

import pytest

from scorekeeper.games import GAMES as ALL
from tests.conftest import SOAK
from tests.players.common import GAMES, NAMES, seeded
from tests.players.options import start_match
from tests.players.walking import Walker, walk_by_any_prompt

WALKS: Final = 400 if SOAK else 1  # of each game
FOUND: Final = (("briscola_regina", 5), ("briscola_regina", 13))  # walks that found a fault
STEPS: Final = 110 if SOAK else 60  # of a walk
TRIED: Final = 6 if SOAK else 2  # choices of each prompt
SHARE: Final = 1.0 if SOAK else 0.3  # of the steps before which choices are tried


@pytest.mark.parametrize(
    ("game", "number"), [*((game, number) for game in GAMES for number in range(WALKS)), *FOUND]
)
def test_no_choice_breaks_a_rule_where_levels_are_mixed(game: str, number: int) -> None:
    rng = seeded(number)
    walker = Walker(rng, start_match(rng, ALL[game], NAMES))
    for prompts in walk_by_any_prompt(walker, STEPS):
        if rng.random() < SHARE:
            refused = walker.refused_choice(prompts, TRIED)
            assert refused is None, (refused, walker.log)
