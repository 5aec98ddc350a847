"""The service: every use case, on one store."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from math import inf
from typing import Any, Final, TypeVar

from scorekeeper.base.errors import (
    BusyError,
    KeyReusedError,
    NotInstalledError,
    StaleVersionError,
    UnknownKeyError,
    UnusableError,
)
from scorekeeper.base.language import ENGLISH, speaking
from scorekeeper.base.pacing import WaitLimits
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
from scorekeeper.report.report import build_report
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
from scorekeeper.service.recording import judged, once
from scorekeeper.service.requests import AppendRequest, Prompts, Recorded, Report
from scorekeeper.service.room import UNBOUNDED, Room
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

CORRECTS: Final = {one.TYPE for one in CORRECTING}
REPORT: Final = "report"
CORRECTED: Final = "corrected"
QUORUM: Final = Quorum()

T = TypeVar("T")
Notify = Callable[[str, Position], None]


Admit = Callable[[str, Holder, int], None]


def nobody(session_id: str, position: Position) -> None:
    """Tell nobody that a session changed."""


def everybody(session_id: str, holder: Holder, events: int) -> None:
    """Let everybody record as much as he likes."""


class Service:
    """What people at a table, and programs for them, can do.

    ``told`` is called with each change that was made here, once it is durable; ``admit`` before
    anything is recorded, with the session, its recorder and how many events: it may raise.
    """

    def __init__(
        self,
        store: Store,
        told: Notify = nobody,
        clock: Clock = now,
        quorum: Quorum = QUORUM,
        admit: Admit = everybody,
        room: Room = UNBOUNDED,
        shared: SharedCache | None = None,
        limits: WaitLimits | None = None,
    ) -> None:
        self.store = store
        self._told = told
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
        """How many signatures it takes to correct a hand."""
        return self._quorum

    def now(self) -> str:
        """The time by which this service records and judges."""
        return self._clock()

    # -------------------------------------------------------------------------------- opening

    def open(self, data: Mapping[str, Any], attempt: Attempt | None = None) -> Opened:
        """Begin a session with the data of its first event; its host, view and seats get keys.

        The same attempt opens one session.

        Raises `KeyReusedError` if it opened another.
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
        return self.store.open_session(events, KEEPER, wishes(session.structure.players), attempt)

    def bring_in(self, log: bytes, largest: int) -> Opened:
        """Begin a session with a log: a sealed one is kept byte for byte, one by hand is sealed.

        UnusableError, with the line, where it is damaged or could never have been recorded.
        """
        return self.keep(seal_incoming(log, largest, self._clock()))

    def keep(self, log: IncomingLog, attempt: Attempt | None = None) -> Opened:
        """Begin a session with a log that was judged.

        Raises `UnusableError` with the line, where damaged.

        The same attempt opens one session.

        Raises `KeyReusedError` if it opened another.
        """
        self._room.refuse(log.sealed.count(b"\n"), len(log.sealed), (SessionOpened.TYPE,))
        return self.store.import_sealed(BytesIO(log.sealed), wishes(log.players), attempt)

    # ------------------------------------------------------------------------------ recording

    def record(self, session_id: str, asked: AppendRequest, holder: Holder) -> Recorded:
        """Put events on record, all or none, and say what they add to the findings.

        A request that came before is answered as it was then. UnknownSessionError,
        StaleVersionError, KeyReusedError, ForbiddenError, NoQuorumError, UnusableError,
        SessionFullError.

        Raises `IrregularError` if they break a rule and are not said to be as played.

        Raises `MissingKeyError` if the holder's key opens nothing any more.
        """
        return self.record_and_see(session_id, asked, holder, lambda session: None)[0]

    def record_and_see(
        self,
        session_id: str,
        asked: AppendRequest,
        holder: Holder,
        make: Callable[[Session], T],
    ) -> tuple[Recorded, T]:
        """``record``, and what is made of the session as it stands then, in the same visit."""
        done = once(
            self.store, session_id, asked, holder,
            lambda: self._append(session_id, asked, holder, make),
        )  # fmt: skip
        return self._again(session_id, done, holder, make) if isinstance(done, Repeated) else done

    def _again(
        self, session_id: str, done: Repeated, holder: Holder, make: Callable[[Session], T]
    ) -> tuple[Recorded, T]:
        """The first answer, for whoever got it; to others it might tell what lies face down."""
        with self._seen(session_id, holder) as (_, view):
            if not recorded_by(view.session, done.version, holder):
                raise KeyReusedError
            return Recorded(done.version, done.answer), make(view.session)

    def _append(
        self,
        session_id: str,
        asked: AppendRequest,
        holder: Holder,
        make: Callable[[Session], T],
    ) -> tuple[Recorded, T] | Repeated:
        with self._cache.held(session_id) as folded:
            if folded.position.version != asked.expected or not asked.expected:
                folded.refresh()
            after = folded.position
            if after.version != asked.expected and not _follows(folded, asked, holder):
                raise StaleVersionError(asked.expected, *after)
            if asked.build_events is not None:
                known = folded.view(sees_all=holder.sees_all).session
                asked = replace(asked, events=asked.build_events(known))
            corrects = any(new.type in CORRECTS for new in asked.events)
            judge = Judge(folded, sees_all=holder.sees_all, all_hands=corrects)
            with folded.trial():
                lines, answer = self._answered(folded, asked, holder, judge)
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
            self._told(session_id, end)
            made = make(folded.view(sees_all=holder.sees_all).session)
        return Recorded(end.version, answer), made

    def _answered(
        self, folded: Folded, asked: AppendRequest, holder: Holder, judge: Judge
    ) -> tuple[list[StoredLine], Answer]:
        """The lines of the events, now folded, and what whoever recorded them is answered."""
        self._admit(folded.id, holder, len(asked.events))
        lines, found = judged(folded, asked, holder, judge, self._clock(), self._quorum)
        types = [new.type for new in asked.events]
        self._room.refuse(lines[-1].seq, folded.size, types, folded.share_of(holder))
        session = folded.view(sees_all=holder.sees_all).session
        for match in session.structure.matches[-1:]:
            match.standing()  # a game that cannot add it up is to fail before it is on record
        return lines, responses.append_answer(session, lines, found)

    # -------------------------------------------------------------------------------- reading

    # Whoever reads is a holder, and sees what his key lets him; nobody is the table.

    def report(self, session_id: str, holder: Holder = THE_TABLE) -> Report:
        """What the session comes to now."""
        try:
            return Report(*self.see_shared(session_id, REPORT, reported, holder))
        except NotInstalledError as error:
            stored = self.store.read(session_id)
            position = holder.until or Position(stored.version, stored.head)
            lines = stored.lines[: position.version]
            return Report(position, as_json(report_without_game(lines, position, error)))

    def position(self, session_id: str, holder: Holder = THE_TABLE) -> Position:
        """Return where a session ends for a holder.

        Raises `UnknownSessionError`.
        """
        return holder.until or self.store.position(session_id)

    def lines(self, session_id: str, end: Position) -> tuple[bytes, ...]:
        """The lines of a session up to an end that it had, as they are stored.

        Raises `UnknownSessionError`.

        Busy where they no longer end like that, as a backup was restored since.
        """
        lines = self.store.read(session_id).lines[: end.version]
        if self.store.hash_at(session_id, end.version) != end.head:
            raise BusyError("a backup was restored meanwhile")
        return lines

    def prompts(
        self, session_id: str, level: Level | None = None, holder: Holder = THE_TABLE
    ) -> Prompts:
        """What can be recorded next, the likeliest first."""
        with self._seen(session_id, holder) as (position, view):
            prompts = list_prompts(view.session, level)
            return Prompts(position, [responses.prompt_values(one) for one in prompts])

    def see(self, session_id: str, make: Callable[[Session], T], holder: Holder = THE_TABLE) -> T:
        """What is made of the session as it stands, while nobody records in it."""
        with self._seen(session_id, holder) as (_, view):
            return make(view.session)

    def see_shared(
        self,
        session_id: str,
        what: Hashable,
        make: Callable[[Session], bytes],
        holder: Holder = THE_TABLE,
    ) -> tuple[Position, bytes]:
        """What is made of the session as it stands, once for all who ask for it, and where it ends.

        ``what`` names all that it depends on beside the session as the holder sees it. While it
        is made nobody else looks at the session: who asks for the same waits for that one.
        """
        position = self.position(session_id, holder)
        made = self._shared.get((session_id, position, holder.sees_all, what))
        if made is None:
            with self._seen(session_id, holder) as (position, view):
                key = session_id, position, holder.sees_all, what
                made = self._shared.get(key)  # somebody may have made it meanwhile
                if made is None:
                    made = make(view.session)
                    self._shared.put(key, made)
        return position, made

    def aside(
        self, session_id: str, make: Callable[[Session], T], until: Position | None = None
    ) -> T:
        """What is made of the session as the table knows it, which is folded for this alone.

        So that who looks at a thousand evenings keeps no table waiting that is being played. With
        ``until`` the session is taken as it was when it ended there.
        """
        if until is None and self._cache.keeps(session_id):
            return self.see(session_id, make)
        folded = Folded(session_id, self.store, self.limits)
        with self.limits.paced(), GAMES.missing_where_they_fail():
            if until is None:
                folded.refresh(longest=inf)  # nobody would continue it
            else:
                folded.read_until(until)
            return make(folded.view(sees_all=False).session)

    def events(
        self, session_id: str, after: int = 0, most: int | None = None, holder: Holder = THE_TABLE
    ) -> Stream:
        """The lines after a seq, at most that many; of what lies face down without the data."""
        if holder.sees_all:
            return self.store.read(session_id, after, most)
        try:
            with self._seen(session_id, holder) as (position, view):
                hidden = view.session.hidden
        except NotInstalledError:  # so what lies face down nobody knows here
            if holder.until is not None:
                raise
            stored = self.store.read(session_id, after, most)
            hidden = frozenset(find_salted(stored.lines, after))
            return replace(stored, lines=tuple(mask_lines(stored.lines, after, hidden)))
        lines = self.store.read(session_id, after, most).lines
        upto = max(position.version - after, 0)  # more may have come since
        return Stream(*position, tuple(mask_lines(lines[:upto], after, hidden)))

    @contextmanager
    def _seen(self, session_id: str, holder: Holder) -> Iterator[tuple[Position, View]]:
        """The session as somebody may see it, and where it ends, while nobody records in it."""
        if holder.until is not None:
            folded = Folded(session_id, self.store)
            with GAMES.missing_where_they_fail():
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
        """Make one more key to a session, and revoke the one that it replaces, if any.

        The same attempt makes one key. UnusableError where its player is not there.

        Raises `UnknownKeyError`.

        Raises `LastKeyError` if it replaces the only one that is left to the host, and does not
        last itself.
        """
        players = self.see(session_id, lambda session: tuple(session.structure.players))
        if requested.player is not None and requested.player not in players:
            raise UnusableError(
                f'there is no player "{requested.player}" in this session', field="player"
            )
        return self.store.add_key(session_id, requested, replaces, attempt)

    def revoke_key(self, session_id: str, key_id: str, *, ends_code: bool = False) -> None:
        """Let a key open nothing any more.

        Raises `UnknownKeyError` or `LastKeyError`.

        With ``ends_code`` the present code to join ends, too.
        """
        if not self.store.revoke_key(session_id, key_id, ends_code=ends_code):
            raise UnknownKeyError(key_id)


def _follows(folded: Folded, asked: AppendRequest, holder: Holder) -> bool:
    """Return whether an append for an earlier version can be recorded as the session stands."""
    earlier = 0 < asked.expected < folded.position.version
    return (
        earlier
        and asked.follows is not None
        and asked.follows(folded.view(sees_all=holder.sees_all).session)
    )


def reported(session: Session) -> bytes:
    """The report of a session in JSON, in English: whoever asks next gets it, too."""
    with speaking(ENGLISH):
        return as_json(build_report(session))


def wishes(players: Iterable[str]) -> list[KeyRequest]:
    """The keys that a session begins with: its host's, one to look on, and one for each seat."""
    return [KeyRequest("host"), KeyRequest("view"), *(KeyRequest("seat", one) for one in players)]
