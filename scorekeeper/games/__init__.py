"""The registry of games; each game is imported at its first use."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Final

from scorekeeper.base.cached import cached_property
from scorekeeper.base.errors import Cause, NotInstalledError
from scorekeeper.games.game import Game

if TYPE_CHECKING:
    from scorekeeper.games.installed import Installed

logger = logging.getLogger(__name__)

# The names of the games' packages, in the order in which pages show them. To add a game, add it
# here, or declare it in a separate package.
IDS: Final = (
    "riparto",
    "briscola_regina",
    "picchetto",
    "knock",
    "briscola_chiamata",
    "briscola_col_monte",
)


MOST_FAILURES: Final = 100  # failures of installed games that a process logs


class Registry(Mapping[str, Game]):
    """The games by id, in the newest version of their rules; installed games come last."""

    def __init__(self) -> None:
        """Begin with no game loaded; each is loaded at its first use."""
        self._versions: dict[str, tuple[Game, ...]] = {}
        self._failures: set[str] = set()  # the failures that were logged

    @cached_property
    def _installed(self) -> "Installed":
        """The games of installed packages, which are searched for at the first use."""
        # Imported at the first use, because the search for packages is slow to load.
        from scorekeeper.games.installed import load_installed  # noqa: PLC0415

        return load_installed(IDS, self.versions)

    @contextmanager
    def only(self, installed: "Installed") -> Iterator[None]:
        """Let the registry have these games alone beside ours, in this context.

        Their packages need not be installed.
        """
        before = vars(self).get("_installed")
        vars(self)["_installed"] = installed
        try:
            yield
        finally:
            if before is None:
                del vars(self)["_installed"]
            else:
                vars(self)["_installed"] = before

    @property
    def refused(self) -> Mapping[str, str]:
        """The reasons why games of installed packages were refused, by entry point."""
        return self._installed.refused

    def why_missing(self, game: str) -> str:
        """Return a sentence that explains why a game is missing.

        It is not installed, or was refused.
        """
        for name, reason in self.refused.items():
            if name.partition(" ")[0] == game:
                return f'the game "{game}" is installed and left out: {reason}'
        return f'no game "{game}" is installed here; there are {", ".join(self)}'

    @contextmanager
    def failures_as_not_installed(self, *, stored: bool = False) -> Iterator[None]:
        """Replace any error that an installed game causes in this context.

        Raises `NotInstalledError` instead. This is the single guard around all calls into games:
        the sessions of a failing game are then read as if it were not installed, and others are
        not affected. ``stored``: the events are on record already, so a game that refuses one has
        failed, too.
        """
        try:
            yield
        except NotInstalledError:
            raise
        except BaseException as error:
            cause = self._log_failure(error, stored=stored)
            if cause is None:
                raise
            # A game may raise the same error object again, which would accumulate frames.
            raise NotInstalledError(cause) from error.with_traceback(None)

    def _log_failure(self, error: BaseException, *, stored: bool) -> Cause | None:
        """Return the cause of an installed game's error, and log it once; None for others."""
        if "_installed" not in self.__dict__:
            return None  # no package was loaded, so no code of a package has run
        cause = self._installed.failure(error, stored=stored)
        new = cause is not None and str(cause) not in self._failures
        if new and len(self._failures) < MOST_FAILURES:
            self._failures.add(str(cause))  # the same failure occurs at every read
            logger.error("an installed game failed", exc_info=error)
        return cause

    @property
    def added(self) -> tuple[Game, ...]:
        """The games of installed packages."""
        return tuple(versions[-1] for versions in self._installed.games.values())

    def versions(self, game: str) -> tuple[Game, ...]:
        """Return a game in all versions of its rules, the oldest first; empty if unknown."""
        if game not in self._versions:
            if game in IDS:
                self._versions[game] = import_module(f"{__name__}.{game}").VERSIONS
            else:
                return self._installed.games.get(game, ())
        return self._versions[game]

    def version(self, game: str, version: int) -> Game | None:
        """Return a game in one version of its rules; None if there is none."""
        return next((rules for rules in self.versions(game) if rules.version == version), None)

    def __getitem__(self, game: str) -> Game:
        """Return the newest version of a game. Raises `KeyError` if there is no such game."""
        versions = self.versions(game)
        if not versions:
            raise KeyError(game)
        return versions[-1]

    def __contains__(self, game: object) -> bool:
        """Return whether there is a game with this id."""
        return game in IDS or game in self._installed.games

    def __iter__(self) -> Iterator[str]:
        """Iterate over the ids of all games, with installed ones at the end."""
        return iter((*IDS, *self._installed.games))

    def __len__(self) -> int:
        """Return the number of games."""
        return len(IDS) + len(self._installed.games)


GAMES: Final = Registry()
