"""What a client asks of the service, and what it is told: plain values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scorekeeper.session.session import Session
from scorekeeper.store import Answer, Position


class NewEvent(NamedTuple):
    """An event to be recorded, its texts in NFC; nothing else of it has been looked at."""

    type: str
    data: Mapping[str, Any]


Meant = Callable[[Session], tuple[NewEvent, ...]]


@dataclass(frozen=True, slots=True)
class AppendRequest:
    """An append as it was asked for.

    ``expected`` is the version that the client knows. ``key`` is the idempotency key, None
    where there is none, and ``digest`` the SHA-256 of the body. Where the events depend on how
    the session stands at that version, they are what ``meant`` makes of it. Where the session is
    at a later version, they are recorded all the same if ``follows`` says so of it.
    """

    expected: int
    events: tuple[NewEvent, ...] = ()
    as_played: bool = False
    key: str | None = None
    digest: bytes = b""
    meant: Meant | None = None
    follows: Callable[[Session], bool] | None = None


class Report(NamedTuple):
    """The report of a session in JSON, and the version and head that it is of."""

    position: Position
    json: bytes


class Prompts(NamedTuple):
    """What can be recorded next, the likeliest first, and when that is so."""

    position: Position
    prompts: list[dict[str, Any]]


class Recorded(NamedTuple):
    """What an append is answered, now and whenever it comes again, and the version it made."""

    version: int
    answer: Answer
