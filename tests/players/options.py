"""Random options of a match, drawn from the rule book of its game."""

import random
from collections.abc import Sequence
from typing import Any, Final

from scorekeeper.games.game import Game
from scorekeeper.play.rulebook import Choice, ListOf, NamedTexts, Number, Numbers
from tests.players.common import Event, event, refused

CHANGED: Final = 0.4  # the share of options that are not left at their defaults
ATTEMPTS: Final = 200  # draws of options, of which the game may refuse most


def start_match(rng: random.Random, game: Game, names: dict[str, str]) -> list[Event]:
    """Return the opening of a session with a match of random seats and options."""
    seats = rng.sample(list(names), rng.choice(game.seats))
    players = [{"id": seat, "name": names[seat]} for seat in seats]
    opened = event("session_opened", title="Friday", players=players)
    for _ in range(ATTEMPTS):
        options = draw_options(rng, game)
        started = event("match_started", game=game.id, seats=seats, options=options)
        if not refused([opened, started]) and not conflicting(game, options):
            return [opened, started]
    raise AssertionError(f"no options of {game.id} are accepted")


def conflicting(game: Game, options: dict[str, Any]) -> bool:
    """Return whether an option has no effect beside another, so that no such match is opened."""
    return any(game.book.conflicting(game.book.settle(options)))


def draw_options(rng: random.Random, game: Game) -> dict[str, Any]:
    """Return random values of some options; they may exclude one another."""
    return {
        option.name: draw_value(rng, rng.choice(list(option.choices)))
        for option in game.book.options
        if rng.random() < CHANGED
    }


def draw_value(rng: random.Random, choice: Choice) -> Any:
    """Return a random value of a choice: itself, or a member of a family of values."""
    if isinstance(choice, Number):
        numbers: Sequence[int] = choice.only or range(
            -(-choice.low // choice.step) * choice.step,
            min(choice.high, choice.low + 300) + 1,
            choice.step,
        )
        number = rng.choice(numbers)
        return number if choice.key is None else {choice.key: number}
    if isinstance(choice, ListOf):
        return rng.sample(choice.values, rng.randint(0, len(choice.values)))
    if isinstance(choice, Numbers):
        return choice.value(draw_numbers(rng, choice))
    if isinstance(choice, NamedTexts):
        return [{"id": f"own{n}", "text": f"Own {n}"} for n in range(rng.randint(0, choice.most))]
    return choice


def draw_numbers(rng: random.Random, choice: Numbers) -> Sequence[int]:
    """Return random numbers within the limits of a list of numbers."""
    if choice.only is not None:
        return choice.only
    among = range(choice.low, min(choice.high, choice.low + 300) + 1)
    size = min(rng.randint(choice.least, choice.most), len(among))
    return sorted(rng.sample(among, size)) if choice.rising else rng.choices(among, k=size)
