"""The matches of a session and their hands, as corrected."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple
from weakref import ref

from scorekeeper.base.cached import cached_property
from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import in_points
from scorekeeper.events.common import MatchEnded, PenaltyGiven, Stake
from scorekeeper.events.event import IN_A_HAND, Entry
from scorekeeper.events.references import Scope, refuse_unknown
from scorekeeper.games.game import EventHandler, Game
from scorekeeper.play.counts import number_fact
from scorekeeper.play.deal import Deal
from scorekeeper.play.folding import record_entry
from scorekeeper.play.match import Penalty, Standing, leaders
from scorekeeper.play.scoring import Result
from scorekeeper.play.table import Table


def share_penalty(
    entry: Entry,
    event: PenaltyGiven,
    sides: Mapping[str, object],
    among: Iterable[str],
    parts: int = 1,
) -> tuple[Penalty, ...]:
    """Return the penalty of an event, and the shares of it that the other players get (G7).

    ``among`` are the players who share it, with the penalized one; the points of the event are in
    ``parts`` of a point. Raises `UnusableError` if the
    players do not all play for themselves, or if the points cannot be shared equally.
    """
    own = Penalty(entry.seq, event.side, in_points(event.points, parts))
    if event.spread is None:
        return (own,)
    others = [player for player in among if player != event.side]
    if not set(others) <= set(sides):
        words = "a penalty is shared only where each plays alone"
        raise UnusableError(Cause(words, "not_each_for_himself"), field="data.spread")
    share, remainder = divmod(-event.points, len(others))
    if remainder:
        points = number_fact(event.points, parts)
        facts = {"points": points, "others": len(others)}
        words = f"{points} points cannot be shared equally by {len(others)} others"
        raise UnusableError(Cause(words, "not_shared", **facts), field="data.points")
    return (own, *(Penalty(entry.seq, player, in_points(share, parts)) for player in others))


class UnacceptedEnd(NamedTuple):
    """The end of a hand that one seat recorded while cards lay face down in it.

    ``seq`` is that of the end, ``by`` the player who recorded it. Whether the hand is complete is
    not included, because that may depend on face-down cards.
    """

    seq: int
    by: str


AwaitedHands = Mapping[int, UnacceptedEnd]  # by the seq of the hand_started
NONE_AWAITED: Final[AwaitedHands] = MappingProxyType({})


class Seating(NamedTuple):
    """The table and the scope that all hands of a match with the same dealer share."""

    table: Table
    scope: Scope


class HandEffect(NamedTuple):
    """The effect of a hand on its match, in the order in which the course of a game applies it."""

    result: Result
    options: JsonObject
    before: tuple[Penalty, ...]
    after: tuple[Penalty, ...]


class HandRecord:
    """One hand: its beginning, its entries, and the result that follows from them."""

    def __init__(self, match: "MatchRecord", number: int, started: Entry, dealer: str) -> None:
        game = match.game
        self._match = ref(match)
        self.game = game
        self.handlers = game.handlers
        self.number = number
        self.started = started
        self.dealer = dealer
        self.awaited = match.awaiting.get(started.seq)
        self.turned_up: dict[tuple[int, str, int, int], int] = {}  # see report.masking
        self.table, self.scope = match.seating_of(dealer)
        self.deal: Deal = game.start(self.table)
        self.entries = self.deal.entries
        self.penalties: list[tuple[int, Penalty]] = []  # with the place among the entries
        self._evaluated: tuple[int, Standing, int] | None = None

    @property
    def match(self) -> "MatchRecord":
        """The match of the hand, which must still be in use: the hand refers to it weakly.

        So a session that is dropped is freed at once, without the garbage collector.
        """
        match = self._match()
        assert match is not None  # noqa: S101
        return match

    def make_blank_copy(self) -> "HandRecord":
        """Return the same hand without any entries."""
        return HandRecord(self.match, self.number, self.started, self.dealer)

    def add(self, entry: Entry) -> None:
        """Add an entry, and update the state of the hand.

        Raises `UnusableError` if it can never be on record in this hand.
        """
        self.add_with(self.game.handler(type(entry.event)), entry)

    def add_with(self, handler: EventHandler, entry: Entry) -> None:
        """Do the same with the functions for the entry's type, which the caller has looked up."""
        deal, event, fold = self.deal, entry.event, handler.fold
        handler.refuse(deal, event, self.scope)
        if fold is not None:
            fold(deal, entry.seq, event)
        self.entries.append(entry)

    @property
    def ended_face_down(self) -> bool:
        """Whether an end is on record beside events that can lie face down.

        Players can accept such an end even if the hand is not complete: a refusal would reveal
        whether it is, and so reveal face-down cards.
        """
        self.match.is_complete(self)  # evaluates it: what the deal has cached may be stale
        hides = any(entry.event.HIDDEN for entry in self.entries)
        return hides and self.deal.played_out and self.deal.abandoned is None

    def penalize(self, entry: Entry, event: PenaltyGiven, *, new: bool) -> None:
        """Add a penalty given during the hand.

        A penalty that is not ``new`` may stand after the end of the match, since a correction may
        have moved that end. Raises `UnusableError` if the game has no such penalty.
        """
        self.match.refuse_penalty(over=new and self.match.is_over_with(self))
        place = len(self.entries)
        refuse_unknown(event, self.scope)
        several = share_penalty(entry, event, self.match.sides, self.table.players, self.game.parts)
        self.add(entry)
        self.penalties += [(place, penalty) for penalty in several]

    @property
    def cost(self) -> int:
        """The work of evaluating the hand, in steps."""
        upto = self.penalties[-1][0] if self.penalties else 0
        return len(self.entries) + upto * upto // 10  # split_penalties evaluates each of them

    @property
    def cost_with_penalty(self) -> int:
        """The ``cost`` with one more penalty on record."""
        upto = len(self.entries)
        return upto + 1 + upto * upto // 10

    def evaluate(self, standing: Standing) -> Result:
        """Return the result of the hand, given the standing of the match before it.

        The result is cached until an entry is added or a player renamed. If the end of the hand
        still has to be accepted, it has no lines.
        """
        key, named = self._evaluated, self.match.renamings
        if key is None or key[0] != len(self.entries) or key[1] is not standing or key[2] != named:
            self.deal.standing = standing
            result = self.game.evaluate(self.deal)
            if self.awaited is not None:  # nothing is scored before somebody accepts it
                self.deal.result = Result(abandoned=result.abandoned, marks=result.marks)
            self._evaluated = len(self.entries), standing, named
        return self.deal.result

    def split_penalties(
        self, standing: Standing
    ) -> tuple[tuple[Penalty, ...], tuple[Penalty, ...]]:
        """Return the penalties from before the hand first became complete, and those after."""
        if not self.penalties:
            return (), ()
        complete_at = self._count_until_complete(standing)
        before = tuple(p for place, p in self.penalties if place <= complete_at)
        after = tuple(p for place, p in self.penalties if place > complete_at)
        return before, after

    def _count_until_complete(self, standing: Standing) -> int:
        """Return the place of the entry that made the hand complete; the number of all if none did.

        Entries after the last penalty are not examined.
        """
        deal = self.game.start(self.table)
        deal.standing = standing
        for place, entry in enumerate(self.entries[: self.penalties[-1][0]]):
            record_entry(deal, entry, self.game.fold)
            if entry.event.PLACE is IN_A_HAND and self.game.evaluate(deal).complete:
                return place
        return len(self.entries)


class MatchRecord:
    """One match: its game and options, its hands, and the standing before each of them."""

    def __init__(
        self,
        number: int,
        started: Entry,
        game: Game,
        options: JsonObject,
        seats: tuple[str, ...],
        players: Mapping[str, str],
        stake: Stake | None = None,
        awaiting: AwaitedHands = NONE_AWAITED,
    ) -> None:
        self.number = number
        self.awaiting = awaiting
        self.started = started
        self.game = game
        self.options = options
        self.seats = seats
        self.names = {seat: players[seat] for seat in seats}
        self.renamings = 0  # how often one of the names changed: texts with names are stale then
        self.pack = game.pack(options, len(seats))
        self.sides = game.sides(seats)
        self.scope = Scope(
            players=players,
            seated=seats,
            sides=tuple(self.sides),
            cards=self.pack.members,
            shows=f"this match's {self.pack.name} pack",
        )
        self.hands: list[HandRecord] = []
        self.early: list[tuple[Entry, Penalty]] = []  # the penalties before the first hand
        self.ended: Entry | None = None  # match_ended, match_started or session_closed
        self.hands_when_ended: int | None = None
        self._seatings: dict[str, Seating] = {}
        self._last_reckoned: tuple[HandRecord | None, int] = None, 0
        self.stake = stake
        self._standings = [game.course.start(self.sides, options)]
        self._latest: list[HandRecord | None] = [None]  # the last complete hand at each of them

    def seating_of(self, dealer: str) -> Seating:
        """Return the table and scope of the hands that a player deals."""
        if dealer not in self._seatings:
            table = Table(
                pack=self.pack,
                seats=self.seats,
                players=self.game.players(self.seats, dealer),
                dealer=dealer,
                options=self.options,
                sides=self.sides,
                names=self.names,
                parties=self.game.parties,
                parts=self.game.parts,
            )
            counted = self.game.start(table).counted_sides()
            scope = replace(self.scope, active=table.players, counted=counted)
            self._seatings[dealer] = Seating(table, scope)
        return self._seatings[dealer]

    def set_name(self, player: str, name: str) -> None:
        """Set the name of a player; no effect if they have no seat in the match."""
        if player in self.names:
            self.names[player] = name
            self.renamings += 1

    def refuse_penalty(self, *, over: bool) -> None:
        """Raise `UnusableError` if the game allows no penalty, or none once the match is over."""
        why = self.game.no_penalty(self.options, over=over)
        if why:
            raise UnusableError(why)

    def penalize(self, entry: Entry, event: PenaltyGiven) -> None:
        """Add a penalty given before the first hand. Raises `UnusableError` as in a hand."""
        refuse_unknown(event, self.scope)
        self.refuse_penalty(over=False)
        for penalty in share_penalty(entry, event, self.sides, self.seats, self.game.parts):
            self.early.append((entry, penalty))
            self._standings[0] = self.game.course.penalize(self._standings[0], penalty)
        self.forget_standings_after(0)

    @property
    def penalties(self) -> list[Penalty]:
        """The penalties given in the match, before its first hand and in its hands."""
        early = [penalty for _, penalty in self.early]
        return [*early, *(penalty for hand in self.hands for _, penalty in hand.penalties)]

    @cached_property
    def counts_penalties(self) -> bool:
        """Whether the totals of the match count penalties.

        In Picchetto they do not: each game of the match counts them.
        """
        start = self.game.course.start(self.sides, self.options)
        after = self.game.course.penalize(start, Penalty(0, next(iter(self.sides)), 1))
        return after.totals != start.totals

    def list_recorded(self) -> tuple[object, ...]:
        """Return all data that the report of the match follows from, for a comparison.

        Signatures and disputes are not included.
        """
        hands = tuple((hand.dealer, tuple(hand.entries)) for hand in self.hands)
        terms = self.list_terms()
        return terms, self._standings[0], self.hands_when_ended, self.undecided, hands

    def list_terms(self) -> tuple[object, ...]:
        """Return what the match is played by and for, for a comparison."""
        return self.game.id, self.game.version, self.options, self.seats, self.stake

    def checkpoint(self) -> Callable[[], None]:
        """Return a function that restores the present match, except the record of its last hand."""
        hands, early, start = len(self.hands), len(self.early), self._standings[0]
        ended, hands_when_ended = self.ended, self.hands_when_ended

        def undo() -> None:
            self.ended, self.hands_when_ended = ended, hands_when_ended
            del self.hands[hands:], self.early[early:]
            self._standings[0] = start
            self.forget_standings_after(max(hands - 1, 0))

        return undo

    def end(self, entry: Entry) -> None:
        """Record the event that ends the match, if none did before."""
        if self.ended is None:
            self.ended = entry
            self.hands_when_ended = len(self.hands)

    def forget_standings_after(self, hand: int) -> None:
        """Forget the standings after a hand whose record changed, given by its index from 0."""
        del self._standings[hand + 1 :]
        del self._latest[hand + 1 :]

    def standing(self, hands: int | None = None) -> Standing:
        """Return the standing after the first ``hands`` hands, or after all of them."""
        upto = len(self.hands) if hands is None else hands
        self._forget_if_last_hand_changed()
        while len(self._standings) <= upto:
            hand = self.hands[len(self._standings) - 1]
            standing = self._standings[-1]
            parts = self.compute_effect(hand, standing)
            self._standings.append(self.game.course.add(standing, *parts))
            self._last_reckoned = hand, len(hand.entries)
            self._latest.append(hand if parts.result.complete else self._latest[-1])
        return self._standings[upto]

    def last_complete(self) -> HandRecord | None:
        """Return the last complete hand, if there is one."""
        self.standing()
        return self._latest[len(self.hands)]

    def last_to_confirm(self) -> HandRecord | None:
        """Return the last hand if it ended face down, or else the last complete one."""
        if self.hands and self.hands[-1].ended_face_down:
            return self.hands[-1]
        return self.last_complete()

    def is_over_with(self, hand: HandRecord) -> bool:
        """Return whether the match is over with this record of a hand, ignoring later hands."""
        standing = self.standing(hand.number - 1)
        return self.game.course.add(standing, *self.compute_effect(hand, standing)).over

    def list_allowed_dealers(self, last: HandRecord | None) -> tuple[str, ...]:
        """Return the players who may deal after a hand (G3); any player for the first hand.

        It is the next player in turn, and after an abandoned hand also its dealer. The player in
        turn comes last.
        """
        if last is None:
            return self.seats
        due = self.seats[(self.seats.index(last.dealer) + 1) % len(self.seats)]
        return (last.dealer, due) if last.deal.result.abandoned else (due,)

    def begin(self, hand: HandRecord) -> None:
        """Append a new hand to the match."""
        self._forget_if_last_hand_changed()
        self.hands.append(hand)

    def _forget_if_last_hand_changed(self) -> None:
        """Forget the standing after the last hand if its record has changed since."""
        if len(self._standings) > len(self.hands) > 0:
            hand, entries = self._last_reckoned
            if hand is not self.hands[-1] or entries != len(hand.entries):
                self.forget_standings_after(len(self.hands) - 1)

    def compute_effect(self, hand: HandRecord, standing: Standing) -> HandEffect:
        """Return the effect of a hand on the standing before it: its result and its penalties.

        A hand after the end of the match has an empty result; only its penalties count.
        """
        result = hand.evaluate(standing)
        before, after = hand.split_penalties(standing)
        if self._is_late(hand, standing):
            return HandEffect(Result(), self.options, (), (*before, *after))
        return HandEffect(result, self.options, before, after)

    def is_after_end(self, hand: HandRecord) -> bool:
        """Return whether a hand stands after the end of its match, as a correction moved it."""
        return self._is_late(hand, self.standing(hand.number - 1))

    def _is_late(self, hand: HandRecord, standing: Standing) -> bool:
        """Return whether a hand came after the end, given the standing of the match before it."""
        ended = self.hands_when_ended
        return standing.over or (ended is not None and hand.number > ended)

    @property
    def over(self) -> bool:
        """Whether no further hand can be played in the match."""
        return self.ended is not None or self.standing().over

    @property
    def undecided(self) -> bool:
        """Whether the match was interrupted and so has no winner, unless its own rule ended it."""
        event = self.ended.event if self.ended is not None else None
        interrupted = isinstance(event, MatchEnded) and event.undecided is True
        return interrupted and not self.standing().over

    def list_winners(self) -> list[str]:
        """Return the sides that won; empty if the match is open, undecided, or has no result."""
        if not self.over or self.undecided or self.last_complete() is None:
            return []
        return leaders(self.standing().totals)

    def is_complete(self, hand: HandRecord) -> bool:
        """Return whether the result of a hand is on record, and the hand counts in the match."""
        standing = self.standing(hand.number - 1)
        return hand.evaluate(standing).complete and not self._is_late(hand, standing)
