"""Knock!, a Piedmontese Partita: a tarot game of partners, with a language of gestures."""

from typing import Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.games.game import Game, partnerships
from scorekeeper.games.knock.audit import CHECKS
from scorekeeper.games.knock.events import EVENTS
from scorekeeper.games.knock.facts import FACTS
from scorekeeper.games.knock.prompts import TOTALS, prompts
from scorekeeper.games.knock.rules import BOOK, HAND_POINTS, PACK, PAR, SIGNALS
from scorekeeper.games.knock.score import score
from scorekeeper.games.knock.state import FOLD, FoolDebt, KnockDeal
from scorekeeper.play.match import Goal, points_course
from scorekeeper.play.settlement import Settlement


def goal(options: JsonObject) -> Goal:
    """Return the goal: the number of hands of a game (K10)."""
    return Goal("hands", options["hands"])


GAME: Final = Game(
    id="knock",
    name="Knock!",
    summary="Take tricks with your partner across the table, read each other's gestures, and mind "
    "the Fool: what counts is how far you are above 50 of the 100 points.",
    seats=(4,),
    direction="clockwise",
    book=BOOK,
    events=EVENTS,
    pack=lambda options, seats: PACK,
    start=KnockDeal,
    fold=FOLD,
    score=score,
    checks=CHECKS,
    course=points_course(lambda standing, options: goal(options).reached(standing)),
    goal=goal,
    settlement=Settlement(
        "Each player of a side gets or pays the side's total in full.", zero_sum=True
    ),
    highest_hand=lambda options, seats: HAND_POINTS - PAR,
    prompts=prompts,
    facts=FACTS,
    totals=TOTALS,
    sides=partnerships,
    end_clause="K10",
    words=(
        *dict.fromkeys(words for signal in SIGNALS for words in signal[1:]),
        *(why.value for why in FoolDebt),
    ),
)

# Every version that logs are played under, the oldest first.
VERSIONS: Final = (GAME,)
