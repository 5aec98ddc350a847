"""Briscola col Monte: the Sicilian game of the called card, with a monte to take and lay away."""

from typing import Final

from scorekeeper.families.called_card.course import course
from scorekeeper.families.called_card.rules import can_double_next
from scorekeeper.games.briscola_col_monte.audit import CHECKS
from scorekeeper.games.briscola_col_monte.events import EVENTS
from scorekeeper.games.briscola_col_monte.facts import FACTS
from scorekeeper.games.briscola_col_monte.prompts import TOTALS, prompts
from scorekeeper.games.briscola_col_monte.rules import (
    BOOK,
    HOUSES,
    check_options,
    highest_hand,
    pack,
    players,
)
from scorekeeper.games.briscola_col_monte.score import score
from scorekeeper.games.briscola_col_monte.state import FOLD, REFUSE, MonteDeal
from scorekeeper.games.game import Game
from scorekeeper.play.match import ends_at, goal_of
from scorekeeper.play.settlement import Settlement

GAME: Final = Game(
    id="briscola_col_monte",
    name="Briscola col Monte",
    summary="Bid card points, name any card to find your partner, take the monte and lay as many "
    "cards away for the player who takes the last trick.",
    seats=(5, 6, 7),
    direction="counter-clockwise",
    book=BOOK,
    events=EVENTS,
    pack=pack,
    start=MonteDeal,
    fold=FOLD,
    score=score,
    checks=CHECKS,
    course=course(ends_at("match_end")),
    players=players,
    prompts=prompts,
    facts=FACTS,
    totals=TOTALS,
    goal=goal_of("match_end"),
    settlement=Settlement("Each player gets or pays their total.", zero_sum=True),
    highest_hand=highest_hand,
    most_of_a_hand=highest_hand,
    doubles=can_double_next,
    end_clause="M11",
    refuse=REFUSE,
    check_options=check_options,
    houses=HOUSES,
)

# Every version that logs are played under, the oldest first.
VERSIONS: Final = (GAME,)
