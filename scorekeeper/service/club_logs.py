"""Evenings that come into a club by their logs: old ones, or those of another service.

For whoever keeps the database: no key to the evenings is asked for.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from itertools import chain
from typing import Any, Final

from scorekeeper.base.errors import Cause, Unusable
from scorekeeper.clubs.events import EveningEntered, MemberJoined
from scorekeeper.clubs.who import who_is_who
from scorekeeper.log import canonical
from scorekeeper.log.reading import LogFile, RawEvent
from scorekeeper.service.clubs import Clubs
from scorekeeper.service.permissions import Holder
from scorekeeper.service.requests import AppendRequest, NewEvent
from scorekeeper.service.service import Service
from scorekeeper.session.session import Session
from scorekeeper.store import Opened, Role

HOST: Final = Holder("host")


@dataclass(frozen=True, slots=True)
class EnteredLog:
    """An evening that counts for a club from now on.

    ``opened`` is its session with the keys, None where it was in the database before. ``joined``
    are who became members for it, name by id.
    """

    session: str
    opened: Opened | None
    joined: Mapping[str, str]


class ClubLogs:
    """Enters the evenings of logs in one club."""

    def __init__(self, service: Service, clubs: Clubs, club_id: str) -> None:
        self.club_id = club_id
        self._service = service
        self._clubs = clubs
        self._begun: dict[str, list[str]] = defaultdict(list)  # sessions, by their first hash
        self._told: dict[str, str] | None = None  # by all that their events say
        for one in service.store.sessions():
            self._note(one.id, canonical.decode(one.opening)["hash"])

    def enter(self, log: bytes, largest: int) -> EnteredLog:
        """Enter the evening of a log, which becomes a session unless it is one already.

        Unusable, with nothing changed, where the log or the evening cannot be used.
        """
        events = list(LogFile(BytesIO(log), largest))
        names = Session.read(BytesIO(log), largest).structure.players
        known = self._session_of(events)
        if known is not None and self._clubs.has_entered(self.club_id, known):
            words = f"the evening {known} is entered already"
            raise Unusable(Cause(words, "entered_before"))
        who = self._clubs.see(self.club_id, lambda books: who_is_who(books, names))
        opened = None if known else self._service.bring_in(log, largest)
        session = opened.id if opened else str(known)
        if opened is not None:
            self._note(session, self._service.store.hash_at(session, 1) or "")
            if self._told is not None:
                self._told[digest(events)] = session
        self._record(session, who.players, who.joining)
        return EnteredLog(session, opened, who.joining)

    def _note(self, session: str, first: str) -> None:
        self._begun[first].append(session)

    def _record(self, session: str, players: Mapping[str, str], joining: Mapping[str, str]) -> None:
        events = [NewEvent(MemberJoined.TYPE, {"id": id_, "name": name})
                  for id_, name in joining.items()]  # fmt: skip
        events.append(NewEvent(EveningEntered.TYPE, {"session": session, "players": players}))
        asked = AppendRequest(self._clubs.store.position(self.club_id).version, tuple(events))
        self._clubs.record(self.club_id, asked, HOST, opens_all)

    def _session_of(self, events: list[RawEvent]) -> str | None:
        """The session that has all of a log; Unusable where the club has a part of it."""
        if not events[-1].hash:
            return self._by_hand().get(digest(events))
        store = self._service.store
        for session in self._begun.get(events[0].hash, ()):
            if store.hash_at(session, len(events)) == events[-1].hash:
                return session
            end = store.position(session)
            part = end.version < len(events) and events[end.version - 1].hash == end.head
            if part and self._clubs.has_entered(self.club_id, session):
                title = self._clubs.evening(session).title
                words = f"it is more of the evening {title} ({session}), which is entered already"
                raise Unusable(Cause(words, "same_evening", title=title))
        return None

    def _by_hand(self) -> dict[str, str]:
        """The sessions by all that they say: a log by hand has no hashes to be known by."""
        if self._told is None:
            self._told = {}
            for one in chain.from_iterable(self._begun.values()):
                log = self._service.store.export(one)
                self._told[digest(LogFile(BytesIO(log), None))] = one
        return self._told


def opens_all(session_id: str) -> Role:
    """Let every evening be entered."""
    return "host"


def digest(events: Iterable[RawEvent]) -> str:
    """The same text for logs that say the same, whenever it was recorded."""
    told: list[Any] = [[one.type, one.data] for one in events]
    return sha256(canonical.encode({"events": told})).hexdigest()
