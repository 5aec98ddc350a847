"""The requests about sessions and their results, as plain values."""

from dataclasses import dataclass
from typing import NamedTuple

from scorekeeper.report.prompt_views import PromptView
from scorekeeper.session.session import Session
from scorekeeper.store import Position
from scorekeeper.streams.requests import NewEvent, StreamAppend, UnderLock


@dataclass(frozen=True, slots=True)
class AppendRequest(StreamAppend):
    """A request to append events to a session.

    If the events depend on the state of the session, ``build_events`` returns them for the state at
    the version that the client knows. If the session is at a later version, they are recorded only
    if ``follows`` returns true for the session.
    """

    as_played: bool = False
    build_events: UnderLock[Session, tuple[NewEvent, ...]] | None = None
    follows: UnderLock[Session, bool] | None = None


class Report(NamedTuple):
    """The report of a session in JSON, with the position that it describes."""

    position: Position
    json: bytes


class Prompts(NamedTuple):
    """The events that can be recorded next, the likeliest first, at a position."""

    position: Position
    prompts: list[PromptView]
