"""The service of sessions: every use case, on one store."""

from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from math import inf
from typing import Final, TypeVar

from scorekeeper.base.errors import (
    BusyError,
    NotInstalledError,
    UnusableError,
)
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.language import ENGLISH, speaking
from scorekeeper.base.pacing import WaitLimits
from scorekeeper.base.views import to_json_values
from scorekeeper.events.common import SessionOpened
from scorekeeper.events.corrections import CORRECTING
from scorekeeper.events.event import Entry
from scorekeeper.games import GAMES
from scorekeeper.log import codec
from scorekeeper.log.face_down import KEEPER, find_salted, mask_lines
from scorekeeper.log.writing import as_json, now
from scorekeeper.play.prompts import Level
from scorekeeper.report.incoming import IncomingLog, seal_incoming
from scorekeeper.report.next_events import list_prompts
from scorekeeper.report.not_installed import report_without_game
from scorekeeper.report.report import view_report
from scorekeeper.service import responses
from scorekeeper.service.folded_session import MAX_EVENTS, FoldedSession, View
from scorekeeper.service.judge import Judge
from scorekeeper.service.name_twins import refuse_twins_in_opening
from scorekeeper.service.permissions import recorded_by, recorders
from scorekeeper.service.quorum import Quorum
from scorekeeper.service.recording import validate_and_seal
from scorekeeper.service.requests import AppendRequest, Prompts, Report
from scorekeeper.service.shared import SharedCache
from scorekeeper.service.visible_names import refuse_invisible
from scorekeeper.session.session import Session
from scorekeeper.store import (
    AppendEffects,
    Attempt,
    Clock,
    KeyRequest,
    Opened,
    Position,
    Store,
    Stream,
)
from scorekeeper.streams.holder import THE_TABLE, Holder
from scorekeeper.streams.keys import Keys
from scorekeeper.streams.requests import Recorded, UnderLock
from scorekeeper.streams.room import UNBOUNDED, LogCapacity
from scorekeeper.streams.stream_cache import StreamCache
from scorekeeper.streams.stream_service import (
    Notify,
    RateCheck,
    StreamService,
    Validated,
    allow_all,
    notify_none,
)

CORRECTING_TYPES: Final = {event.TYPE for event in CORRECTING}
REPORT: Final = "report"
CORRECTED: Final = "corrected"
QUORUM: Final = Quorum()

T = TypeVar("T")


class Service(StreamService[FoldedSession, AppendRequest]):
    """The use cases of sessions; see `StreamService` for the parameters."""

    def __init__(
        self,
        store: Store,
        notify: Notify = notify_none,
        clock: Clock = now,
        quorum: Quorum = QUORUM,
        admit: RateCheck = allow_all,
        room: LogCapacity = UNBOUNDED,
        shared: SharedCache | None = None,
        limits: WaitLimits | None = None,
    ) -> None:
        limits = limits or WaitLimits()
        cache = StreamCache(lambda id_: FoldedSession(id_, store, limits), MAX_EVENTS)
        super().__init__(store, cache, limits, notify, admit, room, clock)
        self._quorum = quorum
        self._shared = shared or SharedCache()
        self.keys = Keys(store)

    @property
    def quorum(self) -> Quorum:
        """The signatures that a correction of a hand needs."""
        return self._quorum

    # -------------------------------------------------------------------------------- opening

    def open(self, data: JsonObject, attempt: Attempt | None = None) -> Opened:
        """Open a session with the data of its first event, and make its initial keys.

        A repeated attempt opens no second session. Raises `UnusableError` with the field, or
        `KeyReusedError` if the attempt opened a session with other data.
        """
        session = Session()
        try:
            opening = codec.decode(SessionOpened.TYPE, data)
            session.add(Entry(1, opening, by=KEEPER))
            refuse_invisible(opening)
            refuse_twins_in_opening(opening, session.structure.players)
        except UnusableError as error:
            error.field = error.field.removeprefix("data.")
            raise
        events = [(SessionOpened.TYPE, data)]
        return self.store.open_session(
            events, KEEPER, initial_keys(session.structure.players), attempt
        )

    def import_log(self, log: bytes, largest: int) -> Opened:
        """Open a session with a log: a sealed one is stored byte for byte, one by hand is sealed.

        Raises `UnusableError` with the line if it is damaged or contains something impossible.
        """
        return self.create_from_log(seal_incoming(log, largest, self._clock()))

    def create_from_log(self, log: IncomingLog, attempt: Attempt | None = None) -> Opened:
        """Open a session with a validated log.

        A repeated attempt opens no second session. Raises `SessionFullError` if the log is too
        long, and `KeyReusedError` if the attempt opened a session with another log.
        """
        self._room.refuse(log.sealed.count(b"\n"), len(log.sealed), (SessionOpened.TYPE,))
        return self.store.import_sealed(BytesIO(log.sealed), initial_keys(log.players), attempt)

    # ------------------------------------------------------------------------------ recording

    def record(self, session_id: str, asked: AppendRequest, holder: Holder) -> Recorded:
        """Record events, all or none; the answer contains the new findings.

        A repeated request returns its first answer. Raises `UnknownSessionError`,
        `StaleVersionError`, `KeyReusedError`, `ForbiddenError`, `NoQuorumError`, `UnusableError`,
        `ConfirmedHandError` or `SessionFullError`; `IrregularError` if the events break a rule
        without ``as_played``; `MissingKeyError` if the holder's key was revoked meanwhile.
        """
        return self.record_and_see(session_id, asked, holder, lambda session: None)[0]

    def record_and_see(
        self,
        session_id: str,
        asked: AppendRequest,
        holder: Holder,
        make: UnderLock[Session, T],
    ) -> tuple[Recorded, T]:
        """Record events as `record` does; return also the result of ``make`` for the session.

        No other thread changes the session in between.
        """
        return self._record_under_lock(
            session_id, asked, holder,
            lambda folded: self._validate(folded, asked, holder),
            lambda folded: make(folded.view(sees_all=holder.sees_all).session),
        )  # fmt: skip

    def _recorded(self, folded: FoldedSession, version: int, holder: Holder) -> bool:
        """Return whether a holder recorded the event at a version."""
        return recorded_by(folded.view(sees_all=holder.sees_all).session, version, holder)

    def _may_follow(self, folded: FoldedSession, asked: AppendRequest, holder: Holder) -> bool:
        """Return whether an append for an earlier version may be recorded after all."""
        earlier = 0 < asked.expected < folded.position.version
        return (
            earlier
            and asked.follows is not None
            and asked.follows(folded.view(sees_all=holder.sees_all).session)
        )

    def _validate(self, folded: FoldedSession, asked: AppendRequest, holder: Holder) -> Validated:
        """Add the events to the cached session. Raises as `record`."""
        if asked.build_events is not None:
            known = folded.view(sees_all=holder.sees_all).session
            asked = replace(asked, events=asked.build_events(known))
        corrects = any(new.type in CORRECTING_TYPES for new in asked.events)
        judge = Judge(folded, sees_all=holder.sees_all, all_hands=corrects)
        self._admit(folded.id, holder, len(asked.events))
        lines, findings = validate_and_seal(
            folded, asked, holder, judge, self._clock(), self._quorum
        )
        types = [new.type for new in asked.events]
        self._room.refuse(lines[-1].seq, folded.size, types, folded.share_of(holder))
        session = folded.view(sees_all=holder.sees_all).session
        for match in session.structure.matches[-1:]:
            match.standing()  # a game with a fault has to fail before the events are on record
        answer = responses.append_answer(session, lines, findings)
        return Validated(lines, answer, AppendEffects(recorders(folded.session, lines, holder)))

    # -------------------------------------------------------------------------------- reading

    # A reader sees what its key allows; `THE_TABLE` sees what all players know.

    def report(self, session_id: str, holder: Holder = THE_TABLE) -> Report:
        """Return the report of a session; without an installed game it has no matches."""
        try:
            return Report(*self.see_shared(session_id, REPORT, report_json, holder))
        except NotInstalledError as error:
            stored = self.store.read(session_id)
            position = holder.until or Position(stored.version, stored.head)
            lines = stored.lines[: position.version]
            report = report_without_game(lines, position, error)
            return Report(position, as_json(to_json_values(report)))

    def position(self, session_id: str, holder: Holder = THE_TABLE) -> Position:
        """Return the last position that a holder may see. Raises `UnknownSessionError`."""
        return holder.until or self.store.position(session_id)

    def lines(self, session_id: str, end: Position) -> tuple[bytes, ...]:
        """Return the stored lines of a session up to a position that it had.

        Raises `UnknownSessionError`, and `BusyError` if a backup with another history was restored.
        """
        lines = self.store.read(session_id).lines[: end.version]
        if self.store.hash_at(session_id, end.version) != end.head:
            raise BusyError("a backup was restored meanwhile")
        return lines

    def prompts(
        self, session_id: str, level: Level | None = None, holder: Holder = THE_TABLE
    ) -> Prompts:
        """Return the events that can be recorded next, the likeliest first."""
        with self._read_view(session_id, holder) as (position, view):
            prompts = list_prompts(view.session, level)
            return Prompts(position, list(map(responses.view_prompt, prompts)))

    def see(self, session_id: str, make: UnderLock[Session, T], holder: Holder = THE_TABLE) -> T:
        """Return the result of ``make`` for the holder's view of the session, under its lock."""
        with self._read_view(session_id, holder) as (_, view):
            return make(view.session)

    def see_shared(
        self,
        session_id: str,
        what: Hashable,
        make: UnderLock[Session, bytes],
        holder: Holder = THE_TABLE,
    ) -> tuple[Position, bytes]:
        """Return the position of a session, and the bytes that ``make`` returns for it.

        The result is cached and shared by all clients. ``what`` names everything that it depends on
        beside the session as the holder sees it. Concurrent requests for the same result wait for
        the first one.
        """
        position = self.position(session_id, holder)
        shared = self._shared.get((session_id, position, holder.sees_all, what))
        if shared is None:
            with self._read_view(session_id, holder) as (position, view):
                key = session_id, position, holder.sees_all, what
                shared = self._shared.get(key)  # another thread may have made it meanwhile
                if shared is None:
                    shared = make(view.session)
                    self._shared.put(key, shared)
        return position, shared

    def read_uncached(
        self, session_id: str, make: UnderLock[Session, T], until: Position | None = None
    ) -> T:
        """Call ``make`` with a session as the table knows it, without the cache; return its result.

        So reading a thousand evenings delays no table that is being played. With ``until`` the
        session is read up to that position. A session that is cached anyway is not read again.
        """
        if until is None and self._cache.find(session_id) is not None:
            return self.see(session_id, make)
        folded = FoldedSession(session_id, self.store, self.limits)
        with self.limits.paced(), GAMES.failures_as_not_installed():
            if until is None:
                folded.refresh(longest=inf)  # no later request would continue it
            else:
                folded.read_until(until)
            return make(folded.view(sees_all=False).session)

    def events(
        self, session_id: str, after: int = 0, most: int | None = None, holder: Holder = THE_TABLE
    ) -> Stream:
        """Return lines after a seq, at most ``most``; those that lie face down are masked."""
        if holder.sees_all:
            return self.store.read(session_id, after, most)
        try:
            with self._read_view(session_id, holder) as (position, view):
                hidden = view.session.hidden
        except NotInstalledError:  # without the game, every salted event counts as hidden
            if holder.until is not None:
                raise
            stored = self.store.read(session_id, after, most)
            hidden = frozenset(find_salted(stored.lines, after))
            return replace(stored, lines=tuple(mask_lines(stored.lines, after, hidden)))
        lines = self.store.read(session_id, after, most).lines
        upto = max(position.version - after, 0)  # more may have come since
        return Stream(*position, tuple(mask_lines(lines[:upto], after, hidden)))

    @contextmanager
    def _read_view(self, session_id: str, holder: Holder) -> Iterator[tuple[Position, View]]:
        """Yield the end of a session and the holder's view of it, held by its lock."""
        if holder.until is not None:
            folded = FoldedSession(session_id, self.store)
            with GAMES.failures_as_not_installed():
                folded.read_until(holder.until)
                yield folded.position, folded.view(sees_all=holder.sees_all)
            return
        with self._cache.fresh(session_id) as folded:
            yield folded.position, folded.view(sees_all=holder.sees_all)

    # ----------------------------------------------------------------------------------- keys

    def _refuse_unknown_player(self, id_: str, player: str) -> None:
        """Raise `UnusableError` unless a player is in the session."""
        players = self.see(id_, lambda session: tuple(session.structure.players))
        if player not in players:
            raise UnusableError(f'there is no player "{player}" in this session', field="player")


def report_json(session: Session) -> bytes:
    """Return the report of a session in JSON; in English, because clients share it."""
    with speaking(ENGLISH):
        return as_json(to_json_values(view_report(session)))


def initial_keys(players: Iterable[str]) -> list[KeyRequest]:
    """Return the requests for the keys of a new session: host, view, and one for each seat."""
    return [
        KeyRequest("host"),
        KeyRequest("view"),
        *(KeyRequest("seat", player) for player in players),
    ]
