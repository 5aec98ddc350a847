"""The facts and the summary of a hand of Riparto."""

from typing import Final

from scorekeeper.events.fields import COUNT, PLAYER, Flag, Many, Whole
from scorekeeper.games.riparto.state import RipartoDeal
from scorekeeper.play.facts import HandFact, HandFacts, Phrase, Sentence, has


def _declared_points(deal: RipartoDeal) -> int | None:
    """Return the final declaration of the ripartitore in points; None without a bid (R5)."""
    return deal.declaration and deal.declaration.event.points


def _points_raised(deal: RipartoDeal) -> int | None:
    """Return by how many points the ripartitore raised the bid; None without a raise (R5)."""
    if deal.bid is None or deal.raised is None:
        return None
    return int(deal.raised.event.points - deal.bid.event.points)


def _points_taken(deal: RipartoDeal) -> int | None:
    """Return the ripartitore's points: the declaration if only a made outcome is on record.

    None without a bid.
    """
    taken, declaration = deal.result.taken, deal.declaration
    if declaration is None:
        return None
    return _declared_points(deal) if taken is None else taken[declaration.player]


def _points_over(deal: RipartoDeal) -> int | None:
    """Return how many points more than declared the ripartitore took; below 0 if fewer.

    None if they are not on record.
    """
    took, bid = _points_taken(deal), _declared_points(deal)
    return None if took is None or bid is None else took - bid


def _players_awarded(deal: RipartoDeal) -> tuple[str, ...]:
    """Return the players who add their points after the ripartitore missed the figure (R14)."""
    return tuple(line.side for line in deal.result.lines if line.rule == "R14")


FACTS: Final = HandFacts(
    (
        HandFact("bidder", "Ripartitore", PLAYER, lambda deal: deal.bid and deal.bid.player),
        HandFact("bid", "Declared", COUNT, _declared_points),
        HandFact("raised", "Raised by", COUNT, _points_raised),
        HandFact("took", "Points taken", COUNT, _points_taken),
        HandFact("made", "Made", Flag(), lambda deal: _points_over(deal) == 0),
        HandFact("over", "More than declared", Whole(signed=True), _points_over),
        HandFact("award", "Most of the others", Many(PLAYER), _players_awarded),
    ),
    (
        Sentence("bidder", (
            (Phrase("raised to {bid}", has("raised")), Phrase("declared {bid}")),
            (Phrase("took {took}"),),
        )),
        Sentence("award", ((Phrase("had the most points of the others"),),)),
    ),
)  # fmt: skip
