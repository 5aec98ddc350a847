"""Briscola Regina: Briscola with a stock, in which king and knight of a suit make it trump."""

from typing import Final

from scorekeeper.games.briscola_regina.audit import CHECKS
from scorekeeper.games.briscola_regina.events import EVENTS
from scorekeeper.games.briscola_regina.prompts import TOTALS, prompts
from scorekeeper.games.briscola_regina.rules import (
    BOOK,
    HOUSES,
    check_options,
    credit,
    no_penalty,
    pack,
)
from scorekeeper.games.briscola_regina.score import score
from scorekeeper.games.briscola_regina.state import FOLD, REFUSE, ReginaDeal
from scorekeeper.games.game import Game, each_for_himself, partnerships
from scorekeeper.play.match import ends_at, goal_of, points_course

GAME: Final = Game(
    id="briscola_regina",
    name="Briscola Regina",
    summary="Take the points in the cards; whoever holds king and knight of one suit may call "
    "Bris, and the first Bris makes trump.",
    seats=(2, 3, 4, 5),
    direction="counter-clockwise",
    book=BOOK,
    events=EVENTS,
    pack=pack,
    start=ReginaDeal,
    fold=FOLD,
    score=score,
    checks=CHECKS,
    course=points_course(ends_at("match"), credit),
    sides=lambda seats: partnerships(seats) if len(seats) == 4 else each_for_himself(seats),
    refuse=REFUSE,
    no_penalty=no_penalty,
    check_options=check_options,
    houses=HOUSES,
    prompts=prompts,
    totals=TOTALS,
    goal=goal_of("match"),
    end_clause="B11",
)

# Every version that logs are played under, the oldest first.
VERSIONS: Final = (GAME,)
