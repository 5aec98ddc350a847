"""What players tell of a hand of Briscola Chiamata."""

from typing import Final

from scorekeeper.families.called_card.facts import facts
from scorekeeper.games.briscola_chiamata.events import BID
from scorekeeper.play.facts import HandFacts

FACTS: Final[HandFacts] = facts(BID)
