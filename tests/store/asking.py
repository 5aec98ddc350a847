"""Requests to a store that many tests make."""

import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count

from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.store import (
    Answer,
    KeyRequest,
    New,
    Opened,
    Position,
    Repeated,
    Request,
    Store,
    sealed,
)

OPENING: list[New] = [
    ("session_opened", {"players": [{"id": "mara", "name": "Zoë"}], "title": "Friday"})
]
_ANSWERS = count()
KEYS = (KeyRequest("host"), KeyRequest("view"), KeyRequest("seat", "mara"))


def note(text: object = "a note") -> New:
    """Return a new note, an event that can be recorded at any time."""
    return "note_added", {"text": str(text)}


def opened(store: Store) -> Opened:
    """Open a new session."""
    return store.open_session(OPENING, "keeper", KEYS)


def append(
    store: Store,
    session_id: str,
    expected: int,
    events: Iterable[New],
    by: str,
    request: Request | None = None,
) -> Position | Repeated:
    """Append as a client that knows version ``expected``; return the new end of the session."""
    after = Position(expected, store.hash_at(session_id, expected) or "0" * 64)
    lines = sealed(after, events, store.clock(), by)
    before = store.append(session_id, after, lines, request)
    return before or Position(lines[-1].seq, lines[-1].hash)


def request(key: str, body: bytes = b"a body") -> Request:
    """Return a request with an idempotency key and an answer that no other request has."""
    return Request(key, sha256(body).digest(), Answer(201, b"answer %d" % next(_ANSWERS)))


def insist(store: Store, session_id: str, number: int, tries: list[str]) -> Position | Repeated:
    """Append under one idempotency key until the store answers."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            version = store.position(session_id).version
            return append(
                store, session_id, version, [note(number)], "keeper", request(f"n {number}")
            )
        except StorageUnavailableError as error:
            tries.append(str(error))
            time.sleep(0.01)
    raise AssertionError("the database does not come back")


class Clock:
    """A clock that tests set, forwards and backwards."""

    def __init__(self, at: str = "2026-11-21T20:00:00.000Z") -> None:
        self.moment = datetime.fromisoformat(at)

    def __call__(self) -> str:
        moment = self.moment.astimezone(UTC)
        return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"

    def go(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


def whole(store: Store) -> Iterator[str]:
    """Yield the problems of all streams; none if all are whole."""
    for checked in store.verify_all():
        if not checked.verdict.ok:
            yield f"{checked.session_id}: {checked.verdict.reason}"
