"""The facts of a hand of French Tarot, and the sentence about them."""

from typing import Final

from scorekeeper.authoring import PLAYER, Flag, HandFact, HandFacts, Phrase, Sentence, Whole, has
from scorekeeper_tarot.events import CONTRACT
from scorekeeper_tarot.score import over
from scorekeeper_tarot.state import TAKER, TarotDeal


def _taken(deal: TarotDeal) -> int:
    """Return the half points of the taker's side."""
    return deal.result.taken[TAKER] if deal.result.taken else 0


FACTS: Final = HandFacts(
    (
        HandFact("bidder", "Taker", PLAYER, lambda deal: deal.contract.player),
        HandFact("bid", "Contract", CONTRACT, lambda deal: deal.contract.figure),
        HandFact("took", "Points taken", Whole(0, parts=2), _taken),
        HandFact("made", "Made", Flag(), lambda deal: over(deal, _taken(deal)) >= 0),
    ),
    (
        Sentence("bidder", (
            (Phrase("made", has("made")), Phrase("lost")),
            (Phrase("{bid}: {took}"),),
        )),
    ),
)  # fmt: skip
