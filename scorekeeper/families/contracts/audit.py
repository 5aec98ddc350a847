"""Checks of an auction in which each bid is higher than the last."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.families.contracts.state import AuctionDeal
from scorekeeper.play.checks import fault
from scorekeeper.play.scoring import Check, Observation


def bid_out_of_turn(deal: AuctionDeal) -> Iterator[Observation]:
    """Find bids and passes before that of a player whose turn came first."""
    for bid, proof in deal.auction.out_of_turn():
        yield fault("{player} bid before {due}, whose turn it was in the auction",
                    deal, bid, proof.seq, due=deal.name(proof.player))  # fmt: skip


def bid_too_low(deal: AuctionDeal) -> Iterator[Observation]:
    """Find bids that are not higher than the last; they have no effect."""
    for bid, proof in deal.auction.too_low:
        yield fault("{player} bid {bid}, which is not higher than {best}: it does not count",
                    deal, bid, proof.seq, bid=deal.bid_words(bid.event.bid),
                    best=deal.bid_words(proof.event.bid))  # fmt: skip


AGAIN: Final = {
    True: "{player} bid again after a pass, which is final: it does not count",
    False: "{player} bid or passed again when the auction was over: it does not count",
}


def bid_after_pass(deal: AuctionDeal) -> Iterator[Observation]:
    """Find bids and passes of a player who had passed; they have no effect."""
    for bid, proof in deal.auction.after_pass:
        yield fault(AGAIN[deal.auction.final], deal, bid, proof.seq)


def bid_after_end(deal: AuctionDeal) -> Iterator[Observation]:
    """Find bids after the end of the auction; they have no effect."""
    for bid, proof in deal.auction.after_end:
        yield fault("{player} bid {bid} after the auction was over: the bid of {best} stands",
                    deal, bid, proof.seq, bid=deal.bid_words(bid.event.bid),
                    best=deal.bid_words(proof.event.bid))  # fmt: skip


def whole_auction(deal: AuctionDeal) -> bool:
    """Return whether the auction is on record from beginning to end."""
    return deal.auction.whole and deal.auction.over


AUCTION: Final = "every bid and pass"


def bid_checks(turn: str, higher: str) -> tuple[Check, ...]:
    """Return the checks of an auction; the arguments are ids of clauses of the game.

    ``turn`` defines whose turn it is, and ``higher`` that a bid is higher than the last.
    """
    return (
        Check("out_of_turn", turn, bid_out_of_turn, "the auction", whole_auction, AUCTION),
        Check("bad_bid", higher, bid_too_low),
        Check("bad_bid", turn, bid_after_pass),
        Check("bad_bid", turn, bid_after_end),
    )
