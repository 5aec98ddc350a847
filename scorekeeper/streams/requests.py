"""Requests to append to a stream of any kind, and their results, as plain values."""

from dataclasses import dataclass
from typing import NamedTuple

from scorekeeper.base.json_object import JsonObject
from scorekeeper.store import Answer


class NewEvent(NamedTuple):
    """An event to be recorded. Its texts are in NFC; nothing else is checked yet."""

    type: str
    data: JsonObject


@dataclass(frozen=True, slots=True)
class StreamAppend:
    """A request to append events to a stream of any kind.

    ``expected`` is the version that the client knows, ``key`` its idempotency key or None, and
    ``digest`` the SHA-256 of the body.
    """

    expected: int
    events: tuple[NewEvent, ...] = ()
    key: str | None = None
    digest: bytes = b""


class Recorded(NamedTuple):
    """The answer to an append and to its repetitions, and the version after it."""

    version: int
    answer: Answer
