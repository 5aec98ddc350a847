"""Decode submitted forms into events. Nothing is validated here: the codec and the replay do.

``type`` is the type of an event; ``fixed`` and all ``with…`` fields are JSON objects that together
make its data; ``n:points.mara`` is a number and ``t:reason`` a text at its place in the data. In
``n2:points.mara`` points are typed, and the number counts halves of a point. In a
form with several events, field names begin with the event's number and a point; an event without
any chosen field is left out. A form with ``must`` is empty until something is chosen in it.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, NamedTuple

from werkzeug.datastructures import MultiDict

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.fields import parts_of
from scorekeeper.games.game import Classes
from scorekeeper.log import canonical
from scorekeeper.log.canonical import to_nfc
from scorekeeper.streams.requests import NewEvent
from scorekeeper.web.forms.typed import parse_whole
from scorekeeper.web.forms.widgets import widget_of

_FIELD: Final = re.compile(r"(?:(\d{1,2})\.)?(type|fixed|with|n|t)([0-9]{1,2})?(?::(.{1,80}))?")
HAND_KEY: Final = re.compile(r"([0-9]{1,9}-[0-9]{1,9})?")  # empty if a form names no hand
_DAMAGED: Final = Cause("the form came back damaged; load the page again", "damaged_form")
CHOSEN: Final = ("with", "n", "t")  # fields that a person fills in
MAX_PATH_DEPTH: Final = 4  # dots in the name of a field
MAX_FIELDS: Final = 400
MAX_NAMED_ENTRIES: Final = 100  # entries that one form may take back
MAX_SEQ_DIGITS: Final = 9


@dataclass(frozen=True, slots=True)
class SentForm:
    """A decoded form: the events, the version that the page knew, and how to record them.

    ``dealer`` deals the hand that begins with these events, None if none begins. ``bare`` marks a
    form in which nothing was chosen but something must be. ``hand`` is the hand that the form was
    made for, by its match and its number; None if the hand does not matter. ``named`` are the seqs
    of the entries to take back, if the page knew them. ``leaves`` is the hand without a result that
    the form named before it is left behind.
    """

    events: tuple[NewEvent, ...]
    version: int
    key: str | None
    as_played: bool
    dealer: str | None
    bare: bool = False
    hand: str | None = None
    named: frozenset[int] = frozenset()
    leaves: str | None = None

    @property
    def digest(self) -> bytes:
        """The SHA-256 of the form without its version, to recognise a repeated request."""
        content = [[new.type, new.data] for new in self.events], self.as_played, self.dealer
        return sha256(json.dumps(content, sort_keys=True).encode()).digest()


def decode_form(form: MultiDict[str, str]) -> SentForm:
    """Decode a submitted form into events and how to record them.

    Raises `UnusableError` if a field is malformed.
    """
    if len(form) > MAX_FIELDS:
        raise UnusableError(_DAMAGED)
    version, key = form.get("version", ""), form.get("key", "")
    hand, leaves = form.get("hand", ""), form.get("leaves", "")
    if not (
        re.fullmatch(r"[0-9]{1,15}", version)
        and re.fullmatch(r"[ -~]{0,200}", key)
        and HAND_KEY.fullmatch(hand)
        and HAND_KEY.fullmatch(leaves)
    ):
        raise UnusableError(_DAMAGED)
    named = form.get("back", "").split()
    if len(named) > MAX_NAMED_ENTRIES or not all(map(_is_seq, named)):
        raise UnusableError(_DAMAGED)
    return SentForm(
        events=tuple(_decode_events(form)),
        version=int(version),
        key=key or None,
        as_played=bool(form.get("as_played")),
        dealer=form.get("dealer") or None,
        hand=hand or None,
        leaves=leaves or None,
        named=frozenset(map(int, named)),
        bare="must" in form and not any(_is_chosen(*field) for field in form.items(multi=True)),
    )


def _is_seq(text: str) -> bool:
    """Return whether a text is a seq of at most `MAX_SEQ_DIGITS` digits."""
    return text.isascii() and text.isdecimal() and len(text) <= MAX_SEQ_DIGITS


def _is_chosen(name: str, value: str) -> bool:
    """Return whether a form field is one that a person fills in, and has a value."""
    match = _FIELD.fullmatch(name)
    return match is not None and match[2] in CHOSEN and bool(value.strip())


def _decode_events(form: MultiDict[str, str]) -> Iterator[NewEvent]:
    """Yield the event of a form without numbered fields, or each numbered event with a choice."""
    by_place: dict[str, list[_FormField]] = {}
    for name, value in form.items(multi=True):
        match = _FIELD.fullmatch(name)
        if match is not None:
            place, what, parts, path = match.groups(default="")
            field = _FormField(what, path, value, int(parts or 1))
            by_place.setdefault(place, []).append(field)
    for place in sorted(by_place, key=lambda place: int(place or 0)):
        fields = by_place[place]
        kind = next((field.value for field in fields if field.what == "type"), "")
        chosen = any(field.value.strip() for field in fields if field.what in CHOSEN)
        if kind and (chosen or not place):
            yield NewEvent(to_nfc(kind), _event_data(fields))


class _FormField(NamedTuple):
    """A field of a form: its purpose, its path in the data, and its value as it was sent.

    A number counts ``parts`` of a point.
    """

    what: str
    path: str
    value: str
    parts: int


def _event_data(fields: Iterable[_FormField]) -> JsonObject:
    """Return the data of one event from its fields, merged."""
    data: dict[str, object] = {}
    for what, path, value, parts in fields:
        if what in ("fixed", "with") and value:
            merge(data, _parse_json_object(value))
        elif what == "n" and value.strip():
            merge(data, nest_at_path(path, parse_whole(value.strip(), parts)))
        elif what == "t" and value.strip():
            merge(data, nest_at_path(path, to_nfc(value.strip())))
    return data


def _parse_json_object(text: str) -> JsonObject:
    """Return the object that a JSON text contains. Raises `UnusableError` if it is not one."""
    try:
        data = canonical.normalize(canonical.decode(text.encode("utf-8", "surrogatepass")))
    except UnusableError as error:
        raise UnusableError(_DAMAGED) from error
    if type(data) is not dict:
        raise UnusableError(_DAMAGED)
    return data


def nest_at_path(path: str, value: Any) -> JsonObject:
    """Return a value at its place in the data.

    >>> nest_at_path("points.mara", 4)
    {'points': {'mara': 4}}
    """
    names = path.split(".", MAX_PATH_DEPTH)
    for name in reversed(names):
        value = {name: value}
    return dict(value)


def merge(data: dict[str, Any], more: JsonObject) -> None:
    """Merge more data into ``data``: objects are joined, lists extended, other values replaced.

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


def complete_order(new: NewEvent, types: Mapping[str, Classes]) -> NewEvent:
    """Return the event with the last item filled in where an order lacks only that.

    `types` are the known event types by name.
    """
    declared = types.get(new.type)
    if not isinstance(declared, type):
        return new
    kinds = {part.name: part.kind for part in parts_of(declared)}
    data = {
        name: widget_of(kinds.get(name)).complete(kinds.get(name), value)
        for name, value in new.data.items()
    }
    return NewEvent(new.type, data)
