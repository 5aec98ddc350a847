"""The service of clubs: open one, record in it, see what it comes to, hand out its keys."""

import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from io import BytesIO
from typing import Any, Final, TypeVar

from scorekeeper.base.errors import (
    Cause,
    KeyReusedError,
    NotInstalledError,
    StaleVersionError,
    UnknownKeyError,
    UnknownSessionError,
    UnusableError,
    expected,
)
from scorekeeper.clubs.club import TYPES, Club
from scorekeeper.clubs.events import (
    ClubOpened,
    EveningEntered,
    HouseKept,
    MemberJoined,
    SeasonClosed,
    SeasonOpened,
)
from scorekeeper.clubs.house_rules import complete_options
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.state import ClubState
from scorekeeper.events.event import Entry, Event
from scorekeeper.games import GAMES
from scorekeeper.log import codec
from scorekeeper.log.reading import LogFile, RawEvent, collect_events
from scorekeeper.log.sets import refuse_unfinished
from scorekeeper.log.writing import now, sealed_lines
from scorekeeper.service import responses
from scorekeeper.service.club_cache import ClubCache, FoldedClub
from scorekeeper.service.club_evenings import EveningsToEnter, EveningToEnter
from scorekeeper.service.club_rights import KeyOf, entered_by, no_key_shown, put_in, refuse_event
from scorekeeper.service.club_twins import KnownLogs, sealed_twin
from scorekeeper.service.permissions import KEEPER, Holder
from scorekeeper.service.recording import once
from scorekeeper.service.requests import AppendRequest, Recorded
from scorekeeper.service.room import UNBOUNDED, Amount, Room
from scorekeeper.service.service import Admit, Notify, Service, everybody, nobody
from scorekeeper.service.visible_names import refuse_invisible
from scorekeeper.store import (
    Attempt,
    Clock,
    KeyRequest,
    New,
    NewKey,
    Opened,
    Position,
    Repeated,
    Request,
    Store,
    StoredLine,
    Stream,
    sealed,
)

FORMAT: Final = 1
A_MOMENT: Final = 1.0  # seconds for which all who watch are told the same
MOST_TAGS: Final = 1_000
KEYS: Final = (KeyRequest("host"), KeyRequest("view"))  # of a new club

T = TypeVar("T")


class Clubs:
    """What the people of a club, and programs for them, can do.

    ``told`` is called with each change that was made here, once it is durable; ``admit`` before
    anything is recorded.
    """

    def __init__(
        self,
        service: Service,
        told: Notify = nobody,
        admit: Admit = everybody,
        room: Room = UNBOUNDED,
        clock: Clock = now,
    ) -> None:
        self.store: Store = service.store
        self._service = service
        self._told = told
        self._admit = admit
        self._room = room
        self._clock = clock
        self._cache = ClubCache(service)
        self._evenings = EveningsToEnter(service)
        self.known_logs = KnownLogs(self.store)
        self._tags: dict[str, tuple[float, Position, str]] = {}

    # -------------------------------------------------------------------------------- opening

    def open(
        self,
        data: Mapping[str, Any],
        members: Sequence[Mapping[str, Any]] = (),
        attempt: Attempt | None = None,
    ) -> Opened:
        """Begin a club with the data of its first event, and with members.

        Raises `UnusableError`.

        The same attempt opens one club.

        Raises `KeyReusedError` if it opened another.
        """
        events: list[New] = [(ClubOpened.TYPE, {"format": FORMAT, **data})]
        events += [(MemberJoined.TYPE, one) for one in members]
        club = Club()
        for place, (kind, said) in enumerate(events):
            try:
                event = codec.decode(kind, said, TYPES)
                refuse_invisible(event, TYPES)
                club.add(Entry(place + 1, event, by=KEEPER))
            except UnusableError as error:
                field = error.field.removeprefix("data.")
                error.field = f"members.{place - 1}.{field}" if place else field
                raise
        return self.store.open_club(events, KEEPER, KEYS, attempt)

    def bring_in(self, log: bytes, largest: int) -> Opened:
        """Begin a club with a log: a sealed one is kept byte for byte, one by hand is sealed.

        For whoever keeps the database: no key to the evenings that it names is asked for.

        Raises `UnusableError` with the line, where it is damaged or could never have been recorded.
        """
        file, events = LogFile(BytesIO(log), largest), list[RawEvent]()
        Club().add_lines(collect_events(file, events))
        told = [(raw.type, raw.data) for raw in events]
        made = log if file.sealed else b"".join(sealed_lines(told, self._clock()))
        return self.store.import_sealed_club(BytesIO(made), KEYS)

    # ------------------------------------------------------------------------------ recording

    def record(
        self, club_id: str, asked: AppendRequest, holder: Holder, shown: KeyOf = no_key_shown
    ) -> Recorded:
        """Put events on record, all or none; what came before is answered as it was then.

        ``shown`` says which keys to evenings came with the request.

        Raises `UnknownClubError`, `StaleVersionError`, `KeyReusedError`, `ForbiddenError`,
        `UnusableError` or `SessionFullError`.

        Raises `MissingKeyError` if the holder's key opens nothing.
        """
        done = once(
            self.store, club_id, asked, holder, lambda: self._append(club_id, asked, holder, shown)
        )
        if isinstance(done, Repeated):
            with self._cache.held(club_id) as folded:
                by = folded.club.corrections.recorded[done.version].by
            if by != holder.by:
                raise KeyReusedError
            return Recorded(done.version, done.answer)
        return done

    def _append(
        self, club_id: str, asked: AppendRequest, holder: Holder, shown: KeyOf
    ) -> Recorded | Repeated:
        self._evenings.look_up(asked, shown)
        with self._cache.held(club_id) as folded:
            after = folded.position
            if after.version != asked.expected:
                raise StaleVersionError(asked.expected, *after)
            with folded.trial():
                lines, changed = self._judged(folded, asked, holder, shown)
                answer = responses.club_append_answer(lines)
                request = Request(asked.key, asked.digest, answer) if asked.key else None
                left = changed - self._follow(folded, asked, changed, shown)
                self._service.limits.before_wait()
                repeated = self.store.append(
                    club_id, after, lines, request, holder.key, unfollowed=left
                )
                if repeated is not None:
                    folded.take_back()
                    return repeated
                folded.settle(lines)
            end = Position(lines[-1].seq, lines[-1].hash)
            self._told(club_id, end)
        return Recorded(end.version, answer)

    def _judged(
        self, folded: FoldedClub, asked: AppendRequest, holder: Holder, shown: KeyOf
    ) -> tuple[list[StoredLine], set[str]]:
        """The lines of the events, which are now in the club.

        With the evenings that began or ceased to count by one of them.
        """
        if not asked.events:
            raise UnusableError(Cause("no event to record", "nothing"), field="events")
        self._admit(folded.id, holder, len(asked.events))
        at, lines, end = self._clock(), list[StoredLine](), folded.position
        changed = set[str]()
        for place, new in enumerate(asked.events):
            try:
                event = codec.decode(new.type, new.data, TYPES)
                refuse_event(holder, folded.club.state, event, shown)
                refuse_invisible(event, TYPES)
                self._refuse_unknown(folded, event, shown)
                (line,) = sealed(end, [(new.type, new.data)], at, holder.by)
                before = set(folded.club.state.evenings)
                folded.club.add_stored(line.line)  # in the order in which it is stored
                counting = folded.club.state.evenings.keys()
                changed |= counting ^ before
                for session_id in counting - before:
                    self._refuse_twin(folded, session_id)
                if place == len(asked.events) - 1:
                    refuse_unfinished(folded.club.corrections.open_set)
            except UnusableError as error:
                error.field = ".".join(filter(None, ("events", str(place), error.field)))
                raise
            lines.append(line)
            end = Position(line.seq, line.hash)
        added = sum(len(one.line) + 1 for one in lines)
        share = folded.share_of(holder, Amount(len(lines), added))
        types = (new.type for new in asked.events)
        self._room.refuse(end.version, folded.size + added, types, share)
        return lines, changed

    def _follow(
        self, folded: FoldedClub, asked: AppendRequest, changed: set[str], shown: KeyOf
    ) -> set[str]:
        """Note by which keys evenings come in, before the events are on record.

        Return the evenings that count and that the club follows by a key that was shown: of those
        that an event enters, and those that ``changed``. A key that is revoked in between then
        stops the club, too. Where the events are refused after all, the note stays, and the host
        of the evening sees it.
        """
        events = (codec.decode(new.type, new.data, TYPES) for new in asked.events)
        named = {entering.session for event in events for entering in entered_by(event)}
        keys = {one: shown(one) for one in (named | changed) & folded.club.state.evenings.keys()}
        entered = {one: found.key for one, found in keys.items() if found is not None}
        self.store.follow(folded.id, entered)
        return set(entered)

    # --------------------------------------------------------------------------- what is named

    def _refuse_unknown(self, folded: FoldedClub, event: Event, shown: KeyOf) -> None:
        """Refuse what names an evening, a game or an option otherwise than it is.

        That is refused as well where a correction puts it in.
        """
        event = put_in(event)
        if isinstance(event, EveningEntered):
            self._refuse_evening(folded, event, shown)
        if isinstance(event, SeasonOpened):
            refuse_unknown_games(event.games)
        if isinstance(event, HouseKept):
            complete_options(event.game, event.options)
        if isinstance(event, SeasonClosed):
            stops = folded.stops()
            readable = folded.club.state.evenings.keys() | stops.keys()
            for session_id, head in event.heads.items():
                if session_id not in readable and shown(session_id) is None:
                    cause = expected("an evening that is entered", session_id, "not_entered")
                    raise UnusableError(cause, field=f"data.heads.{session_id}")
                self._refuse_head(session_id, head, stops.get(session_id))

    def _refuse_evening(self, folded: FoldedClub, event: EveningEntered, shown: KeyOf) -> None:
        stop = None if shown(event.session) else folded.stops().get(event.session)
        players = self.evening(event.session, stop).players
        for player in event.players:
            if player not in players:
                words = f"there is no player {player} in that evening"
                raise UnusableError(Cause(words, "no_such_player", player=player),
                               field=f"data.players.{player}")  # fmt: skip
        left = [name for player, name in players.items() if player not in event.players]
        if left:
            words = f"say which member {left[0]} is, or that it was a guest"
            raise UnusableError(Cause(words, "player_left_out", name=left[0]), field="data.players")
        folded.club.state.refuse_two_as_one(event.players, players)

    def _refuse_twin(self, folded: FoldedClub, session_id: str) -> None:
        """Refuse an evening of which another that counts tells, too, however it comes in."""
        first = folded.first_of(session_id)
        if first is None:
            return
        others = (one for one in folded.club.state.evenings if one != session_id)
        alike = [one for one in others if folded.first_of(one) == first]
        if alike:
            logs = self.known_logs.logs((session_id, *alike))
            log = logs.pop(session_id, None)
            twin = log and sealed_twin(log, logs.values())
            if twin is not None:
                raise twin.refusal

    def _refuse_head(self, session_id: str, head: str, stop: Position | None) -> None:
        try:
            lines = self.store.read(session_id, 0, stop and stop.version).lines
        except UnknownSessionError:
            lines = ()
        if b'"hash":"%b"' % head.encode() not in b"".join(lines):
            words = "the evening never had that head"
            raise UnusableError(Cause(words, "no_such_head"), field=f"data.heads.{session_id}")

    def evening(self, session_id: str, until: Position | None = None) -> EveningToEnter:
        """An evening as it is to be entered, or as it was at ``until``.

        Raises `UnusableError` if none is.
        """
        return self._evenings.find(session_id, until)

    # -------------------------------------------------------------------------------- reading

    def see(self, club_id: str, make: Callable[[ClubSnapshot], T], key: Hashable = None) -> T:
        """What is made of a club as it stands, while nobody records in it.

        Raises `UnknownClubError`.

        With a ``key`` it is made once, until the club or one of its evenings changes.
        """
        with self._cache.held(club_id) as folded:
            folded.gather()
            if key is None:
                return make(folded.snapshot)
            return folded.make(key, make)

    def state(self, club_id: str) -> tuple[Position, str]:
        """Where a club ends, and what is another text once one of its evenings has gone on.

        For those who ask again and again: it may be a moment old. Nothing is worked out for it,
        and it waits for nobody: Busy where the club has to be read, and another thread has it.
        """
        asked, position, tag = self._tags.get(club_id, (0.0, Position(0, ""), ""))
        if time.monotonic() - asked >= A_MOMENT or self.store.position(club_id) != position:
            position, tag = self._state_now(club_id)
            if len(self._tags) > MOST_TAGS:
                self._tags.clear()
            self._tags[club_id] = time.monotonic(), position, tag
        return position, tag

    def _state_now(self, club_id: str) -> tuple[Position, str]:
        known = self._cache.published(club_id)
        if known is None or known.position != self.store.position(club_id):
            with self._cache.held(club_id, wait=False) as folded:
                known = folded.published
        assert known is not None  # noqa: S101  # it is up to date now
        ends = self.store.ends(known.evenings)
        return known.position, known.tag(ends, self.store.stops(club_id))

    def events(self, club_id: str, after: int = 0, most: int | None = None) -> Stream:
        """The lines after a seq, at most a given number.

        Raises `UnknownClubError`.
        """
        return self.store.read(club_id, after, most)

    def with_state(self, club_id: str, make: Callable[[ClubState], T]) -> T:
        """What is made of a club's log alone, without a look at its evenings.

        Raises `UnknownClubError`.
        """
        with self._cache.held(club_id) as folded:
            return make(folded.club.state)

    def standing(self, club_id: str) -> list[Entry]:
        """What a club's log says as it is corrected, in the order of its places.

        Raises `UnknownClubError`.
        """
        with self._cache.held(club_id) as folded:
            return list(folded.club.list_standing())

    def follow_again(self, club_id: str, session_id: str, holder: Holder, shown: KeyOf) -> None:
        """Let a club follow an evening that it has, by a key that is shown.

        Raises `UnusableError` or `ForbiddenError`.
        """
        entered = self.with_state(club_id, lambda state: state.evenings.get(session_id))
        if entered is None:
            words = expected("an evening that is entered", session_id, "not_entered")
            raise UnusableError(words, field="data.session")
        event = EveningEntered(session_id, entered.players)
        self.with_state(club_id, lambda state: refuse_event(holder, state, event, shown))
        found = shown(session_id)
        if found is not None:
            self.store.follow(club_id, {session_id: found.key})

    def stop_of(self, club_id: str, session_id: str) -> Position | None:
        """Return up to where a club may read an evening; None where it follows it."""
        return self.store.stops(club_id).get(session_id)

    def withdrawn(self, club_id: str, session_id: str) -> EveningToEnter:
        """An evening that was entered once, as the club may read it.

        Raises `UnusableError`.
        """
        return self.evening(session_id, self.stop_of(club_id, session_id))

    def opens(self, club_id: str, session_id: str) -> bool:
        """Whether a figure of a club opens to an evening, also of a season that was closed."""
        return self.with_state(club_id, lambda state: state.shows_evening(session_id))

    # ----------------------------------------------------------------------------------- keys

    def add_key(
        self,
        club_id: str,
        requested: KeyRequest,
        replaces: str | None = None,
        attempt: Attempt | None = None,
    ) -> NewKey:
        """Make one more key to a club, and revoke the one that it replaces, if any.

        The same attempt makes one key.

        Raises `UnusableError` if its member is not there, or has left.

        Raises `UnknownKeyError` or `LastKeyError`.
        """
        member = requested.player
        there = self.with_state(club_id, lambda state: state.members.get(member or ""))
        if member is not None and (there is None or there.left):
            words = f'there is no member "{member}" in this club'
            raise UnusableError(Cause(words, "no_such_member", member=member), field="member")
        return self.store.add_key(club_id, requested, replaces, attempt)

    def revoke_key(self, club_id: str, key_id: str) -> None:
        """Let a key open nothing any more, and end the present code.

        Raises `UnknownKeyError` or `LastKeyError`.
        """
        if not self.store.revoke_key(club_id, key_id, ends_code=True):
            raise UnknownKeyError(key_id)


def refuse_unknown_games(games: Iterable[str]) -> None:
    """Refuse a season of a game that is not here; one that was opened elsewhere is read."""
    for game in games:
        if game not in GAMES:
            cause = Cause(GAMES.why_missing(game), "not_installed", game=game)
            raise NotInstalledError(cause, field="data.games")
