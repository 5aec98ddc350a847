"""The marks of a hand of Picchetto, made one after another, and the lines that show them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from scorekeeper.cards.tricks import Play
from scorekeeper.games.picchetto.course import Ending
from scorekeeper.games.picchetto.declarations import declaration_lines
from scorekeeper.games.picchetto.marks import (
    PIQUE,
    REPIQUE,
    TRICK,
    Mark,
    OrderOutcomes,
    Tally,
    add_to_pair,
    apply_mark,
    trick_points,
)
from scorekeeper.games.picchetto.rules import (
    BONUS_POINTS,
    LEAD_POINTS,
    LOW,
    TRICK_POINTS,
)
from scorekeeper.games.picchetto.state import PicchettoDeal
from scorekeeper.play.deal import RecordedEvent, WonTrick
from scorekeeper.play.scoring import ScoreLine, Text

DOUBLED: Final = "P16"
TEXTS: Final = {
    REPIQUE: Text("Repique"),
    PIQUE: Text("Pique"),
    "P10": Text("The cards"),
    "P11": Text("Capot"),
    DOUBLED: Text("This hand counts double"),
}


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
                self.tally, bonus = apply_mark(
                    self.tally, index, int(mark.points), mark.rule, terms
                )
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
    """Yield a mark for each trick from the first on, and for lost leads if leading marks (P9).

    It ends at the first trick that is not on record. Low cards mark nothing, by the options.
    """
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
    """Return the text of a player's line for tricks, lost leads and low cards."""
    taken = [mark for mark in marks if mark.taken]
    last = max([mark.points + mark.low for mark in taken], default=0) > TRICK_POINTS
    low = sum([mark.low for mark in marks])
    return tricks_text(len(taken), len(marks) - len(taken), low, last=last)


@lru_cache(maxsize=256)
def tricks_text(tricks: int, lost: int, low: int = 0, *, last: bool) -> Text:
    """Return the text for that many tricks, lost leads, and low cards among both.

    ``last``: the last trick is among them.
    """
    template = "Tricks: {tricks}, the last among them" if last else "Tricks: {tricks}"
    text = Text(template, tricks=tricks)
    if lost:
        text = Text("{tricks}; led and lost: {lost}", tricks=text, lost=lost)
    if low:
        text = Text("{tricks}; nine, eight or seven, for nothing: {low}", tricks=text, low=low)
    return text


class MarksOnRecord(NamedTuple):
    """The tally of the marks on record, and the mark that earned a repique or pique, if any."""

    tally: Tally
    bonus_seq: int | None = None  # the last event that proves the mark
    bonus_rule: str = ""  # the clause of the mark


def marks_on_record(deal: PicchettoDeal) -> MarksOnRecord:
    """Return the tally of all marks on record, as if the game had no target.

    It comes with the mark that earned a repique or pique.
    """
    terms = deal.terms._replace(target=None)
    added = MarksOnRecord(Tally((0, 0)))
    marks: tuple[ScoreLine | Mark, ...] = (*declaration_lines(deal), *trick_marks(deal))
    for mark in marks:
        if not mark.points:
            continue
        index = deal.index_of(mark.side)
        tally, bonus = apply_mark(added.tally, index, int(mark.points), mark.rule, terms)
        added = added._replace(tally=tally)
        if bonus:
            added = MarksOnRecord(tally, max(mark.events, key=deal.places.__getitem__), mark.rule)
    return added
