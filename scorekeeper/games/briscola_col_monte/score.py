"""What a hand of Briscola col Monte scores."""

from scorekeeper.families.called_card import score as calling
from scorekeeper.families.called_card.score import Reckoning, doubled, pay
from scorekeeper.families.called_card.state import BIDDER
from scorekeeper.games.briscola_col_monte.rules import (
    ALONE,
    PAYMENT,
    POINTS_THAT_DOUBLE,
    UNITS,
    WITH_PARTNER,
)
from scorekeeper.games.briscola_col_monte.state import MonteDeal
from scorekeeper.play.scoring import Result, ScoreLine, Text


def score(deal: MonteDeal) -> Result:
    """The payments of a hand (M9, M10), twice for all the points (M8); nothing if all passed."""
    return calling.score(deal, _payments)


def _payments(deal: MonteDeal, came_to: Reckoning) -> tuple[ScoreLine, ...]:
    players = len(deal.table.players)
    shares = (ALONE if came_to.alone else WITH_PARTNER)[players]
    lines = tuple(pay(deal, came_to, shares, UNITS, PAYMENT[players]))
    if came_to.points is None or came_to.points[BIDDER] != POINTS_THAT_DOUBLE:
        return lines
    text = Text("All {points} points to the bidder's party: the payment doubles",
                points=POINTS_THAT_DOUBLE)  # fmt: skip
    return (*lines, *doubled(lines, "M8", text, came_to.events))
