"""What a form says, as events. Nothing is judged here: the codec and the replay do that.

``type`` is the type of an event, ``fixed`` and all ``with…`` are JSON objects that together are
its data, ``n:points.mara`` is a number and ``t:reason`` a text at its place in the data. Where a
form records several events, their fields begin with a number and a point; one of which nothing
was chosen is left out. With ``must`` a form says nothing at all as long as nothing is chosen in it.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from werkzeug.datastructures import MultiDict

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.events.event import Event
from scorekeeper.events.fields import Many, OneOf, parts
from scorekeeper.games.game import Classes
from scorekeeper.log import canonical
from scorekeeper.log.canonical import nfc
from scorekeeper.service.requests import NewEvent

MINUS: Final = "\N{MINUS SIGN}"
_FIELD: Final = re.compile(r"(?:(\d{1,2})\.)?(type|fixed|with|n|t)(?::(.{1,80}))?")
_NUMBER: Final = re.compile(rf"[-+{MINUS}]?[0-9]{{1,16}}")
_DAMAGED: Final = Cause("the form came back damaged; load the page again", "damaged_form")
CHOSEN: Final = ("with", "n", "t")  # fields that somebody fills in
MOST_DEEP: Final = 4
MOST_FIELDS: Final = 400
MOST_NAMED: Final = 100  # entries that a form takes back
LONGEST_SEQ: Final = 9  # digits


@dataclass(frozen=True, slots=True)
class Sent:
    """What came: the events, the version that was known, and how it was meant.

    ``dealer`` is who deals the hand that begins with these events, None where none does.
    ``bare`` is a form in which something must be chosen, and nothing was. ``hand`` is the hand that
    it was entered for, by its match and its number; None where it is no matter. ``named`` are the
    seqs of the entries that a form takes back, where its page knew them.
    """

    events: tuple[NewEvent, ...]
    version: int
    key: str | None
    as_played: bool
    dealer: str | None
    bare: bool = False
    hand: str | None = None
    named: frozenset[int] = frozenset()

    @property
    def digest(self) -> bytes:
        """What the same request has again, whatever version it was sent at."""
        said = [[one.type, one.data] for one in self.events], self.as_played, self.dealer
        return sha256(json.dumps(said, sort_keys=True).encode()).digest()


def sent(form: MultiDict[str, str]) -> Sent:
    """What a form says.

    Raises `UnusableError` if it is none of ours.
    """
    if len(form) > MOST_FIELDS:
        raise UnusableError(_DAMAGED)
    version, key = form.get("version", ""), form.get("key", "")
    hand = form.get("hand", "")
    if not (
        re.fullmatch(r"[0-9]{1,15}", version)
        and re.fullmatch(r"[ -~]{0,200}", key)
        and re.fullmatch(r"([0-9]{1,9}-[0-9]{1,9})?", hand)
    ):
        raise UnusableError(_DAMAGED)
    named = form.get("back", "").split()
    if len(named) > MOST_NAMED or not all(map(_is_seq, named)):
        raise UnusableError(_DAMAGED)
    return Sent(
        events=tuple(_events(form)),
        version=int(version),
        key=key or None,
        as_played=bool(form.get("as_played")),
        dealer=form.get("dealer") or None,
        hand=hand or None,
        named=frozenset(map(int, named)),
        bare="must" in form and not any(_is_chosen(*one) for one in form.items(multi=True)),
    )


def _is_seq(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= LONGEST_SEQ


def _is_chosen(name: str, value: str) -> bool:
    found = _FIELD.fullmatch(name)
    return found is not None and found[2] in CHOSEN and bool(value.strip())


def _events(form: MultiDict[str, str]) -> Iterator[NewEvent]:
    by_place: dict[str, list[tuple[str, str, str]]] = {}
    for name, value in form.items(multi=True):
        found = _FIELD.fullmatch(name)
        if found is not None:
            place, what, path = found.groups(default="")
            by_place.setdefault(place, []).append((what, path, value))
    for place in sorted(by_place, key=lambda one: int(one or 0)):
        fields = by_place[place]
        kind = next((value for what, _, value in fields if what == "type"), "")
        chosen = any(value.strip() for what, _, value in fields if what in CHOSEN)
        if kind and (chosen or not place):
            yield NewEvent(nfc(kind), _data(fields))


def _data(fields: Iterable[tuple[str, str, str]]) -> dict[str, Any]:
    """The data of one event."""
    data: dict[str, Any] = {}
    for what, path, value in fields:
        if what in ("fixed", "with") and value:
            merge(data, _object(value))
        elif what == "n" and value.strip():
            merge(data, at_path(path, _number(value.strip())))
        elif what == "t" and value.strip():
            merge(data, at_path(path, nfc(value.strip())))
    return data


def _object(text: str) -> dict[str, Any]:
    try:
        found = canonical.normalized(canonical.decode(text.encode("utf-8", "surrogatepass")))
    except UnusableError as error:
        raise UnusableError(_DAMAGED) from error
    if type(found) is not dict:
        raise UnusableError(_DAMAGED)
    return found


def _number(text: str) -> int | str:
    """A number as typed; what is none goes on as it is, for the codec to say so."""
    return int(text.replace(MINUS, "-")) if _NUMBER.fullmatch(text) else nfc(text)


def at_path(path: str, value: Any) -> dict[str, Any]:
    """A value at its place in the data.

    >>> at_path("points.mara", 4)
    {'points': {'mara': 4}}
    """
    names = path.split(".", MOST_DEEP)
    for name in reversed(names):
        value = {name: value}
    return dict(value)


def merge(data: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Add more data to some: objects are joined, lists go on, anything else is replaced.

    >>> data = {"points": {"mara": 4}, "suits": ["S"]}
    >>> merge(data, {"points": {"leo": 5}, "suits": ["H"]})
    >>> data
    {'points': {'mara': 4, 'leo': 5}, 'suits': ['S', 'H']}
    """
    for name, value in more.items():
        before = data.get(name)
        if isinstance(before, dict) and isinstance(value, dict):
            merge(before, value)
        elif isinstance(before, list) and isinstance(value, list):
            data[name] = [*before, *value]
        else:
            data[name] = value


def completed(new: NewEvent, types: Mapping[str, Classes]) -> NewEvent:
    """An event in which the last of an order that must be whole need not be said."""
    declared = types.get(new.type)
    if not isinstance(declared, type):
        return new
    more = dict(_implied(declared, new.data))
    return NewEvent(new.type, {**new.data, **more}) if more else new


def _implied(declared: type[Event], data: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    for part in parts(declared):
        kind = part.kind
        if not isinstance(kind, Many) or not kind.sizes or not isinstance(kind.of, OneOf):
            continue
        said = data.get(part.name)
        if type(said) is list and len(said) == max(kind.sizes) - 1:
            rest = [one for one in kind.of.values if one not in said]
            if len(rest) == 1:
                yield part.name, [*said, *rest]
