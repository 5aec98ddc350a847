"""The service of sessions: every use case, on one store."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from math import inf
from typing import Final, TypeVar

from scorekeeper.base.errors import (
    BusyError,
    KeyReusedError,
    NotInstalledError,
    StaleVersionError,
    UnknownKeyError,
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
from scorekeeper.log.face_down import find_salted, mask_lines
from scorekeeper.log.writing import as_json, now
from scorekeeper.play.prompts import Level
from scorekeeper.report.incoming import IncomingLog, seal_incoming
from scorekeeper.report.next_events import list_prompts
from scorekeeper.report.not_installed import report_without_game
from scorekeeper.report.report import view_report
from scorekeeper.service import responses
from scorekeeper.service.cache import Cache, Folded, View
from scorekeeper.service.judge import Judge
from scorekeeper.service.keys import Keys
from scorekeeper.service.permissions import (
    KEEPER,
    THE_TABLE,
    Holder,
    recorded_by,
    recorders,
)
from scorekeeper.service.quorum import Quorum
from scorekeeper.service.recording import append_idempotently, validate_and_seal
from scorekeeper.service.requests import AppendRequest, Prompts, Recorded, Report
from scorekeeper.service.room import UNBOUNDED, LogCapacity
from scorekeeper.service.shared import SharedCache
from scorekeeper.service.visible_names import refuse_invisible
from scorekeeper.session.session import Session
from scorekeeper.store import (
    Answer,
    Attempt,
    Clock,
    KeyRequest,
    NewKey,
    Opened,
    Position,
    Repeated,
    Request,
    Store,
    StoredLine,
    Stream,
)

CORRECTING_TYPES: Final = {event.TYPE for event in CORRECTING}
REPORT: Final = "report"
CORRECTED: Final = "corrected"
QUORUM: Final = Quorum()

T = TypeVar("T")
Notify = Callable[[str, Position], None]


RateCheck = Callable[[str, Holder, int], None]


def notify_none(session_id: str, position: Position) -> None:
    """Notify no client of a change."""


def allow_all(session_id: str, holder: Holder, events: int) -> None:
    """Allow any rate of events."""


class Service:
    """The use cases of sessions.

    ``notify`` is called after each durable change, with the id and the position. ``admit`` is
    called before events are recorded, with the id, the holder and the number of events; it raises
    `RateLimitError` to refuse them. ``room`` limits the size of a log.
    """

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
        self.store = store
        self._notify = notify
        self._clock = clock
        self._quorum = quorum
        self._admit = admit
        self._room = room
        self._shared = shared or SharedCache()
        self.limits = limits or WaitLimits()
        self._cache = Cache(store, limits=self.limits)
        self.keys = Keys(store)

    @property
    def quorum(self) -> Quorum:
        """The signatures that a correction of a hand needs."""
        return self._quorum

    def now(self) -> str:
        """Return the time that this service records, as in a log."""
        return self._clock()

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
        make: Callable[[Session], T],
    ) -> tuple[Recorded, T]:
        """Record events as `record` does; return also the result of ``make`` for the session.

        No other thread changes the session in between.
        """
        result = append_idempotently(
            self.store, session_id, asked, holder,
            lambda: self._append(session_id, asked, holder, make),
        )  # fmt: skip
        if isinstance(result, Repeated):
            return self._repeat(session_id, result, holder, make)
        return result

    def _repeat(
        self, session_id: str, first: Repeated, holder: Holder, make: Callable[[Session], T]
    ) -> tuple[Recorded, T]:
        """Return the first answer to a repeated request, and the result of ``make``.

        Raises `KeyReusedError` if another client got that answer: it may contain hidden data.
        """
        with self._read_view(session_id, holder) as (_, view):
            if not recorded_by(view.session, first.version, holder):
                raise KeyReusedError
            return Recorded(first.version, first.answer), make(view.session)

    def _append(
        self,
        session_id: str,
        asked: AppendRequest,
        holder: Holder,
        make: Callable[[Session], T],
    ) -> tuple[Recorded, T] | Repeated:
        """Record the events of a request under the lock of the session; see `record_and_see`.

        Returns the first answer if the store reports a repetition.
        """
        with self._cache.held(session_id) as folded:
            if folded.position.version != asked.expected or not asked.expected:
                folded.refresh()
            after = folded.position
            if after.version != asked.expected and not _may_follow(folded, asked, holder):
                raise StaleVersionError(asked.expected, *after)
            if asked.build_events is not None:
                known = folded.view(sees_all=holder.sees_all).session
                asked = replace(asked, events=asked.build_events(known))
            corrects = any(new.type in CORRECTING_TYPES for new in asked.events)
            judge = Judge(folded, sees_all=holder.sees_all, all_hands=corrects)
            with folded.trial():
                lines, answer = self._validate(folded, asked, holder, judge)
                request = Request(asked.key, asked.digest, answer) if asked.key else None
                secret = recorders(folded.session, lines, holder)
                self.limits.before_wait()
                repeated = self.store.append(
                    session_id, after, lines, request, holder.key, secret
                )  # fmt: skip
                if repeated is not None:
                    folded.take_back()
                    return repeated
                folded.settle(secret)
            end = Position(lines[-1].seq, lines[-1].hash)
            self._notify(session_id, end)
            value = make(folded.view(sees_all=holder.sees_all).session)
        return Recorded(end.version, answer), value

    def _validate(
        self, folded: Folded, asked: AppendRequest, holder: Holder, judge: Judge
    ) -> tuple[list[StoredLine], Answer]:
        """Add the events to the cached session; return their lines and the answer.

        Raises as `record`.
        """
        self._admit(folded.id, holder, len(asked.events))
        lines, findings = validate_and_seal(
            folded, asked, holder, judge, self._clock(), self._quorum
        )
        types = [new.type for new in asked.events]
        self._room.refuse(lines[-1].seq, folded.size, types, folded.share_of(holder))
        session = folded.view(sees_all=holder.sees_all).session
        for match in session.structure.matches[-1:]:
            match.standing()  # a game with a fault has to fail before the events are on record
        return lines, responses.append_answer(session, lines, findings)

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

    def see(self, session_id: str, make: Callable[[Session], T], holder: Holder = THE_TABLE) -> T:
        """Return the result of ``make`` for the holder's view of the session, under its lock."""
        with self._read_view(session_id, holder) as (_, view):
            return make(view.session)

    def see_shared(
        self,
        session_id: str,
        what: Hashable,
        make: Callable[[Session], bytes],
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
        self, session_id: str, make: Callable[[Session], T], until: Position | None = None
    ) -> T:
        """Call ``make`` with a session as the table knows it, without the cache; return its result.

        So reading a thousand evenings delays no table that is being played. With ``until`` the
        session is read up to that position. A session that is cached anyway is not read again.
        """
        if until is None and self._cache.keeps(session_id):
            return self.see(session_id, make)
        folded = Folded(session_id, self.store, self.limits)
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
            folded = Folded(session_id, self.store)
            with GAMES.failures_as_not_installed():
                folded.read_until(holder.until)
                yield folded.position, folded.view(sees_all=holder.sees_all)
            return
        with self._cache.held(session_id) as folded:
            folded.refresh()
            yield folded.position, folded.view(sees_all=holder.sees_all)

    # ----------------------------------------------------------------------------------- keys

    def add_key(
        self,
        session_id: str,
        requested: KeyRequest,
        replaces: str | None = None,
        attempt: Attempt | None = None,
    ) -> NewKey:
        """Make a key to a session, and revoke the one that it replaces, if any.

        A repeated attempt makes no second key. Raises `UnusableError` for an unknown player,
        `UnknownKeyError`, or `LastKeyError` if the last key of the host would be replaced by one
        that expires.
        """
        players = self.see(session_id, lambda session: tuple(session.structure.players))
        if requested.player is not None and requested.player not in players:
            raise UnusableError(
                f'there is no player "{requested.player}" in this session', field="player"
            )
        return self.store.add_key(session_id, requested, replaces, attempt)

    def revoke_key(self, session_id: str, key_id: str, *, ends_code: bool = False) -> None:
        """Revoke a key, and with ``ends_code`` also the present code to join.

        Raises `UnknownKeyError` or `LastKeyError`.
        """
        if not self.store.revoke_key(session_id, key_id, ends_code=ends_code):
            raise UnknownKeyError(key_id)


def _may_follow(folded: Folded, asked: AppendRequest, holder: Holder) -> bool:
    """Return whether an append for an earlier version may be recorded in the present session."""
    earlier = 0 < asked.expected < folded.position.version
    return (
        earlier
        and asked.follows is not None
        and asked.follows(folded.view(sees_all=holder.sees_all).session)
    )


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
