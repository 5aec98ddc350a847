"""The service of clubs: open and record, read figures, manage keys."""

import time
from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from io import BytesIO
from typing import Final, TypeVar

from scorekeeper.base.errors import (
    Cause,
    NotInstalledError,
    UnknownSessionError,
    UnusableError,
    expected,
)
from scorekeeper.base.json_object import JsonObject
from scorekeeper.clubs.club import TYPES, Club
from scorekeeper.clubs.events import (
    ClubOpened,
    EveningEntered,
    HouseKept,
    MemberJoined,
    SeasonClosed,
    SeasonOpened,
    TournamentEntered,
)
from scorekeeper.clubs.house_rules import complete_options
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.state import ClubState
from scorekeeper.clubs.tournament_tables import TournamentTables
from scorekeeper.clubs.values import EnteredTournament
from scorekeeper.events.event import Entry, Event
from scorekeeper.games import GAMES
from scorekeeper.log import codec
from scorekeeper.log.face_down import KEEPER
from scorekeeper.log.reading import LogFile, RawEvent, collect_events
from scorekeeper.log.sets import refuse_unfinished
from scorekeeper.log.writing import now, sealed_lines
from scorekeeper.service import responses
from scorekeeper.service.club_evenings import EveningsToEnter, EveningToEnter
from scorekeeper.service.club_rights import (
    Entering,
    KeyOf,
    decode_inserted,
    entered_by,
    get_entered_id,
    list_entered_people,
    no_key_shown,
    refuse_event,
)
from scorekeeper.service.club_tournaments import (
    find_tournament,
    list_player_names,
    refuse_bad_entrants,
)
from scorekeeper.service.club_twins import KnownLogs, sealed_twin
from scorekeeper.service.folded_club import MAX_EVENINGS, FoldedClub
from scorekeeper.service.name_twins import refuse_member_twins
from scorekeeper.service.service import Service
from scorekeeper.service.visible_names import refuse_invisible
from scorekeeper.store import (
    AppendEffects,
    Attempt,
    Clock,
    KeyRequest,
    New,
    Opened,
    Position,
    StoredLine,
    Stream,
    sealed,
)
from scorekeeper.store.keyring import is_session, is_tournament
from scorekeeper.streams.holder import Holder
from scorekeeper.streams.requests import Recorded, StreamAppend, UnderLock
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

FORMAT: Final = 1
TAG_SECONDS: Final = 1.0  # for which all watchers get the same tag
MAX_CACHED_TAGS: Final = 1_000
INITIAL_KEYS: Final = (KeyRequest("host"), KeyRequest("view"))  # of a new club

T = TypeVar("T")


class Clubs(StreamService[FoldedClub, StreamAppend]):
    """The use cases of clubs; see `StreamService` for the parameters."""

    def __init__(
        self,
        service: Service,
        notify: Notify = notify_none,
        admit: RateCheck = allow_all,
        room: LogCapacity = UNBOUNDED,
        clock: Clock = now,
    ) -> None:
        cache = StreamCache(lambda id_: FoldedClub(id_, service), MAX_EVENINGS)
        super().__init__(service.store, cache, service.limits, notify, admit, room, clock)
        self._evenings = EveningsToEnter(service)
        self.known_logs = KnownLogs(self.store)
        self._tags: dict[str, tuple[float, Position, str]] = {}

    # -------------------------------------------------------------------------------- opening

    def open(
        self,
        data: JsonObject,
        members: Sequence[JsonObject] = (),
        attempt: Attempt | None = None,
    ) -> Opened:
        """Open a club with the data of its first event, and with members.

        A repeated attempt opens no second club. Raises `UnusableError` with the field, or
        `KeyReusedError` if the attempt opened a club with other data.
        """
        events: list[New] = [(ClubOpened.TYPE, {"format": FORMAT, **data})]
        events += [(MemberJoined.TYPE, member) for member in members]
        club = Club()
        for place, (kind, event_data) in enumerate(events):
            try:
                event = codec.decode(kind, event_data, TYPES)
                refuse_invisible(event, TYPES)
                joined = dict(club.state.members)
                club.add(Entry(place + 1, event, by=KEEPER))
                refuse_member_twins(joined, club.state.members, event)
            except UnusableError as error:
                field = error.field.removeprefix("data.")
                error.field = f"members.{place - 1}.{field}" if place else field
                raise
        return self.store.open_club(events, KEEPER, INITIAL_KEYS, attempt)

    def import_log(self, log: bytes, largest: int, *, follows: bool = False) -> Opened:
        """Open a club with a log: a sealed one is stored byte for byte, one by hand is sealed.

        The evenings of this service that the log names are unread until somebody enters them with
        a key. With ``follows``, which is for the operator, no key is needed. Raises `UnusableError`
        with the line if the log is damaged or contains something impossible.
        """
        file, events = LogFile(BytesIO(log), largest), list[RawEvent]()
        Club().add_lines(collect_events(file, events))
        pairs = [(raw.type, raw.data) for raw in events]
        sealed_log = log if file.sealed else b"".join(sealed_lines(pairs, self._clock()))
        return self.store.import_sealed_club(BytesIO(sealed_log), INITIAL_KEYS, follows=follows)

    # ------------------------------------------------------------------------------ recording

    def record(
        self, club_id: str, asked: StreamAppend, holder: Holder, shown: KeyOf = no_key_shown
    ) -> Recorded:
        """Record events, all or none; a repeated request returns its first answer.

        ``shown`` returns the client's key to an evening. Raises `UnknownClubError`,
        `StaleVersionError`, `KeyReusedError`, `ForbiddenError`, `UnusableError`,
        `SessionFullError`, or `MissingKeyError` if the holder's key was revoked.
        """
        return self._record_under_lock(
            club_id, asked, holder,
            lambda folded: self._validate(folded, asked, holder, shown),
            lambda folded: None,
            lambda: self._evenings.look_up(asked, shown),
        )[0]  # fmt: skip

    def _recorded(self, folded: FoldedClub, version: int, holder: Holder) -> bool:
        """Return whether a holder recorded the event at a version."""
        return folded.club.corrections.recorded[version].by == holder.by

    def _validate(
        self, folded: FoldedClub, asked: StreamAppend, holder: Holder, shown: KeyOf
    ) -> Validated:
        """Add the events to the cached club. Raises as `record`."""
        if not asked.events:
            raise UnusableError(Cause("no event to record", "nothing"), field="events")
        self._admit(folded.id, holder, len(asked.events))
        at, lines, end = self._clock(), list[StoredLine](), folded.position
        changed = set[str]()  # evenings that began or ceased to count
        entering = list_entered_members(asked)
        for place, new in enumerate(asked.events):
            try:
                event = codec.decode(new.type, new.data, TYPES)
                refuse_event(holder, folded.club.state, event, shown, entering)
                refuse_invisible(event, TYPES)
                self._refuse_unknown(folded, event, shown)
                (line,) = sealed(end, [(new.type, new.data)], at, holder.by)
                before = _list_counting(folded.club.state)
                joined = dict(folded.club.state.members)
                folded.add(line, holder.by)  # in the order in which it is stored
                refuse_member_twins(joined, folded.club.state.members, event)
                counting = _list_counting(folded.club.state)
                changed |= counting ^ before
                for session_id in filter(is_session, counting - before):
                    self._refuse_twin(folded, session_id)
                if place == len(asked.events) - 1:
                    refuse_unfinished(folded.club.corrections.open_set)
            except UnusableError as error:
                error.field = ".".join(filter(None, ("events", str(place), error.field)))
                raise
            lines.append(line)
            end = Position(line.seq, line.hash)
        types = (new.type for new in asked.events)
        self._room.refuse(end.version, folded.size, types, folded.share_of(holder))
        left = self._follow(folded, asked, changed, shown)
        return Validated(lines, responses.club_append_answer(lines), AppendEffects(unfollowed=left))

    def _follow(
        self, folded: FoldedClub, asked: StreamAppend, changed: set[str], shown: KeyOf
    ) -> set[str]:
        """Store with which keys evenings are entered, before the events are on record.

        So a key that is revoked in between stops the club, too. If the events are refused after
        all, the row stays, and the host of the evening sees it. Return the evenings to stop
        following: those that ``changed`` or that an event enters, unless they count and a key is
        shown, or they count as before. An evening that one request enters and withdraws has a row,
        too: without one, the club could read it without a key.
        """
        events = (codec.decode(new.type, new.data, TYPES) for new in asked.events)
        named = {get_entered_id(entering) for event in events for entering in entered_by(event)}
        counting = _list_counting(folded.club.state)
        keys = {id_: shown(id_) for id_ in named | changed & counting}
        entered = {id_: key.key for id_, key in keys.items() if key is not None}
        self.store.follow(folded.id, entered)
        return (changed | named - counting) - (entered.keys() & counting)

    # --------------------------------------------------------------------------- what is named

    def _refuse_unknown(self, folded: FoldedClub, event: Event, shown: KeyOf) -> None:
        """Raise `UnusableError` if an event names an unknown evening, player, game, option or head.

        The same holds for an event that a correction inserts.
        """
        event = decode_inserted(event)
        if isinstance(event, EveningEntered):
            self._refuse_evening(folded, event, shown)
        if isinstance(event, TournamentEntered):
            self._refuse_tournament(folded, event, shown)
        if isinstance(event, SeasonOpened):
            refuse_unknown_games(event.games)
        if isinstance(event, HouseKept):
            complete_options(event.game, event.options)
        if isinstance(event, SeasonClosed):
            state, stops = folded.club.state, folded.stops()
            tables = folded.list_tables(state.tournaments.keys() & event.heads.keys())
            readable = _list_counting(state) | stops.keys() | tables.keys()
            for session_id, head in event.heads.items():
                if session_id not in readable and shown(session_id) is None:
                    cause = expected("an evening that is entered", session_id, "not_entered")
                    raise UnusableError(cause, field=f"data.heads.{session_id}")
                self._refuse_head(session_id, head, stops.get(session_id))

    def _refuse_evening(self, folded: FoldedClub, event: EveningEntered, shown: KeyOf) -> None:
        """Raise `UnusableError` unless each player of an evening is a member, a guest or null."""
        stop = None if shown(event.session) else folded.stops().get(event.session)
        players = self.evening(event.session, stop).players
        for player in event.players:
            if player not in players:
                words = f"there is no player {player} in that evening"
                raise UnusableError(Cause(words, "no_such_player", player=player),
                               field=f"data.players.{player}")  # fmt: skip
        left = [name for player, name in players.items() if player not in event.players]
        if left:
            words = f"say which member or guest {left[0]} is, or null for nobody of the club"
            raise UnusableError(Cause(words, "player_left_out", name=left[0]), field="data.players")
        if folded.club.corrections.open_set is None:  # a set is judged at its end
            folded.club.state.refuse_two_as_one(event.players, players)

        tables = folded.list_tables()
        if event.session in tables or folded.first_of(event.session) in tables.values():
            words = "that evening is a table of a tournament that is entered"
            raise UnusableError(Cause(words, "table_of_tournament"), field="data.session")

    def _refuse_tournament(
        self, folded: FoldedClub, event: TournamentEntered, shown: KeyOf
    ) -> None:
        """Raise `UnusableError` unless a tournament and its players can be entered.

        Neither a copy of it nor one of its tables may be entered already.
        """
        state = folded.club.state
        stop = None if shown(event.tournament) else folded.stops().get(event.tournament)
        known = find_tournament(self.store, event.tournament, stop)
        entered = EnteredTournament(event.tournament, event.entrants, 0)
        refuse_bad_entrants(entered, known)
        for other in state.tournaments:
            if other != event.tournament and folded.first_of(other) == known.first:
                words = "a copy of this tournament is entered already"
                raise UnusableError(Cause(words, "same_tournament"), field="data.tournament")
        firsts = set(known.firsts.values())
        for session_id in state.evenings:
            if session_id in known.tables or folded.first_of(session_id) in firsts:
                words = (f"one of its tables, {session_id}, is entered as an evening: withdraw "
                         "that first")  # fmt: skip
                cause = Cause(words, "table_entered", session_id=session_id)
                raise UnusableError(cause, field="data.tournament")
        if folded.club.corrections.open_set is None:  # a set is judged at its end
            state.refuse_two_entrants_as_one(entered, list_player_names(known))

    def tournament(self, tournament_id: str, until: Position | None = None) -> TournamentTables:
        """Return a tournament that can be entered, with ``until`` as it was at that position.

        Raises `UnusableError` if there is none.
        """
        return find_tournament(self.store, tournament_id, until)

    def _refuse_twin(self, folded: FoldedClub, session_id: str) -> None:
        """Raise `UnusableError` if another counted evening describes the same session."""
        first = folded.first_of(session_id)
        if first is None:
            return
        others = (id_ for id_ in folded.club.state.evenings if id_ != session_id)
        alike = [id_ for id_ in others if folded.first_of(id_) == first]
        if alike:
            logs = self.known_logs.logs((session_id, *alike))
            log = logs.pop(session_id, None)
            twin = log and sealed_twin(log, logs.values())
            if twin is not None:
                raise twin.refusal

    def _refuse_head(self, session_id: str, head: str, stop: Position | None) -> None:
        """Raise `UnusableError` if an evening never had this head, up to ``stop``."""
        try:
            lines = self.store.read(session_id, 0, stop and stop.version).lines
        except UnknownSessionError:
            lines = ()
        if b'"hash":"%b"' % head.encode() not in b"".join(lines):
            words = "the evening never had this fingerprint"
            raise UnusableError(Cause(words, "no_such_head"), field=f"data.heads.{session_id}")

    def evening(self, session_id: str, until: Position | None = None) -> EveningToEnter:
        """Return an evening that can be entered, with ``until`` as it was at that position.

        Raises `UnusableError` if there is no such evening.
        """
        return self._evenings.find(session_id, until)

    # -------------------------------------------------------------------------------- reading

    def see(self, club_id: str, make: UnderLock[ClubSnapshot, T], key: Hashable = None) -> T:
        """Call ``make`` with a snapshot of a club under its lock, and return its result.

        With a ``key`` the result is cached until the club or one of its evenings changes. Raises
        `UnknownClubError`.
        """
        with self._cache.fresh(club_id) as folded:
            folded.gather()
            if key is None:
                return make(folded.snapshot)
            return folded.make(key, make)

    def state(self, club_id: str) -> tuple[Position, str]:
        """Return the position of a club, and a tag that changes with each of its evenings.

        For polling clients: the tag may be ``TAG_SECONDS`` old, and no lock is waited for. Raises
        `BusyError` if the club has to be read and another thread has it.
        """
        asked, position, tag = self._tags.get(club_id, (0.0, Position(0, ""), ""))
        if time.monotonic() - asked >= TAG_SECONDS or self.store.position(club_id) != position:
            position, tag = self._state_now(club_id)
            if len(self._tags) > MAX_CACHED_TAGS:
                self._tags.clear()
            self._tags[club_id] = time.monotonic(), position, tag
        return position, tag

    def _state_now(self, club_id: str) -> tuple[Position, str]:
        """Return the present position and tag of a club. Raises `BusyError` rather than wait."""
        cached = self._cache.find(club_id)
        known = None if cached is None else cached.published
        if known is None or known.position != self.store.position(club_id):
            with self._cache.fresh(club_id, wait=False) as folded:
                known = folded.published
        assert known is not None  # noqa: S101  # it is up to date now
        ends = self.store.ends(known.evenings)
        return known.position, known.tag(ends, self.store.stops(club_id))

    def events(self, club_id: str, after: int = 0, most: int | None = None) -> Stream:
        """Return a club's lines after a seq, at most ``most``. Raises `UnknownClubError`."""
        return self.store.read(club_id, after, most)

    def with_state(self, club_id: str, make: UnderLock[ClubState, T]) -> T:
        """Call ``make`` with the state of a club under its lock, and return its result.

        No evening is read. Raises `UnknownClubError`.
        """
        with self._cache.fresh(club_id) as folded:
            return make(folded.club.state)

    def standing(self, club_id: str) -> list[Entry]:
        """Return the corrected entries of a club's log in order. Raises `UnknownClubError`."""
        with self._cache.fresh(club_id) as folded:
            return list(folded.club.list_standing())

    def standing_sets(self, club_id: str) -> list[tuple[Entry, Sequence[int]]]:
        """Return the first event of each correction set that stands, and the seqs of its members.

        Raises `UnknownClubError`.
        """
        with self._cache.fresh(club_id) as folded:
            corrections = folded.club.corrections
            return [
                (corrections.recorded[begun], tuple(whole.members))
                for begun, whole in corrections.sets.items()
                if any(corrections.stands[member] for member in whole.members)
            ]

    def follow_again(self, club_id: str, session_id: str, holder: Holder, shown: KeyOf) -> None:
        """Let a club follow an entered evening again, by the client's key to it.

        Raises `UnusableError` if the evening is not entered, or `ForbiddenError`.
        """
        event = self.with_state(club_id, lambda state: _find_entering(state, session_id))
        if event is None:
            words = expected("an evening that is entered", session_id, "not_entered")
            raise UnusableError(words, field="data.session")
        self.with_state(club_id, lambda state: refuse_event(holder, state, event, shown))
        key = shown(session_id)
        if key is not None:
            self.store.follow(club_id, {session_id: key.key})

    def stop_of(self, club_id: str, session_id: str) -> Position | None:
        """Return the position up to which a club may read an evening; None if it follows it."""
        stop = self.store.stops(club_id).get(session_id)
        if stop is not None or not is_session(session_id):
            return stop
        with self._cache.fresh(club_id) as folded:
            return folded.find_stop(session_id) if folded.has_tournaments else None

    def withdrawn(self, club_id: str, entered_id: str) -> str:
        """Return the title of an evening or tournament as of where the club was stopped, or now.

        Raises `UnusableError` if there is no such evening or tournament.
        """
        stop = self.stop_of(club_id, entered_id)
        if is_tournament(entered_id):
            return self.tournament(entered_id, stop).name
        return self.evening(entered_id, stop).title

    def opens(self, club_id: str, session_id: str) -> bool:
        """Return whether figures of a club, of closed seasons too, link to an evening."""
        with self._cache.fresh(club_id) as folded:
            if folded.club.state.shows_evening(session_id):
                return True
            if not folded.has_tournaments or not is_session(session_id):
                return False
            folded.gather()
            return folded.find_tournament_of(session_id) is not None

    # ----------------------------------------------------------------------------------- keys

    def _refuse_unknown_player(self, id_: str, player: str) -> None:
        """Raise `UnusableError` unless a player is a member of the club who has not left."""
        known = self.with_state(id_, lambda state: state.members.get(player))
        if known is None or known.left or known.guest:
            words = f'there is no member "{player}" in this club'
            raise UnusableError(Cause(words, "no_such_member", member=player), field="member")


def _list_counting(state: ClubState) -> set[str]:
    """Return the ids of the evenings and tournaments that count."""
    return {*state.evenings, *state.tournaments}


def _find_entering(state: ClubState, stream_id: str) -> Entering | None:
    """Return the event that would enter an evening or tournament as it is entered, or None."""
    evening, tournament = state.evenings.get(stream_id), state.tournaments.get(stream_id)
    if evening is not None:
        return EveningEntered(stream_id, evening.players)
    return tournament and TournamentEntered(stream_id, tournament.entrants)


def list_entered_members(asked: StreamAppend) -> set[str | None]:
    """Return the members and guests whom the evenings and tournaments of a request name.

    Errors of events are reported later.
    """
    members = set[str | None]()
    for new in asked.events:
        if new.type in (EveningEntered.TYPE, TournamentEntered.TYPE):
            with suppress(UnusableError):
                event = codec.decode(new.type, new.data, TYPES)
                members.update(*map(list_entered_people, entered_by(event)))
    return members


def refuse_unknown_games(games: Iterable[str]) -> None:
    """Raise `NotInstalledError` for a new season of a game that is not installed here."""
    for game in games:
        if game not in GAMES:
            cause = Cause(GAMES.why_missing(game), "not_installed", game=game)
            raise NotInstalledError(cause, field="data.games")
