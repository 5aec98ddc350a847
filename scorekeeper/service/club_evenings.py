"""The evenings that a club can enter: what is asked of each before it is entered."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from scorekeeper.base import pacing
from scorekeeper.base.errors import Cause, UnknownSessionError, UnusableError
from scorekeeper.clubs.club import TYPES
from scorekeeper.log import codec
from scorekeeper.report.span import find_start
from scorekeeper.service.club_rights import KeyOf, entered_by
from scorekeeper.service.requests import AppendRequest
from scorekeeper.service.service import Service
from scorekeeper.service.shared import Shared
from scorekeeper.session.session import Session
from scorekeeper.store import Position
from scorekeeper.store.keyring import is_club

MOST_LOOKED_UP: Final = 1_000  # evenings that are remembered as they can be entered
LONGEST_LOOK_UP: Final = 4.0  # seconds of one request; what is found by then is kept


@dataclass(frozen=True, slots=True)
class EveningToEnter:
    """An evening that can be entered: its title, what its players are called, when it began.

    ``began`` is as a log writes it, empty where no time is known.
    """

    title: str
    players: Mapping[str, str]
    began: str


class EveningsToEnter:
    """Finds evenings, each read once for each place where it ended."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._known = Shared(MOST_LOOKED_UP, MOST_LOOKED_UP, lambda _: 1)

    def find(self, session_id: str, until: Position | None = None) -> EveningToEnter:
        """Return an evening as it is to be entered.

        With ``until`` it is as it was when it ended there. Raises `UnusableError` if there is none.
        """
        with suppress(UnknownSessionError):
            if not is_club(session_id) and (until is None or until.version):
                key = session_id, until or self._service.store.position(session_id)
                known: EveningToEnter | None = self._known.get(key)
                if known is None:
                    known = self._service.aside(session_id, _evening, until)
                    self._known.put(key, known)
                return known
        words = "there is no such evening here"
        raise UnusableError(Cause(words, "no_such_evening"), field="data.session")

    def look_up(self, asked: AppendRequest, shown: KeyOf) -> None:
        """Read the evenings that a request enters, before it keeps others from the club.

        Only those to which a key came with it. What is wrong with an event is found later.
        """
        entering = set[str]()
        for new in asked.events:
            with suppress(UnusableError):
                event = codec.decode(new.type, new.data, TYPES)
                entering.update(one.session for one in entered_by(event))
        with self._service.limits.paced(), pacing.at_most(LONGEST_LOOK_UP):
            for session_id in entering:
                if shown(session_id) is not None:
                    pacing.step(pacing.STEPS_PER_LOOK)
                    with suppress(UnusableError):
                        self.find(session_id)


def _evening(session: Session) -> EveningToEnter:
    record = session.structure
    title = record.opened.title if record.opened else ""
    return EveningToEnter(title, dict(record.players), find_start(session) or "")
