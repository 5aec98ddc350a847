"""Find errors in a game that a package declares; each message says what was expected."""

import re
import struct
from collections import Counter
from collections.abc import Iterable, Iterator
from gettext import GNUTranslations
from itertools import product
from pathlib import Path
from typing import Final

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.parts import MOST_PARTS
from scorekeeper.events.common import COMMON
from scorekeeper.events.event import Event
from scorekeeper.events.fields import RESERVED_IDS, Kind, parts_of
from scorekeeper.events.playing import PLAY, PointsCounted, counted_in
from scorekeeper.events.sentences import facts_in
from scorekeeper.games.declared_types import find_type_errors
from scorekeeper.games.game import Game
from scorekeeper.play.facts import COLUMNS, EACH_SIDE, HandFacts
from scorekeeper.play.rulebook import COMMON as COMMON_CLAUSES
from scorekeeper.play.rulebook import RuleBook
from scorekeeper.play.scoring import SEVERITY

DIRECTIONS: Final = ("clockwise", "counter-clockwise")
STATUSES: Final = ("source", "found", "ruling")

KINDS: Final = Kind.__module__  # the module of all kinds that the codec and pages support
_ID: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
_CLAUSE: Final = re.compile(r"[A-FH-KM-Z][0-9]++")
_SHARED: Final = {declared.TYPE: declared for declared in (*COMMON, *PLAY)}


def find_errors(name: str, versions: object) -> Iterator[str]:
    """Yield the errors in the declaration of a game, as sentences.

    ``name`` is the id of the game, ``versions`` the declared value: all versions of its rules. No
    hand is played: what goes wrong in one concerns the table at which it does.
    """
    if not isinstance(versions, tuple) or not versions:
        yield "expected a tuple of games, every version of one, the oldest first"
        return
    if not all(isinstance(game, Game) for game in versions):
        yield "expected nothing but games in the tuple"
        return
    if not is_game_id(name):
        yield "expected an id of small letters, digits and underscores"
    if any(game.id != name for game in versions):
        yield f'expected the id of the game, "{versions[-1].id}", as the entry point’s name'
    if [game.version for game in versions] != list(range(1, len(versions) + 1)):
        yield "expected the versions 1, 2, 3 and so on"
    for game in versions:
        if wrong := next(find_type_errors(game), ""):
            yield wrong
            return
        if not 1 <= game.parts <= MOST_PARTS:
            yield f"expected as parts of a point a number from 1 to {MOST_PARTS}, got {game.parts}"
            return
        yield from _errors_in_events(game)
        yield from _errors_in_book(game)
        yield from _errors_in_presets(game)
        yield from _errors_in_parties(game)
        yield from _errors_in_facts(game.facts)
        yield from _errors_in_catalogues(game.catalogues)


def is_game_id(name: str) -> bool:
    """Return whether a text can be the id of a game: small letters, digits and underscores."""
    return _ID.fullmatch(name) is not None


def _errors_in_events(game: Game) -> Iterator[str]:
    """Yield errors in the declarations of events, in the fold and in the form for totals."""
    for declared in game.events:
        if not issubclass(declared, Event):
            yield f"expected a declaration of an event, got {declared.__name__}"
        elif not _is_shared_or_new(declared):
            yield f'the event "{declared.TYPE}" is one that games share: give it another type'
    if twice := _repeated(event.TYPE for event in game.events if not _has_category(event)):
        yield f"expected events of one type to differ in their category: {', '.join(twice)}"
    if lost := [declared.TYPE for declared in game.events if declared not in game.fold]:
        yield f"expected a fold that writes down {', '.join(lost)}"
    asks = () if callable(game.totals) else game.totals
    in_totals = {declared for ask in asks for declared in ask.events} - {PointsCounted}
    if odd := sorted(declared.TYPE for declared in in_totals - game.declared):
        yield f"expected in totals events of the game, got {', '.join(odd)}"


def _is_shared_or_new(declared: type[Event]) -> bool:
    """Return whether a declaration is one that games share, or has a type that none of them has."""
    shared = _SHARED.get(declared.TYPE, declared)
    return declared is shared or (
        shared is PointsCounted
        and any(declared is counted_in(parts) for parts in range(2, MOST_PARTS + 1))
    )


def _has_category(declared: type[Event]) -> bool:
    """Return whether events of one type are distinguished by a field ``category``."""
    return any(part.name == "category" for part in parts_of(declared))


def _errors_in_book(game: Game) -> Iterator[str]:
    """Yield errors in the clauses, options, checks, seats and direction of a game."""
    ids = [clause.id for clause in game.book.clauses]
    known = {*ids, *(clause.id for clause in COMMON_CLAUSES)}
    if twice := _repeated(ids):
        yield f"expected each clause of the book once: {', '.join(twice)}"
    if odd := [clause_id for clause_id in ids if not _CLAUSE.fullmatch(clause_id)]:
        yield ("expected as the id of a clause a capital and a number, but not G or L: "
               + ", ".join(odd))  # fmt: skip
    if odd := [clause.id for clause in game.book.clauses if clause.status not in STATUSES]:
        yield f"expected of each clause that it is source, found or ruling: {', '.join(odd)}"
    if not game.end_clause:
        yield "expected as end_clause the clause that says how a match ends"
    if bare := sorted({check.code for check in game.checks if not check.rule}):
        yield f"expected each check under a clause, as check.under(…) puts it: {', '.join(bare)}"
    cited = {option.clause for option in game.book.options} | {game.end_clause}
    cited |= {check.rule for check in game.checks}
    missing = sorted(cited - known)
    if missing:
        yield f"expected in the book what is cited: {', '.join(missing)}"
    yield from _errors_in_options(game.book)
    codes = sorted({check.code for check in game.checks} - set(SEVERITY))
    if codes:
        yield f"expected checks with codes of findings that there are, got {', '.join(codes)}"
    if not game.seats or min(game.seats) < 2:
        yield "expected the numbers of players, from two on"
    if game.direction not in DIRECTIONS:
        yield f"expected the direction {' or '.join(DIRECTIONS)}, got {game.direction}"


def _errors_in_options(book: RuleBook) -> Iterator[str]:
    """Yield errors in the names and defaults of options."""
    if twice := _repeated(option.name for option in book.options):
        yield f"expected each option of the book once: {', '.join(twice)}"
    options = book.settle(None)
    names = (option.name for option in book.options if not option.accepts(options[option.name]))
    if odd := [*names]:
        yield f"expected as a default one of the choices: {', '.join(odd)}"


def _errors_in_presets(game: Game) -> Iterator[str]:
    """Yield errors in the presets: repeated names, and options that no match can have."""
    if twice := _repeated(house.name for house in game.houses):
        yield f"expected each house once: {', '.join(twice)}"
    for house, seats in product(game.houses, game.seats):
        try:
            game.new_options(house.options, seats)
        except UnusableError as error:
            yield f'by the house "{house.name}" {seats} players cannot play: {error}'


def _errors_in_parties(game: Game) -> Iterator[str]:
    """Yield an error if the id of a party could be that of a player."""
    if odd := [party for party in game.parties if party not in RESERVED_IDS | {party.title()}]:
        yield f"expected ids of parties with a capital first letter: {', '.join(odd)}"


def _errors_in_facts(facts: HandFacts) -> Iterator[str]:
    """Yield errors in the facts of a hand and in the sentences about them.

    Ids must be well-formed, unique and no common columns; kinds must be known; sentences must name
    only declared facts.
    """
    if not isinstance(facts, HandFacts):
        yield f"expected as facts a HandFacts, got {type(facts).__name__}"
        return
    if twice := _repeated(fact.id for fact in facts.facts):
        yield f"expected each fact once: {', '.join(twice)}"
    if columns := sorted({fact.id for fact in facts.facts} & set(COLUMNS) - {"taken"}):
        yield f"expected of a fact another id than a column of every game has: {', '.join(columns)}"
    if odd := [fact.id for fact in facts.facts if not _ID.fullmatch(fact.id)]:
        yield f"expected as ids of facts small letters, digits and underscores: {', '.join(odd)}"
    kinds: dict[str, object] = {fact.id: fact.kind for fact in facts.facts}
    if odd := [name for name, kind in kinds.items() if type(kind).__module__ != KINDS]:
        yield f"expected a kind of scorekeeper.events.fields for each fact: {', '.join(odd)}"
    named = {sentence.about for sentence in facts.sentences} - {EACH_SIDE}
    named = named.union(facts.facts_in_conditions(), *map(facts_in, facts.templates()))
    if unknown := sorted(named - {fact.id for fact in facts.facts}):
        yield f"expected sentences of facts that there are, got {', '.join(unknown)}"


def _repeated(names: Iterable[str]) -> list[str]:
    """Return the names that occur more than once."""
    return [name for name, times in Counter(names).items() if times > 1]


def _errors_in_catalogues(folder: Path | None) -> Iterator[str]:
    """Yield an error for each compiled translation in the folder that cannot be read."""
    if folder is None:
        return
    if not isinstance(folder, Path):
        yield f"expected as catalogues the Path of a folder, got {type(folder).__name__}"
        return
    if not folder.is_dir():
        yield f"expected the folder of its catalogues: there is no {folder}"
    for path in sorted(folder.glob("*/LC_MESSAGES/messages.mo")):
        try:
            with path.open("rb") as file:
                GNUTranslations(file)
        except (OSError, ValueError, LookupError, struct.error) as error:
            yield f"expected a compiled catalogue in {path}: {error}"
