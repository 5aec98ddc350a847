"""Writing of sealed logs, and of values as JSON."""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import groupby

from scorekeeper.base.json_object import JsonObject
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
