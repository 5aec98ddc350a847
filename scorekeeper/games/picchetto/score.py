"""What a hand of Picchetto scores: its marks in their order, up to the one that wins the game."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from scorekeeper.cards.tricks import Play
from scorekeeper.games.picchetto.course import Ending
from scorekeeper.games.picchetto.declarations import declared_lines
from scorekeeper.games.picchetto.events import PiqueCalled
from scorekeeper.games.picchetto.marks import (
    PIQUE,
    REPIQUE,
    TRICK,
    Mark,
    Orders,
    Tally,
    after,
    endings,
    for_most,
    leads_lost,
    plus,
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
    """The lines of a hand by the finest record that suffices, and what it does to its game."""
    result = _score(deal, _penalties_in_play(deal))
    if result.complete and deal.doubled:
        result.lines = (*result.lines, *_doubled(deal, result.lines))
    return result


def _doubled(deal: PicchettoDeal, lines: Sequence[ScoreLine]) -> Iterator[ScoreLine]:
    """What each has marked once more, in a hand that counts double (P16)."""
    for player, points in add_up(lines, deal.table.players).items():
        if points:
            proof = {seq for line in lines if line.side == player for seq in line.events}
            events = tuple(sorted(proof, key=deal.places.__getitem__))
            yield ScoreLine(player, points, DOUBLED, TEXTS[DOUBLED], events)


def marked_by(deal: PicchettoDeal) -> dict[str, int]:
    """What each player marked in a complete hand, before it is doubled."""
    lines = (line for line in deal.result.lines if line.rule != DOUBLED)
    return add_up(lines, deal.table.sides)


def _penalties_in_play(deal: PicchettoDeal) -> list[RecordedEvent]:
    """The penalties that were recorded before the hand was complete."""
    if deal.reckoned is not deal.standing:
        deal.reckoned = deal.standing
        deal.in_play.clear()
    found: list[RecordedEvent] = []
    for penalty in deal.penalties:
        if penalty.seq not in deal.in_play:
            stood = deal.before(penalty.seq)
            complete = _score(stood, found).complete and not stood.again
            deal.in_play[penalty.seq] = not complete
        if not deal.in_play[penalty.seq]:
            break
        found.append(penalty)
    return found


def _score(deal: PicchettoDeal, penalties: Sequence[RecordedEvent]) -> Result:
    """The score of a hand with these penalties given in the middle of it."""
    leading = deal.leading
    run = Run(deal, list(penalties))
    run.mark(declared_lines(deal))
    run.mark(trick_marks(deal))
    if len(leading) == TRICKS:
        run.mark(_most_line(deal, deal.tricks_at_least(), events_of(leading)))
    if run.tally.winner is not None or len(leading) == TRICKS:
        return _by_the_marks(deal, run)
    run = Run(deal, list(penalties))
    tricks, count = deal.trick_count(), deal.count()
    if tricks is not None:
        return _by_counted_tricks(deal, run, tricks)
    if count is not None:
        return _by_count(deal, run, count)
    return Result()


# ------------------------------------------------------------------------------ mark by mark


@dataclass
class Run:
    """The marks of a hand as they are made, with the penalties given between them.

    A mark has its place where what proves it was on record, and those that count before it.
    """

    deal: PicchettoDeal
    waiting: list[RecordedEvent]
    lines: list[ScoreLine] = field(default_factory=list)
    tricks: list[Mark] = field(default_factory=list)
    declared: int = 0  # how many lines before the first trick
    penalties: list[int] = field(default_factory=list)
    place: int = 0

    def __post_init__(self) -> None:
        scores = [self.deal.game.scores[player] for player in self.deal.table.players]
        self.tally = Tally((scores[0], scores[1]))
        self.terms = self.deal.terms

    def mark(self, marks: Iterable[ScoreLine | Mark]) -> None:
        """Make these marks, up to the one that wins the game."""
        elder, terms = self.deal.elder, self.terms
        for one in marks:
            if self.tally.winner is not None:
                return
            if self.waiting:
                self.place = max(self.place, *(self.deal.places[seq] for seq in one.events))
                self.penalize(self.place)
            who, bonus = 0 if one.side == elder else 1, None
            if who in terms.nothing:
                continue
            if one.points:
                self.tally, bonus = after(self.tally, who, one.points, one.rule, terms)
            if isinstance(one, ScoreLine):
                self.lines.append(one)
            else:
                self.declared = self.declared if self.tricks else len(self.lines)
                self.tricks.append(one)
            if bonus is not None:
                self.lines.append(self.bonus_line(one.side, bonus))

    def bonus_line(self, player: str, rule: str) -> ScoreLine:
        """The line of a repique or pique, proved by all that its player has marked."""
        marks: tuple[ScoreLine | Mark, ...] = (*self.lines, *self.tricks)
        proof = [seq for mark in marks if mark.side == player for seq in mark.events]
        events = tuple(sorted(set(proof), key=self.deal.places.__getitem__))
        return ScoreLine(player, BONUS_POINTS[rule], rule, TEXTS[rule], events)

    def penalize(self, place: int | None = None) -> None:
        """Change the score by the penalties recorded before that place, or by all."""
        while self.waiting and (place is None or self.deal.places[self.waiting[0].seq] < place):
            penalty = self.waiting.pop(0)
            who = self.deal.place_of(penalty.event.side)
            scores = plus(self.tally.scores, who, penalty.event.points)
            if penalty.event.spread:
                scores = plus(scores, 1 - who, -penalty.event.points)
            self.tally = self.tally._replace(scores=scores)
            self.penalties.append(penalty.seq)

    def ending(self, winner: int | None, orders: Orders | None = None) -> Ending:
        """What the hand did to its game."""
        who = None if winner is None else self.deal.table.players[winner]
        return Ending(who, tuple(self.penalties), orders)


def trick_marks(deal: PicchettoDeal) -> Iterator[Mark]:
    """A mark for each trick from the first on, and for its lead where that marks (P9)."""
    terms, every = deal.terms, deal.counts_every_card
    for won in deal.leading:
        if terms.leads:
            yield from _lead_lost(deal, won)
        low = not every and _low(deal, [play for play in _plays(won) if play.player == won.player])
        points = trick_points(won.number, terms) - TRICK_POINTS * low
        yield Mark(won.player, points, TRICK, won.events, low)
    trick = deal.tricks.open if terms.leads else None
    if trick and trick.plays and trick.number == len(deal.leading) + 1 and not trick.named_winners:
        yield _lead(deal, trick.plays[0].player, trick.plays[:1])  # it is marked already


def _plays(won: WonTrick) -> Sequence[Play]:
    """The cards on record of a trick that was taken."""
    return won.trick.plays if won.trick else ()


def _lead_lost(deal: PicchettoDeal, won: WonTrick) -> Iterator[Mark]:
    """The mark for the lead to a trick that the second player took (P9)."""
    leader = deal.leader_of(won.number)
    if leader != won.player:
        yield _lead(deal, leader, _plays(won)[:1], won.events)


def _lead(
    deal: PicchettoDeal, player: str, led: Sequence[Play], events: tuple[int, ...] = ()
) -> Mark:
    """The mark for a lead that is not known to win; by the card led, where that is on record."""
    low = _low(deal, led)
    seqs = tuple(play.seq for play in led) or events
    return Mark(player, LEAD_POINTS * (not low), TRICK, seqs, low, taken=False)


def _low(deal: PicchettoDeal, cards: Sequence[Play]) -> bool:
    """Whether one of these is a card that marks nothing in the play (P9)."""
    return not deal.counts_every_card and any(one.card.rank in LOW for one in cards)


def _most_line(
    deal: PicchettoDeal, tricks: dict[str, int], events: tuple[int, ...]
) -> Iterator[ScoreLine]:
    """The mark for the cards, or for the capot (P10, P11)."""
    most = for_most([tricks[player] for player in deal.table.players], deal.terms)
    if most is not None:
        who, rule, points = most
        yield ScoreLine(deal.table.players[who], points, rule, TEXTS[rule], events)


def _by_the_marks(deal: PicchettoDeal, run: Run) -> Result:
    """A hand whose marks are on record one by one, as far as they count."""
    full = all(won.full for won in deal.leading)
    return Result(
        complete=True,
        basis=Basis.CARDS if deal.leading and full else Basis.TRICKS,
        lines=tuple(sheet(deal, run)),
        taken=_taken(deal),
        marks=run.ending(run.tally.winner),
    )


def sheet(deal: PicchettoDeal, run: Run) -> Iterator[ScoreLine]:
    """The marks as a score sheet has them: one line a player for all his tricks."""
    yield from run.lines[: run.declared] if run.tricks else run.lines
    for player in deal.table.players:
        his = [mark for mark in run.tricks if mark.side == player]
        if his:
            events = tuple(dict.fromkeys([seq for mark in his for seq in mark.events]))
            points = sum([mark.points for mark in his])
            yield ScoreLine(player, points, TRICK, _told(his), events)
    yield from run.lines[run.declared :] if run.tricks else ()


def _told(marks: Sequence[Mark]) -> Text:
    """How the points of a player's tricks and leads came about, by his marks."""
    taken = [mark for mark in marks if mark.taken]
    last = max([mark.points + mark.low for mark in taken], default=0) > TRICK_POINTS
    low = sum([mark.low for mark in marks])
    return _tricks_text(len(taken), len(marks) - len(taken), low, last=last)


@lru_cache(maxsize=256)
def _tricks_text(tricks: int, lost: int, low: int = 0, *, last: bool) -> Text:
    """How many tricks, how many leads lost, and how many of both with a low card."""
    template = "Tricks: {tricks}, the last among them" if last else "Tricks: {tricks}"
    text = Text(template, tricks=tricks)
    if lost:
        text = Text("{tricks}; led and lost: {lost}", tricks=text, lost=lost)
    if low:
        text = Text("{tricks}; nine, eight or seven, for nothing: {low}", tricks=text, low=low)
    return text


def _taken(deal: PicchettoDeal) -> dict[str, int] | None:
    """The tricks by player, where all twelve are on record or counted."""
    if deal.all_tricks:
        return deal.tricks_at_least()
    counts = [one.tricks for one in deal.counts_of_tricks() if one.sound]
    counts = counts or [one.tricks for one in deal.sound_counts() if one.tricks]
    return dict(counts[-1]) if counts else None


class Made(NamedTuple):
    """How the marks on record stand, and what made a repique or a pique fall due."""

    tally: Tally
    due: int | None = None  # the seq of the event that did
    rule: str = ""  # the clause of the mark that did


def marks_made(deal: PicchettoDeal) -> Made:
    """The marks on record, in a game that none of them wins."""
    terms = deal.terms._replace(target=None)
    now = Made(Tally((0, 0)))
    marks: tuple[ScoreLine | Mark, ...] = (*declared_lines(deal), *trick_marks(deal))
    for mark in marks:
        if not mark.points:
            continue
        who = deal.place_of(mark.side)
        tally, bonus = after(now.tally, who, mark.points, mark.rule, terms)
        now = now._replace(tally=tally)
        if bonus:
            now = Made(tally, max(mark.events, key=deal.places.__getitem__), mark.rule)
    return now


# ---------------------------------------------------------------------------- by the counts


def _by_counted_tricks(deal: PicchettoDeal, run: Run, count: TrickCount) -> Result:
    """A hand of which the tricks were only counted: all of its marks count."""
    run.mark(declared_lines(deal))
    run.penalize()
    orders = _orders(deal, run, count)
    bonus = _pique(deal, run, orders)
    tally = run.tally
    lost = leads_lost(count.changes or 0) if run.terms.leads else (0, 0)
    extra = run.terms.last_trick - TRICK_POINTS
    for who, player in deal.reckoning:
        tricks, last = count.tricks[player], player == count.last
        points = tricks * TRICK_POINTS + extra * last + lost[who] * LEAD_POINTS
        if points:
            text = _tricks_text(tricks, lost[who], last=last)
            run.lines.append(ScoreLine(player, points, TRICK, text, (count.seq,)))
            tally = _plus(tally, who, points)
    if bonus is not None:
        run.lines.append(run.bonus_line(deal.table.players[bonus], PIQUE))
        tally = _plus(tally, bonus, BONUS_POINTS[PIQUE])
    most = _most_line(deal, dict(count.tricks), (count.seq,))
    for line in (one for one in most if deal.reckons(one.side)):
        run.lines.append(line)
        tally = _plus(tally, deal.place_of(line.side), line.points)
    return Result(
        complete=True,
        basis=Basis.COUNT,
        lines=tuple(run.lines),
        taken=_taken(deal),
        marks=run.ending(_higher(tally, run.terms.target), orders),
    )


def _orders(deal: PicchettoDeal, run: Run, count: TrickCount) -> Orders:
    """What the tricks can have come to in the orders that fit what is on record of them."""
    tricks = [count.tricks[player] for player in deal.table.players]
    both, last = (tricks[0], tricks[1]), deal.place_of(str(count.last))
    known = deal.known_winners()
    everything = run.terms._replace(target=None)
    changes = count.changes if run.terms.leads else None
    whole = endings(run.tally, both, last, known, everything, changes)
    if not whole:  # the count and the tricks on record contradict each other
        known = [None] * TRICKS
        whole = endings(run.tally, both, last, known, everything, changes)
    if all(_higher(tally, run.terms.target) is None for tally in whole):
        return Orders(whole, whole)
    return Orders(whole, endings(run.tally, both, last, known, run.terms, changes))


def _pique(deal: PicchettoDeal, run: Run, orders: Orders) -> int | None:
    """Who marks a pique: every order gives it, or some do and it was called (P14)."""
    for who, player in enumerate(deal.table.players):
        if orders.give((PIQUE, who)) and (
            orders.always_give((PIQUE, who)) or deal.called(PiqueCalled, player)
        ):
            return who
    return None


def _by_count(deal: PicchettoDeal, run: Run, count: Count) -> Result:
    """A hand of which only the points were counted: what each marked, as the table says."""
    run.penalize()
    tally = run.tally
    lines = [
        ScoreLine(
            player, count.points[player], "P12", Text("Points marked, as counted"), (count.seq,)
        )
        for _, player in deal.reckoning
        if count.points[player]
    ]
    for line in lines:
        tally = _plus(tally, deal.place_of(line.side), line.points)
    return Result(
        complete=True,
        basis=Basis.COUNT,
        lines=tuple(lines),
        taken=_taken(deal),
        marks=run.ending(_higher(tally, run.terms.target) if lines else None),
    )


def _plus(tally: Tally, who: int, points: int) -> Tally:
    return tally._replace(
        scores=plus(tally.scores, who, points), marked=plus(tally.marked, who, points)
    )


def _higher(tally: Tally, target: int | None) -> int | None:
    """Who has won a game in which all marks counted: the higher total, equal: elder (P15)."""
    if target is None or max(tally.scores) < target:
        return None
    return 0 if tally.scores[0] >= tally.scores[1] else 1
