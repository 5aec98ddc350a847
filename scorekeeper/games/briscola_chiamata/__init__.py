"""Briscola Chiamata: an auction for a called card and an unknown partner, among five players."""

from typing import Final

from scorekeeper.families.briscola import pack_of
from scorekeeper.families.called_card.course import course
from scorekeeper.families.called_card.rules import can_double_next
from scorekeeper.games.briscola_chiamata.audit import CHECKS
from scorekeeper.games.briscola_chiamata.events import EVENTS
from scorekeeper.games.briscola_chiamata.facts import FACTS
from scorekeeper.games.briscola_chiamata.prompts import TOTALS, prompts
from scorekeeper.games.briscola_chiamata.rules import (
    BOOK,
    HOUSES,
    check_options,
    highest_hand,
    players,
)
from scorekeeper.games.briscola_chiamata.score import score
from scorekeeper.games.briscola_chiamata.state import FOLD, REFUSE, ChiamataDeal
from scorekeeper.games.game import Game
from scorekeeper.play.match import ends_at, goal_of
from scorekeeper.play.settlement import Settlement

GAME: Final = Game(
    id="briscola_chiamata",
    name="Briscola Chiamata",
    summary="Bid a card low enough and call it: the player who holds it is your partner, and "
    "until it is played nobody else knows.",
    seats=(5, 6),
    direction="counter-clockwise",
    book=BOOK,
    events=EVENTS,
    pack=lambda options, seats: pack_of(options),
    start=ChiamataDeal,
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
    end_clause="C10",
    refuse=REFUSE,
    check_options=check_options,
    houses=HOUSES,
)

# Every version that logs are played under, the oldest first.
VERSIONS: Final = (GAME,)
