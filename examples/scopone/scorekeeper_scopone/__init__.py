"""Scopone scientifico: four players as two sides, ten of forty Italian cards each, and captures."""

from pathlib import Path
from typing import Final

from scorekeeper.authoring import Game, Settlement, ends_at, goal_of, partnerships, points_course
from scorekeeper_scopone.audit import CHECKS
from scorekeeper_scopone.events import EVENTS
from scorekeeper_scopone.facts import FACTS
from scorekeeper_scopone.prompts import TOTALS, prompts
from scorekeeper_scopone.rules import BOOK, PACK
from scorekeeper_scopone.score import score, so_far
from scorekeeper_scopone.state import FOLD, REFUSE, ScoponeDeal

GAME: Final = Game(
    id="scopone",
    name="Scopone scientifico",
    summary="Take cards from the table by their value; cards, coins, settebello, primiera and "
    "each scopa are worth a point.",
    seats=(4,),
    direction="counter-clockwise",
    book=BOOK,
    events=EVENTS,
    pack=lambda options, seats: PACK,
    start=ScoponeDeal,
    fold=FOLD,
    score=score,
    so_far=so_far,
    checks=CHECKS,
    course=points_course(ends_at("match")),
    sides=partnerships,
    refuse=REFUSE,
    prompts=prompts,
    facts=FACTS,
    totals=TOTALS,
    goal=goal_of("match"),
    settlement=Settlement("The sides settle the difference, and partners share it.", shared=True),
    end_clause="S8",
    catalogues=Path(__file__).parent / "translations",
)

# Every version that logs are played under, the oldest first.
VERSIONS: Final = (GAME,)
