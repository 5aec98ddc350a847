"""Games that installed packages declare, by entry points of the group ``scorekeeper.games``.

An entry point bears the id of its game, and names a tuple with every version of it, the oldest
first. What cannot be taken is refused by its name with the reason, and the rest goes on.
"""

import re
import struct
from collections import Counter
from collections.abc import Collection, Iterator
from gettext import GNUTranslations
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, NamedTuple

from scorekeeper.events.common import COMMON
from scorekeeper.events.event import Event
from scorekeeper.events.fields import parts
from scorekeeper.events.playing import PLAY
from scorekeeper.games.game import Game
from scorekeeper.play.rulebook import COMMON as COMMON_CLAUSES
from scorekeeper.play.scoring import SEVERITY

GROUP: Final = "scorekeeper.games"

_ID: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
_SHARED: Final = {declared.TYPE: declared for declared in (*COMMON, *PLAY)}


class Installed(NamedTuple):
    """The games of installed packages by id, and why others of them were refused, by name."""

    games: dict[str, tuple[Game, ...]]
    refused: dict[str, str]


def installed(taken: Collection[str]) -> Installed:
    """The games of installed packages, beside those whose ids are taken."""
    found = Installed({}, {})
    for point in entry_points(group=GROUP):
        name = f"{point.name} ({point.dist.name})" if point.dist else point.name
        try:
            reason = _take(point, taken, found.games)
        except Exception as error:  # noqa: BLE001  # whatever a package does as it is loaded
            reason = f"it cannot be loaded, fix or uninstall it ({type(error).__name__}: {error})"
        if reason:
            found.refused[name] = reason
    return found


def _take(point: EntryPoint, taken: Collection[str], games: dict[str, tuple[Game, ...]]) -> str:
    """Take the game of an entry point; else why not."""
    if point.name in taken or point.name in games:
        return f'there is a game "{point.name}" already: uninstall one, or give it another id'
    versions = point.load()
    wrong = next(complaints(point.name, versions), "")
    if not wrong:
        games[point.name] = tuple(versions)
    return wrong


def complaints(name: str, versions: Any) -> Iterator[str]:
    """What is wrong with a game as a package declares it; nothing where it can be played."""
    if not isinstance(versions, tuple) or not versions:
        yield "expected a tuple of games, every version of one, the oldest first"
        return
    if not all(isinstance(game, Game) for game in versions):
        yield "expected nothing but games in the tuple"
        return
    if not _ID.fullmatch(name):
        yield "expected an id of small letters, digits and underscores"
    if any(game.id != name for game in versions):
        yield f'expected the id of the game, "{versions[-1].id}", as the entry point’s name'
    if [game.version for game in versions] != list(range(1, len(versions) + 1)):
        yield "expected the versions 1, 2, 3 and so on"
    for game in versions:
        yield from _in_its_events(game)
        yield from _in_its_book(game)
        yield from _in_its_catalogues(game)


def _in_its_events(game: Game) -> Iterator[str]:
    for declared in game.events:
        if not issubclass(declared, Event):
            yield f"expected a declaration of an event, got {declared.__name__}"
        elif _SHARED.get(declared.TYPE, declared) is not declared:
            yield f'the event "{declared.TYPE}" is one that games share: give it another type'
    types = Counter(declared.TYPE for declared in game.events if not _has_category(declared))
    if twice := [kind for kind, times in types.items() if times > 1]:
        yield f"expected events of one type to differ in their category: {', '.join(twice)}"
    if lost := [declared.TYPE for declared in game.events if declared not in game.fold]:
        yield f"expected a fold that writes down {', '.join(lost)}"


def _has_category(declared: type[Event]) -> bool:
    return any(part.name == "category" for part in parts(declared))


def _in_its_book(game: Game) -> Iterator[str]:
    ids = [clause.id for clause in game.book.clauses]
    known = {*ids, *(clause.id for clause in COMMON_CLAUSES)}
    if len(known) < len(ids) + len(COMMON_CLAUSES):
        yield "expected each clause of the book once, under an id that is not of all games: G, L"
    cited = {option.clause for option in game.book.options} | {game.end_clause} - {""}
    cited |= {check.rule for check in game.checks}
    missing = sorted(cited - known)
    if missing:
        yield f"expected in the book what is cited: {', '.join(missing)}"
    codes = sorted({check.code for check in game.checks} - set(SEVERITY))
    if codes:
        yield f"expected checks with codes of findings that there are, got {', '.join(codes)}"
    if not game.seats or min(game.seats) < 2:
        yield "expected the numbers of players, from two on"


def _in_its_catalogues(game: Game) -> Iterator[str]:
    folder = game.catalogues
    for path in sorted(folder.glob("*/LC_MESSAGES/messages.mo")) if folder else ():
        try:
            with path.open("rb") as file:
                GNUTranslations(file)
        except (OSError, ValueError, LookupError, struct.error) as error:
            yield f"expected a compiled catalogue in {path}: {error}"
