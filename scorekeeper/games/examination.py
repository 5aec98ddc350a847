"""Examine a game of an installed package as a whole, for its author.

The loader stops at the first error and records a few hands. An examination reports every error, and
records many hands at random, at each level, with each number of players and each option.
"""

from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint, entry_points
from itertools import product
from random import Random
from typing import Any, Final

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.event import Event
from scorekeeper.games.checked import with_checked_values
from scorekeeper.games.complaints import find_errors
from scorekeeper.games.first_hands import FirstHandsError, try_hand
from scorekeeper.games.game import Game
from scorekeeper.games.installed import GROUP
from scorekeeper.play.deal import Deal
from scorekeeper.play.prompts import LEVELS, Level, Prompt
from scorekeeper.play.rulebook import Choice, ListOf, Number, Numbers, Option
from scorekeeper.play.scoring import SEVERITY, Severity, run_checks

HANDS: Final = 3  # recorded at random for each level, number of players and option
MOST_MESSAGES: Final = 20  # errors that are reported of random hands


def find_entry_points(name: str) -> list[EntryPoint]:
    """Return the entry points of games with this id, or of the distribution or package named so."""
    return [
        point
        for point in entry_points(group=GROUP)
        if name
        in (point.name, point.module.partition(".")[0], point.dist.name if point.dist else None)
    ]


def examine_game(name: str, versions: object, hands: int = HANDS) -> Iterator[str]:
    """Yield every error that the loader finds, and if it finds none those of random hands.

    ``name`` is the id of the game, ``versions`` the declared value, ``hands`` the number of hands
    of each kind. The same game gives the same hands.
    """
    found = False
    for error in find_errors(name, versions):
        found = True
        yield error
    if found or not isinstance(versions, tuple):
        return
    messages: dict[str, None] = {}
    for game in versions:
        for message in _errors_of_random_hands(with_checked_values(game), hands):
            if message not in messages:
                messages[message] = None
                yield message
            if len(messages) == MOST_MESSAGES:
                return


def _errors_of_random_hands(game: Game, hands: int) -> Iterator[str]:
    """Yield an error for each random hand that fails or has a finding."""
    for seats, level, chosen in product(game.seats, LEVELS, _option_values(game)):
        try:
            game.new_options(chosen, seats)
        except UnusableError:  # a choice that this number of players cannot play with
            continue
        for seed in range(hands):
            try:
                deal = try_hand(game, seats, level, _RandomPick(seed), chosen)
            except FirstHandsError as error:
                yield str(error)
            else:
                yield from _findings(game, deal, seats, level)


def _findings(game: Game, deal: Deal, seats: int, level: Level) -> Iterator[str]:
    """Yield an error for each finding in a hand of which every event was offered by a prompt."""
    for check, observation in run_checks(game.checks, deal):
        if SEVERITY[check.code] is not Severity.INFO:
            yield (
                f"a hand of {seats} players, recorded by its {level} as the prompts offer it, has "
                f"the finding {check.code} ({check.rule}): {observation.text}"
            )


class _RandomPick:
    """A choice at random, the same for the same seed; mostly of an event that is needed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311  # no secret

    def __call__(self, prompts: Sequence[Prompt]) -> Event:
        """Return one of the choices of the prompts."""
        needed = [prompt for prompt in prompts if prompt.needed]
        likely = needed if needed and self.random.random() < 0.9 else prompts
        return self.random.choice(self.random.choice(likely).choices)


def _option_values(game: Game) -> Iterator[JsonObject]:
    """Yield the options of the trial matches: the defaults, and each choice of each option."""
    yield {}
    for option, choice in ((o, c) for o in game.book.options for c in o.choices):
        value = _example_of(choice)
        if option.accepts(value) and value != _default_of(game, option):
            yield {option.name: value}


def _default_of(game: Game, option: Option) -> Any:
    """Return the value of an option that a match does not set."""
    return game.book.settle(None)[option.name]


def _example_of(choice: Choice) -> Any:
    """Return a value of a choice: its first, where it stands for several."""
    if isinstance(choice, Number):
        number = choice.only[0] if choice.only else max(choice.low, choice.step)
        return number if choice.key is None else {choice.key: number}
    if isinstance(choice, Numbers):
        least = [choice.low + place for place in range(max(choice.least, len(choice.keys)))]
        return choice.value(choice.only or least)
    if isinstance(choice, ListOf):
        return list(choice.values[:1])
    return choice if isinstance(choice, str | bool | int) else []
