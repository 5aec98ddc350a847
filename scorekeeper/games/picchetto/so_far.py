"""A hand of Picchetto as its players count aloud: what each has marked, and what is ahead."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.events.event import Event
from scorekeeper.games.picchetto.declarations import (
    CLAUSE,
    bad,
    declared_lines,
    marked,
    winner_of,
)
from scorekeeper.games.picchetto.events import CATEGORIES, PointDeclared
from scorekeeper.games.picchetto.marks import PIQUE, TRICK, WHITE, Tally
from scorekeeper.games.picchetto.prompts_sayings import pending
from scorekeeper.games.picchetto.rules import BONUS_FROM, TRICK_POINTS, TRICKS
from scorekeeper.games.picchetto.score import Run, sheet, trick_marks
from scorekeeper.games.picchetto.state import PicchettoDeal
from scorekeeper.play.scoring import RunningScore, ScoreLine, Text, Word

IN_ORDER: Final = (WHITE, *(CLAUSE[category] for category in CATEGORIES), TRICK, PIQUE)  # P12


def so_far(deal: PicchettoDeal) -> RunningScore | None:
    """What was marked up to now, with the declarations that mark nothing; None before any."""
    waits = pending(deal)
    unanswered = CLAUSE[waits.event.category] if waits else None
    run = Run(deal, [])
    run.mark(line for line in declared_lines(deal) if line.rule != unanswered)
    run.mark(trick_marks(deal))
    lines = list(sheet(deal, run))
    for line in _without_marks(deal, unanswered):
        after = (n for n, one in enumerate(lines) if _place(one) >= _place(line))
        lines.insert(next(after, len(lines)), line)
    if not lines:
        return None
    made = dict(zip(deal.table.players, run.tally.marked, strict=True))
    return RunningScore(made, tuple(lines), tuple(_ahead(deal, run.tally)))


def _place(line: ScoreLine) -> int:
    """When a line counts; a repique goes with the line before it."""
    return IN_ORDER.index(line.rule) if line.rule in IN_ORDER else -1


def _without_marks(deal: PicchettoDeal, unanswered: str | None) -> Iterator[ScoreLine]:
    """What elder declared and marks nothing for: it waits for its answer, or was not the best."""
    nothing = bad(deal)
    for category in CATEGORIES:
        declared, winner = deal.declared(deal.elder, category), winner_of(deal, category, nothing)
        if declared is None or declared.seq in nothing:
            continue
        if CLAUSE[category] == unanswered:
            how: Text | Word = Text("not answered yet")
        elif winner != deal.elder:
            how = Word("answer", "not good" if winner else "equal")
        else:
            continue
        text = Text("{declared}: {how}", declared=_said(declared.event), how=how)
        yield ScoreLine(deal.elder, 0, CLAUSE[category], text, (declared.seq,))


def _said(event: Event) -> Text:
    """A declaration in few words."""
    if isinstance(event, PointDeclared):
        return Text("Point of {value}", value=event.value)
    return marked(event)[1]


def _ahead(deal: PicchettoDeal, tally: Tally) -> Iterator[tuple[str, Text]]:
    """How far it is to a repique (P13) and to a pique (P14), for whoever can still make it."""
    if tally.bonus is not None or tally.winner is not None:
        return
    declaring = not deal.tricks.numbered and deal.rest is None
    left = TRICK_POINTS * (TRICKS - 1 - len(deal.leading)) + deal.terms.last_trick
    for who, player in enumerate(deal.table.players):
        other = 1 - who
        if not tally.marked[who]:
            continue
        to_repique = BONUS_FROM - tally.declared[who]
        to_pique = max(1, BONUS_FROM - tally.marked[who])  # it falls due on a trick
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
