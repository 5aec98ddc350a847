"""Requests to append to a stream of any kind, and their results, as plain values."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from scorekeeper.base.json_object import JsonObject
from scorekeeper.store import Answer

S = TypeVar("S")
T = TypeVar("T")

# A function of the state of a stream that is called under its lock. It must be quick, and must not
# use that stream by another way.
UnderLock = Callable[[S], T]


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
