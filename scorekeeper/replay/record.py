"""A session as it stands corrected: where each entry belongs, and what can never stand there."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from scorekeeper.errors import Unusable, expected
from scorekeeper.events import (
    CORRECTIONS,
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
from scorekeeper.replay.records import HandRecord, MatchRecord, declares
from scorekeeper.replay.references import refuse_unknown

AUTHORS: Final = ("keeper", "import", "")  # beside the players, who may record


@dataclass(slots=True)
class Segment:
    """Keys of entries that follow one another, all in one hand or in none."""

    keys: list[int] = field(default_factory=list)
    match: MatchRecord | None = None
    hand: HandRecord | None = None


class At(NamedTuple):
    """An entry being placed: its key, and whether it is new or was there before."""

    key: int
    entry: Entry
    new: bool


class Record:
    """The structure of a session, built by placing its entries one after another.

    ``bound`` remembers which hand a signature or a dispute was about when it was recorded, by
    the seq of its hand_started: corrections do not make it one about another hand.
    """

    def __init__(self, bound: dict[int, int]) -> None:
        self.bound = bound
        self.opened: SessionOpened | None = None
        self.closed: Entry | None = None
        self.players: dict[str, str] = {}
        self.matches: list[MatchRecord] = []
        self.segments: list[Segment] = [Segment()]
        self.segment_of: dict[int, Segment] = {}
        self.signatures: list[tuple[Entry, int]] = []  # hand_confirmed, and its hand's seq
        self.disputes: dict[int, list[Entry]] = {}  # what was said, by the hand's seq
        self.proposals: dict[int, int] = {}  # seq of a proposal, and its hand's seq

    # ---------------------------------------------------------------------------- placing

    def place(self, key: int, entry: Entry | None, *, new: bool = True) -> None:
        """Put an entry at the end; None is a place where nothing stands.

        ``new`` entries may not start a hand after the end of a match; those that stood before
        a correction made that end may.
        """
        if entry is None or isinstance(entry.event, CORRECTIONS):
            self._keep(key)
            return
        entry = self._decoded(entry)
        event = entry.event
        if self.opened is None and not isinstance(event, SessionOpened):
            raise Unusable(f"a log begins with session_opened, got {event.TYPE}", field="type")
        if self.closed is not None and event.PLACE is not Place.DISPUTE:
            raise Unusable("the session has been closed", field="type")
        special = self._PLACES.get(type(event))
        if special is not None:
            special(self, At(key, entry, new), event)
        else:
            self._place_in_hand(entry)
        if entry.by not in AUTHORS and entry.by not in self.players:
            raise Unusable(expected("a player of this session, keeper or import", entry.by),
                           field="by")  # fmt: skip
        self._keep(key)

    def _keep(self, key: int) -> None:
        segment = self.segments[-1]
        segment.keys.append(key)
        self.segment_of[key] = segment

    def _segment(self, match: MatchRecord | None = None, hand: HandRecord | None = None) -> None:
        self.segments.append(Segment(match=match, hand=hand))

    def _decoded(self, entry: Entry) -> Entry:
        game = self.matches[-1].game if self.matches else None
        return decoded(entry, game)

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

    def _place_in_hand(self, entry: Entry) -> None:
        if entry.event.PLACE is Place.SESSION:
            return
        hand = self.hand
        hand.add(entry)
        self.match.changed(hand.number - 1)

    # ----------------------------------------------------------------- session and players

    def _open(self, at: At, event: SessionOpened) -> None:
        if self.opened is not None:
            raise Unusable("session_opened stands only at the beginning", field="type")
        self.opened = event
        for place, player in enumerate(event.players):
            self._join(player, f"data.players.{place}.id")

    def _player_joined(self, at: At, event: PlayerJoined) -> None:
        self._join(NewPlayer(event.id, event.name), "data.id")

    def _join(self, player: NewPlayer, path: str) -> None:
        if player.id in self.players:
            owner = self.players[player.id]
            raise Unusable(f'the id "{player.id}" belongs to {owner} already', field=path)
        self.players[player.id] = player.name

    def _close(self, at: At, event: Event) -> None:
        if self.matches:
            self.matches[-1].end(at.entry)
        self.closed = at.entry
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
        hand = HandRecord(match, len(match.hands) + 1, at.entry, event.dealer)
        match.hands.append(hand)
        self._segment(match, hand)

    def _end_match(self, at: At, event: Event) -> None:
        self.match.end(at.entry)

    def _penalty(self, at: At, event: PenaltyGiven) -> None:
        if self.match.hands:
            self._place_in_hand(at.entry)
        else:
            self.match.penalize(at.entry, event)

    # -------------------------------------------------------------- signatures and disputes

    def _confirm(self, at: At, event: Event) -> None:
        refuse_unknown(event, self.match.scope)
        hand = self._bind(at.key, self._last_complete)
        self.signatures.append((at.entry, hand.started.seq))

    def _bind(self, key: int, find: Callable[[], HandRecord]) -> HandRecord:
        """The hand that an entry was about when it was first placed."""
        if key not in self.bound:
            self.bound[key] = find().started.seq
        seq = self.bound[key]
        for match in self.matches:
            for hand in match.hands:
                if hand.started.seq == seq:
                    return hand
        raise Unusable(f"the hand that event {key} is about is no longer there")

    def _last_complete(self) -> HandRecord:
        for hand in reversed(self.match.hands):
            if self.match.complete(hand):
                return hand
        raise Unusable("no hand of this match is complete", field="type")

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
        complete = [hand for hand in match.hands if match.complete(hand)]
        if not complete:
            raise Unusable("no hand of this match is complete", field="data.hand")
        return complete[-1]

    def _dispute(self, at: At, event: HandDisputed | CorrectionProposed) -> None:
        hand = self._bind(at.key, lambda: self._named_hand(event))
        refuse_unknown(event, hand.match.scope)
        self.disputes.setdefault(hand.started.seq, []).append(at.entry)
        if isinstance(event, CorrectionProposed):
            self.proposals[at.entry.seq] = hand.started.seq

    def _answer(self, at: At, event: ProposalSigned | ProposalDeclined) -> None:
        seq = self._proposal(event.proposal)
        hand = self._bind(at.key, lambda: self._hand_of(seq))
        refuse_unknown(event, hand.match.scope)
        self.disputes[seq].append(at.entry)

    def _proposal(self, proposal: int) -> int:
        seq = self.proposals.get(proposal)
        if seq is None:
            raise Unusable(expected("the seq of a proposal", proposal), field="data.proposal")
        return seq

    def _hand_of(self, seq: int) -> HandRecord:
        return next(h for m in self.matches for h in m.hands if h.started.seq == seq)

    def _settle(self, at: At, event: DisputeSettled) -> None:
        hand = self._bind(at.key, lambda: self._settled_hand(event))
        if event.proposal is not None and self._proposal(event.proposal) != hand.started.seq:
            raise Unusable("the proposal is about another hand", field="data.proposal")
        self.disputes.setdefault(hand.started.seq, []).append(at.entry)

    def _settled_hand(self, event: DisputeSettled) -> HandRecord:
        """The hand named, or the one of the proposal, or the one disputed last and still open."""
        if event.hand is not None or event.match is not None:
            return self._named_hand(event)
        if event.proposal is not None:
            return self._hand_of(self._proposal(event.proposal))
        still_open = [seq for seq, said in self.disputes.items() if is_open(said)]
        if still_open:
            return self._hand_of(still_open[-1])
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
        CorrectionProposed: _dispute,
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


def is_open(said: list[Entry]) -> bool:
    """Whether a dispute is open after what was said of a hand."""
    state = False
    for entry in said:
        if isinstance(entry.event, HandDisputed):
            state = True
        elif isinstance(entry.event, DisputeSettled):
            state = False
    return state


def decoded(entry: Entry, game: Game | None) -> Entry:
    """An entry with its event as the game at its place declares it."""
    event = entry.event
    types = game.by_type if game else codec.COMMON_TYPES
    if isinstance(event, Undecoded):
        return replace(entry, event=codec.decode(event.type, event.data, types))
    if game is None:
        if event.TYPE in types:
            return entry
    elif declares(game, event):
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
