"""The evenings that a club can enter, read before the club is locked."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from scorekeeper.base import pacing
from scorekeeper.base.errors import Cause, UnknownSessionError, UnusableError
from scorekeeper.clubs.club import TYPES
from scorekeeper.clubs.events import EveningEntered
from scorekeeper.log import codec
from scorekeeper.report.span import DayOfPlay, find_day
from scorekeeper.service.club_rights import KeyOf, entered_by
from scorekeeper.service.service import Service
from scorekeeper.service.shared import SharedCache
from scorekeeper.session.session import Session
from scorekeeper.store import Position
from scorekeeper.store.keyring import is_session
from scorekeeper.streams.requests import StreamAppend

MAX_CACHED_EVENINGS: Final = 1_000
MAX_LOOK_UP_SECONDS: Final = 4.0  # of one request; evenings read by then stay cached


@dataclass(frozen=True, slots=True)
class EveningToEnter:
    """An evening that can be entered: its title, the names of its players, and its day."""

    title: str
    players: Mapping[str, str]
    day: DayOfPlay


class EveningsToEnter:
    """Reads evenings that clubs can enter; each is cached by its end."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._known = SharedCache(MAX_CACHED_EVENINGS, MAX_CACHED_EVENINGS, lambda _: 1)

    def find(self, session_id: str, until: Position | None = None) -> EveningToEnter:
        """Return an evening, as of the position ``until`` or as it is now.

        Raises `UnusableError` if there is no such evening.
        """
        with suppress(UnknownSessionError):
            if is_session(session_id) and (until is None or until.version):
                key = session_id, until or self._service.store.position(session_id)
                known: EveningToEnter | None = self._known.get(key)
                if known is None:
                    known = self._service.read_uncached(session_id, _evening, until)
                    self._known.put(key, known)
                return known
        words = "there is no such evening here"
        raise UnusableError(Cause(words, "no_such_evening"), field="data.session")

    def look_up(self, asked: StreamAppend, shown: KeyOf) -> None:
        """Read the evenings that a request enters into the cache, before it locks the club.

        ``shown`` returns the client's key to an evening; evenings without a key are not read.
        Errors of events are reported later.
        """
        entering = set[str]()
        for new in asked.events:
            with suppress(UnusableError):
                event = codec.decode(new.type, new.data, TYPES)
                entering.update(
                    entered.session
                    for entered in entered_by(event)
                    if isinstance(entered, EveningEntered)
                )
        with self._service.limits.paced(), pacing.at_most(MAX_LOOK_UP_SECONDS):
            for session_id in entering:
                if shown(session_id) is not None:
                    pacing.step(pacing.STEPS_PER_LOOK)
                    with suppress(UnusableError):
                        self.find(session_id)


def _evening(session: Session) -> EveningToEnter:
    """Return the title, players and day of a session."""
    record = session.structure
    title = record.opened.title if record.opened else ""
    return EveningToEnter(title, dict(record.players), find_day(session))
