"""The facts of a hand of Scopone, and the sentences about them."""

from typing import Final

from scorekeeper.authoring import (
    COUNT,
    EACH_SIDE,
    SIDE,
    Each,
    HandFact,
    HandFacts,
    Phrase,
    Sentence,
    add_up,
    has,
)
from scorekeeper_scopone.state import ScoponeDeal

BY_SIDE: Final = Each(SIDE, COUNT)


def _lines(deal: ScoponeDeal, rule: str = "") -> dict[str, int]:
    """Return the points of each side, of all lines or of those under one rule."""
    lines = [line for line in deal.result.lines if rule in ("", line.rule)]
    return {side: int(points) for side, points in add_up(lines, deal.table.sides).items()}


FACTS: Final = HandFacts(
    (
        HandFact("made_points", "Points", BY_SIDE, _lines),
        HandFact("taken", "Cards taken", BY_SIDE, lambda deal: deal.result.taken),
        HandFact("scope", "Scope", BY_SIDE, lambda deal:
                 _lines(deal, "S3") if deal.piles or deal.named_scope else None),
    ),
    (
        Sentence(EACH_SIDE, (
            (Phrase("points: {made_points}"),),
            (Phrase("cards: {taken}"),),
            (Phrase("scope: {scope}", has("scope")),),
        )),
    ),
)  # fmt: skip
