"""Import of logs into a club: old evenings, or those of another service.

Only the operator of the database uses this; it needs no key to the evenings.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from typing import Any, Final

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.clubs.events import EveningEntered, MemberJoined
from scorekeeper.clubs.identities import PlayerIdentities, identify_players
from scorekeeper.log import canonical
from scorekeeper.log.reading import LogFile, RawEvent
from scorekeeper.service.club_rights import ShownKey
from scorekeeper.service.club_twins import CountedTwin, digest, twin_of
from scorekeeper.service.clubs import Clubs
from scorekeeper.service.service import Service
from scorekeeper.session.session import Session
from scorekeeper.store import Opened
from scorekeeper.streams.holder import Holder
from scorekeeper.streams.requests import NewEvent, StreamAppend

HOST: Final = Holder("host")


@dataclass(frozen=True, slots=True)
class EnteredLog:
    """An evening that was entered in a club from its log.

    ``opened`` is its new session with the keys, or None if the database had it already. ``joined``
    are the new members, from id to name.
    """

    session_id: str
    opened: Opened | None
    joined: Mapping[str, str]


class ClubLogs:
    """Enters the evenings of logs in one club, as its host.

    It knows all sessions of the store by the hash of their first event.
    """

    def __init__(self, service: Service, clubs: Clubs, club_id: str) -> None:
        self.club_id = club_id
        self._service = service
        self._clubs = clubs
        self._begun: dict[str, list[str]] = defaultdict(list)  # sessions, by their first hash
        self._session_by_digest: dict[str, str] | None = None
        for session in service.store.sessions():
            self._remember_session(session.id, canonical.decode(session.opening)["hash"])

    def enter(self, log: bytes, largest: int) -> EnteredLog:
        """Enter the evening of a log, which becomes a session unless the store has it.

        ``largest`` is the most bytes of a log. Raises `UnusableError` and changes nothing if the
        log or the evening cannot be used.
        """
        events = list(LogFile(BytesIO(log), largest))
        names = Session.read(BytesIO(log), largest).structure.players
        store = self._service.store
        counted = self._clubs.see(self.club_id, lambda snapshot: tuple(snapshot.evenings.values()))
        twin = twin_of(events, counted, self._clubs.known_logs)
        if twin is not None:
            raise _make_twin_error(twin, more=len(events) > twin.events)
        known = self._session_of(events)
        who = self._clubs.see(self.club_id, lambda snapshot: identify_players(snapshot, names))
        opened = None if known else self._service.import_log(log, largest)
        session_id = opened.id if opened else str(known)
        if opened is not None:
            self._remember_session(session_id, store.hash_at(session_id, 1) or "")
            if self._session_by_digest is not None:
                self._session_by_digest[digest(events)] = session_id
        asked = StreamAppend(
            store.position(self.club_id).version, build_entering_events(session_id, who)
        )
        self._clubs.record(self.club_id, asked, HOST, opens_all)
        return EnteredLog(session_id, opened, who.new_members)

    def _remember_session(self, session_id: str, first: str) -> None:
        """Store that a session begins with an event of this hash."""
        self._begun[first].append(session_id)

    def _session_of(self, events: list[RawEvent]) -> str | None:
        """Return the id of a session that contains all of a log; None if there is none."""
        if not events[-1].hash:
            return self._sessions_by_digest().get(digest(events))
        begun, store = self._begun.get(events[0].hash, ()), self._service.store
        return next((id_ for id_ in begun
                     if store.hash_at(id_, len(events)) == events[-1].hash), None)  # fmt: skip

    def _sessions_by_digest(self) -> dict[str, str]:
        """Return session ids by the digest of their events, computed at the first call.

        Logs by hand have no hashes.
        """
        if self._session_by_digest is None:
            self._session_by_digest = {}
            for session_id in chain.from_iterable(self._begun.values()):
                log = self._service.store.export(session_id)
                self._session_by_digest[digest(LogFile(BytesIO(log), None))] = session_id
        return self._session_by_digest


def opens_all(session_id: str) -> ShownKey:
    """Return a host's key: a `KeyOf` for the operator, who may enter every evening."""
    return ShownKey("host")


def build_entering_events(session_id: str, who: PlayerIdentities) -> tuple[NewEvent, ...]:
    """Return the events that enter an evening: new members and guests first, then the evening."""
    joining: list[dict[str, Any]] = [
        *({"id": id_, "name": name} for id_, name in who.new_members.items()),
        *({"id": id_, "name": name, "guest": True} for id_, name in who.new_guests.items()),
    ]
    data = {"session": session_id, "players": who.players}
    return (
        *(NewEvent(MemberJoined.TYPE, joined) for joined in joining),
        NewEvent(EveningEntered.TYPE, data),
    )


def _make_twin_error(twin: CountedTwin, *, more: bool) -> UnusableError:
    """Return the error for a log of a counted evening, or with ``more`` events than that."""
    if twin.forked:
        return UnusableError(twin.refusal.reason)
    if not more:
        return UnusableError(
            Cause(f"the evening {twin.session_id} is entered already", "entered_before")
        )
    words = f"it is more of the evening {twin.title} ({twin.session_id}), which is entered already"
    return UnusableError(Cause(words, "same_evening", title=twin.title))
