"""Load the games that installed packages declare as entry points in ``scorekeeper.games``.

The name of an entry point is the id of its game. Its value is a tuple with all versions of the
game, the oldest first. A game that cannot be used is refused with a reason; the others are loaded.
"""

import traceback
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import FrameType
from typing import Final

from scorekeeper.base.errors import Cause, ScorekeeperError, UnusableError
from scorekeeper.base.interrupts import is_from_signal
from scorekeeper.games.checked import GameFaultError, describe_error, with_checked_values
from scorekeeper.games.complaints import find_errors
from scorekeeper.games.game import Game

GROUP: Final = "scorekeeper.games"
MOST_CAUSES: Final = 5  # the most links of an error's chain of causes that are searched
HOUSE: Final = Path(__file__).parents[1]
OURS: Final = HOUSE.name
# The errors that our own code raises on a wrong value from a game.
OF_WRONG_VALUES: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError,
    ValueError,
)  # fmt: skip


@dataclass(slots=True)
class Installed:
    """The games of installed packages by id, and the reasons for refused games by name.

    ``packages`` has the top-level package of each game, by the id of the game.
    """

    games: dict[str, tuple[Game, ...]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    packages: dict[str, str] = field(default_factory=dict)

    def failure(self, error: BaseException, *, stored: bool = False) -> Cause | None:
        """Return the cause for an error of one of these games; None for any other error.

        The game raised the error, or returned a value on which our code failed. Within a request a
        game may refuse an event, unless the event is ``stored`` already. The message never quotes
        the error, which may name a card that is face down.
        """
        if is_from_signal(error) or not self.games:
            return None
        if isinstance(error, GameFaultError):
            return _failure_cause(error.game, f"failed ({error})")
        frames = _frames_of(error)
        game = self._game_of_code(frames)
        if isinstance(error, ScorekeeperError):
            if game is None or (isinstance(error, UnusableError) and not stored):
                return None
        elif game is None and isinstance(error, OF_WRONG_VALUES):
            game = self._game_in_use(frames)
        if game is None:
            return None
        return _failure_cause(game, f"failed ({type(error).__name__}{_place_of(error)})")

    def _game_of_code(self, frames: Sequence[FrameType]) -> str | None:
        """Return the id of the game whose code ran last; None if no code of a game ran.

        If its package has several games, it is the one that our code was working on. Frames of
        signal handlers and frames that called the game belong to no game.
        """
        for frame in frames:
            package = _package_of(frame)
            games = [game for game, name in self.packages.items() if name == package]
            if games:
                at_work = self._game_in_use(frames) if len(games) > 1 else None
                return at_work if at_work in games else games[0]
        return None

    def _game_in_use(self, frames: Sequence[FrameType]) -> str | None:
        """Return the id of the installed game that our code was working on, by its variables.

        None if it worked on a game of ours, or on none.
        """
        for frame in frames:
            if _package_of(frame) == OURS:
                for game in _games_in(frame):
                    return game.id if game.id in self.games else None
        return None


def _failure_cause(game: str, what: str) -> Cause:
    """Return the cause “the game … failed”, with the code ``game_failed``."""
    return Cause(f'the game "{game}" {what}', "game_failed", game=game)


def _frames_of(error: BaseException) -> list[FrameType]:
    """Return the frames that an error passed through, the innermost first.

    The frames of its causes come before: a StopIteration leaves a generator as a RuntimeError.
    """
    frames: list[FrameType] = []
    link: BaseException | None = error
    for _ in range(MOST_CAUSES):
        if link is not None:
            frames[:0] = [frame for frame, _ in traceback.walk_tb(link.__traceback__)][::-1]
            link = link.__cause__
    return frames


def _package_of(frame: FrameType) -> str:
    """Return the name of the top-level package whose code a frame runs."""
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def _games_in(frame: FrameType) -> Iterator[Game]:
    """Yield the games in a frame's variables: a variable itself, or its attribute ``game``.

    The attribute is read only of objects of our own classes.
    """
    for value in [*frame.f_locals.values()]:
        if isinstance(value, Game):
            yield value
        elif type(value).__module__.partition(".")[0] == OURS:
            with suppress(Exception):
                game = value.game
                if isinstance(game, Game):
                    yield game


def load_installed(
    taken: Collection[str],
    versions: Callable[[str], tuple[Game, ...]],
    points: Iterable[EntryPoint] | None = None,
) -> Installed:
    """Load the games of installed packages, and refuse ids in ``taken``.

    ``versions`` returns the game of our own with an id, in all versions. It is called only if a
    package declares a game. ``points`` replace the entry points of all installed packages. Errors
    of a package become reasons in ``refused``.
    """
    result = Installed()
    for point in entry_points(group=GROUP) if points is None else points:
        name = f"{point.name} ({point.dist.name})" if point.dist else point.name
        try:
            reason = _add_game(point, taken, versions, result.games)
        except BaseException as error:  # code of a package can raise anything
            if is_from_signal(error):
                raise
            what = describe_with_place(error)
            reason = f"it cannot be loaded, fix or uninstall it ({what})"
        if reason:
            result.refused[name] = reason
        else:
            result.packages[point.name] = point.module.partition(".")[0]
    return result


def describe_with_place(error: BaseException) -> str:
    """Return the type, the message and the place in a package of an error, as text."""
    return f"{describe_error(error)}{_place_of(error)}"


def _place_of(error: BaseException) -> str:
    """Return the place in a package where an error occurred; empty if no package code ran.

    Clients see it, so the path is shortened and does not reveal folders of this machine.
    """
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not (
            Path(frame.filename).is_relative_to(HOUSE)
            or "importlib" in frame.filename
            or frame.filename.startswith("<")  # of Python itself
        )
    ]
    if not frames:
        return ""
    return f", in {'/'.join(Path(frames[-1].filename).parts[-2:])}, line {frames[-1].lineno}"


def _add_game(
    point: EntryPoint,
    taken: Collection[str],
    versions: Callable[[str], tuple[Game, ...]],
    games: dict[str, tuple[Game, ...]],
) -> str:
    """Load the game of an entry point and add it to ``games``.

    Returns the reason if the game is refused, else an empty text. ``taken`` are the ids of our own
    games, and ``versions`` returns one of these in all versions.
    """
    if point.name in taken or point.name in games:
        return f'there is a game "{point.name}" already: uninstall one, or give it another id'
    declared = point.load()
    wrong = next(find_errors(point.name, declared), "")
    if wrong:
        return wrong
    names = [rules[-1].name for rules in (*map(versions, taken), *games.values())]
    twin = next((name for name in names if _look_alike(name, declared[-1].name)), "")
    if twin:
        return f'there is a game called "{twin}" already: uninstall one, or give it another name'
    games[point.name] = tuple(map(with_checked_values, declared))
    return ""


def _look_alike(name: str, other: str) -> bool:
    """Return whether two names look the same to players."""
    return name.casefold().split() == other.casefold().split()
