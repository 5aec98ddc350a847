"""A log from outside that is to become a session: validated, and sealed for the store."""

import json
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import NamedTuple

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.log.face_down import add_salt
from scorekeeper.log.reading import LogFile, RawEvent, collect_events
from scorekeeper.log.writing import as_json, sealed_lines
from scorekeeper.report.masking import face_down_seqs
from scorekeeper.session.session import Session

IncomingEvent = tuple[str, JsonObject]  # its type and its data


class IncomingLog(NamedTuple):
    """The ids of the players, and the sealed log."""

    players: tuple[str, ...]
    sealed: bytes

    def __bytes__(self) -> bytes:
        return as_json(self.players) + b"\n" + self.sealed

    @classmethod
    def parse(cls, written: bytes) -> "IncomingLog":
        """Return the log from the bytes that ``bytes()`` wrote."""
        players, _, sealed = written.partition(b"\n")
        return cls(tuple(json.loads(players)), sealed)


def seal_incoming(log: bytes, largest: int, at: str) -> IncomingLog:
    """Return a log that can become a session; a sealed log keeps its bytes, one by hand is sealed.

    Raises `UnusableError` with the line if the log could never have been recorded. If a sealed log
    is damaged before that line, the store reports the damage.
    """
    file, events = LogFile(BytesIO(log), largest), list[RawEvent]()
    session = Session()
    try:
        session.add_lines(collect_events(file, events))
    except UnusableError:
        if not file.damage:
            raise
    events_of_log = [(raw.type, raw.data) for raw in events]
    sealed = log if file.sealed else b"".join(sealed_lines(add_salts(session, events_of_log), at))
    return IncomingLog(tuple(session.structure.players), sealed)


def add_salts(session: Session, events: Iterable[IncomingEvent]) -> Iterator[IncomingEvent]:
    """Yield the events of a session; those that lie face down at its end get a salt."""
    hidden = face_down_seqs(session)
    for seq, (kind, data) in enumerate(events, start=1):
        yield kind, add_salt(kind, data) if seq in hidden else data
