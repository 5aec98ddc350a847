"""White, point, sequences and sets as declared: the winner of each category, and the points.

Nothing here looks at the cards: the answer decides a category, else the showings, else the
declarations. The audit compares them with the cards.
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
# How good a holding is in its category: compared by the first figure, then by the second.
Worth = tuple[int, int]


class InvalidStatement(NamedTuple):
    """Why a declaration, answer or showing marks nothing, and the earlier one that it repeats."""

    text: Text
    before: tuple[int, ...] = ()


def cards_of_sum(value: int) -> int | None:
    """Return how many cards of one suit make a sum; None if no number does (P4).

    >>> cards_of_sum(31), cards_of_sum(32), cards_of_sum(75)
    (3, None, 8)
    """
    return next((n for n, (low, high) in POINT_SUMS.items() if low <= value <= high), None)


def worth_of(event: Event) -> Worth:
    """Return the worth of a declaration or showing, to compare with others of the same category.

    Raises `TypeError` for any other event.
    """
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
def invalid_statements(deal: PicchettoDeal) -> dict[int, InvalidStatement]:
    """Return the declarations, answers and showings that mark or answer nothing, by seq.

    They are repeated, impossible, or answers without a declaration.
    """
    statements: dict[int, InvalidStatement] = {}
    earlier: dict[object, int] = {}
    for seq, event in (*deal.whites, *deal.declarations, *deal.answers, *deal.showings):
        key = _statement_key(event)
        if key in earlier:
            again = Text("Said again")
            statements[seq] = InvalidStatement(again, (earlier[key],))
        elif text := explain_impossible(event) or explain_stray_answer(deal, event):
            statements[seq] = InvalidStatement(text)
        if key is not None:
            earlier.setdefault(key, seq)
    return statements


def _statement_key(event: Any) -> object:
    """Return a key that only a repetition of the event has; None if it may be repeated.

    A player shows at most one set of a rank, but may show several sequences that are alike.
    """
    match event:
        case SequenceShown():
            return None
        case SetShown():
            return SetShown, event.player, event.rank
        case Answered():
            return Answered, event.player, event.category
    return type(event), event.player


def explain_impossible(event: Event) -> Text | None:
    """Return why no holding can make a statement true; None if one can."""
    match event:
        case PointDeclared() if cards_of_sum(event.value) is None:
            return Text("No suit adds up to {value}", value=event.value)
        case SequenceDeclared() | SequenceShown() if event.length not in SEQUENCE_POINTS:
            return Text("A sequence has three cards or more, not {n}", n=event.length)
        case SetDeclared() | SetShown() if event.rank not in SET_RANKS:
            return Text(
                "A set must be of tens or higher, not of rank {rank}",
                rank=Word("ranks", event.rank),
            )
        case SetDeclared() | SetShown() if event.count not in SET_POINTS:
            return Text("A set is three or four cards, not {n}", n=event.count)
        case Answered(category="set", answer="equal"):
            return Text("Two sets are never equal")
    return None


def explain_stray_answer(deal: PicchettoDeal, event: Event) -> Text | None:
    """Return why an answer has no declaration of the other player; None if it has one.

    The category goes by the answer all the same: only a finding follows from this.
    """
    if not isinstance(event, Answered):
        return None
    player, other = event.player, deal.opponent(event.player)
    if deal.declared(other, event.category) is not None:
        return None
    if deal.declared(player, event.category) is not None:
        return Text("{player} answered their own declaration", player=deal.name(player))
    return Text("{player} answered, but {other} had declared nothing",
                player=deal.name(player), other=deal.name(other))  # fmt: skip


# --------------------------------------------------------------------------- who marks what


def declaration_lines(deal: PicchettoDeal) -> list[ScoreLine]:
    """Return the score lines of the declarations, in the order in which they count (P12)."""
    invalid = invalid_statements(deal)
    lines = [*_white_lines(deal)]
    for category in CATEGORIES:
        winner = category_winner(deal, category, invalid)
        if winner is not None:
            lines += _category_lines(deal, category, winner, invalid)
    return [*lines, *_rouge_lines(deal)]


def _white_lines(deal: PicchettoDeal) -> Iterator[ScoreLine]:
    """Yield the lines of White, elder's first (P2)."""
    for player in (deal.elder, deal.younger):
        white = deal.white(player)
        if white is not None:
            yield ScoreLine(player, WHITE_POINTS, "P2", Text("White"), (white.seq,))


ROUGE: Final = "Carte rouge: every card is in something declared"


def _rouge_lines(deal: PicchettoDeal) -> Iterator[ScoreLine]:
    """Yield one line of carte rouge for each player who declared it (P12)."""
    first = {rouge.player: rouge.seq for rouge in reversed(deal.cartes_rouges)}
    for player in deal.table.players:
        if player in first:
            points = deal.table.options["carte_rouge"]
            yield ScoreLine(player, points, "P12", Text(ROUGE), (first[player],))


def events_marked(deal: PicchettoDeal, player: str) -> list[Event]:
    """Return the statements for which a player marked in the categories that they won.

    They are the valid showings, or the declaration if nothing was shown.
    """
    invalid = invalid_statements(deal)
    events: list[Event] = []
    for category in CATEGORIES:
        declared = deal.declared(player, category)
        shown = deal.shown_by(player, category) or ([declared] if declared else [])
        if category_winner(deal, category, invalid) == player:
            events += [recorded.event for recorded in shown if recorded.seq not in invalid]
    return events


def count_cards(event: Event) -> int:
    """Return the number of cards of a declaration or showing; 0 for any other event."""
    match event:
        case PointDeclared(value=value):
            return cards_of_sum(value) or 0
        case PointShown(count=count) | SetDeclared(count=count) | SetShown(count=count):
            return count
        case SequenceDeclared(length=length) | SequenceShown(length=length):
            return length
    return 0


def category_winner(
    deal: PicchettoDeal, category: str, invalid: dict[int, InvalidStatement]
) -> str | None:
    """Return the winner of a category: by the answer, else by what was shown.

    What was declared decides only if neither player showed anything. None if both are equal, or if
    nothing is on record. ``invalid`` are the statements that mark nothing, by seq.
    """
    answer = deal.answer(category)
    if answer is not None:
        player: str = answer.event.player
        return {"good": deal.opponent(player), "equal": None, "not_good": player}[
            answer.event.answer
        ]
    shown = [deal.shown_by(player, category) for player in deal.table.players]
    if not any(shown):
        declared = [deal.declared(player, category) for player in deal.table.players]
        shown = [[recorded] if recorded else [] for recorded in declared]
    return _better_player(deal, [_best_worth(statements, invalid) for statements in shown])


def _best_worth(
    statements: Sequence[RecordedEvent], invalid: dict[int, InvalidStatement]
) -> Worth | None:
    """Return the best worth of a player's statements; None without any.

    Invalid ones are worth (0, 0).
    """
    return max(
        ((0, 0) if seq in invalid else worth_of(event) for seq, event in statements), default=None
    )


def _better_player(deal: PicchettoDeal, best: list[Worth | None]) -> str | None:
    """Return the player with the higher worth; None if both are equal.

    ``best`` has elder's worth and then younger's; None is below any worth.
    """
    elders, youngers = best
    if elders == youngers:
        return None
    return deal.elder if (elders or (-1, 0)) > (youngers or (-1, 0)) else deal.younger


def _category_lines(
    deal: PicchettoDeal, category: str, winner: str, invalid: dict[int, InvalidStatement]
) -> Iterator[ScoreLine]:
    """Yield the lines of the winner of a category, for each showing, else for the declaration."""
    declared, answer = deal.declared(winner, category), deal.answer(category)
    one_less = deal.table.options["point_ending_four"]
    shown = deal.shown_by(winner, category) or ([declared] if declared else [])
    earlier = [recorded.seq for recorded in (declared, answer) if recorded]
    for seq, event in shown:
        if seq not in invalid:
            points, text = points_and_text(event)
            value = sum_of_point(deal, event) if one_less else 0
            if value in ENDING_IN_FOUR:
                text = Text(ONE_LESS, value=value, count=points)
                points -= 1
            events = tuple(sorted({seq, *earlier}, key=deal.places.__getitem__))
            yield ScoreLine(winner, points, CLAUSE[category], text, events)


ONE_LESS: Final = "Point of {value}: {count} cards, one of them not counted"


def sum_of_point(deal: PicchettoDeal, event: Event) -> int:
    """Return the sum of a point by its cards or declaration; 0 if it is not on record."""
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


def points_and_text(event: Event) -> tuple[int, Text]:
    """Return the points of a declaration or showing, and the text of its line.

    Raises `TypeError` for any other event.
    """
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


def winning_cards_known(deal: PicchettoDeal, category: str) -> bool:
    """Return whether the record shows what the answer "not good" won a category with.

    It is true without such an answer.
    """
    answer = deal.answer(category)
    if answer is None or answer.event.answer != "not_good":
        return True
    player = answer.event.player
    return bool(deal.shown_by(player, category) or deal.declared(player, category))
