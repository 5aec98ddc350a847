"""A walker without knowledge of the rules, which only follows prompts."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from scorekeeper.log import codec
from scorekeeper.play.prompts import LEVELS, Level, Prompt
from scorekeeper.promises.walking import WEIGHTS, Walker
from scorekeeper.report.next_events import list_prompts
from tests.players.common import GAMES, event, new_match

COUNTED = ("points_counted", "tricks_counted", "outcome_recorded")
ENDING = {**WEIGHTS, **dict.fromkeys(COUNTED, 0.03)}


def at_levels(first: int) -> Iterator[Any]:
    """Parametrize every other game, each at another level; the soak has all games and levels."""
    for place, game in enumerate(GAMES, first):
        for number, level in enumerate(LEVELS):
            kept = (place - first) % 2 == 0 and number == place % len(LEVELS)
            marks = [] if kept else [pytest.mark.soak]
            yield pytest.param(game, level, marks=marks, id=f"{game}-{level}")


CHANGES = 0.15  # the share of steps before which the level changes


def walk(
    rng: random.Random, game: str, level: Level | None, steps: int, undone: float = 0
) -> Walker:
    """Walk through a match of a game for at most ``steps`` steps; undo a share of them."""
    opening, _ = new_match(rng, game)
    walker = Walker(rng, opening)
    for _ in range(steps):
        if undone and rng.random() < undone:
            walker.undo()
        if not walker.step(level):
            break
    return walker


def walk_at_changing_levels(rng: random.Random, game: str, steps: int) -> Walker:
    """Walk through a match of a game, with some changes of the level of detail."""
    opening, _ = new_match(rng, game)
    walker, level = Walker(rng, opening), rng.choice(LEVELS)
    for _ in range(steps):
        if rng.random() < CHANGES:
            level = rng.choice(LEVELS)
        if not walker.step(level):
            break
    return walker


def walk_by_any_prompt(walker: Walker, steps: int) -> Iterator[list[Prompt]]:
    """Walk on by prompts of all levels; yield them before each step.

    So each trick is recorded by its cards, its winner, or some of both. Prompts that end a hand or
    a match are followed rarely.
    """
    for _ in range(steps):
        prompts = list_prompts(walker.session)
        if not prompts:
            return
        yield prompts
        weights = [ENDING.get(prompt.type, 1) for prompt in prompts]
        prompt = walker.rng.choices(prompts, weights)[0]
        walker.record(event(prompt.type, **codec.encode(walker.rng.choice(prompt.choices))))


__all__ = ["LEVELS", "WEIGHTS", "Walker", "walk", "walk_at_changing_levels", "walk_by_any_prompt"]
