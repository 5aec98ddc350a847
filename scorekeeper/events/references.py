"""Check the references in events: players, sides and cards must exist.

The declarations define which fields hold references. A short list of lookups is derived once
for each declaration.
"""

from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from scorekeeper.base.errors import UnusableError, expected
from scorekeeper.events.event import Event
from scorekeeper.events.fields import (
    CardCode,
    Declared,
    Each,
    Kind,
    Many,
    Nested,
    PlayerId,
    SideId,
    Whom,
    parts_of,
)


@dataclass(frozen=True, slots=True)
class Scope:
    """The players, sides and cards that events can refer to at one place in a session."""

    players: Container[str] = ()
    seated: Collection[str] = ()
    active: Collection[str] = ()
    sides: Collection[str] = ()
    counted: Collection[str] = ()
    cards: Container[Any] = ()
    shows: str = ""


Lookup = Callable[[Scope, Any, str], None]


class Reference(NamedTuple):
    """A field that holds a reference: its lookup, and its path for error messages.

    For a field with a single id or card, ``among`` is the attribute of `Scope` that must contain
    it; ``look`` is then needed only for the error.
    """

    name: str
    path: str
    among: str
    look: Lookup


def refuse_unknown(event: Event, scope: Scope) -> None:
    """Raise `UnusableError` if the event refers to a player, side or card outside the scope.

    The error names the field. Fields without a value are not checked.
    """
    for reference in references(type(event)):
        value = getattr(event, reference.name)
        if value is not None:
            reference.look(scope, value, reference.path)


# Refuses an event of a hand. Arguments: the deal, the event, and the scope of its references.
Refusal = Callable[[Any, Any, Scope], None]


def make_refusal(
    declared: type[Declared], extra_tests: Sequence[Callable[[Any, Any], None]]
) -> Refusal:
    """Return a function that refuses unusable events of one declaration.

    It does the same as :func:`refuse_unknown`, but faster, and then calls ``extra_tests`` with the
    deal and the event. Each of them may raise `UnusableError`.
    """
    fields = tuple((reference.name, reference.among) for reference in references(declared))
    has_nested = not all(among for _, among in fields)

    def refuse(deal: Any, event: Any, scope: Scope) -> None:
        """Raise `UnusableError` for an unknown reference in the event, or if an extra test does."""
        if has_nested:
            refuse_unknown(event, scope)
        else:
            for name, among in fields:
                if getattr(event, name) not in getattr(scope, among):
                    refuse_unknown(event, scope)
        for step in extra_tests:
            step(deal, event)

    return refuse


_REFERENCES: dict[type[Declared], tuple[Reference, ...]] = {}


def references(declared: type[Declared]) -> tuple[Reference, ...]:
    """Return the fields of a declaration that hold references; the result is cached."""
    fields = _REFERENCES.get(declared)
    if fields is None:
        fields = _REFERENCES[declared] = tuple(_find_references(declared))
    return fields


def _find_references(declared: type[Declared]) -> Iterator[Reference]:
    """Yield each field of a declaration whose values are ids or cards, or contain them."""
    for part in parts_of(declared):
        look = _lookup_for(part.kind)
        if look is not None:
            yield Reference(part.name, f"data.{part.name}", _AMONG.get(look, ""), look)


def _make_lookup(among: str, what: str, why: str) -> Lookup:
    """Return a function that requires a value to be in one attribute of a scope.

    ``among`` is the attribute, ``what`` the expected value in words, ``why`` the error code. The
    message lists the known values if they are few.
    """

    def look(scope: Scope, value: Any, path: str) -> None:
        """Raise `UnusableError` for the field at ``path`` unless the scope contains the value."""
        known = getattr(scope, among)
        if value not in known:
            listed = f" ({', '.join(known)})" if known and among in LISTED else ""
            wanted = what.format(shows=scope.shows)
            cause = expected(f"{wanted}{listed}", str(value), why, known=", ".join(map(str, known)))
            raise UnusableError(cause, field=path)

    return look


LISTED: Final = ("seated", "active", "sides", "counted")
# The attribute of `Scope`, the expected value in words, and the error code if it is missing.
LOOK_UPS: Final = (
    ("players", Whom.SESSION.value, "not_in_session"),
    ("seated", Whom.SEATED.value, "not_seated"),
    ("active", Whom.ACTIVE.value, "not_in_hand"),
    ("sides", "a side", "no_side"),
    ("counted", "a side that the count is given for", "not_counted"),
    ("cards", "a card of {shows}", "not_in_pack"),
)
_LOOKS: Final = {among: _make_lookup(among, what, why) for among, what, why in LOOK_UPS}
_AMONG: Final[dict[Lookup, str]] = {look: among for among, look in _LOOKS.items()}
_PLAYERS: Final = {Whom.SESSION: "players", Whom.SEATED: "seated", Whom.ACTIVE: "active"}


def _lookup_for(kind: Kind) -> Lookup | None:
    """Return the lookup for values of a kind; None if they contain no reference."""
    look: Lookup | None = None
    if isinstance(kind, PlayerId):
        look = _LOOKS.get(_PLAYERS.get(kind.whom, ""))
    elif isinstance(kind, SideId):
        look = _LOOKS["counted" if kind.counted else "sides"]
    elif isinstance(kind, CardCode):
        look = _LOOKS["cards"]
    elif isinstance(kind, Many):
        look = _lookup_in_list(_lookup_for(kind.of))
    elif isinstance(kind, Each):
        look = _lookup_in_object(_lookup_for(kind.key), _lookup_for(kind.of))
    elif isinstance(kind, Nested):
        look = _lookup_in_nested(kind.of)
    return look


def _lookup_in_list(look: Lookup | None) -> Lookup | None:
    """Return a lookup that applies ``look`` to each item; None if there is no ``look``."""
    if look is None:
        return None

    def each(scope: Scope, value: Any, path: str) -> None:
        """Check each item of a list; its index is added to the path."""
        for place, item in enumerate(value):
            look(scope, item, f"{path}.{place}")

    return each


def _lookup_in_object(key_look: Lookup | None, value_look: Lookup | None) -> Lookup | None:
    """Return a lookup for the keys and values of an object; None if neither has references."""
    if key_look is None and value_look is None:
        return None

    def each(scope: Scope, value: Mapping[str, Any], path: str) -> None:
        """Check each key and each value of an object; the key is added to the path."""
        for key, item in value.items():
            if key_look is not None:
                key_look(scope, key, f"{path}.{key}")
            if value_look is not None:
                value_look(scope, item, f"{path}.{key}")

    return each


def _lookup_in_nested(declared: type[Declared]) -> Lookup | None:
    """Return a lookup for the fields of a nested object; None if none of them has references."""
    fields = references(declared)
    if not fields:
        return None

    def each(scope: Scope, value: object, path: str) -> None:
        """Check each field of a nested object; the name of the field is added to the path."""
        for field in fields:
            field.look(scope, getattr(value, field.name), f"{path}.{field.name}")

    return each
