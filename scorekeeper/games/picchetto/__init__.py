"""Picchetto: the Italian piquet, for two players."""

from typing import Final

from scorekeeper.games.game import Game
from scorekeeper.games.picchetto.audit import CHECKS
from scorekeeper.games.picchetto.course import COURSE, describe_hand, describe_match, no_penalty
from scorekeeper.games.picchetto.events import EVENTS
from scorekeeper.games.picchetto.facts import FACTS
from scorekeeper.games.picchetto.prompts import TOTALS, prompts
from scorekeeper.games.picchetto.rules import BOOK, CALLED, HOUSES, PACK, goal
from scorekeeper.games.picchetto.score import score
from scorekeeper.games.picchetto.so_far import so_far
from scorekeeper.games.picchetto.state import FOLD, REFUSE, PicchettoDeal
from scorekeeper.games.picchetto.views import PicchettoHandView, PicchettoMatchView
from scorekeeper.play.settlement import Settlement

GAME: Final = Game(
    id="picchetto",
    name="Picchetto",
    summary="Two players exchange cards, compare their suits, sequences and sets, and play twelve "
    "tricks; every point is marked at once, in order.",
    seats=(2,),
    direction="clockwise",
    book=BOOK,
    events=EVENTS,
    pack=lambda options, seats: PACK,
    start=PicchettoDeal,
    fold=FOLD,
    score=score,
    checks=CHECKS,
    course=COURSE,
    refuse=REFUSE,
    prompts=prompts,
    facts=FACTS,
    totals=TOTALS,
    so_far=so_far,
    no_penalty=no_penalty,
    hand_view=PicchettoHandView,
    match_view=PicchettoMatchView,
    describe_hand=describe_hand,
    describe_match=describe_match,
    goal=goal,
    houses=HOUSES,
    end_clause="P16",
    settlement=Settlement(
        "The players settle the difference in games won, or the result of a match of a fixed "
        "number of hands."
    ),
    called=CALLED,
)

# Every version that logs are played under, the oldest first.
VERSIONS: Final = (GAME,)
