"""Riparto: a trick-taking game of exact bids for three or four players."""

from typing import Final

from scorekeeper.games.game import Game
from scorekeeper.games.riparto.audit import CHECKS
from scorekeeper.games.riparto.events import EVENTS
from scorekeeper.games.riparto.facts import FACTS
from scorekeeper.games.riparto.prompts import TOTALS, prompts
from scorekeeper.games.riparto.rules import BOOK, LARGEST_BID, PACK, highest_hand
from scorekeeper.games.riparto.score import score
from scorekeeper.games.riparto.state import FOLD, RipartoDeal
from scorekeeper.play.match import ends_at, goal_of, points_course
from scorekeeper.play.settlement import DIFFERENCES

GAME: Final = Game(
    id="riparto",
    name="Riparto",
    summary="Bid the exact number of points that you will take; the highest bidder deals out the "
    "hidden cards and ranks the suits.",
    seats=(3, 4),
    direction="clockwise",
    book=BOOK,
    events=EVENTS,
    pack=lambda options, seats: PACK,
    start=RipartoDeal,
    fold=FOLD,
    score=score,
    checks=CHECKS,
    prompts=prompts,
    facts=FACTS,
    totals=TOTALS,
    course=points_course(ends_at("match_end")),
    goal=goal_of("match_end"),
    settlement=DIFFERENCES,
    highest_hand=highest_hand,
    most_of_a_hand=lambda options, seats: LARGEST_BID,
    end_clause="R15",
)

# Every version that logs are played under, the oldest first.
VERSIONS: Final = (GAME,)
