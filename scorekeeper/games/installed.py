"""Games that installed packages declare, by entry points of the group ``scorekeeper.games``.

An entry point bears the id of its game, and names a tuple with every version of it, the oldest
first. What cannot be taken is refused by its name with the reason, and the rest goes on.
"""

import traceback
from collections.abc import Callable, Collection
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final, NamedTuple

from scorekeeper.base.errors import Cause
from scorekeeper.games.complaints import complaints
from scorekeeper.games.game import Game

GROUP: Final = "scorekeeper.games"
HOUSE: Final = Path(__file__).parents[1]


class Installed(NamedTuple):
    """The games of installed packages by id, and why others of them were refused, by name.

    ``packages`` are those of the games, by their outermost name.
    """

    games: dict[str, tuple[Game, ...]]
    refused: dict[str, str]
    packages: dict[str, str]

    def failure(self, error: BaseException) -> Cause | None:
        """What to say where the code of one of these games failed; None where none was running.

        Not what the error says itself: that may be a card which lies face down.
        """
        for frame, _ in reversed([*traceback.walk_tb(error.__traceback__)]):
            game = self.packages.get(frame.f_globals.get("__name__", "").partition(".")[0])
            if game is not None:
                words = f'the game "{game}" failed ({type(error).__name__}{_place_of(error)})'
                return Cause(words, "game_failed", game=game)
        return None


def installed(taken: Collection[str], versions: Callable[[str], tuple[Game, ...]]) -> Installed:
    """The games of installed packages, beside those whose ids are taken.

    ``versions`` is asked for those, and only where a package declares a game.
    """
    found = Installed({}, {}, {})
    for point in entry_points(group=GROUP):
        name = f"{point.name} ({point.dist.name})" if point.dist else point.name
        try:
            reason = _take(point, taken, versions, found.games)
        except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever a package does
            what = f"{type(error).__name__}: {error}{_place_of(error)}"
            reason = f"it cannot be loaded, fix or uninstall it ({what})"
        if reason:
            found.refused[name] = reason
        else:
            found.packages[point.module.partition(".")[0]] = point.name
    return found


def _place_of(error: BaseException) -> str:
    """Where in a package something failed; empty where nothing of it was running.

    Whoever asks for the game is told, so that it does not say where on this machine that lies.
    """
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not (Path(frame.filename).is_relative_to(HOUSE) or "importlib" in frame.filename)
    ]
    if not frames:
        return ""
    return f", in {'/'.join(Path(frames[-1].filename).parts[-2:])}, line {frames[-1].lineno}"


def _take(
    point: EntryPoint,
    taken: Collection[str],
    versions: Callable[[str], tuple[Game, ...]],
    games: dict[str, tuple[Game, ...]],
) -> str:
    """Take the game of an entry point; else why not."""
    if point.name in taken or point.name in games:
        return f'there is a game "{point.name}" already: uninstall one, or give it another id'
    declared = point.load()
    wrong = next(complaints(point.name, declared), "")
    if wrong:
        return wrong
    names = [one[-1].name for one in (*map(versions, taken), *games.values())]
    twin = next((name for name in names if _same(name, declared[-1].name)), "")
    if twin:
        return f'there is a game called "{twin}" already: uninstall one, or give it another name'
    games[point.name] = tuple(declared)
    return ""


def _same(name: str, other: str) -> bool:
    """Whether players take two names for one."""
    return name.casefold().split() == other.casefold().split()
