"""What a session is made of as it stands corrected: its matches, and their hands."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scorekeeper.errors import Unusable
from scorekeeper.events import Entry, Event, PenaltyGiven, Place
from scorekeeper.games.game import Game
from scorekeeper.hands import Deal, Table
from scorekeeper.matches import Penalty, Standing
from scorekeeper.replay.references import Scope, refuse_unknown
from scorekeeper.scoring import Result


class HandRecord:
    """One hand: how it began, what is on record of it, and what that amounts to."""

    def __init__(self, match: "MatchRecord", number: int, started: Entry, dealer: str) -> None:
        game = match.game
        self.match = match
        self.number = number
        self.started = started
        self.dealer = dealer
        self.table = Table(
            pack=match.pack,
            seats=match.seats,
            players=game.players(match.seats, dealer),
            dealer=dealer,
            options=match.options,
            sides=match.sides,
            names=match.names,
        )
        self.deal: Deal = game.start(self.table)
        self.scope = replace(
            match.scope,
            active=self.table.players,
            counted=self.deal.counted_sides(),
        )
        self.entries: list[Entry] = []
        self.penalties: list[tuple[int, Penalty]] = []  # with the place among the entries
        self._evaluated: tuple[int, Standing] | None = None

    def again(self) -> "HandRecord":
        """The same hand with nothing on record yet."""
        return HandRecord(self.match, self.number, self.started, self.dealer)

    def add(self, entry: Entry) -> None:
        """Write an entry down; Unusable where it can never be on record of this hand."""
        event = entry.event
        refuse_unknown(event, self.scope)
        if event.PLACE is Place.HAND:
            self.match.game.refuse_event(self.deal, event)
        elif isinstance(event, PenaltyGiven):
            self.match.refuse_penalty()
            penalty = Penalty(entry.seq, event.side, event.points)
            self.penalties.append((len(self.entries), penalty))
        self._fold(self.deal, entry)
        self.entries.append(entry)

    def _fold(self, deal: Deal, entry: Entry) -> None:
        step = self.match.game.fold.get(type(entry.event))
        if step is not None:
            step(deal, entry.seq, entry.event)

    def evaluate(self, standing: Standing) -> Result:
        """What the hand's whole record amounts to, the match standing as it did before it."""
        key = self._evaluated
        if key is None or key[0] != len(self.entries) or key[1] is not standing:
            self.deal.table = replace(self.table, standing=standing)
            self.match.game.evaluate(self.deal)
            self._evaluated = len(self.entries), standing
        return self.deal.result

    def part_penalties(self, standing: Standing) -> tuple[tuple[Penalty, ...], tuple[Penalty, ...]]:
        """The penalties recorded before the hand first became complete, and those after it."""
        if not self.penalties:
            return (), ()
        complete_at = self._first_complete(standing)
        before = tuple(p for place, p in self.penalties if place <= complete_at)
        after = tuple(p for place, p in self.penalties if place > complete_at)
        return before, after

    def _first_complete(self, standing: Standing) -> int:
        """How many entries it took until the hand was complete; all where it never was."""
        deal = self.match.game.start(replace(self.table, standing=standing))
        for place, entry in enumerate(self.entries[: self.penalties[-1][0]]):
            self._fold(deal, entry)
            if entry.event.PLACE is Place.HAND and self.match.game.evaluate(deal).complete:
                return place
        return len(self.entries)


class MatchRecord:
    """One match: its game and options, its hands, and the standing before each of them."""

    def __init__(
        self,
        number: int,
        started: Entry,
        game: Game,
        options: Mapping[str, Any],
        seats: tuple[str, ...],
        players: Mapping[str, str],
    ) -> None:
        self.number = number
        self.started = started
        self.game = game
        self.options = options
        self.seats = seats
        self.names = {seat: players[seat] for seat in seats}
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
        self.ended: Entry | None = None  # match_ended, match_started or session_closed
        self.hands_when_ended: int | None = None
        self._standings = [game.course.start(self.sides, options)]

    def refuse_penalty(self) -> None:
        """Refuse a penalty where the game knows none."""
        why = self.game.no_penalty(self.options, over=self.standing().over)
        if why:
            raise Unusable(why)

    def penalize(self, entry: Entry, event: PenaltyGiven) -> None:
        """Note a penalty given before the first hand."""
        refuse_unknown(event, self.scope)
        self.refuse_penalty()
        penalty = Penalty(entry.seq, event.side, event.points)
        self._standings[0] = self.game.course.penalize(self._standings[0], penalty)
        self.changed(0)

    def end(self, entry: Entry) -> None:
        """Note what ends the match: the first such event does."""
        if self.ended is None:
            self.ended = entry
            self.hands_when_ended = len(self.hands)

    def changed(self, hand: int) -> None:
        """Forget the standings after a hand whose record has changed, by its place from 0."""
        del self._standings[hand + 1 :]

    def standing(self, hands: int | None = None) -> Standing:
        """The standing after so many hands, or after all."""
        upto = len(self.hands) if hands is None else hands
        while len(self._standings) <= upto:
            hand = self.hands[len(self._standings) - 1]
            self._standings.append(self._after(hand, self._standings[-1]))
        return self._standings[upto]

    def _after(self, hand: HandRecord, standing: Standing) -> Standing:
        result = hand.evaluate(standing)
        before, after = hand.part_penalties(standing)
        if self.after_end(hand):
            result, before, after = Result(), (), (*before, *after)
        return self.game.course.add(standing, result, self.options, before, after)

    def after_end(self, hand: HandRecord) -> bool:
        """Whether a hand stands after the end of its match, which a correction made earlier."""
        ended = self.hands_when_ended
        return (ended is not None and hand.number > ended) or self.standing(hand.number - 1).over

    @property
    def over(self) -> bool:
        """Whether no further hand can be played in it."""
        return self.ended is not None or self.standing().over

    def complete(self, hand: HandRecord) -> bool:
        """Whether what scores a hand is on record, and it is in time."""
        result = hand.evaluate(self.standing(hand.number - 1))
        return result.complete and not self.after_end(hand)


def declares(game: Game, event: Event) -> bool:
    """Whether an event, as declared, is one of this game's."""
    found = game.by_type.get(event.TYPE)
    if found is None or isinstance(found, type):
        return found is type(event)
    return type(event) in found.values()
