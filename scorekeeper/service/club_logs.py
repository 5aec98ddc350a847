"""Evenings that come into a club by their logs: old ones, or those of another service.

For whoever keeps the database: no key to the evenings is asked for.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from typing import Final

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.clubs.events import EveningEntered, MemberJoined
from scorekeeper.clubs.identities import PlayerIdentities, identify_players
from scorekeeper.log import canonical
from scorekeeper.log.reading import LogFile, RawEvent
from scorekeeper.service.club_rights import ShownKey
from scorekeeper.service.club_twins import CountedTwin, digest, twin_of
from scorekeeper.service.clubs import Clubs
from scorekeeper.service.permissions import Holder
from scorekeeper.service.requests import AppendRequest, NewEvent
from scorekeeper.service.service import Service
from scorekeeper.session.session import Session
from scorekeeper.store import Opened

HOST: Final = Holder("host")


@dataclass(frozen=True, slots=True)
class EnteredLog:
    """An evening that counts for a club from now on.

    ``opened`` is its session with the keys, None where it was in the database before. ``joined``
    are who became members for it, name by id.
    """

    session_id: str
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

        UnusableError, with nothing changed, where the log or the evening cannot be used.
        """
        events = list(LogFile(BytesIO(log), largest))
        names = Session.read(BytesIO(log), largest).structure.players
        store = self._service.store
        counted = self._clubs.see(self.club_id, lambda snapshot: tuple(snapshot.evenings.values()))
        twin = twin_of(events, counted, self._clubs.known_logs)
        if twin is not None:
            raise _counts(twin, more=len(events) > twin.events)
        known = self._session_of(events)
        who = self._clubs.see(self.club_id, lambda snapshot: identify_players(snapshot, names))
        opened = None if known else self._service.bring_in(log, largest)
        session_id = opened.id if opened else str(known)
        if opened is not None:
            self._note(session_id, store.hash_at(session_id, 1) or "")
            if self._told is not None:
                self._told[digest(events)] = session_id
        asked = AppendRequest(store.position(self.club_id).version, entering(session_id, who))
        self._clubs.record(self.club_id, asked, HOST, opens_all)
        return EnteredLog(session_id, opened, who.new_members)

    def _note(self, session_id: str, first: str) -> None:
        self._begun[first].append(session_id)

    def _session_of(self, events: list[RawEvent]) -> str | None:
        """The session that has all of a log; None for none."""
        if not events[-1].hash:
            return self._by_hand().get(digest(events))
        begun, store = self._begun.get(events[0].hash, ()), self._service.store
        return next((one for one in begun
                     if store.hash_at(one, len(events)) == events[-1].hash), None)  # fmt: skip

    def _by_hand(self) -> dict[str, str]:
        """The sessions by all that they say: a log by hand has no hashes to be known by."""
        if self._told is None:
            self._told = {}
            for one in chain.from_iterable(self._begun.values()):
                log = self._service.store.export(one)
                self._told[digest(LogFile(BytesIO(log), None))] = one
        return self._told


def opens_all(session_id: str) -> ShownKey:
    """Let every evening be entered."""
    return ShownKey("host")


def entering(session_id: str, who: PlayerIdentities) -> tuple[NewEvent, ...]:
    """What enters an evening: first those who join."""
    joining = (NewEvent(MemberJoined.TYPE, {"id": id_, "name": name})
               for id_, name in who.new_members.items())  # fmt: skip
    said = {"session": session_id, "players": who.players}
    return (*joining, NewEvent(EveningEntered.TYPE, said))


def _counts(twin: CountedTwin, *, more: bool) -> UnusableError:
    """Why a log is refused that tells of an evening which counts, or of more of it."""
    if twin.forked:
        return UnusableError(twin.refusal.reason)
    if not more:
        return UnusableError(
            Cause(f"the evening {twin.session_id} is entered already", "entered_before")
        )
    words = f"it is more of the evening {twin.title} ({twin.session_id}), which is entered already"
    return UnusableError(Cause(words, "same_evening", title=twin.title))
