"""What the fields of an event refer to: players, sides, and cards that must be there.

The declarations say which fields hold references; from them a short list of look-ups is made
for each declaration once.
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


# Refuses an event of a hand: what is on record of the hand, the event, and what is there.
Refusing = Callable[[Any, Any, Scope], None]


def refusing(declared: type[Declared], more: Sequence[Callable[[Any, Any], None]]) -> Refusing:
    """What refuses the same events of one declaration as :func:`refuse_unknown`, and sooner.

    ``more`` is asked of them in their hand beside.
    """
    found = references(declared)
    plain = tuple((one.name, one.among) for one in found)
    whole = not all(among for _, among in plain)

    def refuse(deal: Any, event: Any, scope: Scope) -> None:
        if whole:
            refuse_unknown(event, scope)
        else:
            for name, among in plain:
                if getattr(event, name) not in getattr(scope, among):
                    refuse_unknown(event, scope)
        for step in more:
            step(deal, event)

    return refuse


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


def _look_up(among: str, what: str, why: str) -> Look:
    """A look-up among what a scope has of a kind; a message lists that where it is no pack."""

    def look(scope: Scope, value: Any, path: str) -> None:
        known = getattr(scope, among)
        if value not in known:
            listed = f" ({', '.join(known)})" if known and among in LISTED else ""
            said = what.format(shows=scope.shows)
            cause = expected(f"{said}{listed}", str(value), why, known=", ".join(map(str, known)))
            raise UnusableError(cause, field=path)

    return look


LISTED: Final = ("seated", "active", "sides", "counted")
# What a value is looked up among, what it has to be there, and why it is unusable where it is not.
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
