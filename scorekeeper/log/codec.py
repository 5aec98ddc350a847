"""From JSON to declared events and back, by their declarations.

What cannot be read is refused with the path of its field, the first that is wrong.
"""

import re
from collections.abc import Callable, Collection, Mapping
from datetime import date
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeVar

from scorekeeper.base.currencies import MINOR_DIGITS
from scorekeeper.base.errors import Cause, UnusableError, expected, printable, shown
from scorekeeper.cards.packs import ALL_CARDS, Card
from scorekeeper.events.common import COMMON
from scorekeeper.events.event import SALT, Event, has_salt
from scorekeeper.events.fields import (
    LARGEST,
    PLAYER_ID,
    RANDOM,
    RESERVED_IDS,
    AnyOf,
    Anything,
    CardCode,
    Currency,
    Day,
    Declared,
    Each,
    Flag,
    Kind,
    Many,
    Nested,
    Nothing,
    OneOf,
    PlayerId,
    Random,
    SideId,
    Whole,
    Words,
    parts,
)
from scorekeeper.games import GAMES
from scorekeeper.games.game import Classes, by_type

# ----------------------------------------------------------------------------------- reading

_ID = re.compile(PLAYER_ID)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_CONTROL_IN_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}")
_CONTROL_CHARACTER = Cause("a control character stands in the text", "odd_character")
_DEEPEST = 9  # the options of a match, in a correction that a proposal puts into a proposal


def _wrong(kind: Kind, value: object, why: str, **facts: object) -> UnusableError:
    return UnusableError(expected(kind.expected, value, why, **facts))


def _read_whole(kind: Whole, value: Any) -> int:
    if type(value) is not int or not kind.low <= value <= kind.high:
        why = "no_number" if kind.high == LARGEST else "out_of_range"
        facts = {"low": kind.low, "high": kind.high, "got": shown(value).strip('"')}
        raise UnusableError(Cause(expected(kind.expected, value), why, **facts))
    return value


def _read_words(kind: Words, value: Any) -> str:
    if type(value) is not str or len(value) > kind.longest:
        raise _wrong(kind, value, "no_short_text", most=kind.longest)
    if kind.name and (not value.strip() or _CONTROL.search(value)):
        raise _wrong(kind, value, "no_name", most=kind.longest)
    if _CONTROL_IN_TEXT.search(value):
        raise UnusableError(_CONTROL_CHARACTER)
    return value


def _read_flag(kind: Flag, value: Any) -> bool:
    if type(value) is not bool:
        raise _wrong(kind, value, "no_flag")
    return value


def _read_one_of(kind: OneOf, value: Any) -> str:
    if type(value) is not str or value not in kind.values:
        raise _wrong(kind, value, "no_such_choice", choices=", ".join(kind.values))
    return value


def _read_currency(kind: Currency, value: Any) -> str:
    if type(value) is not str or value not in MINOR_DIGITS:
        raise _wrong(kind, value, "no_currency")
    return value


def _read_any_of(kind: AnyOf, value: Any) -> Any:
    within = None  # what is wrong in a value that has the shape of one of them
    for one in kind.kinds:
        try:
            return read(one, value)
        except UnusableError as error:
            within = within or (error if error.field else None)
    raise within or _wrong(kind, value, "not_fitting")


def _read_player(kind: PlayerId, value: Any) -> str:
    if type(value) is not str or not is_player_id(value[:64]):
        raise _wrong(kind, value, "no_player_id")
    return value


@lru_cache(maxsize=1000)  # a session has few players; asked with short texts only
def is_player_id(text: str) -> bool:
    """Whether a player may have this id."""
    return _ID.fullmatch(text) is not None and text not in RESERVED_IDS


def _read_side(kind: SideId, value: Any) -> str:
    if type(value) is not str:
        raise _wrong(kind, value, "no_text")
    return value


def _read_card(kind: CardCode, value: Any) -> Card:
    card = ALL_CARDS.get(value) if type(value) is str else None
    if card is None:
        raise _wrong(kind, value, "no_card")
    return card


def _read_many(kind: Many, value: Any) -> tuple[Any, ...]:
    if type(value) is not list:
        raise _wrong(kind, value, "no_list")
    if not _size_fits(kind, len(value)):
        sizes = ", ".join(map(str, kind.sizes)) or f"{kind.fewest}–{kind.most}"
        raise _wrong(kind, value, "list_of_wrong_size", size=len(value), sizes=sizes)
    items = _gather((str(place), kind.of, one) for place, one in enumerate(value))
    if kind.unique and len(set(items.values())) != len(items):
        raise UnusableError(Cause("the same thing stands twice in the list", "twice_in_list"))
    return tuple(items.values())


def _size_fits(kind: Many, size: int) -> bool:
    return size in kind.sizes if kind.sizes else kind.fewest <= size <= kind.most


def _read_each(kind: Each, value: Any) -> dict[str, Any]:
    if type(value) is not dict or not all(type(key) is str for key in value):
        raise _wrong(kind, value, "no_object")
    for key in value:
        read(kind.key, key)
    return _gather((key, kind.of, one) for key, one in value.items())


def _gather(wanted: Any) -> dict[str, Any]:
    found = {}
    for place, kind, value in wanted:
        try:
            found[place] = read(kind, value)
        except UnusableError as error:
            raise _within(place, error) from None
    return found


def _within(place: str, error: UnusableError) -> UnusableError:
    """What is wrong, with the path from one place further out."""
    error.field = f"{printable(place)}.{error.field}" if error.field else printable(place)
    return error


def _read_nested(kind: Nested, value: Any) -> Declared:
    if type(value) is not dict:
        raise _wrong(kind, value, "no_object")
    return declared_from(kind.of, value)


def _read_random(kind: Random, value: Any) -> str:
    if type(value) is not str or len(value) != kind.letters or not _KEY.fullmatch(value):
        raise _wrong(kind, value, "no_salt", letters=kind.letters)
    return value


def _read_anything(kind: Anything, value: Any) -> Any:
    if not isinstance(value, dict):
        raise _wrong(kind, value, "no_object")
    _refuse_odd(value, _DEEPEST)
    return value


def _refuse_odd(value: Any, depth: int) -> None:
    if depth == 0:
        raise UnusableError(Cause("nested too deeply", "too_deep"))
    if isinstance(value, dict):
        for key in value:
            if not _KEY.fullmatch(key):
                raise UnusableError(expected("a name of letters, digits, _ and -", key, "odd_name"))
    if isinstance(value, str) and _CONTROL_IN_TEXT.search(value):
        raise UnusableError(_CONTROL_CHARACTER)
    inner = value.values() if isinstance(value, dict) else value
    if isinstance(value, dict | list):
        for one in inner:
            _refuse_odd(one, depth - 1)


def _read_nothing(kind: Nothing, value: Any) -> None:
    if value is not None:
        raise _wrong(kind, value, "must_be_null")


def _read_day(kind: Day, value: Any) -> str:
    try:
        fits = type(value) is str and date.fromisoformat(value).isoformat() == value
    except ValueError:
        fits = False
    if not fits:
        raise _wrong(kind, value, "no_day")
    day: str = value
    return day


READ: Final[Mapping[type[Kind], Callable[[Any, Any], Any]]] = {
    Whole: _read_whole,
    Words: _read_words,
    Flag: _read_flag,
    OneOf: _read_one_of,
    Currency: _read_currency,
    AnyOf: _read_any_of,
    PlayerId: _read_player,
    SideId: _read_side,
    CardCode: _read_card,
    Many: _read_many,
    Each: _read_each,
    Nested: _read_nested,
    Random: _read_random,
    Anything: _read_anything,
    Nothing: _read_nothing,
    Day: _read_day,
}


def read(kind: Kind, value: Any) -> Any:
    """What a JSON value means as this kind.

    Raises `UnusableError` if it is no such thing.
    """
    return READ[type(kind)](kind, value)


class Column(NamedTuple):
    """A field of a declaration, by its name in the log, and how it is read."""

    said: str
    name: str
    kind: Kind
    read: Callable[[Any, Any], Any]
    optional: bool


DeclaredT = TypeVar("DeclaredT", bound=Declared)
_COLUMNS: Final[dict[type[Declared], tuple[Column, ...]]] = {}


def _columns(declared: type[Declared]) -> tuple[Column, ...]:
    found = _COLUMNS.get(declared)
    if found is None:
        columns = [(one.log_name, one.name, one.kind, one.optional) for one in parts(declared)]
        if has_salt(declared):
            columns.append((SALT, SALT, RANDOM, True))
        found = _COLUMNS[declared] = tuple(
            Column(said, name, kind, READ[type(kind)], optional)
            for said, name, kind, optional in columns
        )
    return found


def declared_from(
    declared: type[DeclaredT], data: dict[str, Any], left_out: Collection[str] = ()
) -> DeclaredT:
    """What is declared, made of a JSON object.

    Raises `UnusableError` with the path of the field at fault.

    ``left_out`` are fields that may be missing, and are None then. A salt is read, and not kept.
    """
    read: dict[str, Any] = {}
    for said, name, kind, reader, optional in _columns(declared):
        if said in data:
            value = data[said]
            if value is None:
                raise UnusableError(expected("a value", value, "no_value"), field=said)
            try:
                read[name] = reader(kind, value)
            except UnusableError as error:
                raise _within(said, error) from None
        elif name in left_out:
            continue
        elif not optional:
            raise UnusableError(Cause(f"missing, expected {kind.expected}", "missing"), field=said)
    if len(read) < len(data):
        known_here = {one.said for one in _columns(declared)}
        name = next(name for name in data if name not in known_here)
        known = ", ".join(one.log_name for one in parts(declared))
        words = f"unknown field; {declared_name(declared)} has {known or 'no fields at all'}"
        raise UnusableError(Cause(words, "unknown_field", known=known), field=printable(name))
    read.pop(SALT, None)
    return declared(**{**dict.fromkeys(left_out), **read})


# ------------------------------------------------------------------------------------ events

COMMON_TYPES: Final = by_type(COMMON)


class FaceDown(dict[str, Any]):
    """The data of an event as far as the table knows it: what lies face down is left out."""


def decode(kind: str, data: Any, types: Mapping[str, Classes] = COMMON_TYPES) -> Event:
    """The event of this type with this data, among the types that can stand here.

    Unusable where there is no such type, or the data is not what it declares.
    """
    declared = types.get(kind)
    if declared is None:
        raise UnusableError(_no_such_type(kind, types), field="type")
    if not isinstance(data, dict):
        raise UnusableError(expected("an object", data, "no_object"), field="data")
    if not isinstance(declared, type):
        declared = _of_category(declared, data)
    left_out = declared.HIDDEN if isinstance(data, FaceDown) else ()
    try:
        return declared_from(declared, data, left_out)
    except UnusableError as error:
        raise _within("data", error) from None


def _of_category(declared: Mapping[str, type[Event]], data: dict[str, Any]) -> type[Event]:
    category = data.get("category")
    found = declared.get(category) if isinstance(category, str) else None
    if found is None:
        what = " or ".join(f'"{name}"' for name in declared)
        cause = expected(what, category, "no_such_choice", choices=", ".join(declared))
        raise UnusableError(cause, field="data.category")
    return found


def _no_such_type(kind: str, types: Mapping[str, Classes]) -> Cause:
    if kind in COMMON_TYPES:  # so only some types can stand here
        return expected(" or ".join(types), kind, "no_such_choice", choices=", ".join(types))
    owners = [game.name for game in GAMES.values() if kind in game.by_type]
    if owners and types is COMMON_TYPES:
        words = f'"{kind}" is an event of a match, and no match has been started'
        return Cause(words, "no_match_yet")
    if owners:
        games = ", ".join(owners)
        words = f'"{kind}" is an event of another game ({games})'
        return Cause(words, "of_another_game", games=games)
    return expected("a known type of event", kind, "unknown_event")


def declared_name(declared: type[Declared]) -> str:
    """The type of an event, or what an object within one is called."""
    return declared.TYPE if issubclass(declared, Event) else declared.__name__


# ----------------------------------------------------------------------------------- writing


AS_IT_IS: Final = (str, int, bool)  # values of these types are JSON already


def encode(declared: Declared) -> dict[str, Any]:
    """The data of an event, or an object within it, as JSON values; ``decode`` reads it back."""
    return {
        one.log_name: _write(value)
        for one in parts(type(declared))
        if (value := getattr(declared, one.name)) is not None
    }


def _write(value: Any) -> Any:
    if type(value) in AS_IT_IS:
        return value
    if isinstance(value, Card):
        return value.code
    if isinstance(value, Mapping):
        return {key: _write(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [_write(one) for one in value]
    if isinstance(value, Declared):
        return encode(value)
    return value
