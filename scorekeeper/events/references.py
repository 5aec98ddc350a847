"""What the fields of an event refer to: players, sides, and cards that must be there.

The declarations say which fields hold references; from them a short list of look-ups is made
for each declaration once.
"""

from collections.abc import Callable, Collection, Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scorekeeper.base.errors import Unusable, expected
from scorekeeper.events.common import Event
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
    """What can be referred to at one place in a session."""

    players: Container[str] = ()
    seated: Collection[str] = ()
    active: Collection[str] = ()
    sides: Collection[str] = ()
    counted: Collection[str] = ()
    cards: Container[Any] = ()
    shows: str = ""


Look = Callable[[Scope, Any, str], None]


class Reference(NamedTuple):
    """A field that refers to something: how to look it up, and its path in a message.

    Where the field holds one id or card, ``among`` names what in a scope it must be one of;
    ``look`` is then needed only to say that it is not.
    """

    name: str
    path: str
    among: str
    look: Look


def refuse_unknown(event: Event, scope: Scope) -> None:
    """Refuse an event that refers to what is not there."""
    for reference in references(type(event)):
        value = getattr(event, reference.name)
        if value is not None:
            reference.look(scope, value, reference.path)


_REFERENCES: dict[type[Declared], tuple[Reference, ...]] = {}


def references(declared: type[Declared]) -> tuple[Reference, ...]:
    """The fields of a declaration that refer to something."""
    found = _REFERENCES.get(declared)
    if found is None:
        found = _REFERENCES[declared] = tuple(_references(declared))
    return found


def _references(declared: type[Declared]) -> Iterator[Reference]:
    for one in parts(declared):
        look = _look_of(one.kind)
        if look is not None:
            yield Reference(one.name, f"data.{one.name}", _AMONG.get(look, ""), look)


def _look_of(kind: Kind) -> Look | None:
    look: Look | None = None
    if isinstance(kind, PlayerId):
        look = _PLAYERS.get(kind.whom)
    elif isinstance(kind, SideId):
        look = _counted if kind.counted else _side
    elif isinstance(kind, CardCode):
        look = _card
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
        for place, one in enumerate(value):
            look(scope, one, f"{path}.{place}")

    return each


def _in_object(key_look: Look | None, value_look: Look | None) -> Look | None:
    if key_look is None and value_look is None:
        return None

    def each(scope: Scope, value: Mapping[str, Any], path: str) -> None:
        for key, one in value.items():
            if key_look is not None:
                key_look(scope, key, f"{path}.{key}")
            if value_look is not None:
                value_look(scope, one, f"{path}.{key}")

    return each


def _in_nested(declared: type[Declared]) -> Look | None:
    found = references(declared)
    if not found:
        return None

    def each(scope: Scope, value: Any, path: str) -> None:
        for one in found:
            one.look(scope, getattr(value, one.name), f"{path}.{one.name}")

    return each


def _session_player(scope: Scope, value: str, path: str) -> None:
    if value not in scope.players:
        raise Unusable(expected("a player of this session", value), field=path)


def _seated(scope: Scope, value: str, path: str) -> None:
    if value not in scope.seated:
        raise Unusable(_one_of("a player seated in this match", scope.seated, value), field=path)


def _active(scope: Scope, value: str, path: str) -> None:
    if value not in scope.active:
        what = "a player who takes part in this hand"
        raise Unusable(_one_of(what, scope.active, value), field=path)


def _side(scope: Scope, value: str, path: str) -> None:
    if value not in scope.sides:
        raise Unusable(_one_of("a side", scope.sides, value), field=path)


def _counted(scope: Scope, value: str, path: str) -> None:
    if value not in scope.counted:
        what = "a side that the count is given for"
        raise Unusable(_one_of(what, scope.counted, value), field=path)


def _card(scope: Scope, value: Any, path: str) -> None:
    if value not in scope.cards:
        raise Unusable(expected(f"a card of {scope.shows}", str(value)), field=path)


def _one_of(what: str, known: Collection[str], came: str) -> str:
    return expected(f"{what} ({', '.join(known)})" if known else what, came)


_PLAYERS: dict[Whom, Look] = {
    Whom.SESSION: _session_player,
    Whom.SEATED: _seated,
    Whom.ACTIVE: _active,
}
_AMONG: dict[Look, str] = {
    _session_player: "players",
    _seated: "seated",
    _active: "active",
    _side: "sides",
    _counted: "counted",
    _card: "cards",
}
