"""Hypothesis strategies of values and events, made from the declarations."""

import unicodedata
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from hypothesis import strategies as st

from scorekeeper.base.currencies import MINOR_DIGITS
from scorekeeper.cards.packs import ALL_CARDS
from scorekeeper.events.common import COMMON
from scorekeeper.events.event import Event
from scorekeeper.events.fields import (
    MAX_EXACT_NUMBER,
    PLAYER_ID,
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
    OneOf,
    PlayerId,
    SideId,
    Whole,
    Words,
    parts_of,
)
from scorekeeper.games import GAMES
from scorekeeper.games.game import Classes, Game

Values = st.SearchStrategy[Any]

EVERY_EVENT: list[tuple[type[Event], Game | None]] = [
    *((declared, None) for declared in COMMON),
    *((declared, game) for game in GAMES.values() for declared in game.events),
]


def types_at(game: Game | None) -> Mapping[str, Classes]:
    """Return the types of events that can be recorded in a match of this game."""
    from scorekeeper.log.codec import COMMON_TYPES

    return game.by_type if game else COMMON_TYPES


# ------------------------------------------------------------------------------ valid values

PLAYERS = st.from_regex(f"(?:{PLAYER_ID})", fullmatch=True).filter(
    lambda text: text.isascii() and text not in RESERVED_IDS
)
NO_CONTROL = st.characters(exclude_categories=["Cs", "Cc"])


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _words(kind: Words) -> Values:
    if kind.name:
        names = st.text(NO_CONTROL, min_size=1, max_size=min(kind.longest, 80)).map(_nfc)
        return names.filter(lambda text: bool(text.strip()) and len(text) <= kind.longest)
    characters = NO_CONTROL | st.sampled_from("\t\n")
    return st.text(characters, max_size=40).map(_nfc)


def _many(kind: Many) -> Values:
    fewest = min(kind.sizes, default=kind.fewest)
    most = max(kind.sizes, default=min(kind.most, 6))
    unique: Callable[[Any], Any] | None = repr if kind.unique else None
    lists = st.lists(values(kind.of), min_size=fewest, max_size=most, unique_by=unique)
    return lists.filter(lambda items: not kind.sizes or len(items) in kind.sizes)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MAX_EXACT_NUMBER, MAX_EXACT_NUMBER)
    | st.text(NO_CONTROL, max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.from_regex("[A-Za-z0-9_-]{1,9}", fullmatch=True), inner, max_size=3)
    ),
    max_leaves=5,
)

MAKE: dict[type[Kind], Callable[[Any], Values]] = {
    Whole: lambda kind: st.integers(kind.low, kind.high),
    Words: _words,
    Flag: lambda kind: st.just(True) if kind.only_true else st.booleans(),
    OneOf: lambda kind: st.sampled_from(kind.values),
    Currency: lambda kind: st.sampled_from(list(MINOR_DIGITS)),
    AnyOf: lambda kind: st.one_of([values(member) for member in kind.kinds]),
    PlayerId: lambda kind: PLAYERS,
    SideId: lambda kind: PLAYERS | st.sampled_from(["A", "B", "bidder", "defenders"]),
    CardCode: lambda kind: st.sampled_from(list(ALL_CARDS)),
    Many: _many,
    Each: lambda kind: st.dictionaries(values(kind.key), values(kind.of), max_size=4),
    Nested: lambda kind: data_of(kind.of),
    Day: lambda kind: st.dates().map(date.isoformat),
    Anything: lambda kind: st.dictionaries(
        st.from_regex("[A-Za-z0-9_-]{1,9}", fullmatch=True), JSON.map(_shallow), max_size=3
    ),
}


def _shallow(value: Any, depth: int = 4) -> Any:
    if isinstance(value, dict):
        return {k: _shallow(v, depth - 1) for k, v in value.items()} if depth else {}
    if isinstance(value, list):
        return [_shallow(v, depth - 1) for v in value] if depth else []
    return _nfc(value) if isinstance(value, str) else value


def values(kind: Kind) -> Values:
    """Return a strategy of valid JSON values of this kind."""
    return MAKE[type(kind)](kind)


def data_of(declared: type[Declared]) -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy of the data of an event, with or without optional fields."""
    fields, fewest = parts_of(declared), getattr(declared, "FEWEST_FIELDS", 0)
    return st.fixed_dictionaries(
        {field.name: values(field.kind) for field in fields if not field.optional},
        optional={field.name: values(field.kind) for field in fields if field.optional},
    ).filter(lambda data: len(data) >= fewest)
