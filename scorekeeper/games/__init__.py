"""The registry of games: each is imported when it is first asked for."""

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

# In the order in which they are shown; each is a package of this name. To add a game, add it here,
# or declare it in a package of its own.
IDS: Final = (
    "riparto",
    "briscola_regina",
    "picchetto",
    "knock",
    "briscola_chiamata",
    "briscola_col_monte",
)


MOST_FAILURES: Final = 100  # of installed games that a process logs


class Registry(Mapping[str, Game]):
    """The games by id, each in the newest version of its rules; those installed come last."""

    def __init__(self) -> None:
        self._versions: dict[str, tuple[Game, ...]] = {}
        self._failures: set[str] = set()  # which were logged

    @cached_property
    def _installed(self) -> "Installed":
        # Not before somebody asks: to look for packages takes a while to load.
        from scorekeeper.games.installed import installed  # noqa: PLC0415

        return installed(IDS, self.versions)

    @property
    def refused(self) -> Mapping[str, str]:
        """Games of installed packages that could not be taken, by name, and why."""
        return self._installed.refused

    def why_missing(self, game: str) -> str:
        """Why there is no such game: not installed, or refused for a reason."""
        for name, reason in self.refused.items():
            if name.partition(" ")[0] == game:
                return f'the game "{game}" is installed and left out: {reason}'
        return f'no game "{game}" is installed here; there are {", ".join(self)}'

    @contextmanager
    def missing_where_they_fail(self, *, stored: bool = False) -> Iterator[None]:
        """Raise NotInstalledError in place of any error that an installed game causes in here.

        This is the one guard of all calls into games. Their sessions can then be read as if the
        game were not there, and nothing else is touched. ``stored``: what is read is on record
        already, so a game that refuses it fails, too.
        """
        try:
            yield
        except NotInstalledError:
            raise
        except BaseException as error:
            cause = self._failure(error, stored=stored)
            if cause is None:
                raise
            # A game may raise the same error again, which would keep the frames of every time.
            raise NotInstalledError(cause) from error.with_traceback(None)

    def _failure(self, error: BaseException, *, stored: bool) -> Cause | None:
        """Return what to say of an error of an installed game, and log it the first time."""
        if "_installed" not in self.__dict__:
            return None  # no package was loaded, so none of its code can have run
        cause = self._installed.failure(error, stored=stored)
        new = cause is not None and str(cause) not in self._failures
        if new and len(self._failures) < MOST_FAILURES:
            self._failures.add(str(cause))  # each is met again at every look
            logger.error("an installed game failed", exc_info=error)
        return cause

    @property
    def added(self) -> tuple[Game, ...]:
        """The games of installed packages."""
        return tuple(versions[-1] for versions in self._installed.games.values())

    def versions(self, game: str) -> tuple[Game, ...]:
        """A game in every version of its rules, the oldest first; empty where there is none."""
        if game not in self._versions:
            if game in IDS:
                self._versions[game] = import_module(f"{__name__}.{game}").VERSIONS
            else:
                return self._installed.games.get(game, ())
        return self._versions[game]

    def version(self, game: str, version: int) -> Game | None:
        """A game in one version of its rules, None where there is none."""
        return next((one for one in self.versions(game) if one.version == version), None)

    def __getitem__(self, game: str) -> Game:
        versions = self.versions(game)
        if not versions:
            raise KeyError(game)
        return versions[-1]

    def __contains__(self, game: object) -> bool:
        return game in IDS or game in self._installed.games

    def __iter__(self) -> Iterator[str]:
        return iter((*IDS, *self._installed.games))

    def __len__(self) -> int:
        return len(IDS) + len(self._installed.games)


GAMES: Final = Registry()
