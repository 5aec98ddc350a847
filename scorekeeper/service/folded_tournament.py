"""A cache of replayed tournaments with the results of their tables.

A result is computed once for each head of its session's log. A tournament reads only sessions that
it follows, which are those that it opened: an imported log may name sessions of other people.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from hashlib import sha256
from typing import Final, NamedTuple

from scorekeeper.base import pacing
from scorekeeper.base.errors import NotInstalledError, UnknownSessionError, UnusableError
from scorekeeper.service.folded_log import FoldedLog
from scorekeeper.service.service import Service
from scorekeeper.store import Position
from scorekeeper.store.contract import NO_RECORDERS, Recorders
from scorekeeper.tournaments.hiding import find_hidden
from scorekeeper.tournaments.parts import TableSession
from scorekeeper.tournaments.played_tables import PlayedTable
from scorekeeper.tournaments.standings import Scoreboard, StageStandings
from scorekeeper.tournaments.state import TournamentState
from scorekeeper.tournaments.tournament import Tournament
from scorekeeper.tournaments.values import TournamentRound

MAX_TABLES_CACHED: Final = 5_000  # of all tournaments together
MAX_GATHERING_SECONDS: Final = 4.0  # of one request; results read by then stay cached
TAG_LENGTH: Final = 32

Tables = tuple[tuple[str, ...], ...]
TableSessions = Mapping[int, TableSession | None]


class TableOfSession(NamedTuple):
    """The table of a session: its round, and its players."""

    round: int
    players: frozenset[str]


NO_TABLE: Final = TableOfSession(0, frozenset())


class TournamentPosition(NamedTuple):
    """The end of a tournament and its sessions, for threads that do not wait for its lock.

    ``present_round`` is the latest published round as long as it is open; 0 if it is closed.
    """

    position: Position
    sessions: Mapping[str, TableOfSession]
    present_round: int

    def tag(self, ends: Mapping[str, Position]) -> str:
        """Return a text that changes with the tournament and with each of its sessions."""
        return compute_tournament_tag(self.position, ends)


def compute_tournament_tag(position: Position, ends: Mapping[str, Position]) -> str:
    """Return a text that changes with a tournament and with the heads of its sessions."""
    heads = "".join(f"{session_id}{ends[session_id].head}" for session_id in sorted(ends))
    digest = sha256((position.head + heads).encode()).hexdigest()
    return f"{position.version}-{digest[:TAG_LENGTH]}"


class TournamentSnapshot(NamedTuple):
    """A tournament with the results of its tables, valid until another event is recorded.

    ``results`` are by session. ``missing`` are sessions that were deleted or cannot be read.
    ``computed`` are the standings at this moment, by stage: all phones ask for them at once.
    """

    state: TournamentState
    position: Position
    tag: str
    results: Mapping[str, PlayedTable]
    missing: frozenset[str]
    scoreboard: Scoreboard
    computed: dict[int | None, StageStandings]

    def standings(self, stage: int | None = None) -> StageStandings:
        """Return the standings of a stage, by default of the last one that has begun."""
        if stage not in self.computed:
            self.computed[stage] = self.scoreboard.compute(self.state, self.results, stage)
        return self.computed[stage]

    @property
    def changed_after_close(self) -> list[str]:
        """The sessions that changed after the tournament was closed."""
        return [
            session_id
            for session_id, head in (self.state.heads or {}).items()
            if session_id in self.results and self.results[session_id].head != head
        ]


class FoldedTournament(FoldedLog[Tournament]):
    """A cached tournament, replayed up to a version, for the thread that holds its lock."""

    KIND = Tournament

    def __init__(self, id_: str, service: Service) -> None:
        super().__init__(id_, service.store, service.limits)
        self._service = service

    def forget(self) -> None:
        """Drop the replayed events and all results."""
        super().forget()
        self._ends: dict[str, Position] = {}  # of the sessions, when gathered
        self._results: dict[str, PlayedTable] = {}
        self._scoreboard = Scoreboard()
        self._computed: tuple[str, dict[int | None, StageStandings]] = "", {}
        self._tables: dict[tuple[int, Tables], tuple[TableSessions, dict[str, TableOfSession]]] = {}
        self._hidden: tuple[Position, frozenset[int]] | None = None
        self.published: TournamentPosition | None = None  # replaced, never changed

    @property
    def weight(self) -> int:
        """The number of cached results, and 1 for the tournament itself; 0 if empty."""
        return len(self._results) + 1 if self.log.events else 0

    @property
    def hidden(self) -> frozenset[int]:
        """The seqs of the events that hold a part of a draw that is not published."""
        if self._hidden is None or self._hidden[0] != self.position:
            self._hidden = self.position, find_hidden(self.log)
        return self._hidden[1]

    @property
    def snapshot(self) -> TournamentSnapshot:
        """The tournament, with the results of its tables as `gather` read them last."""
        state = self.log.state
        missing = frozenset(state.list_sessions().keys() - self._results.keys())
        tag = compute_tournament_tag(self.position, self._ends)
        if self._computed[0] != tag:
            self._computed = tag, {}
        return TournamentSnapshot(
            state, self.position, tag, self._results, missing, self._scoreboard, self._computed[1]
        )

    @property
    def is_ready(self) -> bool:
        """Whether its end is published."""
        return self.published is not None

    def note_replayed(self) -> None:
        """Publish the end."""
        self._publish()

    def settle(self, recorders: Recorders = NO_RECORDERS) -> None:
        """Mark the added events as stored, which ends the trial."""
        super().settle(recorders)
        self._publish()

    def _publish(self) -> None:
        """Publish the end and the sessions, for threads that do not hold the lock."""
        state, followed = self.log.state, self._store.followed(self.id)
        sessions = dict[str, TableOfSession]()
        for drawn in state.rounds.values():
            sessions.update(self._list_tables(drawn))
        # Those of a publication that was taken back: everybody looks on there.
        sessions.update((each, NO_TABLE) for each in followed - sessions.keys())
        latest = state.find_latest_published()
        self.published = TournamentPosition(
            self.position,
            {session_id: table for session_id, table in sessions.items() if session_id in followed},
            latest.number if latest is not None and not latest.closed else 0,
        )

    def _list_tables(self, drawn: TournamentRound) -> dict[str, TableOfSession]:
        """Return the tables of a round by their sessions; kept until its tables change.

        Once a session is open, nobody else sits at its table.
        """
        key = drawn.number, drawn.tables
        if drawn.sessions is None or self._tables.get(key, (None, {}))[0] == drawn.sessions:
            return self._tables[key][1] if drawn.sessions is not None else {}
        entrants = self.log.state.entrants
        tables = {
            table_session.session: TableOfSession(
                drawn.number,
                frozenset(
                    player
                    for entrant in drawn.tables[number - 1]
                    for player in entrants[entrant].list_players(drawn.number)
                ),
            )
            for number, table_session in drawn.sessions.items()
            if table_session is not None
        }
        self._tables[key] = drawn.sessions, tables
        return tables

    def find_end(self, session_id: str) -> Position | None:
        """Return the end of a session at which its result was read; None if it has none."""
        played, end = self._results.get(session_id), self._ends.get(session_id)
        known = played is not None and end is not None and end.version > 0
        return end if known else None

    def gather(self) -> None:
        """Read the results of the sessions that changed since the last call.

        Raises `BusyError` if it takes too long; the next call continues.
        """
        assert self.published is not None  # noqa: S101  # `refresh` publishes
        ends = self._store.ends(self.published.sessions)
        for session_id in self._results.keys() - ends.keys():
            del self._results[session_id]
        changed = [session_id for session_id, end in ends.items()
                   if self._ends.get(session_id) != end]  # fmt: skip
        self._ends = {id_: end for id_, end in self._ends.items() if id_ in ends}
        with pacing.at_most(MAX_GATHERING_SECONDS):
            self._read(changed, ends)

    def _read(self, sessions: Iterable[str], ends: Mapping[str, Position]) -> None:
        """Compute the results of sessions; one whose game is not installed has none."""
        for session_id in sessions:
            pacing.step(pacing.STEPS_PER_LOOK)
            try:
                played = self._service.read_uncached(
                    session_id, partial(PlayedTable.of, session_id)
                )
            except (NotInstalledError, UnusableError, UnknownSessionError):
                self._results.pop(session_id, None)
                self._ends[session_id] = ends[session_id]
            else:
                self._results[session_id] = played
                # The session may have gone on since its end was read: then it is read again.
                known = played.head == ends[session_id].head
                self._ends[session_id] = ends[session_id] if known else Position(0, played.head)
