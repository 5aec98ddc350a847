"""White, First, Second and Third as they were said: who wins each, and what he marks.

Nothing here looks at the cards: a category goes by the answer, then by what was shown, then by
what was declared. What the cards have to say to it is the audit's.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from scorekeeper.events.event import Event
from scorekeeper.games.picchetto.events import (
    CATEGORIES,
    Answered,
    PointDeclared,
    PointShown,
    SequenceDeclared,
    SequenceShown,
    SetDeclared,
    SetShown,
)
from scorekeeper.games.picchetto.rules import (
    CARD_VALUE,
    ENDING_IN_FOUR,
    POINT_SUMS,
    SEQUENCE_POINTS,
    SET_POINTS,
    SET_RANKS,
    WHITE_POINTS,
)
from scorekeeper.games.picchetto.state import RANK, PicchettoDeal, cached_on_deal
from scorekeeper.play.deal import RecordedEvent
from scorekeeper.play.scoring import ScoreLine, Text, Word

CLAUSE: Final = dict(zip(CATEGORIES, ("P4", "P5", "P6"), strict=True))
# How good a holding is in its category: by the first figure, then by the second.
Worth = tuple[int, int]


class Bad(NamedTuple):
    """A declaration, answer or showing that can mark nothing: why, and after which other one."""

    text: Text
    before: tuple[int, ...] = ()


def cards_of_sum(value: int) -> int | None:
    """How many cards of one suit make that sum; None where none do (P4).

    >>> cards_of_sum(31), cards_of_sum(32), cards_of_sum(75)
    (3, None, 8)
    """
    return next((n for n, (low, high) in POINT_SUMS.items() if low <= value <= high), None)


def worth(event: Event) -> Worth:
    """How good what a player declared or showed is, beside others of its category and kind."""
    match event:
        case PointDeclared():
            return (event.value, 0)
        case PointShown():
            return (event.count, 0)
        case SequenceDeclared() | SequenceShown():
            return (event.length, RANK[event.high])
        case SetDeclared() | SetShown():
            return (event.count, RANK[event.rank])
    raise TypeError(event)


# -------------------------------------------------------------------------- what marks nothing


@cached_on_deal
def bad(deal: PicchettoDeal) -> dict[int, Bad]:
    """Declarations, answers and showings that mark nothing or answer nothing, by seq."""
    found: dict[int, Bad] = {}
    earlier: dict[object, int] = {}
    for seq, event in (*deal.whites, *deal.declarations, *deal.answers, *deal.showings):
        key = _once(event)
        if key in earlier:
            found[seq] = Bad(Text("Again, after it had been said before"), (earlier[key],))
        elif text := impossible(event) or answers_nothing(deal, event):
            found[seq] = Bad(text)
        if key is not None:
            earlier.setdefault(key, seq)
    return found


def _once(event: Any) -> object:
    """What tells it from all that may still be said or shown; None where that may be alike.

    Sets are shown one of each rank, and sequences may be shown that are alike.
    """
    match event:
        case SequenceShown():
            return None
        case SetShown():
            return SetShown, event.player, event.rank
        case Answered():
            return Answered, event.player, event.category
    return type(event), event.player


def impossible(event: Event) -> Text | None:
    """Why no holding can be as it was said, None where one can."""
    match event:
        case PointDeclared() if cards_of_sum(event.value) is None:
            return Text("No suit adds up to {value}", value=event.value)
        case SequenceDeclared() | SequenceShown() if event.length not in SEQUENCE_POINTS:
            return Text("A sequence has three cards or more, and not {n}", n=event.length)
        case SetDeclared() | SetShown() if event.rank not in SET_RANKS:
            return Text(
                "A set is of tens or higher, and not of rank {rank}", rank=Word("ranks", event.rank)
            )
        case SetDeclared() | SetShown() if event.count not in SET_POINTS:
            return Text("A set is three cards or four, and not {n}", n=event.count)
        case Answered(category="set", answer="equal"):
            return Text("Two sets are never equal")
    return None


def answers_nothing(deal: PicchettoDeal, event: Event) -> Text | None:
    """Return why an answer has no declaration of the other player; None where it has one.

    The category goes by the answer all the same: only a finding follows from this.
    """
    if not isinstance(event, Answered):
        return None
    player, other = event.player, deal.other(event.player)
    if deal.declared(other, event.category) is not None:
        return None
    if deal.declared(player, event.category) is not None:
        return Text("{player} answered their own declaration", player=deal.name(player))
    return Text("{player} answered, and {other} had declared nothing",
                player=deal.name(player), other=deal.name(other))  # fmt: skip


# --------------------------------------------------------------------------- who marks what


def declared_lines(deal: PicchettoDeal) -> list[ScoreLine]:
    """What the declarations mark, in the order in which it counts (P12)."""
    nothing = bad(deal)
    lines = [*_white_lines(deal)]
    for category in CATEGORIES:
        winner = winner_of(deal, category, nothing)
        if winner is not None:
            lines += _category_lines(deal, category, winner, nothing)
    return [*lines, *_rouge_lines(deal)]


def _white_lines(deal: PicchettoDeal) -> Iterator[ScoreLine]:
    for player in (deal.elder, deal.younger):
        white = deal.white(player)
        if white is not None:
            yield ScoreLine(player, WHITE_POINTS, "P2", Text("White"), (white.seq,))


ROUGE: Final = "Carte rouge: every card is in something declared"


def _rouge_lines(deal: PicchettoDeal) -> Iterator[ScoreLine]:
    """Carte rouge, once for each who declared it (P12)."""
    first = {one.player: one.seq for one in reversed(deal.rouges)}
    for player in deal.table.players:
        if player in first:
            points = deal.table.options["carte_rouge"]
            yield ScoreLine(player, points, "P12", Text(ROUGE), (first[player],))


def marked_with(deal: PicchettoDeal, player: str) -> list[Event]:
    """What a player marked for in point, sequences and sets, as shown, else as declared."""
    nothing = bad(deal)
    found: list[Event] = []
    for category in CATEGORIES:
        declared = deal.declared(player, category)
        shown = deal.shown_by(player, category) or ([declared] if declared else [])
        if winner_of(deal, category, nothing) == player:
            found += [one.event for one in shown if one.seq not in nothing]
    return found


def size_of(event: Event) -> int:
    """How many cards something declared or shown has."""
    match event:
        case PointDeclared(value=value):
            return cards_of_sum(value) or 0
        case PointShown(count=count) | SetDeclared(count=count) | SetShown(count=count):
            return count
        case SequenceDeclared(length=length) | SequenceShown(length=length):
            return length
    return 0


def winner_of(deal: PicchettoDeal, category: str, nothing: dict[int, Bad]) -> str | None:
    """Who wins a category, as said; None where nobody does, or nothing says it."""
    answer = deal.answer(category)
    if answer is not None:
        player: str = answer.event.player
        return {"good": deal.other(player), "equal": None, "not_good": player}[answer.event.answer]
    shown = [deal.shown_by(player, category) for player in deal.table.players]
    if not any(shown):
        declared = [deal.declared(player, category) for player in deal.table.players]
        shown = [[one] if one else [] for one in declared]
    return _better(deal, [_best(one, nothing) for one in shown])


def _best(said: Sequence[RecordedEvent], nothing: dict[int, Bad]) -> Worth | None:
    """The best of what one player said; what marks nothing is below anything that does."""
    return max(((0, 0) if seq in nothing else worth(event) for seq, event in said), default=None)


def _better(deal: PicchettoDeal, best: list[Worth | None]) -> str | None:
    elders, youngers = best
    if elders == youngers:
        return None
    return deal.elder if (elders or (-1, 0)) > (youngers or (-1, 0)) else deal.younger


def _category_lines(
    deal: PicchettoDeal, category: str, winner: str, nothing: dict[int, Bad]
) -> Iterator[ScoreLine]:
    """What the winner of a category marks: what he has shown, else what he declared."""
    declared, answer = deal.declared(winner, category), deal.answer(category)
    one_less = deal.table.options["point_ending_four"]
    shown = deal.shown_by(winner, category) or ([declared] if declared else [])
    said = [one.seq for one in (declared, answer) if one]
    for seq, event in shown:
        if seq not in nothing:
            points, text = marked(event)
            value = sum_of_point(deal, event) if one_less else 0
            if value in ENDING_IN_FOUR:
                text = Text(ONE_LESS, value=value, count=points)
                points -= 1
            events = tuple(sorted({seq, *said}, key=deal.places.__getitem__))
            yield ScoreLine(winner, points, CLAUSE[category], text, events)


ONE_LESS: Final = "Point of {value}: {count} cards, one of them not counted"


def sum_of_point(deal: PicchettoDeal, event: Event) -> int:
    """The sum of a point as it is on record, declared or by its cards; 0 where it is not."""
    match event:
        case PointDeclared(value=value):
            return value
        case PointShown(player=player, count=count, cards=cards):
            if cards and len(cards) == count:
                return sum(CARD_VALUE[card.rank] for card in cards)
            declared = deal.declared(player, "point")
            if declared and cards_of_sum(declared.event.value) == count:
                return int(declared.event.value)
    return 0


SETS: Final = {3: "Three {rank}s", 4: "Four {rank}s"}


def marked(event: Event) -> tuple[int, Text]:
    """What is marked for one declaration or showing."""
    match event:
        case PointDeclared():
            cards = cards_of_sum(event.value) or 0
            return cards, Text("Point of {value}: {count} cards", value=event.value, count=cards)
        case PointShown():
            return event.count, Text("Point: {count} cards", count=event.count)
        case SequenceDeclared() | SequenceShown():
            high = Word("high", event.high)
            text = Text("Sequence of {length} to the {high}", length=event.length, high=high)
            return SEQUENCE_POINTS[event.length], text
        case SetDeclared() | SetShown():
            return SET_POINTS[event.count], Text(SETS[event.count], rank=Word("ranks", event.rank))
    raise TypeError(event)


def won_with(deal: PicchettoDeal, category: str) -> bool:
    """Whether what a category was won with is on record, where an answer won it."""
    answer = deal.answer(category)
    if answer is None or answer.event.answer != "not_good":
        return True
    player = answer.event.player
    return bool(deal.shown_by(player, category) or deal.declared(player, category))
