"""The service of tournaments: open and record, draw and publish rounds, read, manage keys."""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Final, TypeVar

from scorekeeper.base.errors import BusyError, Cause, StaleTableError, UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.corrections import EventReplaced, EventStruck
from scorekeeper.events.event import Entry
from scorekeeper.log import codec
from scorekeeper.log.face_down import KEEPER, mask_lines
from scorekeeper.log.reading import LogFile, RawEvent, collect_events
from scorekeeper.log.replayed import copy_state
from scorekeeper.log.sets import refuse_unfinished
from scorekeeper.log.writing import as_json, now, sealed_lines
from scorekeeper.service import responses
from scorekeeper.service.folded_tournament import (
    MAX_TABLES_CACHED,
    FoldedTournament,
    TournamentPosition,
    TournamentSnapshot,
)
from scorekeeper.service.seat_exchanges import SeatExchanges
from scorekeeper.service.service import Service
from scorekeeper.service.tournament_rights import (
    ENTRANT,
    refuse_tournament_event,
    refuse_unknown_player,
    request_key,
)
from scorekeeper.service.tournament_tables import (
    close_recalled,
    close_tables,
    list_closed,
    reopen_tables,
)
from scorekeeper.service.visible_names import refuse_invisible
from scorekeeper.session.session import Session
from scorekeeper.store import (
    AppendEffects,
    Attempt,
    Clock,
    Key,
    KeyRequest,
    New,
    NewKey,
    Opened,
    Position,
    StoredLine,
    Stream,
    sealed,
)
from scorekeeper.store.contract import NewStream
from scorekeeper.streams.holder import Holder
from scorekeeper.streams.requests import NewEvent, Recorded, StreamAppend, UnderLock
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
from scorekeeper.tournaments.events import (
    EntrantRegistered,
    RoundClosed,
    RoundPublished,
    SeatsExchanged,
    TournamentOpened,
)
from scorekeeper.tournaments.hiding import add_salts
from scorekeeper.tournaments.open_tables import (
    list_played_seats,
    list_unplayed,
    refuse_foreign_sessions,
    require_unpublished,
)
from scorekeeper.tournaments.pasted import parse_entrants
from scorekeeper.tournaments.played_tables import PlayedTable
from scorekeeper.tournaments.state import TournamentState
from scorekeeper.tournaments.table_sessions import list_opening_events
from scorekeeper.tournaments.tournament import TYPES, Tournament
from scorekeeper.tournaments.values import TournamentRound

FORMAT: Final = 1
TAG_SECONDS: Final = 1.0  # for which all watchers get the same tag
MAX_CACHED_TAGS: Final = 1_000
TRIES: Final = 5  # of an append that also changes tables, while these go on
# Events that may change the sessions of tables.
TABLE_TYPES: Final = frozenset({RoundClosed.TYPE, EventStruck.TYPE, EventReplaced.TYPE})
REOPENED: Final = "the round is open again"  # why a session is, in its log
INITIAL_KEYS: Final = (KeyRequest("host"), KeyRequest("view"))  # of a new tournament

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PublishRequest(StreamAppend):
    """A request to publish a round and to open the sessions of its tables.

    Tables with the numbers ``paper`` are played on paper.
    """

    round: int = 0
    paper: frozenset[int] = frozenset()


class Tournaments(StreamService[FoldedTournament, StreamAppend]):
    """The use cases of tournaments; see `StreamService` for the parameters."""

    def __init__(
        self,
        service: Service,
        notify: Notify = notify_none,
        admit: RateCheck = allow_all,
        room: LogCapacity = UNBOUNDED,
        clock: Clock = now,
    ) -> None:
        cache = StreamCache(lambda id_: FoldedTournament(id_, service), MAX_TABLES_CACHED)
        super().__init__(service.store, cache, service.limits, notify, admit, room, clock)
        self._tags: dict[str, tuple[float, Position, str]] = {}

    # -------------------------------------------------------------------------------- opening

    def open(
        self,
        data: JsonObject,
        entrants: Sequence[JsonObject] = (),
        attempt: Attempt | None = None,
    ) -> Opened:
        """Open a tournament with the data of its first event, and with entrants.

        A repeated attempt opens no second tournament. Raises `UnusableError` with the field, or
        `KeyReusedError` if the attempt opened a tournament with other data.
        """
        events: list[New] = [(TournamentOpened.TYPE, {"format": FORMAT, **data})]
        events += [(EntrantRegistered.TYPE, entrant) for entrant in entrants]
        held = Tournament()
        for place, (kind, event_data) in enumerate(events):
            try:
                event = codec.decode(kind, event_data, TYPES)
                refuse_invisible(event, TYPES)
                held.add(Entry(place + 1, event, by=KEEPER))
            except UnusableError as error:
                field = error.field.removeprefix("data.")
                error.field = f"registered.{place - 1}.{field}" if place else field
                raise
        return self.store.open_tournament(events, KEEPER, INITIAL_KEYS, attempt)

    def import_log(self, log: bytes, largest: int, attempt: Attempt | None = None) -> Opened:
        """Open a tournament with a log: a sealed one is stored byte for byte, else it is sealed.

        It reads nothing of the sessions that the log names. Raises `UnusableError` with the line if
        the log is damaged or contains something impossible.
        """
        file, events = LogFile(BytesIO(log), largest), list[RawEvent]()
        Tournament().add_lines(collect_events(file, events))
        self._room.refuse(len(events), len(log), (TournamentOpened.TYPE,))
        pairs = add_salts([(raw.type, raw.data) for raw in events])
        sealed_log = log if file.sealed else b"".join(sealed_lines(pairs, self._clock()))
        return self.store.import_sealed_tournament(BytesIO(sealed_log), INITIAL_KEYS, attempt)

    # ------------------------------------------------------------------------------ recording

    def record(self, tournament_id: str, asked: StreamAppend, holder: Holder) -> Recorded:
        """Record events, all or none; a repeated request returns its first answer.

        With a `PublishRequest` a round is published, and the sessions of its tables are opened in
        the same transaction. When a round is closed, so are the sessions of its tables, but for
        those with a hand that is not finished or is in dispute; a correction that opens it again
        opens them, too. Raises `UnknownTournamentError`,
        `StaleVersionError`, `KeyReusedError`, `ForbiddenError`, `UnusableError`,
        `SessionFullError`, or `MissingKeyError` if the holder's key was revoked.
        """
        for _ in range(TRIES):
            with suppress(StaleTableError):
                return self._record_under_lock(
                    tournament_id, asked, holder,
                    lambda folded: self._validate(folded, asked, holder),
                    lambda folded: None,
                )[0]  # fmt: skip
        raise BusyError("the tables of the round are recording just now")

    def register_pasted(
        self,
        tournament_id: str,
        asked: StreamAppend,
        text: str,
        from_round: int | None,
        holder: Holder,
    ) -> Recorded:
        """Register the entrants of a pasted list, all or none; see `record`.

        Raises `UnusableError` with the line of the list.
        """
        listed = self.with_state(
            tournament_id, lambda state: parse_entrants(text, state, from_round)
        )
        events = tuple(NewEvent(EntrantRegistered.TYPE, entrant.data) for entrant in listed)
        try:
            return self.record(tournament_id, replace(asked, events=events), holder)
        except UnusableError as error:
            _, _, place = error.field.partition("events.")
            number = place.partition(".")[0]
            if number.isdecimal() and int(number) < len(listed):
                error.line, error.field = listed[int(number)].line, "text"
            raise

    def _recorded(self, folded: FoldedTournament, version: int, holder: Holder) -> bool:
        """Return whether a holder recorded the event at a version.

        Events of assistants are by the keeper, as those of directors; the store knows their keys.
        """
        if folded.log.corrections.recorded[version].by != holder.by:
            return False
        recorder = self.store.recorders(folded.id).get(version)
        return recorder == _recorder(holder)

    def _validate(self, folded: FoldedTournament, asked: StreamAppend, holder: Holder) -> Validated:
        """Add the events to the cached tournament. Raises as `record`."""
        opens: list[NewStream] = []
        events = asked.events
        if isinstance(asked, PublishRequest):
            opens = self._prepare_sessions(folded.log.state, asked)
            events = (_make_publication(asked, folded.log.state, opens),)
        if not events:
            raise UnusableError(Cause("no event to record", "nothing"), field="events")
        opened = sum(len(new.lines) for new in opens)
        if any(kind in TABLE_TYPES for kind, _ in events):
            folded.gather()  # before the events are tried: their results are those at present
        self._admit(folded.id, holder, len(events) + opened)
        at, lines, end = self._clock(), list[StoredLine](), folded.position
        own = {new.id for new in opens}
        before, closed = list_played_seats(folded.log.state), list_closed(folded.log.state)
        played_before = before
        unplayed = list_unplayed(folded.log.state, folded.snapshot.results)
        exchanges = SeatExchanges(self.store, self.limits)
        for place, (kind, data) in enumerate(add_salts(events)):
            try:
                event = codec.decode(kind, data, TYPES)
                refuse_tournament_event(holder, folded.log.state, event)
                refuse_invisible(event, TYPES)
                (line,) = sealed(end, [(kind, data)], at, holder.by)
                drawn = folded.log.state.rounds.get(getattr(event, "round", None) or 0)
                folded.add(line, holder.by)  # in the order in which it is stored
                if isinstance(event, SeatsExchanged) and drawn is not None and drawn.published:
                    exchanges.exchange(folded.log.state, drawn, event.reason, at)
                    before |= list_played_seats(folded.log.state)
                refuse_foreign_sessions(folded.log.state, before, own, unplayed)
                if place == len(events) - 1:
                    refuse_unfinished(folded.log.corrections.open_set)
            except UnusableError as error:
                if not isinstance(asked, PublishRequest):
                    error.field = ".".join(filter(None, ("events", str(place), error.field)))
                raise
            lines.append(line)
            end = Position(line.seq, line.hash)
        types = [kind for kind, _ in events]
        self._room.refuse(end.version, folded.size, types, folded.share_of(holder))
        recorder = _recorder(holder)
        recorders = {line.seq: recorder for line in lines} if recorder else {}
        closing = close_tables(folded, lines, at)
        reopening = reopen_tables(folded, closed, self.store, self.limits, REOPENED, at)
        recalled = close_recalled(folded, played_before, at)
        left = {"left_open": closing.left_open, "left_closed": reopening.left_closed}
        more = b"".join(b',"%b":%b' % (name.encode(), as_json(tables))
                        for name, tables in left.items() if tables)  # fmt: skip
        answer = responses.club_append_answer(lines, more)
        effects = AppendEffects(
            recorders=recorders,
            opens=opens,
            others=[
                *closing.appends,
                *reopening.appends,
                *recalled,
                *exchanges.appends,
            ],
        )
        return Validated(lines, answer, effects)

    # -------------------------------------------------------------------------------- rounds

    def _prepare_sessions(self, state: TournamentState, asked: PublishRequest) -> list[NewStream]:
        """Return the sessions of the tables of a round that are not on paper, in their order.

        Raises `UnusableError` if the round is not drawn, or published already.
        """
        drawn = require_unpublished(state, asked.round)
        for table in asked.paper:
            state.require_table(drawn, table)
        new = []
        for table in _list_playing(asked, drawn):
            events = list_opening_events(state, drawn, table)
            Session.of(
                Entry(place, codec.decode(kind, data), by=KEEPER)
                for place, (kind, data) in enumerate(events, 1)
            )
            new.append(self.store.prepare_session(events, KEEPER, (KeyRequest("host"),)))
        return new

    # -------------------------------------------------------------------------------- reading

    def see(self, tournament_id: str, make: UnderLock[TournamentSnapshot, T]) -> T:
        """Call ``make`` with a snapshot of a tournament under its lock, and return its result.

        Raises `UnknownTournamentError`.
        """
        with self._cache.fresh(tournament_id) as folded:
            folded.gather()
            return make(folded.snapshot)

    def copy(self, tournament_id: str) -> tuple[Position, TournamentState, dict[str, PlayedTable]]:
        """Return a copy of a tournament and the results of its sessions, for a long computation.

        Raises `UnknownTournamentError`.
        """
        return self.see(
            tournament_id,
            lambda snapshot: (
                snapshot.position, copy_state(snapshot.state), dict(snapshot.results),
            ),
        )  # fmt: skip

    def with_state(self, tournament_id: str, make: UnderLock[TournamentState, T]) -> T:
        """Call ``make`` with the state of a tournament under its lock, and return its result.

        No session is read. Raises `UnknownTournamentError`.
        """
        with self._cache.fresh(tournament_id) as folded:
            return make(folded.log.state)

    def with_log(self, tournament_id: str, make: UnderLock[Tournament, T]) -> T:
        """Call ``make`` with the replayed log of a tournament, as `with_state`."""
        with self._cache.fresh(tournament_id) as folded:
            return make(folded.log)

    def find_heads(self, tournament_id: str) -> dict[str, str]:
        """Return the head of each session, for the event that closes the tournament.

        The first hash stands for the head of a session that was deleted. Raises
        `UnknownTournamentError`.
        """
        first_hashes = self.with_state(tournament_id, lambda state: {
            named.session: named.first_hash
            for drawn in state.rounds.values()
            for named in (drawn.sessions or {}).values()
            if named is not None
        })  # fmt: skip
        ends = self.store.ends(first_hashes)
        heads = {session_id: end.head for session_id, end in ends.items()}
        return first_hashes | heads

    def events(
        self, tournament_id: str, after: int = 0, most: int | None = None,
        *, sees_all: bool = False,
    ) -> Stream:  # fmt: skip
        """Return lines after a seq, at most ``most``; draws that are not published are masked."""
        if sees_all:
            return self.store.read(tournament_id, after, most)
        with self._cache.fresh(tournament_id) as folded:
            position, hidden = folded.position, folded.hidden
        lines = self.store.read(tournament_id, after, most).lines
        upto = max(position.version - after, 0)  # more may have come since
        return Stream(*position, tuple(mask_lines(lines[:upto], after, hidden)))

    def state(self, tournament_id: str, seconds: float = TAG_SECONDS) -> tuple[Position, str]:
        """Return the position of a tournament, and a tag that changes with each of its sessions.

        For polling clients: the tag may be ``seconds`` old, and no lock is waited for. Raises
        `BusyError` if the tournament has to be read and another thread has it.
        """
        asked, position, tag = self._tags.get(tournament_id, (0.0, Position(0, ""), ""))
        if time.monotonic() - asked >= seconds or self.store.position(tournament_id) != position:
            position, tag = self._state_now(tournament_id)
            if len(self._tags) > MAX_CACHED_TAGS:
                self._tags.clear()
            self._tags[tournament_id] = time.monotonic(), position, tag
        return position, tag

    def _state_now(self, tournament_id: str) -> tuple[Position, str]:
        """Return the present position and tag of a tournament. Raises `BusyError`, not to wait."""
        known = self._published(tournament_id, wait=False)
        return known.position, known.tag(self.store.ends(known.sessions))

    def _published(self, tournament_id: str, *, wait: bool = True) -> TournamentPosition:
        """Return the present end of a tournament; its lock is taken only after a change."""
        cached = self._cache.find(tournament_id)
        known = None if cached is None else cached.published
        if known is None or known.position != self.store.position(tournament_id):
            with self._cache.fresh(tournament_id, wait=wait) as folded:
                known = folded.published
        assert known is not None  # noqa: S101  # it is up to date now
        return known

    def find_table_holder(self, key: Key, session_id: str) -> Holder | None:
        """Return the rights that a key to a tournament gives at the session of a table.

        A director has those of a host. The player of an entrant has a seat at the present table; at
        tables of earlier rounds they only sign. Everybody else looks on. None if the tournament has
        not opened the session. Raises `UnknownTournamentError`.
        """
        known = self._published(key.stream_id)
        table = known.sessions.get(session_id)
        if table is None:
            return None
        if key.role == "host":
            return Holder("host", None, key)
        if key.player not in table.players:
            return Holder("view", None, key)
        return Holder("seat", key.player, key, only_signs=table.round != known.present_round)

    # ----------------------------------------------------------------------------------- keys

    def add_entrant_keys(
        self, tournament_id: str, expires: str | None, attempt: Attempt | None,
        *, renew: bool = False,
    ) -> list[NewKey]:  # fmt: skip
        """Make a key for each player of the entrants who has none, all or none.

        With ``renew`` those who have one get another, and their older ones are revoked. Substitutes
        are among them, and entrants who have withdrawn are not. A repeated attempt returns the same
        keys. Raises `UnknownTournamentError`.
        """
        players = self.with_state(tournament_id, lambda state: [
            player for player, _, entrant in state.list_players() if entrant.withdrawn_from is None
        ])  # fmt: skip
        asked = [request_key(ENTRANT, player, expires) for player in players]
        return self.store.add_player_keys(tournament_id, asked, attempt, renew=renew)

    def _refuse_unknown_player(self, id_: str, player: str) -> None:
        """Raise `UnusableError` unless a key can be for this player."""
        self.with_state(id_, lambda state: refuse_unknown_player(state, player))


def _recorder(holder: Holder) -> str | None:
    """Return the id of an assistant's key, since the log ascribes their events to the keeper."""
    assists = holder.role == "seat" and holder.player == KEEPER
    return holder.key.id if assists and holder.key is not None else None


def _list_playing(asked: PublishRequest, drawn: TournamentRound) -> list[int]:
    """Return the tables of a round that get a session."""
    return [table for table in range(1, len(drawn.tables) + 1) if table not in asked.paper]


def _make_publication(
    asked: PublishRequest, state: TournamentState, opens: Sequence[NewStream]
) -> NewEvent:
    """Return the event that publishes a round with the sessions that are opened for it."""
    drawn = state.require_round(asked.round)
    sessions: dict[str, JsonObject | None] = {
        str(table): None for table in range(1, len(drawn.tables) + 1)
    }
    for table, new in zip(_list_playing(asked, drawn), opens, strict=True):
        sessions[str(table)] = {"session": new.id, "first_hash": new.lines[0].hash}
    return NewEvent(RoundPublished.TYPE, {"round": asked.round, "sessions": sessions})
