"""The structure of a session as corrected: the place of each entry, and the rules for places."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import takewhile
from typing import Any, Final, NamedTuple
from weakref import proxy

from scorekeeper.base.errors import Cause, NotInstalledError, UnusableError, expected
from scorekeeper.events.common import (
    COMMON,
    HandStarted,
    MatchEnded,
    MatchStarted,
    NewPlayer,
    PenaltyGiven,
    PlayerJoined,
    PlayerRenamed,
    SessionClosed,
    SessionDescribed,
    SessionOpened,
)
from scorekeeper.events.event import A_CORRECTION, Entry, Event, Place
from scorekeeper.events.references import Scope, refuse_unknown
from scorekeeper.games import GAMES
from scorekeeper.games.game import EventHandler, Game
from scorekeeper.log import codec
from scorekeeper.log.corrected import Undecoded
from scorekeeper.session.disputes import HAND_AGREEMENT_EVENTS, Disputes, FirstPlacements
from scorekeeper.session.matches import NONE_AWAITED, AwaitedHands, HandRecord, MatchRecord
from scorekeeper.session.signatures import PlacedEntry

COMMON_CLASSES: Final = frozenset(COMMON)
ALSO_WHEN_CLOSED: Final = (Place.DISPUTE, Place.ABOUT)
AUTHORS: Final = ("keeper", "import", "")  # of events, beside the players


MAX_HANDS: Final = 100_000  # of a session, as each takes memory; more than any real session has


class TooLargeSessionError(UnusableError):
    """A log that would keep its reader busy for longer than any real one."""


@dataclass(slots=True)
class Segment:
    """Keys of consecutive entries, all in the same hand or in none."""

    keys: list[int] = field(default_factory=list)
    match: MatchRecord | None = None
    hand: HandRecord | None = None


class CurrentHand(NamedTuple):
    """The place of the next entries of play.

    ``handlers`` has the functions of the hand for each type of event, ``keys`` the keys so far.
    """

    hand: HandRecord | None
    handlers: Mapping[type[Event], EventHandler]
    authors: set[str]
    keys: list[int]


class Renaming(NamedTuple):
    """A ``player_renamed`` in its place: the player, and their name before it."""

    player: str
    before: str


NO_HANDLERS: Final[Mapping[type[Event], EventHandler]] = {}


class Structure:
    """The structure of a session, built by placing its entries one after another.

    ``first_placements`` stores which hand a signature or a dispute was about when it was recorded:
    corrections do not make it one about another hand. ``opened`` has the latest title, place and
    day of play, and ``players`` the latest names. ``work`` counts steps of work, and raises an
    error beyond the limit. ``awaiting`` has the hands whose end still has to be accepted.
    """

    def __init__(
        self,
        work: Callable[[int], None],
        first_placements: FirstPlacements | None = None,
        awaiting: AwaitedHands = NONE_AWAITED,
    ) -> None:
        self.work = work
        self.awaiting = awaiting
        self.disputes = Disputes(proxy(self), first_placements)
        self.disputes_are_shared = False  # with a checkpoint: it is copied before it changes
        self.declared = COMMON_CLASSES  # the events that can come next
        self.opened: SessionOpened | None = None
        self.closed: Entry | None = None
        self.players: dict[str, str] = {}
        self.renamings: dict[int, Renaming] = {}  # by key, in the order of the corrected log
        self.authors = set(AUTHORS)  # of events, including the players
        self.matches: list[MatchRecord] = []
        self.current_hand: HandRecord | None = None  # to which entries of play belong
        self.segments: list[Segment] = [Segment()]
        self._segment_of: dict[int, Segment] = {}  # without the keys since it was last asked for
        self.hand_by_seq: dict[int, HandRecord] = {}  # hands by the seq of their hand_started

    # ---------------------------------------------------------------------------- placing

    def place(self, key: int, entry: Entry | None, *, new: bool = True) -> None:
        """Place an entry at the end; None stands for a struck one.

        A ``new`` entry may not start a hand after the end of a match. Entries recorded earlier may,
        since a correction may have moved that end. Raises `UnusableError` if the entry cannot stand
        there.
        """
        if entry is None or entry.event.PLACE is A_CORRECTION:
            self.append_key(key)
            return
        wording = key, key
        if type(entry.event) not in self.declared:
            wording = key, getattr(entry.event, "source", key)
            entry = decode_entry(entry, self.matches[-1].game if self.matches else None)
        event = entry.event
        self.refuse_unopened(event)
        self.refuse_author(entry)
        if self.closed is not None and event.PLACE not in ALSO_WHEN_CLOSED:
            raise UnusableError(Cause("the session has been closed", "closed"), field="type")
        special = self._HANDLERS.get(event.TYPE)
        if special is not None:
            special(self, PlacedEntry(wording, entry, new), event)
        elif type(event) in HAND_AGREEMENT_EVENTS:
            if self.disputes_are_shared:
                self.disputes, self.disputes_are_shared = self.disputes.copy(), False
            self.disputes.place(PlacedEntry(wording, entry, new))
        elif event.PLACE is not Place.SESSION:
            self.hand.add(entry)
        self.append_key(key)

    def refuse_unopened(self, event: Event) -> None:
        """Raise `UnusableError` for any other event before ``session_opened``."""
        if self.opened is None and not isinstance(event, SessionOpened):
            words = f"a log begins with session_opened, got {event.TYPE}"
            raise UnusableError(Cause(words, "not_opened", type=event.TYPE), field="type")

    def refuse_author(self, entry: Entry) -> None:
        """Raise `UnusableError` if the author of an entry is unknown.

        Authors are the players, keeper and import; an entry may add its own author as a player.
        """
        if entry.by in self.authors:
            return
        event = entry.event
        coming = event.players if isinstance(event, SessionOpened) else (event,)
        if entry.by not in [
            player.id for player in coming if isinstance(player, NewPlayer | PlayerJoined)
        ]:
            what = "a player of this session, keeper or import"
            raise UnusableError(expected(what, entry.by, "unknown_author"), field="by")

    def append_key(self, key: int) -> None:
        """Append the key of an entry to the last segment."""
        self.segments[-1].keys.append(key)

    def forget_keys(self, segments: int, keys: int) -> None:
        """Keep only the first ``segments``, and the first ``keys`` of the last of these."""
        removed = self.segments[segments - 1].keys[keys:]
        removed += [key for segment in self.segments[segments:] for key in segment.keys]
        for key in removed:
            self._segment_of.pop(key, None)
        del self.segments[segments:]
        del self.segments[-1].keys[keys:]

    @property
    def segment_of(self) -> dict[int, Segment]:
        """The segment of each key; keys added since the last access are looked up now."""
        segment_by_key = self._segment_of
        backwards = (
            (key, segment) for segment in reversed(self.segments) for key in reversed(segment.keys)
        )
        late = [*takewhile(lambda pair: pair[0] not in segment_by_key, backwards)]
        segment_by_key.update(
            reversed(late)
        )  # the last key last: a thread that finds it finds them all
        return segment_by_key

    def get_current_hand(self) -> CurrentHand:
        """Return the place of the next entries of play; without handlers before the first hand."""
        hand = self.current_hand
        handlers = NO_HANDLERS if hand is None else hand.handlers
        return CurrentHand(hand, handlers, self.authors, self.segments[-1].keys)

    def _begin_segment(
        self, match: MatchRecord | None = None, hand: HandRecord | None = None
    ) -> None:
        """Append an empty segment for the next entries, of this match and hand."""
        self.segments.append(Segment(match=match, hand=hand))

    @property
    def match(self) -> MatchRecord:
        """The open match, or the last one.

        Raises `UnusableError` if there is none.
        """
        if not self.matches:
            raise UnusableError(Cause("no match has been started", "no_match_yet"), field="type")
        return self.matches[-1]

    @property
    def hand(self) -> HandRecord:
        """The last hand of the current match.

        Raises `UnusableError` if there is none.
        """
        if not self.match.hands:
            words = Cause("no hand of this match has been started", "no_hand")
            raise UnusableError(words, field="type")
        return self.match.hands[-1]

    # ----------------------------------------------------------------- session and players

    def _open_session(self, at: PlacedEntry, event: SessionOpened) -> None:
        """Open the session with its players. Raises `UnusableError` if it is open already."""
        if self.opened is not None:
            words = "session_opened may be only the first event"
            raise UnusableError(Cause(words, "opened_twice"), field="type")
        players: dict[str, str] = {}
        for place, player in enumerate(event.players):
            add_player(players, player, f"data.players.{place}.id")
        self.opened = event
        self.players.update(players)
        self.authors |= players.keys()

    def _add_joined_player(self, at: PlacedEntry, event: PlayerJoined) -> None:
        """Add a player who joins the session. Raises `UnusableError` if the id is taken."""
        add_player(self.players, event, "data.id")
        self.authors.add(event.id)

    def _describe_session(self, at: PlacedEntry, event: SessionDescribed) -> None:
        """Change the title, place or day of play; the opening is the first event, so it exists."""
        assert self.opened is not None  # noqa: S101
        new = {name: value for name, value in asdict(event).items() if value is not None}
        self.opened = replace(self.opened, **new)

    def _rename_player(self, at: PlacedEntry, event: PlayerRenamed) -> None:
        """Change the name of a player everywhere. Raises `UnusableError` if they are unknown."""
        refuse_unknown(event, Scope(players=self.players))
        self.renamings[at.wording[0]] = Renaming(event.player, self.players[event.player])
        self._set_name(event.player, event.name)

    def undo_renamings(self, count: int) -> None:
        """Restore the names from before the renamings after the first ``count``."""
        while len(self.renamings) > count:
            _key, renaming = self.renamings.popitem()
            self._set_name(renaming.player, renaming.before)

    def _set_name(self, player: str, name: str) -> None:
        """Set the name of a player in the session and in its matches."""
        self.players[player] = name
        for match in self.matches:
            match.set_name(player, name)

    def _close_session(self, at: PlacedEntry, event: Event) -> None:
        """Close the session, and end its last match."""
        if self.matches:
            self.matches[-1].end(at.entry)
        self.closed = at.entry
        self.current_hand = None
        self._begin_segment()

    # ---------------------------------------------------------------------- match and hand

    def _start_match(self, at: PlacedEntry, event: MatchStarted) -> None:
        """End the match before, and begin a new one.

        Raises `UnusableError` for a game that is not installed, or seats or options that do not fit
        it.
        """
        game = find_game(event)
        self._refuse_seats(game, event)
        options = game.options(event.options, len(event.seats))
        if self.matches:
            self.matches[-1].end(at.entry)
        match = MatchRecord(
            len(self.matches) + 1, at.entry, game, options, event.seats, self.players, event.stake,
            self.awaiting,
        )  # fmt: skip
        self.matches.append(match)
        self.current_hand = None
        self.declared = game.declared
        self._begin_segment(match)

    def _refuse_seats(self, game: Game, event: MatchStarted) -> None:
        """Raise `UnusableError` if a seat is no player, or the game is not for this many."""
        for place, seat in enumerate(event.seats):
            if seat not in self.players:
                known = ", ".join(self.players)
                cause = expected("a player of this session", seat, "not_in_session", known=known)
                raise UnusableError(cause, field=f"data.seats.{place}")
        if len(event.seats) not in game.seats:
            numbers = " or ".join(map(str, game.seats))
            what, wanted = f"{numbers} players for {game.name}", ", ".join(map(str, game.seats))
            facts = {"game": game.name, "numbers": wanted}
            cause = expected(what, len(event.seats), "wrong_number_of_players", **facts)
            raise UnusableError(cause, field="data.seats")

    def _start_hand(self, at: PlacedEntry, event: HandStarted) -> None:
        """Begin a hand of the current match.

        Raises `UnusableError` if a new hand comes after the match has ended, the dealer is unknown,
        or the session has too many hands.
        """
        match = self.match
        refuse_unknown(event, match.scope)
        if at.new and match.over:
            cause = Cause("the match has ended; a new one has to be started", "match_over")
            raise UnusableError(cause, field="type")
        if len(self.hand_by_seq) >= MAX_HANDS:
            words = f"too much work: more than {MAX_HANDS} hands"
            raise TooLargeSessionError(Cause(words, "too_many_hands", most=MAX_HANDS), field="type")
        hand = HandRecord(match, len(match.hands) + 1, at.entry, event.dealer)
        match.begin(hand)
        self.hand_by_seq[at.entry.seq] = self.current_hand = hand
        self._begin_segment(match, hand)

    def replace_hand(self, segment: Segment, hand: HandRecord) -> None:
        """Put a replayed record of a hand in place of the old one, wherever that is referred to."""
        before, segment.hand = segment.hand, hand
        hand.match.hands[hand.number - 1] = hand
        hand.match.forget_standings_after(hand.number - 1)
        if self.current_hand is before:
            self.current_hand = hand
        if self.hand_by_seq[hand.started.seq] is before:
            self.hand_by_seq[hand.started.seq] = hand

    def _end_match(self, at: PlacedEntry, event: Event) -> None:
        """End the current match.

        Raises `UnusableError` if there is none, or if a new event comes after the match's own end.
        """
        if at.new and self.match.standing().over:
            words = "the match has ended by its own rule already"
            raise UnusableError(Cause(words, "ended_by_rule"), field="type")
        self.match.end(at.entry)

    def _give_penalty(self, at: PlacedEntry, event: PenaltyGiven) -> None:
        """Record a penalty in the current hand, or in the match before its first hand."""
        if self.match.hands:
            self.work(self.hand.cost_with_penalty)
            self.hand.penalize(at.entry, event, new=at.new)
        else:
            self.match.penalize(at.entry, event)

    # -------------------------------------------------------------- signatures and disputes

    @property
    def disputed(self) -> Mapping[int, None]:
        """The seqs of the hands with an open dispute."""
        return self.disputes.disputed

    _HANDLERS: Final[dict[str, Callable[[Any, PlacedEntry, Any], None]]] = {
        SessionOpened.TYPE: _open_session,
        SessionDescribed.TYPE: _describe_session,
        PlayerJoined.TYPE: _add_joined_player,
        PlayerRenamed.TYPE: _rename_player,
        SessionClosed.TYPE: _close_session,
        MatchStarted.TYPE: _start_match,
        MatchEnded.TYPE: _end_match,
        HandStarted.TYPE: _start_hand,
        PenaltyGiven.TYPE: _give_penalty,
    }


# Events that affect more than the hand they stand in: their correction replays the whole session.
STRUCTURAL_EVENTS: Final[tuple[type[Event], ...]] = (
    SessionOpened, SessionDescribed, PlayerJoined, PlayerRenamed, SessionClosed, MatchStarted,
    MatchEnded, HandStarted, *HAND_AGREEMENT_EVENTS,
)  # fmt: skip
STRUCTURAL_TYPES: Final = {declared.TYPE for declared in STRUCTURAL_EVENTS}


def add_player(players: dict[str, str], player: NewPlayer | PlayerJoined, path: str) -> None:
    """Add a player's id and name to ``players``. Raises `UnusableError` if the id is taken."""
    if player.id in players:
        owner = players[player.id]
        words = f'the id "{player.id}" belongs to {owner} already'
        raise UnusableError(Cause(words, "id_taken", id=player.id, name=owner), field=path)
    players[player.id] = player.name


def decode_entry(entry: Entry, game: Game | None) -> Entry:
    """Return an entry with its event decoded as the game at its place declares it.

    Raises `UnusableError` if the data does not fit.
    """
    event = entry.event
    types = game.by_type if game else codec.COMMON_TYPES
    if isinstance(event, Undecoded):
        return replace(entry, event=codec.decode(event.type, event.data, types))
    if type(event) in (game.declared if game else COMMON_CLASSES):
        return entry
    return replace(entry, event=codec.decode(event.TYPE, codec.encode(event), types))


def find_game(event: MatchStarted) -> Game:
    """Return the game of a match, in the version of its rules that is played.

    Raises `NotInstalledError` if the game or the version is not installed.
    """
    if event.game not in GAMES:
        raise _not_installed(event, "game", GAMES.why_missing(event.game))
    version = 1 if event.rules is None else event.rules
    game = GAMES.version(event.game, version)
    if game is None:
        known = ", ".join(str(game_version.version) for game_version in GAMES.versions(event.game))
        why = expected(f"a version of the rules of {event.game} ({known})", version)
        raise _not_installed(event, "rules", why)
    return game


def _not_installed(event: MatchStarted, field: str, why: str) -> NotInstalledError:
    """Return the error for a game, or version of its rules, that is not installed."""
    return NotInstalledError(Cause(why, "not_installed", game=event.game), field=f"data.{field}")
