"""Whether a log tells of an evening that a club has already, sealed or written by hand."""

from collections.abc import Iterator
from typing import Any

from scorekeeper.base.errors import Unusable
from scorekeeper.clubs.books import Books
from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.http.extensions import clubs
from scorekeeper.log import canonical

Line = dict[str, Any]


def twin_of(log: bytes, books: Books) -> str:
    """The title of the evening, of those that count, of which a log tells; empty for none."""
    lines = list(_lines(log))
    same = _same_by_hash if lines and "hash" in lines[0] else _same_by_hand
    found = (one.title for one in books.evenings.values() if lines and same(lines, one))
    return next(found, "")


def _lines(log: bytes) -> Iterator[Line]:
    """The events of a log, as far as they can be read."""
    for line in log.splitlines():
        try:
            event = canonical.decode(line) if line.strip() else None
        except (Unusable, ValueError):
            return
        if isinstance(event, dict):
            yield event


def _same_by_hash(lines: list[Line], one: PlayedEvening) -> bool:
    """Whether the shorter of two sealed logs is the beginning of the other."""
    if lines[0]["hash"] != one.first:
        return False
    many = min(len(lines), one.events)
    return clubs().store.hash_at(one.session, many) == lines[many - 1].get("hash")


def _same_by_hand(lines: list[Line], one: PlayedEvening) -> bool:
    """Whether an evening has these events and no others; by hand they have no times."""
    opening = lines[0].get("data")
    if not isinstance(opening, dict) or opening.get("title") != one.title:
        return False
    if len(lines) != one.events:
        return False
    stored = (canonical.decode(line) for line in clubs().store.read(one.session).lines)
    told = ("type", "data")
    return all(
        [mine.get(name) for name in told] == [theirs[name] for name in told]
        for mine, theirs in zip(lines, stored, strict=True)
    )
