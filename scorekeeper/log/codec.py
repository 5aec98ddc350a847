"""Conversion between JSON and declared events, by their declarations.

Invalid data is refused with the path of the first field at fault.
"""

import re
from collections.abc import Callable, Collection, Mapping
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeVar

from scorekeeper.base.currencies import MINOR_DIGITS
from scorekeeper.base.errors import Cause, UnusableError, expected, printable, shown
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import encode_exact
from scorekeeper.cards.packs import ALL_CARDS, Card
from scorekeeper.events.common import COMMON
from scorekeeper.events.event import SALT, Event, has_salt
from scorekeeper.events.fields import (
    MAX_DENOMINATOR,
    MAX_EXACT_NUMBER,
    MAX_FRACTION_CHARACTERS,
    MAX_NUMERATOR,
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
    Exact,
    Flag,
    Kind,
    LastDay,
    Many,
    Nested,
    Nothing,
    OneOf,
    PlayerId,
    Random,
    SideId,
    Whole,
    Words,
    parts_of,
)
from scorekeeper.games import GAMES
from scorekeeper.games.game import Classes, group_by_type

# ----------------------------------------------------------------------------------- reading

_ID = re.compile(PLAYER_ID)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_CONTROL_IN_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}")
_CONTROL_CHARACTER = Cause("a control character is in the text", "odd_character")
_MAX_DEPTH = 9  # the options of a match, in a correction that a proposal puts into a proposal


def _make_error(kind: Kind, value: object, why: str, **facts: object) -> UnusableError:
    """Return the error that ``value`` is not what ``kind`` expects; ``why`` is its code."""
    return UnusableError(expected(kind.expected, value, why, **facts))


def _read_whole(kind: Whole, value: object) -> int:
    """Return the whole number if it is within the kind's bounds."""
    if type(value) is not int or not kind.low <= value <= kind.high:
        why = "no_number" if kind.high == MAX_EXACT_NUMBER else "out_of_range"
        facts = {"low": kind.low, "high": kind.high, "got": shown(value).strip('"')}
        if kind.parts > 1:
            why, facts = "not_in_parts", {"step": f"1/{kind.parts}", "got": facts["got"]}
        raise UnusableError(Cause(expected(kind.expected, value), why, **facts))
    return value


def _read_exact(kind: Exact, value: object) -> Fraction:
    """Return the figure of a whole number, or of a text with a fraction in lowest terms."""
    if type(value) is int and abs(value) <= kind.most:
        return Fraction(value)
    if type(value) is str and len(value) <= MAX_FRACTION_CHARACTERS:
        above, _, below = value.removeprefix("-").partition("/")
        if all(digits.isascii() and digits.isdecimal() for digits in (above, below)):
            numerator, denominator = int(above), int(below)
            if 1 < denominator <= MAX_DENOMINATOR and numerator <= kind.most:
                figure = Fraction(-numerator if value[0] == "-" else numerator, denominator)
                if str(figure) == value:
                    return figure
    if kind.most < MAX_NUMERATOR:
        raise _make_error(kind, value, "out_of_range", low=-kind.most, high=kind.most)
    raise _make_error(kind, value, "not_fitting")


def _read_words(kind: Words, value: object) -> str:
    """Return a text that is not too long and has no control characters; a name is not blank."""
    if type(value) is not str or len(value) > kind.longest:
        raise _make_error(kind, value, "no_short_text", most=kind.longest)
    if kind.name and (not value.strip() or _CONTROL.search(value)):
        raise _make_error(kind, value, "no_name", most=kind.longest)
    if _CONTROL_IN_TEXT.search(value):
        raise UnusableError(_CONTROL_CHARACTER)
    return value


def _read_flag(kind: Flag, value: object) -> bool:
    if kind.only_true and value is not True:
        raise _make_error(kind, value, "not_true")
    if type(value) is not bool:
        raise _make_error(kind, value, "no_flag")
    return value


def _read_one_of(kind: OneOf, value: object) -> str:
    if type(value) is not str or value not in kind.values:
        raise _make_error(kind, value, "no_such_choice", choices=", ".join(kind.values))
    return value


def _read_currency(kind: Currency, value: object) -> str:
    if type(value) is not str or value not in MINOR_DIGITS:
        raise _make_error(kind, value, "no_currency")
    return value


def _read_any_of(kind: AnyOf, value: object) -> Any:
    """Return the value read by the first of several kinds that accepts it."""
    within = None  # what is wrong in a value that has the shape of one of them
    for kind_option in kind.kinds:
        try:
            return read_value(kind_option, value)
        except UnusableError as error:
            within = within or (error if error.field else None)
    raise within or _make_error(kind, value, "not_fitting")


def _read_player(kind: PlayerId, value: object) -> str:
    """Return the text if it has the form of a player's id; the player may be unknown."""
    if type(value) is not str or not is_player_id(value[:64]):
        raise _make_error(kind, value, "no_player_id")
    return value


@lru_cache(maxsize=1000)  # a session has few players; asked with short texts only
def is_player_id(text: str) -> bool:
    """Return whether a text has the form of a player's id, and is not reserved."""
    return _ID.fullmatch(text) is not None and text not in RESERVED_IDS


def _read_side(kind: SideId, value: object) -> str:
    """Return any text; whether a side has this id is checked elsewhere."""
    if type(value) is not str:
        raise _make_error(kind, value, "no_text")
    return value


def _read_card(kind: CardCode, value: object) -> Card:
    """Return the card with this code."""
    card = ALL_CARDS.get(value) if type(value) is str else None
    if card is None:
        raise _make_error(kind, value, "no_card")
    return card


def _read_many(kind: Many, value: object) -> tuple[object, ...]:
    """Return a list as a tuple of read items. Checks its size, and that items are unique."""
    if type(value) is not list:
        raise _make_error(kind, value, "no_list")
    if not _size_fits(kind, len(value)):
        sizes = ", ".join(map(str, kind.sizes)) or f"{kind.fewest}–{kind.most}"
        raise _make_error(kind, value, "list_of_wrong_size", size=len(value), sizes=sizes)
    items = _read_items((str(place), kind.of, item) for place, item in enumerate(value))
    if kind.unique and len(set(items.values())) != len(items):
        raise UnusableError(Cause("the list has the same thing twice", "twice_in_list"))
    return tuple(items.values())


def _size_fits(kind: Many, size: int) -> bool:
    """Return whether a list of this kind may have this many items."""
    return size in kind.sizes if kind.sizes else kind.fewest <= size <= kind.most


def _read_each(kind: Each, value: object) -> JsonObject:
    """Return an object as a dictionary of read values; its keys are checked by their kind."""
    if type(value) is not dict or not all(type(key) is str for key in value):
        raise _make_error(kind, value, "no_object")
    for key in value:
        read_value(kind.key, key)
    return _read_items((key, kind.of, item) for key, item in value.items())


def _read_items(wanted: Any) -> JsonObject:
    """Return the read values by place, from tuples of place, kind and JSON value.

    Raises `UnusableError` with the place in the path of its field.
    """
    values = {}
    for place, kind, value in wanted:
        try:
            values[place] = read_value(kind, value)
        except UnusableError as error:
            raise _prefix_field(place, error) from None
    return values


def _prefix_field(place: str, error: UnusableError) -> UnusableError:
    """Return the error with the path of its field as seen from one level further out."""
    error.field = f"{printable(place)}.{error.field}" if error.field else printable(place)
    return error


def _read_nested(kind: Nested, value: object) -> Declared:
    """Return a declared object, built from a JSON object."""
    if type(value) is not dict:
        raise _make_error(kind, value, "no_object")
    return build_declared(kind.of, value)


def _read_random(kind: Random, value: object) -> str:
    """Return a salt: a text of the kind's number of letters, digits, ``_`` and ``-``."""
    if type(value) is not str or len(value) != kind.letters or not _KEY.fullmatch(value):
        raise _make_error(kind, value, "no_salt", letters=kind.letters)
    return value


def _read_anything(kind: Anything, value: object) -> Any:
    """Return a JSON object unchanged; only its depth, names and characters are checked."""
    if not isinstance(value, dict):
        raise _make_error(kind, value, "no_object")
    _refuse_odd(value, _MAX_DEPTH)
    return value


def _refuse_odd(value: Any, depth: int) -> None:
    """Raise `UnusableError` for odd names, control characters, or more than ``depth`` levels."""
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
        for item in inner:
            _refuse_odd(item, depth - 1)


def _read_nothing(kind: Nothing, value: object) -> None:
    """Return None. Raises `UnusableError` unless the value is null."""
    if value is not None:
        raise _make_error(kind, value, "must_be_null")


def _read_day(kind: Day, value: Any) -> str:
    """Return the text if it is a date such as 2026-11-21."""
    try:
        fits = type(value) is str and date.fromisoformat(value).isoformat() == value
    except ValueError:
        fits = False
    if not fits:
        raise _make_error(kind, value, "no_day")
    day: str = value
    return day


def _read_last_day(kind: LastDay, value: Any) -> str:
    """Return the text if it is a date, or an empty text for null."""
    return "" if value is None else _read_day(Day(), value)


ValueReader = Callable[[Any, Any], Any]  # reads a value of a kind

READERS: Final[Mapping[type[Kind], ValueReader]] = {
    Whole: _read_whole,
    Exact: _read_exact,
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
    LastDay: _read_last_day,
}


def read_value(kind: Kind, value: object) -> Any:
    """Return the Python value of this kind for a JSON value.

    Raises `UnusableError` if it does not fit the kind.
    """
    return READERS[type(kind)](kind, value)


class FieldReader(NamedTuple):
    """A field of a declaration with its name in the log, and the function that reads it."""

    log_name: str
    name: str
    kind: Kind
    read: ValueReader
    optional: bool


DeclaredT = TypeVar("DeclaredT", bound=Declared)
_FIELD_READERS: Final[dict[type[Declared], tuple[FieldReader, ...]]] = {}


def _get_field_readers(declared: type[Declared]) -> tuple[FieldReader, ...]:
    """Return the readers of the fields of a declaration, cached by its class."""
    readers = _FIELD_READERS.get(declared)
    if readers is None:
        columns = [
            (field_part.log_name, field_part.name, field_part.kind, field_part.optional)
            for field_part in parts_of(declared)
        ]
        if has_salt(declared):
            columns.append((SALT, SALT, RANDOM, True))
        readers = _FIELD_READERS[declared] = tuple(
            FieldReader(log_name, name, kind, READERS[type(kind)], optional)
            for log_name, name, kind, optional in columns
        )
    return readers


def build_declared(
    declared: type[DeclaredT], data: JsonObject, left_out: Collection[str] = ()
) -> DeclaredT:
    """Return an event, or an object within one, built from a JSON object.

    Fields in ``left_out`` may be missing, and are None then. A salt is checked, and not kept.

    Raises `UnusableError` with the path of the field at fault.
    """
    read: dict[str, object] = {}
    for log_name, name, kind, reader, optional in _get_field_readers(declared):
        if log_name in data:
            value = data[log_name]
            if value is None and type(kind) is not LastDay:
                raise UnusableError(expected("a value", value, "no_value"), field=log_name)
            try:
                read[name] = reader(kind, value)
            except UnusableError as error:
                raise _prefix_field(log_name, error) from None
        elif name in left_out:
            continue
        elif not optional:
            raise UnusableError(
                Cause(f"missing, expected {kind.expected}", "missing"), field=log_name
            )
    if len(read) < len(data):
        known_here = {reader.log_name for reader in _get_field_readers(declared)}
        name = next(name for name in data if name not in known_here)
        known = ", ".join(field.log_name for field in parts_of(declared))
        words = f"unknown field; {get_declared_name(declared)} has {known or 'no fields at all'}"
        raise UnusableError(Cause(words, "unknown_field", known=known), field=printable(name))
    if issubclass(declared, Event) and len(read) < declared.FEWEST_FIELDS:
        known = ", ".join(field.log_name for field in parts_of(declared))
        raise UnusableError(Cause(f"nothing changes; the fields are {known}", "nothing_changes"))
    read.pop(SALT, None)
    return declared(**{**dict.fromkeys(left_out), **read})


# ------------------------------------------------------------------------------------ events

COMMON_TYPES: Final = group_by_type(COMMON)


class FaceDown(dict[str, Any]):
    """The data of an event as the table knows it: without the fields that lie face down."""


def decode(kind: str, data: object, types: Mapping[str, Classes] = COMMON_TYPES) -> Event:
    """Return the event of type ``kind`` with this data, among the types that can stand here.

    Fields that lie face down are None if ``data`` is `FaceDown`. Raises `UnusableError` if there is
    no such type, or the data does not fit its declaration.
    """
    declared = types.get(kind)
    if declared is None:
        raise UnusableError(_explain_unknown_type(kind, types), field="type")
    if not isinstance(data, dict):
        raise UnusableError(expected("an object", data, "no_object"), field="data")
    if not isinstance(declared, type):
        declared = _find_category(declared, data)
    left_out = declared.HIDDEN if isinstance(data, FaceDown) else ()
    try:
        return build_declared(declared, data, left_out)
    except UnusableError as error:
        raise _prefix_field("data", error) from None


def _find_category(declared: Mapping[str, type[Event]], data: JsonObject) -> type[Event]:
    """Return the class for the ``category`` in the data, of a type with one for each."""
    category = data.get("category")
    class_ = declared.get(category) if isinstance(category, str) else None
    if class_ is None:
        what = " or ".join(f'"{name}"' for name in declared)
        cause = expected(what, category, "no_such_choice", choices=", ".join(declared))
        raise UnusableError(cause, field="data.category")
    return class_


def _explain_unknown_type(kind: str, types: Mapping[str, Classes]) -> Cause:
    """Return the cause why an event of this type cannot stand here."""
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


def get_declared_name(declared: type[Declared]) -> str:
    """Return the type of an event, or the class name of an object within one."""
    return declared.TYPE if issubclass(declared, Event) else declared.__name__


# ----------------------------------------------------------------------------------- writing


AS_IT_IS: Final = (str, int, bool)  # values of these types are JSON already


def encode(declared: Declared) -> dict[str, Any]:
    """Return the data of an event, or of an object within it, as JSON values.

    ``decode`` reverses this.
    """
    return {
        field_part.log_name: None
        if value == "" and isinstance(field_part.kind, LastDay)
        else _to_json(value)
        for field_part in parts_of(type(declared))
        if (value := getattr(declared, field_part.name)) is not None
    }


def _to_json(value: object) -> Any:
    """Return the JSON value of a field's value."""
    if type(value) in AS_IT_IS:
        return value
    if isinstance(value, Card | Fraction):
        return value.code if isinstance(value, Card) else encode_exact(value)
    if isinstance(value, Mapping):
        return {key: _to_json(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_to_json(item) for item in value]
    if isinstance(value, Declared):
        return encode(value)
    return value
