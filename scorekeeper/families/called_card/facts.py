"""The facts and the summary of a hand with a called card."""

from typing import Any, Final

from scorekeeper.events.fields import Kind
from scorekeeper.families.called_card.carichi import CARICHI, Bid, Carichi
from scorekeeper.families.called_card.state import CallingDeal
from scorekeeper.families.contracts.facts import contract_facts
from scorekeeper.play.facts import HandFacts, KnownFacts, Phrase, Sentence, has, lacks


def facts(bid: Kind) -> HandFacts:
    """Return the facts of hands whose bids are values of the kind ``bid``, and their sentences."""
    return HandFacts(contract_facts(bid, read_bid=_bid), SENTENCES)


def _bid(deal: CallingDeal) -> str | int:
    """Return the bid; a bid of carichi without its number, which is the points needed."""
    bid: Bid = deal.bid.event.bid if deal.bid else ""
    return CARICHI if isinstance(bid, Carichi) else bid


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
