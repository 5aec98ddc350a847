"""The requests to the service and its results, as plain values."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from scorekeeper.base.json_object import JsonObject
from scorekeeper.report.prompt_views import PromptView
from scorekeeper.session.session import Session
from scorekeeper.store import Answer, Position


class NewEvent(NamedTuple):
    """An event to be recorded. Its texts are in NFC; nothing else is checked yet."""

    type: str
    data: JsonObject


BuildEvents = Callable[[Session], tuple[NewEvent, ...]]


@dataclass(frozen=True, slots=True)
class AppendRequest:
    """A request to append events.

    ``expected`` is the version that the client knows, ``key`` its idempotency key or None, and
    ``digest`` the SHA-256 of the body. If the events depend on the state of the session,
    ``build_events`` returns them for the state at that version. If the session is at a later
    version, they are recorded only if ``follows`` returns true for the session.
    """

    expected: int
    events: tuple[NewEvent, ...] = ()
    as_played: bool = False
    key: str | None = None
    digest: bytes = b""
    build_events: BuildEvents | None = None
    follows: Callable[[Session], bool] | None = None


class Report(NamedTuple):
    """The report of a session in JSON, with the position that it describes."""

    position: Position
    json: bytes


class Prompts(NamedTuple):
    """The events that can be recorded next, the likeliest first, at a position."""

    position: Position
    prompts: list[PromptView]


class Recorded(NamedTuple):
    """The answer to an append and to its repetitions, and the version after it."""

    version: int
    answer: Answer
