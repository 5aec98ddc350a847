"""The facts and the summary of a hand of Riparto."""

from typing import Final

from scorekeeper.events.fields import COUNT, PLAYER, Flag, Many, Whole
from scorekeeper.games.riparto.state import RipartoDeal
from scorekeeper.play.facts import HandFact, HandFacts, Phrase, Sentence, has


def _bid(deal: RipartoDeal) -> int | None:
    """Return the final declaration of the ripartitore (R5)."""
    return deal.declaration and deal.declaration.event.points


def _raised(deal: RipartoDeal) -> int | None:
    """Return by how many points the ripartitore raised the bid (R5)."""
    if deal.bid is None or deal.raised is None:
        return None
    return int(deal.raised.event.points - deal.bid.event.points)


def _took(deal: RipartoDeal) -> int | None:
    """Return the ripartitore's points: the declaration if only a made outcome is on record."""
    taken, declaration = deal.result.taken, deal.declaration
    if declaration is None:
        return None
    return _bid(deal) if taken is None else taken[declaration.player]


def _over(deal: RipartoDeal) -> int | None:
    """Return how many points more than declared the ripartitore took."""
    took, bid = _took(deal), _bid(deal)
    return None if took is None or bid is None else took - bid


def _award(deal: RipartoDeal) -> tuple[str, ...]:
    """Return the players who add their points after the ripartitore missed the figure (R14)."""
    return tuple(line.side for line in deal.result.lines if line.rule == "R14")


FACTS: Final = HandFacts(
    (
        HandFact("bidder", "Ripartitore", PLAYER, lambda deal: deal.bid and deal.bid.player),
        HandFact("bid", "Declared", COUNT, _bid),
        HandFact("raised", "Raised by", COUNT, _raised),
        HandFact("took", "Points taken", COUNT, _took),
        HandFact("made", "Made", Flag(), lambda deal: _over(deal) == 0),
        HandFact("over", "More than declared", Whole(signed=True), _over),
        HandFact("award", "Most of the others", Many(PLAYER), _award),
    ),
    (
        Sentence("bidder", (
            (Phrase("raised to {bid}", has("raised")), Phrase("declared {bid}")),
            (Phrase("took {took}"),),
        )),
        Sentence("award", ((Phrase("had the most points of the others"),),)),
    ),
)  # fmt: skip
