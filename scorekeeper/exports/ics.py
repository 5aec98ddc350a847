"""The evening as an entry of a calendar (RFC 5545)."""

import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from scorekeeper.exports.evening import Evening, Played

LONGEST: Final = 75  # octets of a line
PRODUCT: Final = "-//Scorekeeper//An evening//EN"


def calendar(evening: Evening) -> bytes:
    """A calendar with one event: the evening, from its first entry to its last."""
    lines = (
        "BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{PRODUCT}", "METHOD:PUBLISH", "BEGIN:VEVENT",
        *(f"{name}:{value}" for name, value in _members(evening)),
        "END:VEVENT", "END:VCALENDAR",
    )  # fmt: skip
    return b"".join(folded(line) for line in lines)


def _members(evening: Evening) -> Iterator[tuple[str, Any]]:
    yield "UID", f"{evening.first}@scorekeeper"
    yield "DTSTAMP", _time(evening.ended)
    yield "SEQUENCE", evening.position.version
    yield "DTSTART", _time(evening.began)
    if _time(evening.ended) > _time(evening.began):  # an end must come after its beginning
        yield "DTEND", _time(evening.ended)
    yield "SUMMARY", escaped(evening.about["title"])
    if evening.about["place"]:
        yield "LOCATION", escaped(evening.about["place"])
    yield "DESCRIPTION", escaped("\n".join(_description(evening)))
    yield "STATUS", "CONFIRMED" if evening.about["closed"] else "TENTATIVE"
    yield "TRANSP", "OPAQUE"


def _description(evening: Evening) -> Iterator[str]:
    yield ", ".join(evening.players)
    yield from map(_result, evening.matches)


def _result(match: Played) -> str:
    sheet = match.sheet
    totals = ", ".join(f"{sheet.columns[side]} {total}" for side, total in sheet.totals.items())
    return f"{match.game}, {match.outcome}: {totals}"


def _time(moment: datetime) -> str:
    return f"{moment:%Y%m%dT%H%M%SZ}"


def escaped(text: str) -> str:
    r"""A text as a value.

    >>> print(escaped("a;b,c\\d\ne"))
    a\;b\,c\\d\ne
    """
    escapes = re.sub(r"([\\;,])", r"\\\1", text).replace("\r\n", "\n").replace("\n", r"\n")
    return "".join(char for char in escapes if unicodedata.category(char) != "Cc")


def folded(line: str) -> bytes:
    r"""A line as it is sent: broken into pieces of at most 75 octets, between characters.

    >>> folded("x" * 80)[73:]
    b'xx\r\n xxxxx\r\n'
    """
    pieces, piece = [], b""
    for char in line:
        octets = char.encode("utf-8")
        if len(piece) + len(octets) > LONGEST:
            pieces.append(piece)
            piece = b" "
        piece += octets
    return b"".join(one + b"\r\n" for one in (*pieces, piece))
