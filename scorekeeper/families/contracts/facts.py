"""The facts of a hand that a bidder plays for a contract."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from scorekeeper.events.fields import CARD, PLAYER, Flag, Kind, Whole
from scorekeeper.families.contracts.state import BIDDER, ContractDeal
from scorekeeper.play.facts import HandFact


def contract_facts(
    bids: Kind,
    parts: int = 1,
    read_bid: Callable[[Any], Any] = lambda deal: deal.contract and deal.contract.figure,
    **labels: str,
) -> tuple[HandFact, ...]:
    """Return the facts that hands for a contract have: the bid, the parties, and the result.

    The bid is of the kind ``bids``, as ``read_bid`` returns it from a deal; points are in ``parts``
    of one. ``labels`` are a game's own words for facts, by their ids.
    """
    points, over = Whole(0, parts=parts), Whole(signed=True, parts=parts)
    facts = (
        HandFact("bidder", "Bidder", PLAYER, lambda deal: deal.bidder),
        HandFact("bid", "Bid", bids, read_bid),
        HandFact("called", "Called card", CARD, lambda deal: deal.called),
        HandFact("partner", "Partner", PLAYER, _partner),
        HandFact("alone", "Alone", Flag(), _is_alone),
        HandFact("needed", "Points needed", points, lambda deal: deal.need),
        HandFact("took", "Points taken", points, _points_taken),
        HandFact("made", "Made", Flag(), _contract_made),
        HandFact("over", "More than needed", over, _points_over),
    )
    return tuple(replace(fact, label=labels.get(fact.id, fact.label)) for fact in facts)


def _is_alone(deal: ContractDeal) -> bool | None:
    """Return whether the bidder has no partner; None if the partner is not on record."""
    return deal.partner and deal.partner.player == deal.bidder


def _partner(deal: ContractDeal) -> str | None:
    """Return the bidder's partner; None if the bidder is alone."""
    return None if deal.partner is None or _is_alone(deal) else deal.partner.player


def _points_taken(deal: ContractDeal) -> int | None:
    """Return the points of the bidder's party; None if they are not on record."""
    taken = deal.result.taken
    return None if taken is None else taken[BIDDER]


def _contract_made(deal: ContractDeal) -> bool | None:
    """Return whether the contract was made, as it was scored; None for a draw."""
    drawn = not any(line.points for line in deal.result.lines)
    return None if drawn else deal.contract_ended()


def _points_over(deal: ContractDeal) -> int | None:
    """Return the points of the bidder's party minus those needed; None if not on record."""
    took, need = _points_taken(deal), deal.need
    return None if took is None or need is None else took - need
