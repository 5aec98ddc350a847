"""Whether a log tells of an evening that a club has already, sealed or written by hand."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from io import BytesIO
from typing import Any

from scorekeeper.clubs.books import Books
from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.log import canonical
from scorekeeper.log.reading import LogFile, RawEvent
from scorekeeper.store import Store


def twin_of(log: Sequence[RawEvent], books: Books, store: Store) -> PlayedEvening | None:
    """The evening, of those that count, of which a log tells; None for none."""
    same = _same_by_hash if log and log[0].hash else _same_by_hand
    return next((one for one in books.evenings.values() if log and same(log, one, store)), None)


def _same_by_hash(log: Sequence[RawEvent], one: PlayedEvening, store: Store) -> bool:
    """Whether the shorter of two sealed logs is the beginning of the other."""
    if log[0].hash != one.first:
        return False
    many = min(len(log), one.events)
    return store.hash_at(one.session_id, many) == log[many - 1].hash


def _same_by_hand(log: Sequence[RawEvent], one: PlayedEvening, store: Store) -> bool:
    """Whether an evening has these events and no others; by hand they have no hashes."""
    if (len(log), log[0].data.get("title")) != (one.events, one.title):
        return False
    return digest(log) == digest(LogFile(BytesIO(store.export(one.session_id)), None))


def digest(log: Iterable[RawEvent]) -> str:
    """The same text for logs that say the same, whenever it was recorded."""
    told: list[Any] = [[one.type, one.data] for one in log]
    return sha256(canonical.encode({"events": told})).hexdigest()
