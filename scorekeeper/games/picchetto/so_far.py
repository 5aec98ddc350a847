"""The running score of a hand of Picchetto, as players count it aloud, and bonuses within reach."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.events.event import Event
from scorekeeper.games.picchetto.declarations import (
    CLAUSE,
    category_winner,
    declaration_lines,
    invalid_statements,
    points_and_text,
)
from scorekeeper.games.picchetto.events import CATEGORIES, PointDeclared
from scorekeeper.games.picchetto.marking import Marking, sheet_lines, trick_marks
from scorekeeper.games.picchetto.marks import PIQUE, TRICK, WHITE, Tally
from scorekeeper.games.picchetto.prompts_statements import unanswered_declaration
from scorekeeper.games.picchetto.rules import BONUS_FROM, TRICK_POINTS, TRICKS
from scorekeeper.games.picchetto.state import PicchettoDeal
from scorekeeper.play.scoring import RunningScore, ScoreLine, Text, Word

IN_ORDER: Final = (WHITE, *(CLAUSE[category] for category in CATEGORIES), TRICK, PIQUE)  # P12


def so_far(deal: PicchettoDeal) -> RunningScore | None:
    """Return the running score, with declarations that mark nothing; None before the first line."""
    declared = unanswered_declaration(deal)
    unanswered = CLAUSE[declared.event.category] if declared else None
    marking = Marking(deal, [])
    marking.mark(line for line in declaration_lines(deal) if line.rule != unanswered)
    marking.mark(trick_marks(deal))
    lines = list(sheet_lines(deal, marking))
    for line in _lines_without_points(deal, unanswered):
        after = (
            n for n, other in enumerate(lines) if _place_in_order(other) >= _place_in_order(line)
        )
        lines.insert(next(after, len(lines)), line)
    if not lines:
        return None
    points = dict(zip(deal.table.players, marking.tally.marked, strict=True))
    return RunningScore(points, tuple(lines), tuple(_bonuses_ahead(deal, marking.tally)))


def _place_in_order(line: ScoreLine) -> int:
    """Return the place of a line in the order of P12; -1 for a line that is not in it."""
    return IN_ORDER.index(line.rule) if line.rule in IN_ORDER else -1


def _lines_without_points(deal: PicchettoDeal, unanswered: str | None) -> Iterator[ScoreLine]:
    """Yield a line for each declaration of elder without points: unanswered, or not the winner.

    ``unanswered`` is the clause of a declaration that waits for its answer.
    """
    invalid = invalid_statements(deal)
    for category in CATEGORIES:
        declared = deal.declared(deal.elder, category)
        winner = category_winner(deal, category, invalid)
        if declared is None or declared.seq in invalid:
            continue
        if CLAUSE[category] == unanswered:
            how: Text | Word = Text("not answered yet")
        elif winner != deal.elder:
            how = Word("answer", "not good" if winner else "equal")
        else:
            continue
        text = Text("{declared}: {how}", declared=_short_text(declared.event), how=how)
        yield ScoreLine(deal.elder, 0, CLAUSE[category], text, (declared.seq,))


def _short_text(event: Event) -> Text:
    """Return a short text of a declaration, without its number of cards if it is a point."""
    if isinstance(event, PointDeclared):
        return Text("Point of {value}", value=event.value)
    return points_and_text(event)[1]


def _bonuses_ahead(deal: PicchettoDeal, tally: Tally) -> Iterator[tuple[str, Text]]:
    """Yield a player and a text: how many points they lack for a repique or pique (P13, P14).

    Only bonuses that are still possible are named.
    """
    if tally.bonus is not None or tally.winner is not None:
        return
    declaring = not deal.tricks.numbered and deal.rest is None
    left = TRICK_POINTS * (TRICKS - 1 - len(deal.consecutive_tricks)) + deal.terms.last_trick
    for index, player in enumerate(deal.table.players):
        other = 1 - index
        if not tally.marked[index]:
            continue
        to_repique = BONUS_FROM - tally.declared[index]
        to_pique = max(1, BONUS_FROM - tally.marked[index])  # only a trick earns a pique
        repique = declaring and not tally.declared[other]
        pique = not tally.marked[other] and (declaring or to_pique <= left)
        pique = pique and deal.can_pique(player)
        if repique and pique and to_repique == to_pique:
            yield player, Text("{n} more for repique or pique", n=to_pique)
            continue
        if repique:
            yield player, Text("{n} more for repique", n=to_repique)
        if pique:
            yield player, Text("{n} more for pique", n=to_pique)
