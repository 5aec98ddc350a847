"""The facts and the summary of a hand with a called card."""

from typing import Any, Final

from scorekeeper.events.fields import CARD, COUNT, PLAYER, Flag, Kind, Whole
from scorekeeper.families.called_card.carichi import CARICHI, Bid, Carichi
from scorekeeper.families.called_card.state import BIDDER, CallingDeal
from scorekeeper.play.facts import HandFact, HandFacts, KnownFacts, Phrase, Sentence, has, lacks


def facts(bid: Kind) -> HandFacts:
    """Return the facts of hands whose bids are values of the kind ``bid``, and their sentences."""
    return HandFacts(
        (
            HandFact("bidder", "Bidder", PLAYER, lambda deal: deal.bidder),
            HandFact("bid", "Bid", bid, _bid),
            HandFact("called", "Called card", CARD, lambda deal: deal.called),
            HandFact("partner", "Partner", PLAYER, _partner),
            HandFact("alone", "Alone", Flag(), _is_alone),
            HandFact("needed", "Points needed", COUNT, lambda deal: deal.need),
            HandFact("took", "Points taken", COUNT, _points_taken),
            HandFact("made", "Made", Flag(), _contract_made),
            HandFact("over", "More than needed", Whole(signed=True), _points_over),
        ),
        SENTENCES,
    )


def _bid(deal: CallingDeal) -> str | int:
    """Return the bid; a bid of carichi without its number, which is the points needed."""
    bid: Bid = deal.bid.event.bid if deal.bid else ""
    return CARICHI if isinstance(bid, Carichi) else bid


def _is_alone(deal: CallingDeal) -> bool | None:
    """Return whether the bidder has no partner; None if the partner is not on record."""
    return deal.partner and deal.partner.player == deal.bidder


def _partner(deal: CallingDeal) -> str | None:
    """Return the bidder's partner; None if the bidder is alone."""
    return None if deal.partner is None or _is_alone(deal) else deal.partner.player


def _points_taken(deal: CallingDeal) -> int | None:
    """Return the points of the bidder's party; None if they are not on record."""
    taken = deal.result.taken
    return None if taken is None else taken[BIDDER]


def _contract_made(deal: CallingDeal) -> bool | None:
    """Return whether the contract was made, as it was scored; None for a draw."""
    drawn = not any(line.points for line in deal.result.lines)
    return None if drawn else deal.contract_ended()


def _points_over(deal: CallingDeal) -> int | None:
    """Return the points of the bidder's party minus those needed; None if not on record."""
    took, need = _points_taken(deal), deal.need
    return None if took is None or need is None else took - need


def _bid_is_called_rank(known: KnownFacts) -> Any:
    """Return whether the bid is the rank of the called card, so that naming both is redundant."""
    return "called" in known and known["called"].rank == known["bid"]


def _bid_is_called_rank_alone(known: KnownFacts) -> Any:
    """Return whether the bid is the rank of the called card, and the bidder is alone."""
    return _bid_is_called_rank(known) and known.get("alone")


SENTENCES: Final = (
    Sentence("bidder", (
        (
            Phrase("called the {called} with {partner}", _bid_is_called_rank),
            Phrase("called the {called} alone", _bid_is_called_rank_alone),
            Phrase("bid {bid} on the {called} with {partner}"),
            Phrase("bid {bid} on the {called} alone", has("alone")),
            Phrase("bid {bid} with {partner}"),
            Phrase("bid {bid} alone"),
        ),
        (
            Phrase("took {took}: a draw", lacks("made")),
            Phrase("took {took}"),
            Phrase("made it", has("made")),
            Phrase("lost"),
        ),
    )),
)  # fmt: skip
