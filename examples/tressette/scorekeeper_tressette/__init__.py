"""Tressette: four players as two sides, forty Italian cards, follow suit, and no trump."""

from pathlib import Path
from typing import Final

from scorekeeper.authoring import Game, Settlement, ends_at, goal_of, partnerships, points_course
from scorekeeper_tressette.audit import CHECKS
from scorekeeper_tressette.events import EVENTS
from scorekeeper_tressette.facts import FACTS
from scorekeeper_tressette.prompts import TOTALS, prompts
from scorekeeper_tressette.rules import BOOK, PACK
from scorekeeper_tressette.score import score
from scorekeeper_tressette.state import FOLD, REFUSE, TressetteDeal

GAME: Final = Game(
    id="tressette",
    name="Tressette",
    summary="Follow suit, without a trump; the three is the best card, the ace is worth a point, "
    "and who holds three of a kind or a napoletana says so.",
    seats=(4,),
    direction="counter-clockwise",
    book=BOOK,
    events=EVENTS,
    pack=lambda options, seats: PACK,
    start=TressetteDeal,
    fold=FOLD,
    score=score,
    checks=CHECKS,
    course=points_course(ends_at("match")),
    sides=partnerships,
    refuse=REFUSE,
    prompts=prompts,
    facts=FACTS,
    totals=TOTALS,
    goal=goal_of("match"),
    settlement=Settlement("The sides settle the difference, and partners share it.", shared=True),
    end_clause="T9",
    catalogues=Path(__file__).parent / "translations",
)

# Every version that logs are played under, the oldest first.
VERSIONS: Final = (GAME,)
