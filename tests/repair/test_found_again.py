"""One mistake in an honest hand: the true correction is among the first three suggestions.

The mistakes are made in simulated hands; their true records are never shown to the code.
"""

import time
from collections import Counter
from itertools import count, cycle

import pytest

from scorekeeper.repair import suggestions
from tests.conftest import SOAK
from tests.players.common import GAMES
from tests.repair.mistakes import KINDS, Mistake, mistaken, rank_of_truth
from tests.thinned import thinned

FIRST = 3
SAMPLE = 1  # hands of a game, with a kind of mistake that changes from game to game
SOAKED = 200
LONGEST = 1.0  # seconds of the processor that a hand may take

# Where a card is left out or a wrong one named, and others were never seen, none can know which.
TARGET = dict.fromkeys(GAMES, 95) | {"briscola_col_monte": 90}
NEVER = 400  # seeds in a row that make no such mistake: it cannot be made in this game


def sample(game: str, many: int) -> list[Mistake]:
    """So many hands with a mistake, every kind in turn."""
    mistakes: list[Mistake] = []
    seeds = {kind: count() for kind in KINDS}
    idle = 0
    kinds = [*KINDS, *KINDS][GAMES.index(game) :][: len(KINDS)]
    for kind in cycle(kinds):
        mistake = next(
            (
                m
                for seed in (next(seeds[kind]) for _ in range(10))
                if (m := mistaken(game, seed, kind))
            ),
            None,
        )
        idle = 0 if mistake else idle + 10
        mistakes += [mistake] if mistake else []
        if len(mistakes) == many or idle > NEVER:
            return mistakes
    raise AssertionError


@pytest.mark.parametrize("game", thinned(GAMES, 2))
def test_the_truth_is_among_the_first_three(game: str) -> None:
    many = SAMPLE + (game == GAMES[-1])  # one kind more
    mistakes = sample(game, many)
    assert len(mistakes) == many
    missed = [mistake.kind for mistake in mistakes if rank_of_truth(mistake, FIRST) is None]
    assert missed == []


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_the_truth_is_among_the_first_three_of_many_hands(game: str) -> None:
    tried: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for mistake in sample(game, SOAKED):
        tried[mistake.kind] += 1
        counts[mistake.kind] += rank_of_truth(mistake, FIRST) is not None
    for kind in tried:
        print(f"{game:20} {kind:20} {counts[kind]:4} of {tried[kind]:4}")  # noqa: T201
    assert 100 * counts.total() >= TARGET[game] * tried.total()


@pytest.mark.parametrize(
    "game", [GAMES[0], *(pytest.param(game, marks=pytest.mark.soak) for game in GAMES[1:])]
)
def test_a_hand_takes_no_second(game: str) -> None:
    mistake = next(m for seed in count() if (m := mistaken(game, seed, "swapped cards")))
    session = mistake.session()
    begun = time.process_time()
    assert suggestions(session)
    assert time.process_time() - begun < LONGEST * (1 if SOAK else 2)
