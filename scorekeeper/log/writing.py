"""Writing of sealed logs, and of values as JSON."""

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from typing import Final

from scorekeeper.base.cached import cached_property
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import (
    DeclaredView,
    Encoder,
    Shape,
    declared_fields,
    encoder_of,
    make_encoder,
    to_json_values,
)
from scorekeeper.log.chain import START, seal

# Keys keep the order of the report: sides are in the order of the seats.
encode_text = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), check_circular=False
).encode


def now() -> str:
    """Return the time in the form of a log: UTC, with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def sealed_lines(
    events: Iterable[tuple[str, JsonObject]], at: str, by: str = "import"
) -> Iterator[bytes]:
    """Yield the lines of a sealed log, with line feeds, for events given as type and data.

    All events get the time ``at`` and the author ``by``.
    """
    previous = START
    for seq, (kind, data) in enumerate(events, start=1):
        sealed = seal(previous, seq, kind, data, at, by)
        previous = sealed.hash
        yield sealed.line + b"\n"


def as_json(value: object) -> bytes:
    """Return a plain value as compact JSON bytes, with keys in their own order."""
    return encode_text(value).encode("utf-8")


class EncodedJson(str):
    """A value that is encoded as JSON already."""

    __slots__ = ()


def encode_object(members: JsonObject) -> EncodedJson:
    """Return the JSON of an object whose values are plain or `EncodedJson`."""
    parts: list[str] = []
    for written, some in groupby(
        members.items(), key=lambda member: type(member[1]) is EncodedJson
    ):
        if written:
            parts += [f"{encode_text(name)}:{value}" for name, value in some]
        else:
            parts.append(encode_text(dict(some))[1:-1])
    return EncodedJson("{" + ",".join(parts) + "}")


def encode_list(items: Iterable[EncodedJson]) -> EncodedJson:
    """Return the JSON of a list of encoded values."""
    return EncodedJson("[" + ",".join(items) + "]")


class LastingView(DeclaredView):
    """A view that is part of many answers, and is encoded only once; it has no slots."""

    @cached_property
    def json(self) -> EncodedJson:
        """The JSON of the view."""
        return EncodedJson(encode_text(to_json_values(self)))


# Functions that encode the members of views, by class.
_ENCODERS: Final[dict[type[DeclaredView], Callable[[DeclaredView], JsonObject]]] = {}


def encode_view(view: DeclaredView) -> EncodedJson:
    """Return the JSON of a view; each `LastingView` in it is encoded once."""
    encoder = _ENCODERS.get(type(view))
    if encoder is None:
        encoder = _ENCODERS[type(view)] = make_encoder(type(view), _encoder_of_field)
    return encode_object(encoder(view))


def _encoder_of_field(shape: Shape) -> Encoder | None:
    """Return the function that encodes a field; as text if lasting views are in it."""
    if not _has_lasting(shape):
        return encoder_of(shape)
    if shape.items is None:
        return attrgetter("json") if issubclass(shape.type, LastingView) else encode_view
    encoder = _encoder_of_field(shape.items) or encode_view
    return lambda views: encode_list(map(encoder, views))


def _has_lasting(shape: Shape) -> bool:
    """Return whether values of a shape are views, or lists of views, with lasting ones in them."""
    if shape.items is not None:
        return shape.type is list and _has_lasting(shape.items)
    if not issubclass(shape.type, DeclaredView) or issubclass(shape.type, LastingView):
        return issubclass(shape.type, LastingView)
    return any(_has_lasting(field.shape) for field in declared_fields(shape.type))
