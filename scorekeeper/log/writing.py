"""Writing sealed logs, and what is told of them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from scorekeeper.log.chain import START, seal

# In the order in which the report has its members: sides stand in that of the seats.
as_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode


def now() -> str:
    """The time as a log writes it: UTC, with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def sealed_lines(
    events: Iterable[tuple[str, Mapping[str, Any]]], at: str, by: str = "import"
) -> Iterator[bytes]:
    """The lines of a sealed log, each with its line feed, of events given as type and data."""
    previous = START
    for seq, (kind, data) in enumerate(events, start=1):
        sealed = seal(previous, seq, kind, data, at, by)
        previous = sealed.hash
        yield sealed.line + b"\n"


def as_json(value: Any) -> bytes:
    """A plain value as JSON."""
    return as_text(value).encode("utf-8")


class Json(str):
    """A value as JSON, which need not be written again."""

    __slots__ = ()


def json_object(members: Mapping[str, Any]) -> Json:
    """An object of plain values, and of such as are written already."""
    parts: list[str] = []
    for written, some in groupby(members.items(), key=lambda member: type(member[1]) is Json):
        if written:
            parts += [f"{as_text(name)}:{value}" for name, value in some]
        else:
            parts.append(as_text(dict(some))[1:-1])
    return Json("{" + ",".join(parts) + "}")


def json_list(items: Iterable[Json]) -> Json:
    """A list of what is written already."""
    return Json("[" + ",".join(items) + "]")
