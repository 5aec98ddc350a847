"""Check that the value of a fact is of the kind that its game declares."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from scorekeeper.cards.packs import Card
from scorekeeper.events.fields import (
    AnyOf,
    CardCode,
    Each,
    Flag,
    Kind,
    Many,
    Nested,
    OneOf,
    PlayerId,
    SideId,
    Whole,
)
from scorekeeper.play.table import Table

LONGEST: Final = 1_000  # characters of a text, items of a list


def fits(kind: Kind, value: object, table: Table) -> bool:
    """Return whether a value is of a kind, in a hand at this table.

    A value of a kind that is not in `FITS` must be a text.
    """
    return FITS[type(kind)](kind, value, table) if type(kind) in FITS else _is_text(value)


def _is_text(value: object) -> bool:
    """Return whether a value is a text of limited length."""
    return isinstance(value, str) and len(value) <= LONGEST


def _is_whole(kind: Whole, value: object, table: Table) -> bool:
    """Return whether a value is a whole number within the limits of the kind; no bool."""
    return type(value) is int and kind.low <= value <= kind.high


def _is_flag(kind: Flag, value: object, table: Table) -> bool:
    """Return whether a value is a bool."""
    return type(value) is bool


def _is_one_of(kind: OneOf, value: object, table: Table) -> bool:
    """Return whether a value is one of the texts of the kind."""
    return isinstance(value, str) and value in kind.values


def _is_any_of(kind: AnyOf, value: object, table: Table) -> bool:
    """Return whether a value is of one of the alternative kinds."""
    return any(fits(alternative, value, table) for alternative in kind.kinds)


def _is_player(kind: PlayerId, value: object, table: Table) -> bool:
    """Return whether a value is a player of the match."""
    return isinstance(value, str) and value in table.seats


def _is_side(kind: SideId, value: object, table: Table) -> bool:
    """Return whether a value is a side of the match, or a party of a count."""
    return isinstance(value, str) and (value in table.sides or value in table.parties)


def _is_card(kind: CardCode, value: object, table: Table) -> bool:
    """Return whether a value is a card of any pack."""
    return isinstance(value, Card)


def _is_many(kind: Many, value: object, table: Table) -> bool:
    """Return whether a value is a list of limited length with items of the kind."""
    if not isinstance(value, tuple | list) or len(value) > LONGEST:
        return False
    return all(fits(kind.of, item, table) for item in value)


def _is_each(kind: Each, value: object, table: Table) -> bool:
    """Return whether a value maps keys of one kind to values of the other, or to None."""
    if not isinstance(value, Mapping) or len(value) > LONGEST:
        return False
    return all(
        fits(kind.key, key, table) and (item is None or fits(kind.of, item, table))
        for key, item in value.items()
    )


def _is_nested(kind: Nested, value: object, table: Table) -> bool:
    """Return whether a value is an object of the nested declaration."""
    return isinstance(value, kind.of)


# The tests by kind; a value of any other kind must be a text.
FITS: Final[Mapping[type[Kind], Callable[[Any, Any, Table], bool]]] = {
    Whole: _is_whole,
    Flag: _is_flag,
    OneOf: _is_one_of,
    AnyOf: _is_any_of,
    PlayerId: _is_player,
    SideId: _is_side,
    CardCode: _is_card,
    Many: _is_many,
    Each: _is_each,
    Nested: _is_nested,
}
