"""A cache of replayed clubs with the results of their evenings.

The result of an evening is computed once for each head of its log, and stored under that head. A
club in memory holds the results of its evenings, but not their events.
"""

from collections.abc import Container, Hashable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from cachetools import LRUCache

from scorekeeper.base import pacing
from scorekeeper.base.errors import NotInstalledError, UnknownSessionError, UnusableError
from scorekeeper.clubs import snapshot as club_snapshot
from scorekeeper.clubs.club import Club
from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.events import EveningWithdrawn
from scorekeeper.clubs.figures import SeasonCaches
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.tournament_tables import TournamentTables
from scorekeeper.events.corrections import EventInserted, EventReplaced, EventStruck
from scorekeeper.games import GAMES
from scorekeeper.report.masking import as_the_table_knows, face_down_seqs
from scorekeeper.service.club_tournaments import TournamentLogs
from scorekeeper.service.folded_log import FoldedLog
from scorekeeper.service.service import Service
from scorekeeper.session.session import Session
from scorekeeper.store import Position
from scorekeeper.store.contract import NO_RECORDERS, Recorders
from scorekeeper.store.keyring import is_tournament
from scorekeeper.streams.requests import UnderLock

MAX_EVENINGS: Final = 5_000  # cached, of all clubs together; each takes about 20 KB
FIGURES_PER_UNIT: Final = 4  # cached season figures of 4 evenings weigh as much as one evening
MAX_CACHED_RESULTS: Final = 50  # of one club, such as tables
EVENINGS_PER_READ: Final = 50  # stored results read by one query
MAX_GATHERING_SECONDS: Final = 4.0  # of one request; evenings read by then stay cached

T = TypeVar("T")
NO_STOPS: Final[Mapping[str, Mapping[str, Position]]] = {}
VersionAt = tuple[str, str]  # a session, and a head that it has or had

# Why an evening cannot be read.
UNKNOWN: Final = "unknown"
NOT_INSTALLED: Final = "not_installed"
NOT_FOLLOWED: Final = "not_followed"
DELETED: Final = "deleted"


class ClubPosition(NamedTuple):
    """The end of a club and its evenings, for threads that do not wait for its lock.

    ``evenings`` begins with the tournaments that it has entered and ends with their tables.
    ``unread`` and ``lost`` are the evenings that could not be read at the last gathering.
    ``table_stops`` has for tournaments that it no longer follows where it stopped at their tables.
    """

    position: Position
    evenings: tuple[str, ...]
    unread: frozenset[str] = frozenset()
    lost: tuple[str, ...] = ()
    table_stops: Mapping[str, Mapping[str, Position]] = NO_STOPS

    def tag(self, ends: Mapping[str, Position], stops: Mapping[str, Position]) -> str:
        """Return the club's tag for these ends of its evenings; it changes with each of them.

        ``stops`` are the ends of evenings and tournaments that it no longer follows. Read them
        after ``ends``, so that events after a revocation are cut off.
        """
        for tournament_id in stops.keys() & self.table_stops.keys():
            stops = {**stops, **self.table_stops[tournament_id]}
        read = (session_id for session_id in self.evenings
                if session_id in ends and session_id not in self.unread)  # fmt: skip
        heads = (
            (session_id, cut_off(ends[session_id], stops.get(session_id)).head)
            for session_id in read
        )
        return club_snapshot.compute_tag(*self.position, heads, self.lost, stops)


def cut_off(end: Position, stop: Position | None) -> Position:
    """Return the end of an evening as a club may read it: ``stop`` if that comes earlier."""
    return stop if stop is not None and stop.version < end.version else end


class FoldedClub(FoldedLog[Club]):
    """A cached club, replayed up to a version, for the thread that holds its lock."""

    KIND = Club

    def __init__(self, id_: str, service: Service) -> None:
        super().__init__(id_, service.store, service.limits)
        self._service = service

    def forget(self) -> None:
        """Drop the replayed events and all results."""
        super().forget()
        self.made: LRUCache[Hashable, Any] = LRUCache(MAX_CACHED_RESULTS)
        self._ends: dict[str, Position] = {}  # of the evenings, when gathered
        self._stops: dict[str, Position] = {}  # of evenings no longer followed
        self._evenings: dict[str, PlayedEvening] = {}
        self._then: dict[VersionAt, PlayedEvening] = {}  # as of the close of a season
        self._unread: dict[str, str] = {}  # why an evening cannot be read
        self._deleted: dict[str, str] = {}  # when the operator deleted an evening
        self._firsts: dict[str, str] = {}
        self.published: ClubPosition | None = None  # replaced, never changed
        self._season_caches = SeasonCaches()
        self._gathered: Position | None = None  # the end of the club then
        self._tournament_logs = TournamentLogs(self._store)
        self._tournaments: dict[str, TournamentTables] = {}
        self._tournaments_then: dict[VersionAt, TournamentTables] = {}
        self._table_stops: dict[tuple[str, Position], dict[str, Position]] = {}

    @property
    def club(self) -> Club:
        """The replayed club."""
        return self.log

    @property
    def weight(self) -> int:
        """The weight of the cached evenings and figures, and 1 for the club itself; 0 if empty."""
        if not self.club.events:
            return 0
        brought = self._season_caches.weight // FIGURES_PER_UNIT
        return len(self._evenings) + len(self._then) + brought + 1

    @property
    def snapshot(self) -> ClubSnapshot:
        """The club, with the results of its evenings as `gather` read them last."""
        return ClubSnapshot(
            self.club.state, self.club.events, self.club.head, self._evenings, self._then,
            self._unread, self._season_caches, frozenset(self._stops), self._deleted,
            self._tournaments, self._tournaments_then,
        )  # fmt: skip

    def make(self, key: Hashable, compute: UnderLock[ClubSnapshot, T]) -> T:
        """Call ``compute`` with the snapshot; its result is cached by ``key`` until a change."""
        if key not in self.made:
            self.made[key] = compute(self.snapshot)
        result: T = self.made[key]
        return result

    @property
    def is_ready(self) -> bool:
        """Whether its end is published."""
        return self.published is not None

    def note_replayed(self) -> None:
        """Publish the end."""
        self._publish()

    def _publish(self) -> None:
        """Publish the end and the evenings, for threads that do not hold the lock."""
        lost = tuple(session_id for session_id, _ in self.snapshot.list_lost_evenings())
        unread = frozenset(session_id for session_id, why in self._unread.items() if why != UNKNOWN)
        evenings = tuple(self._list_counted(self._tournaments))
        table_stops = {place[0]: tables for place, tables in self._table_stops.items()}
        self.published = ClubPosition(self.position, evenings, unread, lost, table_stops)

    def _list_counted(self, tournaments: Mapping[str, TournamentTables]) -> dict[str, None]:
        """Return the tournaments that the club has entered, its evenings, and then the tables."""
        state = self.club.state
        counted = dict.fromkeys((*state.tournaments, *state.evenings))
        for tournament_id in state.tournaments:
            if tournament_id in tournaments:
                counted |= dict.fromkeys(tournaments[tournament_id].tables)
        return counted

    @property
    def has_tournaments(self) -> bool:
        """Whether it has entered tournaments, or had when a season was closed."""
        state = self.club.state
        return bool(state.tournaments) or any(map(is_tournament, self._list_closed_ids()))

    def list_tables(self, of: Container[str] | None = None) -> dict[str, str]:
        """Return the first hash of each table of the entered tournaments, or of some of them."""
        tables = dict[str, str]()
        for tournament_id, known in self._read_tournaments().items():
            if of is None or tournament_id in of:
                tables |= known.firsts
        return tables

    def _list_closed_ids(self) -> Iterator[str]:
        """Yield the ids of the evenings and tournaments of closed seasons, and of their tables."""
        yield from (place[0] for place in self._list_closed_versions())

    def find_tournament_of(self, session_id: str) -> str | None:
        """Return the tournament of which a session is a table that the club counts, or None.

        As of the last gathering; also for tournaments of closed seasons.
        """
        known = ((id_, tables) for id_, tables in self._tournaments.items())
        then = ((place[0], tables) for place, tables in self._tournaments_then.items())
        return next((id_ for id_, tables in (*known, *then) if session_id in tables.tables), None)

    def settle(self, recorders: Recorders = NO_RECORDERS) -> None:
        """Mark the added events as stored, which ends the trial and empties the result cache."""
        super().settle(recorders)
        self._publish()
        self.made.clear()

    # ------------------------------------------------------------------------------ evenings

    def first_of(self, session_id: str) -> str | None:
        """Return the hash of an evening's first event, read once; None if there is no evening."""
        if session_id not in self._firsts:
            first = self._store.hash_at(session_id, 1)
            if first is None:
                return None
            self._firsts[session_id] = first
        return self._firsts[session_id]

    def gather(self) -> None:
        """Read the results of the evenings that changed since the last call, and publish.

        An evening beyond its stop is read as it was there. Raises `BusyError` if it takes too long;
        the next call continues.
        """
        state = self.club.state
        self._tournaments = tournaments = self._read_tournaments()
        self._tournaments_then = self._read_closed_tournaments()  # before the stops of their tables
        counted = self._list_counted(tournaments)
        named = dict.fromkeys((*counted, *self._list_closed_ids()))
        here = self._store.ends(named)
        stops = self.stops()  # after the ends, so that events after a revocation are cut off
        missing = named.keys() - here.keys()
        deleted = self._store.deleted_at(missing) if missing else {}
        ends = {session_id: cut_off(here[session_id], stops.get(session_id))
                for session_id in counted if session_id in here}  # fmt: skip
        known = self._ends, self._stops, self._deleted
        if (ends, stops, deleted) == known and self._gathered == self.position:
            return
        self.made.clear()
        self._stops, self._deleted = stops, deleted
        changed = [
            session_id
            for session_id, end in ends.items()
            if self._ends.get(session_id) != end and not is_tournament(session_id)
        ]
        for session_id in self._evenings.keys() - ends.keys():
            del self._evenings[session_id]
        self._unread = {
            session_id: why for session_id, why in self._unread.items() if session_id in ends
        }
        self._unread |= {
            session_id: DELETED if session_id in deleted else UNKNOWN
            for session_id in counted.keys() - ends.keys()
        }
        self._unread |= {
            tournament_id: NOT_FOLLOWED if tournament_id in stops else NOT_INSTALLED
            for tournament_id in state.tournaments
            if tournament_id in ends and tournament_id not in tournaments
        }
        with pacing.at_most(MAX_GATHERING_SECONDS):
            for first in range(0, len(changed), EVENINGS_PER_READ):
                self._read_evenings(changed[first : first + EVENINGS_PER_READ], ends)
        # In the order in which they were entered, whatever order they were read in.
        self._evenings = {session_id: self._evenings[session_id] for session_id in counted
                          if session_id in self._evenings}  # fmt: skip
        self._ends = ends
        self._read_closed(here)
        self._gathered = self.position
        self._publish()

    def _read_evenings(self, sessions: list[str], ends: dict[str, Position]) -> None:
        """Set the results of evenings, from the store or computed, or why they are unread."""
        kept = self._store.kept_evenings(sessions)
        for session_id in sessions:
            pacing.step(pacing.STEPS_PER_LOOK)
            stored = kept.get((session_id, ends[session_id].head))
            evening = stored and PlayedEvening.from_json(stored)
            if not evening:
                evening = self._compute_evening(session_id, ends)
            self._unread.pop(session_id, None)
            if isinstance(evening, PlayedEvening):
                self._evenings[session_id] = evening
            else:
                self._evenings.pop(session_id, None)
                stopped = session_id in self._stops
                self._unread[session_id] = NOT_FOLLOWED if stopped else NOT_INSTALLED

    def _compute_evening(self, session_id: str, ends: dict[str, Position]) -> PlayedEvening | None:
        """Compute the result of an evening, store it, and update its end in ``ends``.

        None if its game is not installed, or its log cannot be used.
        """
        if session_id in self._stops:
            return self._compute_at_head(session_id, ends[session_id].head)
        try:
            evening, kept = self._service.read_uncached(
                session_id, partial(_compute_result, session_id)
            )
        except (NotInstalledError, UnusableError):
            return None
        ends[session_id] = Position(evening.events, evening.head)  # it may have gone on since
        closed = [
            head for closed_id, head in self._list_closed_versions() if closed_id == session_id
        ]
        self._store.keep_evening(session_id, evening.head, kept, closed)
        return evening

    def _list_closed_versions(self) -> Iterator[VersionAt]:
        """Yield the session and head of each evening in a closed season."""
        for season in self.club.state.seasons.values():
            yield from (season.heads or {}).items()

    def _read_closed(self, here: Container[str]) -> None:
        """Read the evenings of closed seasons as of the close, if they changed after it.

        ``here`` are the evenings that the database still has.
        """
        places = list(self._list_closed_versions())
        places = [place for place in places if not is_tournament(place[0])]
        self._then = {place: played for place, played in self._then.items()
                      if place[0] in here and self._may_read(place[0], played)}  # fmt: skip
        left = [place for place in places if place not in self._then]
        kept = self._store.kept_evenings(closed_id for closed_id, _ in left)
        for session_id, head in left:
            now = self._evenings.get(session_id)  # None if it was withdrawn
            stored = kept.get((session_id, head))
            is_unchanged = now is not None and now.head == head
            evening = now if is_unchanged else stored and PlayedEvening.from_json(stored)
            evening = evening or self._compute_at_head(session_id, head)
            if evening and self._may_read(session_id, evening):
                self._then[session_id, head] = evening
        self._then = {place: self._then[place] for place in places if place in self._then}

    def _read_closed_tournaments(self) -> dict[VersionAt, TournamentTables]:
        """Return the tournaments of closed seasons as of the close, if they can be read."""
        places = [place for place in self._list_closed_versions() if is_tournament(place[0])]
        then = dict[VersionAt, TournamentTables]()
        if not places:
            return then
        here, stops = self._store.ends(place[0] for place in places), self._store.stops(self.id)
        for tournament_id, head in places:
            stop = stops.get(tournament_id)
            known = self._tournaments.get(tournament_id)
            if known is None or known.head != head:
                known = self._tournaments_then.get((tournament_id, head))
            if known is None and tournament_id in here:
                most = stop and stop.version
                known = self._tournament_logs.read_at(tournament_id, head, most)
            if known and tournament_id in here and (not stop or known.events <= stop.version):
                then[tournament_id, head] = known
        return then

    def _read_tournaments(self) -> dict[str, TournamentTables]:
        """Return the entered tournaments that can be read, each up to its stop.

        Those that did not change since the last call are taken from there.
        """
        state = self.club.state
        if not state.tournaments:
            return {}
        ends = self._store.ends(state.tournaments)
        stops = self._store.stops(self.id)
        tournaments = dict[str, TournamentTables]()
        for tournament_id in state.tournaments:
            end = ends.get(tournament_id)
            end = end and cut_off(end, stops.get(tournament_id))
            known = self._tournaments.get(tournament_id)
            if not end or not end.version:
                continue
            if known is None or known.head != end.head:
                pacing.step(pacing.STEPS_PER_LOOK)
                try:
                    known = self._tournament_logs.read(tournament_id, end)
                except UnusableError:
                    continue
            tournaments[tournament_id] = known
        return tournaments

    def stops(self) -> dict[str, Position]:
        """Return the ends of the evenings that the club no longer follows, by session.

        With a tournament the club stops following its tables.
        """
        stops = self._store.stops(self.id)
        for tournament_id in filter(is_tournament, tuple(stops)):
            known = self._tournaments.get(tournament_id) or next(
                (tables for place, tables in self._tournaments_then.items()
                 if place[0] == tournament_id), None)  # fmt: skip
            if known is not None and known.tables:
                stops |= self._stop_tables(tournament_id, stops[tournament_id], known)
        return stops

    def _stop_tables(
        self, tournament_id: str, stop: Position, known: TournamentTables
    ) -> dict[str, Position]:
        """Return where the tables of a tournament stop that the club no longer follows.

        That is when its key was closed or it was withdrawn, whichever came first after the event at
        which the tournament stops; the store has no other time for it.
        """
        place = tournament_id, stop
        if place not in self._table_stops:
            at = self._tournament_logs.find_time(tournament_id, stop)
            ends = [*self._list_withdrawals(tournament_id)]
            closed = self._store.closings(self.id).get(tournament_id)
            ended = min((end for end in (*ends, closed) if end and end >= at), default=at)
            inclusive = at and ended in ends
            time = add_millisecond(ended) if inclusive else ended
            self._table_stops[place] = self._store.positions_before(known.tables, time)
        return self._table_stops[place]

    def _list_withdrawals(self, tournament_id: str) -> Iterator[str]:
        """Yield the times of the events by which a tournament may have ceased to count."""
        for entry in self.club.corrections.recorded.values():
            event = entry.event
            withdrawn = isinstance(event, EveningWithdrawn) and event.session == tournament_id
            if withdrawn or isinstance(event, EventStruck | EventReplaced | EventInserted):
                yield entry.at

    def find_stop(self, session_id: str) -> Position | None:
        """Return where the club stopped following an evening or a table; None if it follows it."""
        return self.stops().get(session_id)

    def _may_read(self, session_id: str, evening: PlayedEvening) -> bool:
        """Return whether the club may read an evening's result, by its number of events."""
        stop = self._stops.get(session_id)
        return stop is None or evening.events <= stop.version

    def _compute_at_head(self, session_id: str, head: str) -> PlayedEvening | None:
        """Compute the result of an evening as of an earlier head, and store it.

        None if it never had that head, or cannot be read.
        """
        replayed = Session()
        stop = self._stops.get(session_id)
        try:
            with GAMES.failures_as_not_installed():
                for line in self._store.read(session_id, 0, stop and stop.version).lines:
                    pacing.step()
                    replayed.add_stored(line)
                    if replayed.head == head:
                        break
                else:
                    return None
                known = as_the_table_knows(replayed, face_down_seqs(replayed))
                evening, kept = _compute_result(session_id, known)
        except (NotInstalledError, UnusableError, UnknownSessionError):
            return None
        self._store.keep_evening(session_id, head, kept, self._list_heads_to_keep(session_id))
        return evening

    def _list_heads_to_keep(self, session_id: str) -> Iterator[str]:
        """Yield the heads of an evening whose stored results must stay."""
        if session_id in self._evenings:
            yield self._evenings[session_id].head
        yield from (
            head for closed_id, head in self._list_closed_versions() if closed_id == session_id
        )


def add_millisecond(at: str) -> str:
    """Return the time of an event one millisecond later.

    >>> add_millisecond("2026-11-21T20:00:59.999Z")
    '2026-11-21T20:01:00.000Z'
    """
    later = datetime.fromisoformat(at) + timedelta(milliseconds=1)
    return later.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _compute_result(session_id: str, session: Session) -> tuple[PlayedEvening, bytes]:
    """Return the result of an evening, and its form for the store."""
    evening = PlayedEvening.of(session_id, session)
    return evening, evening.to_json()
