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
    parts,
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


Look = Callable[[Scope, Any, str], None]


class Reference(NamedTuple):
    """A field that holds a reference: its lookup, and its path for error messages.

    For a field with a single id or card, ``among`` is the attribute of `Scope` that must contain
    it; ``look`` is then needed only for the error.
    """

    name: str
    path: str
    among: str
    look: Look


def refuse_unknown(event: Event, scope: Scope) -> None:
    """Refuse an event with an unknown reference.

    Raises `UnusableError` for the field.
    """
    for reference in references(type(event)):
        value = getattr(event, reference.name)
        if value is not None:
            reference.look(scope, value, reference.path)


# Refuses an event of a hand. Arguments: the deal, the event, and the scope of its references.
Refusing = Callable[[Any, Any, Scope], None]


def refusing(declared: type[Declared], more: Sequence[Callable[[Any, Any], None]]) -> Refusing:
    """Return a faster :func:`refuse_unknown` for one declaration.

    It also runs the tests ``more`` on the deal and the event.
    """
    fields = tuple((reference.name, reference.among) for reference in references(declared))
    has_nested = not all(among for _, among in fields)

    def refuse(deal: Any, event: Any, scope: Scope) -> None:
        if has_nested:
            refuse_unknown(event, scope)
        else:
            for name, among in fields:
                if getattr(event, name) not in getattr(scope, among):
                    refuse_unknown(event, scope)
        for step in more:
            step(deal, event)

    return refuse


_REFERENCES: dict[type[Declared], tuple[Reference, ...]] = {}


def references(declared: type[Declared]) -> tuple[Reference, ...]:
    """Return the fields of a declaration that hold references; the result is cached."""
    fields = _REFERENCES.get(declared)
    if fields is None:
        fields = _REFERENCES[declared] = tuple(_references(declared))
    return fields


def _references(declared: type[Declared]) -> Iterator[Reference]:
    for part in parts(declared):
        look = _look_of(part.kind)
        if look is not None:
            yield Reference(part.name, f"data.{part.name}", _AMONG.get(look, ""), look)


def _look_up(among: str, what: str, why: str) -> Look:
    """Return a lookup in the attribute ``among`` of a scope; its error lists short collections."""

    def look(scope: Scope, value: Any, path: str) -> None:
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
_LOOKS: Final = {among: _look_up(among, what, why) for among, what, why in LOOK_UPS}
_AMONG: Final[dict[Look, str]] = {look: among for among, look in _LOOKS.items()}
_PLAYERS: Final = {Whom.SESSION: "players", Whom.SEATED: "seated", Whom.ACTIVE: "active"}


def _look_of(kind: Kind) -> Look | None:
    look: Look | None = None
    if isinstance(kind, PlayerId):
        look = _LOOKS.get(_PLAYERS.get(kind.whom, ""))
    elif isinstance(kind, SideId):
        look = _LOOKS["counted" if kind.counted else "sides"]
    elif isinstance(kind, CardCode):
        look = _LOOKS["cards"]
    elif isinstance(kind, Many):
        look = _in_list(_look_of(kind.of))
    elif isinstance(kind, Each):
        look = _in_object(_look_of(kind.key), _look_of(kind.of))
    elif isinstance(kind, Nested):
        look = _in_nested(kind.of)
    return look


def _in_list(look: Look | None) -> Look | None:
    if look is None:
        return None

    def each(scope: Scope, value: Any, path: str) -> None:
        for place, item in enumerate(value):
            look(scope, item, f"{path}.{place}")

    return each


def _in_object(key_look: Look | None, value_look: Look | None) -> Look | None:
    if key_look is None and value_look is None:
        return None

    def each(scope: Scope, value: Mapping[str, Any], path: str) -> None:
        for key, item in value.items():
            if key_look is not None:
                key_look(scope, key, f"{path}.{key}")
            if value_look is not None:
                value_look(scope, item, f"{path}.{key}")

    return each


def _in_nested(declared: type[Declared]) -> Look | None:
    fields = references(declared)
    if not fields:
        return None

    def each(scope: Scope, value: Any, path: str) -> None:
        for field in fields:
            field.look(scope, getattr(value, field.name), f"{path}.{field.name}")

    return each
