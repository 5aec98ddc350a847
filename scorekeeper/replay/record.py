"""A session as it stands corrected: where each entry belongs, and what can never stand there."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from scorekeeper.errors import Unusable, expected
from scorekeeper.events import (
    A_CORRECTION,
    COMMON,
    CorrectionProposed,
    DisputeSettled,
    Entry,
    Event,
    HandConfirmed,
    HandDisputed,
    HandStarted,
    MatchEnded,
    MatchStarted,
    NewPlayer,
    PenaltyGiven,
    Place,
    PlayerJoined,
    ProposalDeclined,
    ProposalSigned,
    SessionClosed,
    SessionOpened,
)
from scorekeeper.games import GAMES, VERSIONS
from scorekeeper.games.game import Game
from scorekeeper.log import codec
from scorekeeper.log.corrections import Undecoded
from scorekeeper.replay.records import HandRecord, MatchRecord
from scorekeeper.replay.references import refuse_unknown
from scorekeeper.replay.signing import Said, Signature

COMMON_CLASSES: Final = frozenset(COMMON)
AUTHORS: Final = ("keeper", "import", "")  # beside the players, who may record


MOST_HANDS: Final = 100_000  # of a session: nobody lives to play them, and each takes memory


class TooMuch(Unusable):
    """A log that would keep its reader busy for longer than any real one."""


@dataclass(slots=True)
class Segment:
    """Keys of entries that follow one another, all in one hand or in none."""

    keys: list[int] = field(default_factory=list)
    match: MatchRecord | None = None
    hand: HandRecord | None = None


class At(NamedTuple):
    """An entry being placed: what it is known by, and whether it is new or was there before."""

    said: Said
    entry: Entry
    new: bool


class Record:
    """The structure of a session, built by placing its entries one after another.

    ``bound`` remembers which hand a signature or a dispute was about when it was recorded, by
    the seq of its hand_started: corrections do not make it one about another hand. ``work`` is
    told how much work was done, and refuses to do too much.
    """

    def __init__(
        self, work: Callable[[int], None], bound: Mapping[Said, int] | None = None
    ) -> None:
        self.work = work
        self.bound = dict(bound or {})
        self.declared = COMMON_CLASSES  # the events that can come next
        self.opened: SessionOpened | None = None
        self.closed: Entry | None = None
        self.players: dict[str, str] = {}
        self.authors = set(AUTHORS)  # who may record: the players, too
        self.matches: list[MatchRecord] = []
        self.hand_at_hand: HandRecord | None = None  # to which entries of play belong
        self.segments: list[Segment] = [Segment()]
        self.segment_of: dict[int, Segment] = {}
        self.hand_at: dict[int, HandRecord] = {}  # hands by the seq of their hand_started
        self.signatures: dict[int, list[Signature]] = {}  # by the hand's seq
        self.unsigned: list[tuple[Signature, int]] = []  # new ones, and their hand's seq
        self.disputes: dict[int, list[Entry]] = {}  # what was said, by the hand's seq
        self.disputed: dict[int, None] = {}  # seqs of hands with an open dispute, the last last
        self.proposals: dict[int, int] = {}  # seq of a proposal, and its hand's seq

    # ---------------------------------------------------------------------------- placing

    def place(self, key: int, entry: Entry | None, *, new: bool = True) -> None:
        """Put an entry at the end; None is a place where nothing stands.

        ``new`` entries may not start a hand after the end of a match; those that stood before
        a correction made that end may.
        """
        if entry is None or entry.event.PLACE is A_CORRECTION:
            self.keep(key)
            return
        said = key, key
        if type(entry.event) not in self.declared:
            said = key, getattr(entry.event, "said", key)
            entry = decoded(entry, self.matches[-1].game if self.matches else None)
        event = entry.event
        if self.opened is None and not isinstance(event, SessionOpened):
            raise Unusable(f"a log begins with session_opened, got {event.TYPE}", field="type")
        self.refuse_author(entry)
        if self.closed is not None and event.PLACE is not Place.DISPUTE:
            raise Unusable("the session has been closed", field="type")
        special = self._PLACES.get(type(event))
        if special is not None:
            special(self, At(said, entry, new), event)
        elif event.PLACE is not Place.SESSION:
            self.hand.add(entry)
        self.keep(key)

    def refuse_author(self, entry: Entry) -> None:
        """Refuse an event recorded by nobody who is there, or who comes by it."""
        if entry.by in self.authors:
            return
        event = entry.event
        coming = event.players if isinstance(event, SessionOpened) else (event,)
        if entry.by not in [one.id for one in coming if isinstance(one, NewPlayer | PlayerJoined)]:
            raise Unusable(
                expected("a player of this session, keeper or import", entry.by), field="by"
            )

    def keep(self, key: int) -> None:
        """Remember where the entry with this key was placed."""
        segment = self.segments[-1]
        segment.keys.append(key)
        self.segment_of[key] = segment

    def _segment(self, match: MatchRecord | None = None, hand: HandRecord | None = None) -> None:
        self.segments.append(Segment(match=match, hand=hand))

    @property
    def match(self) -> MatchRecord:
        """The match that is open, or the last one."""
        if not self.matches:
            raise Unusable("no match has been started", field="type")
        return self.matches[-1]

    @property
    def hand(self) -> HandRecord:
        """The hand at hand."""
        if not self.match.hands:
            raise Unusable("no hand of this match has been started", field="type")
        return self.match.hands[-1]

    # ----------------------------------------------------------------- session and players

    def _open(self, at: At, event: SessionOpened) -> None:
        if self.opened is not None:
            raise Unusable("session_opened stands only at the beginning", field="type")
        there: dict[str, str] = {}
        for place, player in enumerate(event.players):
            join(there, player, f"data.players.{place}.id")
        self.opened = event
        self.players.update(there)
        self.authors |= there.keys()

    def _player_joined(self, at: At, event: PlayerJoined) -> None:
        join(self.players, event, "data.id")
        self.authors.add(event.id)

    def _close(self, at: At, event: Event) -> None:
        if self.matches:
            self.matches[-1].end(at.entry)
        self.closed = at.entry
        self.hand_at_hand = None
        self._segment()

    # ---------------------------------------------------------------------- match and hand

    def _start_match(self, at: At, event: MatchStarted) -> None:
        game = the_game(event)
        self._refuse_seats(game, event)
        options = game.options(event.options, len(event.seats))
        if self.matches:
            self.matches[-1].end(at.entry)
        match = MatchRecord(
            len(self.matches) + 1, at.entry, game, options, event.seats, self.players
        )
        self.matches.append(match)
        self.hand_at_hand = None
        self.declared = game.declared
        self._segment(match)

    def _refuse_seats(self, game: Game, event: MatchStarted) -> None:
        for place, seat in enumerate(event.seats):
            if seat not in self.players:
                raise Unusable(expected("a player of this session", seat),
                               field=f"data.seats.{place}")  # fmt: skip
        if len(event.seats) not in game.seats:
            numbers = " or ".join(map(str, game.seats))
            raise Unusable(
                expected(f"{numbers} players for {game.name}", len(event.seats)),
                field="data.seats",
            )

    def _start_hand(self, at: At, event: HandStarted) -> None:
        match = self.match
        refuse_unknown(event, match.scope)
        if at.new and match.over:
            raise Unusable("the match has ended; a new one has to be started", field="type")
        if len(self.hand_at) >= MOST_HANDS:
            raise TooMuch(f"too much work: more than {MOST_HANDS} hands", field="type")
        hand = HandRecord(match, len(match.hands) + 1, at.entry, event.dealer)
        match.begin(hand)
        self.hand_at[at.entry.seq] = self.hand_at_hand = hand
        self._segment(match, hand)

    def put_in_place(self, segment: Segment, hand: HandRecord) -> None:
        """Put a hand that was written down anew in the place of what it was before."""
        before, segment.hand = segment.hand, hand
        hand.match.hands[hand.number - 1] = hand
        hand.match.changed(hand.number - 1)
        if self.hand_at_hand is before:
            self.hand_at_hand = hand
        if self.hand_at[hand.started.seq] is before:
            self.hand_at[hand.started.seq] = hand

    def _end_match(self, at: At, event: Event) -> None:
        self.match.end(at.entry)

    def _penalty(self, at: At, event: PenaltyGiven) -> None:
        if self.match.hands:
            self.hand.penalize(at.entry, event, new=at.new)
            self.work(self.hand.cost)
        else:
            self.match.penalize(at.entry, event)

    # -------------------------------------------------------------- signatures and disputes

    def _confirm(self, at: At, event: HandConfirmed) -> None:
        new = at.said not in self.bound
        hand = self._bind(at, lambda: self._last_complete(self.match, "type"))
        signature = Signature(at.said, at.entry.seq, event.player)
        self.signatures.setdefault(hand.started.seq, []).append(signature)
        if new:
            self.unsigned.append((signature, hand.started.seq))

    def _bind(self, at: At, find: Callable[[], HandRecord]) -> HandRecord:
        """The hand that an entry was about when it was first placed."""
        seq = self.bound.get(at.said)
        hand = find() if seq is None else self.hand_at.get(seq)
        if hand is None:
            raise Unusable("the hand that it is about is no longer there")
        refuse_unknown(at.entry.event, hand.match.scope)
        self.bound[at.said] = hand.started.seq
        return hand

    def _last_complete(self, match: MatchRecord, field: str) -> HandRecord:
        self.work(match.hands[-1].cost if match.hands else 0)
        hand = match.last_complete()
        if hand is None:
            raise Unusable("no hand of this match is complete", field=field)
        return hand

    def _named_hand(self, event: HandDisputed | CorrectionProposed | DisputeSettled) -> HandRecord:
        match = self.match
        if event.match is not None:
            if event.match > len(self.matches):
                raise Unusable(expected("the number of a match that was started", event.match),
                               field="data.match")  # fmt: skip
            match = self.matches[event.match - 1]
        if event.hand is not None:
            if event.hand > len(match.hands):
                raise Unusable(expected("the number of a hand that was started", event.hand),
                               field="data.hand")  # fmt: skip
            return match.hands[event.hand - 1]
        return self._last_complete(match, "data.hand")

    def _dispute(self, at: At, event: HandDisputed) -> None:
        seq = self._say(at, lambda: self._named_hand(event))
        self.disputed.pop(seq, None)
        self.disputed[seq] = None

    def _propose(self, at: At, event: CorrectionProposed) -> None:
        self.proposals[at.entry.seq] = self._say(at, lambda: self._named_hand(event))

    def _say(self, at: At, find: Callable[[], HandRecord]) -> int:
        """Note what was said of a hand; the seq of its hand_started."""
        seq = self._bind(at, find).started.seq
        self.disputes.setdefault(seq, []).append(at.entry)
        return seq

    def _answer(self, at: At, event: ProposalSigned | ProposalDeclined) -> None:
        seq = self._proposal(event.proposal)
        self._say(at, lambda: self.hand_at[seq])

    def _proposal(self, proposal: int) -> int:
        seq = self.proposals.get(proposal)
        if seq is None:
            raise Unusable(expected("the seq of a proposal", proposal), field="data.proposal")
        return seq

    def _settle(self, at: At, event: DisputeSettled) -> None:
        hand = self._bind(at, lambda: self._settled_hand(event))
        if event.proposal is not None and self._proposal(event.proposal) != hand.started.seq:
            raise Unusable("the proposal is about another hand", field="data.proposal")
        self.disputed.pop(self._say(at, lambda: hand), None)

    def _settled_hand(self, event: DisputeSettled) -> HandRecord:
        """The hand named, or the one of the proposal, or the one disputed last and still open."""
        if event.hand is not None or event.match is not None:
            return self._named_hand(event)
        if event.proposal is not None:
            return self.hand_at[self._proposal(event.proposal)]
        if self.disputed:
            return self.hand_at[next(reversed(self.disputed))]
        raise Unusable("no dispute is open", field="type")

    _PLACES: Final[dict[type[Event], Callable[[Any, At, Any], None]]] = {
        SessionOpened: _open,
        PlayerJoined: _player_joined,
        SessionClosed: _close,
        MatchStarted: _start_match,
        MatchEnded: _end_match,
        HandStarted: _start_hand,
        PenaltyGiven: _penalty,
        HandConfirmed: _confirm,
        HandDisputed: _dispute,
        CorrectionProposed: _propose,
        ProposalSigned: _answer,
        ProposalDeclined: _answer,
        DisputeSettled: _settle,
    }


# Events that shape more than the hand they stand in: a correction of one places all anew.
SHAPING: Final = {
    one.TYPE
    for one in (
        SessionOpened, PlayerJoined, SessionClosed, MatchStarted, MatchEnded, HandStarted,
        HandDisputed, CorrectionProposed, ProposalSigned, ProposalDeclined, DisputeSettled,
        HandConfirmed,
    )
}  # fmt: skip


def join(there: dict[str, str], player: NewPlayer | PlayerJoined, path: str) -> None:
    """Add a player to those who are there."""
    if player.id in there:
        owner = there[player.id]
        raise Unusable(f'the id "{player.id}" belongs to {owner} already', field=path)
    there[player.id] = player.name


def decoded(entry: Entry, game: Game | None) -> Entry:
    """An entry with its event as the game at its place declares it."""
    event = entry.event
    types = game.by_type if game else codec.COMMON_TYPES
    if isinstance(event, Undecoded):
        return replace(entry, event=codec.decode(event.type, event.data, types))
    if type(event) in (game.declared if game else COMMON_CLASSES):
        return entry
    return replace(entry, event=codec.decode(event.TYPE, codec.encode(event), types))


def the_game(event: MatchStarted) -> Game:
    """The game of a match, in the version of its rules that it is played under."""
    if event.game not in GAMES:
        known = ", ".join(GAMES)
        raise Unusable(expected(f"a game ({known})", event.game), field="data.game")
    version = 1 if event.rules is None else event.rules
    game = VERSIONS.get((event.game, version))
    if game is None:
        known = ", ".join(str(v) for g, v in VERSIONS if g == event.game)
        raise Unusable(
            expected(f"a version of the rules of {event.game} ({known})", version),
            field="data.rules",
        )
    return game
