"""French Tarot: a taker against the rest, 78 cards, and half points."""

from pathlib import Path
from typing import Final

from scorekeeper.authoring import Game, Party, Settlement, ends_at, goal_of, points_course
from scorekeeper_tarot.audit import CHECKS
from scorekeeper_tarot.events import EVENTS
from scorekeeper_tarot.facts import FACTS
from scorekeeper_tarot.prompts import prompts, totals
from scorekeeper_tarot.rules import BOOK, PACK
from scorekeeper_tarot.score import score
from scorekeeper_tarot.state import FOLD, TarotDeal

GAME: Final = Game(
    id="tarot",
    name="Tarot",
    summary="A taker plays against the rest, at five with the player of a called king.",
    seats=(3, 4, 5),
    direction="counter-clockwise",
    book=BOOK,
    events=EVENTS,
    pack=lambda options, seats: PACK,
    start=TarotDeal,
    fold=FOLD,
    score=score,
    checks=CHECKS,
    course=points_course(ends_at("match")),
    prompts=prompts,
    facts=FACTS,
    totals=totals,
    parties={"bidder": Party(*["Taker"] * 3), "defenders": Party(*["Defence"] * 3)},
    goal=goal_of("match"),
    settlement=Settlement("Each player gets or pays their total.", zero_sum=True),
    end_clause="F9",
    catalogues=Path(__file__).parent / "translations",
)

VERSIONS: Final = (GAME,)
