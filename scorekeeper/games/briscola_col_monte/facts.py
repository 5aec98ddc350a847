"""The facts and the summary of a hand of Briscola col Monte."""

from typing import Final

from scorekeeper.families.called_card.facts import facts
from scorekeeper.games.briscola_col_monte.events import BID
from scorekeeper.play.facts import HandFacts

FACTS: Final[HandFacts] = facts(BID)
