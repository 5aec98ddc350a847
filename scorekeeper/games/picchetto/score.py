"""The score of a hand of Picchetto: its marks in order, up to the one that wins the game."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from scorekeeper.cards.tricks import Play
from scorekeeper.games.picchetto.course import Ending
from scorekeeper.games.picchetto.declarations import declaration_lines
from scorekeeper.games.picchetto.events import PiqueCalled
from scorekeeper.games.picchetto.marks import (
    PIQUE,
    REPIQUE,
    TRICK,
    Mark,
    OrderOutcomes,
    Tally,
    add_to_pair,
    apply_mark,
    leads_lost,
    majority_mark,
    possible_endings,
    trick_points,
)
from scorekeeper.games.picchetto.rules import (
    BONUS_POINTS,
    LEAD_POINTS,
    LOW,
    TRICK_POINTS,
    TRICKS,
)
from scorekeeper.games.picchetto.state import PicchettoDeal, TrickCount
from scorekeeper.play.counts import Count
from scorekeeper.play.deal import RecordedEvent, WonTrick, events_of
from scorekeeper.play.scoring import Basis, Result, ScoreLine, Text, add_up

DOUBLED: Final = "P16"
TEXTS: Final = {
    REPIQUE: Text("Repique"),
    PIQUE: Text("Pique"),
    "P10": Text("The cards"),
    "P11": Text("Capot"),
    DOUBLED: Text("This hand counts double"),
}


def score(deal: PicchettoDeal) -> Result:
    """Return the result of a hand by its finest sufficient record, and its effect on the game."""
    result = _score_with_penalties(deal, _penalties_in_play(deal))
    if result.complete and deal.doubled:
        result.lines = (*result.lines, *_doubling_lines(deal, result.lines))
    return result


def _doubling_lines(deal: PicchettoDeal, lines: Sequence[ScoreLine]) -> Iterator[ScoreLine]:
    """Yield a second time the points of each player, in a hand that counts double (P16)."""
    for player, points in add_up(lines, deal.table.players).items():
        if points:
            proof = {seq for line in lines if line.side == player for seq in line.events}
            events = tuple(sorted(proof, key=deal.places.__getitem__))
            yield ScoreLine(player, points, DOUBLED, TEXTS[DOUBLED], events)


def marked_by(deal: PicchettoDeal) -> dict[str, int]:
    """Return the points that each player marked in a complete hand, before it is doubled."""
    lines = (line for line in deal.result.lines if line.rule != DOUBLED)
    return add_up(lines, deal.table.sides)


def _penalties_in_play(deal: PicchettoDeal) -> list[RecordedEvent]:
    """Return the penalties that were recorded before the hand was complete."""
    if deal.in_play_standing is not deal.standing:
        deal.in_play_standing = deal.standing
        deal.in_play.clear()
    in_play: list[RecordedEvent] = []
    for penalty in deal.penalties:
        if penalty.seq not in deal.in_play:
            earlier = deal.record_before(penalty.seq)
            complete = _score_with_penalties(earlier, in_play).complete and not earlier.again
            deal.in_play[penalty.seq] = not complete
        if not deal.in_play[penalty.seq]:
            break
        in_play.append(penalty)
    return in_play


def _score_with_penalties(deal: PicchettoDeal, penalties: Sequence[RecordedEvent]) -> Result:
    """Return the result of a hand; ``penalties`` are those given before it was complete."""
    consecutive_tricks = deal.consecutive_tricks
    marking = Marking(deal, list(penalties))
    marking.mark(declaration_lines(deal))
    marking.mark(trick_marks(deal))
    if len(consecutive_tricks) == TRICKS:
        marking.mark(_majority_line(deal, deal.tricks_at_least(), events_of(consecutive_tricks)))
    if marking.tally.winner is not None or len(consecutive_tricks) == TRICKS:
        return _result_by_marks(deal, marking)
    marking = Marking(deal, list(penalties))
    tricks, count = deal.trick_count(), deal.count()
    if tricks is not None:
        return _result_by_counted_tricks(deal, marking, tricks)
    if count is not None:
        return _result_by_count(deal, marking, count)
    return Result()


# ------------------------------------------------------------------------------ mark by mark


@dataclass
class Marking:
    """The marks of a hand, made one after another, with the penalties given between them.

    A mark is made at the place in the record where its proof is complete, and not before the
    marks that count before it (P12).
    """

    deal: PicchettoDeal
    waiting: list[RecordedEvent]
    lines: list[ScoreLine] = field(default_factory=list)
    tricks: list[Mark] = field(default_factory=list)
    declared: int = 0  # the number of lines before the first trick
    penalties: list[int] = field(default_factory=list)
    place: int = 0

    def __post_init__(self) -> None:
        """Begin with the scores of the game before the hand."""
        scores = [self.deal.game.scores[player] for player in self.deal.table.players]
        self.tally = Tally((scores[0], scores[1]))
        self.terms = self.deal.terms

    def mark(self, marks: Iterable[ScoreLine | Mark]) -> None:
        """Make these marks, up to the one that wins the game."""
        elder, terms = self.deal.elder, self.terms
        for mark in marks:
            if self.tally.winner is not None:
                return
            if self.waiting:
                self.place = max(self.place, *(self.deal.places[seq] for seq in mark.events))
                self.penalize(self.place)
            index, bonus = 0 if mark.side == elder else 1, None
            if index in terms.reckoning_nothing:
                continue
            if mark.points:
                self.tally, bonus = apply_mark(self.tally, index, mark.points, mark.rule, terms)
            if isinstance(mark, ScoreLine):
                self.lines.append(mark)
            else:
                self.declared = self.declared if self.tricks else len(self.lines)
                self.tricks.append(mark)
            if bonus is not None:
                self.lines.append(self.bonus_line(mark.side, bonus))

    def bonus_line(self, player: str, rule: str) -> ScoreLine:
        """Return the line of a repique or pique; all earlier marks of its player prove it."""
        marks: tuple[ScoreLine | Mark, ...] = (*self.lines, *self.tricks)
        proof = [seq for mark in marks if mark.side == player for seq in mark.events]
        events = tuple(sorted(set(proof), key=self.deal.places.__getitem__))
        return ScoreLine(player, BONUS_POINTS[rule], rule, TEXTS[rule], events)

    def penalize(self, place: int | None = None) -> None:
        """Apply the penalties recorded before a place in the record; without a place, all."""
        while self.waiting and (place is None or self.deal.places[self.waiting[0].seq] < place):
            penalty = self.waiting.pop(0)
            index = self.deal.index_of(penalty.event.side)
            scores = add_to_pair(self.tally.scores, index, penalty.event.points)
            if penalty.event.spread:
                scores = add_to_pair(scores, 1 - index, -penalty.event.points)
            self.tally = self.tally._replace(scores=scores)
            self.penalties.append(penalty.seq)

    def ending(self, winner: int | None, orders: OrderOutcomes | None = None) -> Ending:
        """Return the effect of the hand on its game; ``winner`` is an index."""
        player = None if winner is None else self.deal.table.players[winner]
        return Ending(player, tuple(self.penalties), orders)


def trick_marks(deal: PicchettoDeal) -> Iterator[Mark]:
    """Yield a mark for each trick from the first on, and for lost leads if leading marks (P9)."""
    terms, every = deal.terms, deal.counts_every_card
    for won in deal.consecutive_tricks:
        if terms.leads:
            yield from _lost_lead_mark(deal, won)
        own = [play for play in _plays(won) if play.player == won.player]
        low = not every and _has_low_card(deal, own)
        points = trick_points(won.number, terms) - TRICK_POINTS * low
        yield Mark(won.player, points, TRICK, won.events, low)
    trick, number = (deal.tricks.open if terms.leads else None), len(deal.consecutive_tricks) + 1
    if trick and trick.plays and trick.number == number and not trick.named_winners:
        # A lead is marked before its trick is complete.
        yield _lead_mark(deal, trick.plays[0].player, trick.plays[:1])


def _plays(won: WonTrick) -> Sequence[Play]:
    """Return the cards on record of a trick."""
    return won.trick.plays if won.trick else ()


def _lost_lead_mark(deal: PicchettoDeal, won: WonTrick) -> Iterator[Mark]:
    """Yield a mark for the lead to a trick, if the other player took the trick (P9)."""
    leader = deal.leader_of(won.number)
    if leader != won.player:
        yield _lead_mark(deal, leader, _plays(won)[:1], won.events)


def _lead_mark(
    deal: PicchettoDeal, player: str, led: Sequence[Play], events: tuple[int, ...] = ()
) -> Mark:
    """Return the mark for a lead that did not win so far.

    The card led proves it, or else ``events``.
    """
    low = _has_low_card(deal, led)
    seqs = tuple(play.seq for play in led) or events
    return Mark(player, LEAD_POINTS * (not low), TRICK, seqs, low, taken=False)


def _has_low_card(deal: PicchettoDeal, cards: Sequence[Play]) -> bool:
    """Return whether one of these cards marks nothing in the play (P9)."""
    return not deal.counts_every_card and any(play.card.rank in LOW for play in cards)


def _majority_line(
    deal: PicchettoDeal, tricks: dict[str, int], events: tuple[int, ...]
) -> Iterator[ScoreLine]:
    """Yield the mark for the cards or for the capot (P10, P11), if a player has it."""
    majority = majority_mark([tricks[player] for player in deal.table.players], deal.terms)
    if majority is not None:
        index, rule, points = majority
        yield ScoreLine(deal.table.players[index], points, rule, TEXTS[rule], events)


def _result_by_marks(deal: PicchettoDeal, marking: Marking) -> Result:
    """Return the result of a hand whose marks are on record, up to the one that won."""
    full = all(won.full for won in deal.consecutive_tricks)
    return Result(
        complete=True,
        basis=Basis.CARDS if deal.consecutive_tricks and full else Basis.TRICKS,
        lines=tuple(sheet_lines(deal, marking)),
        taken=_tricks_taken(deal),
        marks=marking.ending(marking.tally.winner),
    )


def sheet_lines(deal: PicchettoDeal, marking: Marking) -> Iterator[ScoreLine]:
    """Yield the lines of a score sheet: all marks, with one line for all tricks of a player."""
    yield from marking.lines[: marking.declared] if marking.tricks else marking.lines
    for player in deal.table.players:
        marks = [mark for mark in marking.tricks if mark.side == player]
        if marks:
            events = tuple(dict.fromkeys([seq for mark in marks for seq in mark.events]))
            points = sum([mark.points for mark in marks])
            yield ScoreLine(player, points, TRICK, _describe_tricks(marks), events)
    yield from marking.lines[marking.declared :] if marking.tricks else ()


def _describe_tricks(marks: Sequence[Mark]) -> Text:
    """Return the text of a player's line for tricks and leads."""
    taken = [mark for mark in marks if mark.taken]
    last = max([mark.points + mark.low for mark in taken], default=0) > TRICK_POINTS
    low = sum([mark.low for mark in marks])
    return _tricks_text(len(taken), len(marks) - len(taken), low, last=last)


@lru_cache(maxsize=256)
def _tricks_text(tricks: int, lost: int, low: int = 0, *, last: bool) -> Text:
    """Return the text for that many tricks, lost leads, and low cards among both."""
    template = "Tricks: {tricks}, the last among them" if last else "Tricks: {tricks}"
    text = Text(template, tricks=tricks)
    if lost:
        text = Text("{tricks}; led and lost: {lost}", tricks=text, lost=lost)
    if low:
        text = Text("{tricks}; nine, eight or seven, for nothing: {low}", tricks=text, low=low)
    return text


def _tricks_taken(deal: PicchettoDeal) -> dict[str, int] | None:
    """Return the tricks by player; None unless all twelve are on record or counted."""
    if deal.all_tricks:
        return deal.tricks_at_least()
    counts = [count.tricks for count in deal.counts_of_tricks() if count.sound]
    counts = counts or [count.tricks for count in deal.sound_counts() if count.tricks]
    return dict(counts[-1]) if counts else None


class MarksOnRecord(NamedTuple):
    """The tally of the marks on record, and the mark that earned a repique or pique, if any."""

    tally: Tally
    bonus_seq: int | None = None  # the last event that proves the mark
    bonus_rule: str = ""  # the clause of the mark


def marks_on_record(deal: PicchettoDeal) -> MarksOnRecord:
    """Add up the marks on record, as if the game had no target."""
    terms = deal.terms._replace(target=None)
    added = MarksOnRecord(Tally((0, 0)))
    marks: tuple[ScoreLine | Mark, ...] = (*declaration_lines(deal), *trick_marks(deal))
    for mark in marks:
        if not mark.points:
            continue
        index = deal.index_of(mark.side)
        tally, bonus = apply_mark(added.tally, index, mark.points, mark.rule, terms)
        added = added._replace(tally=tally)
        if bonus:
            added = MarksOnRecord(tally, max(mark.events, key=deal.places.__getitem__), mark.rule)
    return added


# ---------------------------------------------------------------------------- by the counts


def _result_by_counted_tricks(deal: PicchettoDeal, marking: Marking, count: TrickCount) -> Result:
    """Return the result of a hand whose tricks were only counted: all of its marks count."""
    marking.mark(declaration_lines(deal))
    marking.penalize()
    orders = _order_outcomes(deal, marking, count)
    bonus = _index_with_pique(deal, marking, orders)
    tally = marking.tally
    lost = leads_lost(count.changes or 0) if marking.terms.leads else (0, 0)
    extra = marking.terms.last_trick - TRICK_POINTS
    for index, player in deal.reckoning_players:
        tricks, last = count.tricks[player], player == count.last
        points = tricks * TRICK_POINTS + extra * last + lost[index] * LEAD_POINTS
        if points:
            text = _tricks_text(tricks, lost[index], last=last)
            marking.lines.append(ScoreLine(player, points, TRICK, text, (count.seq,)))
            tally = _add_to_tally(tally, index, points)
    if bonus is not None:
        marking.lines.append(marking.bonus_line(deal.table.players[bonus], PIQUE))
        tally = _add_to_tally(tally, bonus, BONUS_POINTS[PIQUE])
    majority = _majority_line(deal, dict(count.tricks), (count.seq,))
    for line in (line for line in majority if deal.reckons(line.side)):
        marking.lines.append(line)
        tally = _add_to_tally(tally, deal.index_of(line.side), line.points)
    return Result(
        complete=True,
        basis=Basis.COUNT,
        lines=tuple(marking.lines),
        taken=_tricks_taken(deal),
        marks=marking.ending(_winner_by_total(tally, marking.terms.target), orders),
    )


def _order_outcomes(deal: PicchettoDeal, marking: Marking, count: TrickCount) -> OrderOutcomes:
    """Return the possible ends of the hand, for all orders of the tricks that fit the record."""
    tricks = [count.tricks[player] for player in deal.table.players]
    both, last = (tricks[0], tricks[1]), deal.index_of(str(count.last))
    known = deal.known_winners()
    everything = marking.terms._replace(target=None)
    changes = count.changes if marking.terms.leads else None
    whole = possible_endings(marking.tally, both, last, known, everything, changes)
    if not whole:  # the count and the tricks on record contradict each other
        known = [None] * TRICKS
        whole = possible_endings(marking.tally, both, last, known, everything, changes)
    if all(_winner_by_total(tally, marking.terms.target) is None for tally in whole):
        return OrderOutcomes(whole, whole)
    ended = possible_endings(marking.tally, both, last, known, marking.terms, changes)
    return OrderOutcomes(whole, ended)


def _index_with_pique(deal: PicchettoDeal, marking: Marking, orders: OrderOutcomes) -> int | None:
    """Return the index of the player with a pique; None without one (P14).

    Every order of the tricks gives it, or some do and it was called.
    """
    for index, player in enumerate(deal.table.players):
        if orders.some_give((PIQUE, index)) and (
            orders.all_give((PIQUE, index)) or deal.called(PiqueCalled, player)
        ):
            return index
    return None


def _result_by_count(deal: PicchettoDeal, marking: Marking, count: Count) -> Result:
    """Return the result of a hand of which only the points were counted."""
    marking.penalize()
    tally = marking.tally
    lines = [
        ScoreLine(
            player, count.points[player], "P12", Text("Points marked, as counted"), (count.seq,)
        )
        for _, player in deal.reckoning_players
        if count.points[player]
    ]
    for line in lines:
        tally = _add_to_tally(tally, deal.index_of(line.side), line.points)
    return Result(
        complete=True,
        basis=Basis.COUNT,
        lines=tuple(lines),
        taken=_tricks_taken(deal),
        marks=marking.ending(_winner_by_total(tally, marking.terms.target) if lines else None),
    )


def _add_to_tally(tally: Tally, index: int, points: int) -> Tally:
    """Return the tally with points added to a player's score and marks, without a bonus."""
    scores = add_to_pair(tally.scores, index, points)
    return tally._replace(scores=scores, marked=add_to_pair(tally.marked, index, points))


def _winner_by_total(tally: Tally, target: int | None) -> int | None:
    """Return the index of the winner of a game in which all marks count (P15).

    It is the player with the higher total, else elder; None if nobody has reached the target.
    """
    if target is None or max(tally.scores) < target:
        return None
    return 0 if tally.scores[0] >= tally.scores[1] else 1
