"""The package whose tests run: its games, golden logs and simulated players, by its folder."""

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import EntryPoint
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

from scorekeeper.games import GAMES, IDS
from scorekeeper.games.installed import Installed, load_installed
from scorekeeper.languages.catalogues import load_catalogue
from scorekeeper.log.face_down import get_author_hidden_types, get_hidden_fields
from scorekeeper.play.prompts import LEVELS
from scorekeeper.promises.examination import read_entry_points
from scorekeeper.testing.near_misses import NearMiss, read_near_misses

# Functions that keep what they read in the declarations of all games.
OF_ALL_GAMES: Final = (load_catalogue, get_hidden_fields, get_author_hidden_types)


class GoldenLog(NamedTuple):
    """A golden log of a game; its expectation lies beside it."""

    path: Path

    def __str__(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"


@dataclass(frozen=True)
class GamePackage:
    """A package of games in a folder with a ``pyproject.toml``, installed or not.

    ``golden/GAME/`` has its golden logs, ``tests/players/GAME.py`` a simulated player.
    """

    root: Path
    points: tuple[EntryPoint, ...]

    @cached_property
    def loaded(self) -> Installed:
        """The games of the package, loaded once, and the reasons why some are refused."""
        sys.path.append(str(self.root))
        return load_installed(IDS, GAMES.versions, self.points)

    @property
    def games(self) -> list[str]:
        """The ids of its games."""
        return [point.name for point in self.points]

    def list_cases(self, name: str) -> Sequence[object] | None:
        """Return the values of a parameter of the promises; None if it is none."""
        match name:
            case "game_id":
                return self.games
            case "level":
                return LEVELS
            case "golden_log":
                return [
                    GoldenLog(path)
                    for game in self.games
                    for path in sorted(self.golden(game).glob("*.jsonl"))
                ]
            case "near_miss":
                return self.list_near_misses()
            case "simulated_game":
                return [game for game in self.games if self.player_file(game).exists()]
        return None

    def list_near_misses(self) -> list[NearMiss]:
        """Return the near misses of its golden logs."""
        return [miss for game in self.games for miss in read_near_misses(self.golden(game))]

    def golden(self, game: str) -> Path:
        """Return the folder of the golden logs of a game, which need not be there."""
        return self.root / "golden" / game

    def player_file(self, game: str) -> Path:
        """Return the file with the simulated player of a game, which need not be there."""
        return self.root / "tests" / "players" / f"{game}.py"


@cache
def package_of(path: Path) -> GamePackage | None:
    """Return the package that a file or folder belongs to; None if it is of no package of games."""
    for folder in (path, *path.parents):
        if (folder / "pyproject.toml").is_file():
            points = read_entry_points(folder)
            return _package_at(folder, tuple(points)) if points else None
    return None


_package_at: Final = cache(GamePackage)


@cache
def load_player(path: Path) -> ModuleType:
    """Return the module with the simulated player of a game, which no package contains."""
    spec = spec_from_file_location(f"player_of_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class InUse:
    """The package whose games the registry has, if tests of one run."""

    def __init__(self) -> None:
        self.package: GamePackage | None = None
        self._left = ExitStack()

    def switch_to(self, package: GamePackage | None) -> None:
        """Let the registry have the games of a package alone; None for what it had before."""
        if package == self.package:
            return
        self._left.close()
        self.package = package
        if package is not None:
            self._left.enter_context(GAMES.only(package.loaded))
        for cached in OF_ALL_GAMES:
            cached.cache_clear()


IN_USE: Final = InUse()
