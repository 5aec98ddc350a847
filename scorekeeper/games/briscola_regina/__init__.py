"""Briscola Regina: Briscola with a stock, in which king and knight of a suit make it trump."""

from typing import Final

from scorekeeper.games.briscola_regina.audit import CHECKS
from scorekeeper.games.briscola_regina.events import EVENTS
from scorekeeper.games.briscola_regina.facts import FACTS
from scorekeeper.games.briscola_regina.prompts import TOTALS, prompts
from scorekeeper.games.briscola_regina.rules import (
    BOOK,
    HOUSES,
    check_options,
    course,
    highest_hand,
    most_of_a_hand,
    no_penalty,
    pack,
)
from scorekeeper.games.briscola_regina.score import score
from scorekeeper.games.briscola_regina.state import FOLD, REFUSE, ReginaDeal
from scorekeeper.games.game import Game, individual_sides, partnerships
from scorekeeper.play.match import goal_of
from scorekeeper.play.settlement import Settlement

GAME: Final = Game(
    id="briscola_regina",
    name="Briscola Regina",
    summary="Take the points in the cards; a player with king and knight of one suit may call "
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
    course=course(),
    sides=lambda seats: partnerships(seats) if len(seats) == 4 else individual_sides(seats),
    refuse=REFUSE,
    no_penalty=no_penalty,
    check_options=check_options,
    houses=HOUSES,
    prompts=prompts,
    facts=FACTS,
    totals=TOTALS,
    goal=goal_of("match"),
    settlement=Settlement(
        "Each player settles the difference with every other; where partners play, each of them "
        "settles that of the two sides in full."
    ),
    highest_hand=highest_hand,
    most_of_a_hand=most_of_a_hand,
    end_clause="B11",
)

# Every version that logs are played under, the oldest first.
VERSIONS: Final = (GAME,)
