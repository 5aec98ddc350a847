"""What tests ask of a store."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from scorekeeper.store import Store
from scorekeeper.store.contract import Answer, Appended, New, Opened, Request, Wish

OPENING: list[New] = [
    ("session_opened", {"players": [{"id": "mara", "name": "Zoë"}], "title": "Friday"})
]
KEYS = (Wish("host"), Wish("view"), Wish("seat", "mara"))


def note(text: object = "a note") -> New:
    """An event that can come at any time."""
    return "note_added", {"text": str(text)}


def opened(store: Store) -> Opened:
    """A new session."""
    return store.open_session(OPENING, "keeper", KEYS)


def answer(told: Appended) -> Answer:
    """What a service would answer, more or less."""
    events = b",".join(told.lines)
    return Answer(201, b'{"version":%d,"events":[%s]}' % (told.version, events))


def request(key: str, body: bytes = b"a body") -> Request:
    """An append under an idempotency key."""
    return Request(key, sha256(body).digest(), answer)


class Clock:
    """A clock that shows what it is told to, and can go back."""

    def __init__(self, at: str = "2026-11-21T20:00:00.000Z") -> None:
        self.moment = datetime.fromisoformat(at)

    def __call__(self) -> str:
        moment = self.moment.astimezone(UTC)
        return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"

    def go(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


def whole(store: Store) -> Iterator[str]:
    """What is wrong with any stream."""
    for checked in store.verify_all():
        if not checked.verdict.ok:
            yield f"{checked.session}: {checked.verdict.reason}"
