"""Examine a game of a package as a whole, for its author: everything that `games check` reports.

The loader refuses a game for the first error in its declaration, and plays no hand. An examination
reports every error, tries the promises of play on hands and walks at random, as many as its time
allows, and reads the catalogues.
"""

import time
import tomllib
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final

from scorekeeper.games.checked import with_checked_values
from scorekeeper.games.complaints import find_errors
from scorekeeper.games.game import Game
from scorekeeper.games.installed import GROUP
from scorekeeper.promises.catalogues import find_catalogue_errors
from scorekeeper.promises.first_hands import find_failures
from scorekeeper.promises.play import PROMISES, list_trials

HANDS: Final = 3  # recorded at random for each level, number of players and option
SECONDS: Final = 60.0  # in which hands are begun
MOST_MESSAGES: Final = 20  # errors that are reported of random hands


def find_entry_points(name: str) -> list[EntryPoint]:
    """Return the entry points of games with this id, or of the distribution or package named so."""
    return [
        point
        for point in entry_points(group=GROUP)
        if name
        in (point.name, point.module.partition(".")[0], point.dist.name if point.dist else None)
    ]


def read_entry_points(folder: Path) -> list[EntryPoint]:
    """Return the entry points of games that the ``pyproject.toml`` in a folder declares.

    There is none if the file is missing or is none of a package.
    """
    path = folder / "pyproject.toml"
    if not path.is_file():
        return []
    project = tomllib.loads(path.read_text("utf-8")).get("project", {})
    games = project.get("entry-points", {}).get(GROUP, {})
    return [EntryPoint(name, value, GROUP) for name, value in games.items()]


def examine_game(
    name: str, versions: object, hands: int = HANDS, seconds: float = SECONDS
) -> Iterator[str]:
    """Yield every error that the loader finds, and if it finds none those of play and catalogues.

    ``name`` is the id of the game, ``versions`` the declared value, ``hands`` the number of random
    hands of each kind, of which none is begun after so many ``seconds``. The same game gives the
    same hands. The registry must have the game.
    """
    found = False
    for error in find_errors(name, versions):
        found = True
        yield error
    if found or not isinstance(versions, tuple):
        return
    end = time.monotonic() + seconds
    messages: dict[str, None] = {}
    for game in map(with_checked_values, versions):
        for message in _find_errors_of_play(game, hands, end, newest=game.version == len(versions)):
            if message not in messages:
                messages[message] = None
                yield message
            if len(messages) == MOST_MESSAGES:
                return
    yield from find_catalogue_errors(versions[-1])


def _find_errors_of_play(game: Game, hands: int, end: float, *, newest: bool) -> Iterator[str]:
    """Yield the errors of the first hands and, without any, those of trials begun before ``end``.

    Sessions are opened with the ``newest`` version only.
    """
    failures = list(find_failures(game))
    yield from failures
    if failures:
        return
    promises = {name: find for name, find in PROMISES.items() if newest or name != "walk"}
    for trial in list_trials(game, range(hands)):
        for find in promises.values():
            if time.monotonic() > end:
                return
            yield from find(trial)
