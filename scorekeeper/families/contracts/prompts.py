"""Prompts for an auction."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from scorekeeper.events.common import HandAbandoned
from scorekeeper.events.event import Event
from scorekeeper.families.contracts.auction import PASS
from scorekeeper.families.contracts.state import AuctionDeal
from scorekeeper.play.prompts import LEVELS, Level, Prompt, offer

ALL_PASSED: Final = "everybody passed"
PLAYED: Final[tuple[Level, ...]] = ("tricks", "cards")  # levels at which the auction is recorded

BidEvent = Callable[[str, Any], Event]  # creates a game's bid from the player and the bid


def offer_bids(deal: AuctionDeal, bid: BidEvent, ladder: Sequence[object]) -> Iterator[Prompt]:
    """Offer a bid or pass in turn; or the winning bid, if no auction is recorded; or all passed.

    ``ladder`` are all possible bids, the lowest first.
    """
    spoken = deal.auction.turns
    if not spoken or spoken[0].event.player == deal.table.eldest:
        yield from _offer_bid_in_turn(deal, bid, ladder)
    if deal.bid is None and not (spoken and deal.bidding):
        yield from _offer_highest_bid(deal, bid, ladder)
    if deal.bid is None and deal.bidding and deal.auction.least is None:
        over = HandAbandoned(
            ALL_PASSED, kind="all_passed" if deal.abandonment_kind_matters else None
        )
        yield from offer([over], ("totals", "tricks"))


def offer_late_bids(deal: AuctionDeal, bid: BidEvent, ladder: Sequence[object]) -> Iterator[Prompt]:
    """Offer a bid in turn if the record begins with another player than eldest.

    Further bids are unlikely then.
    """
    spoken = deal.auction.turns
    if spoken and spoken[0].event.player != deal.table.eldest:
        yield from _offer_bid_in_turn(deal, bid, ladder)


def _offer_bid_in_turn(
    deal: AuctionDeal, bid: BidEvent, ladder: Sequence[object]
) -> Iterator[Prompt]:
    """Offer a pass and each higher bid to the player whose turn it is, before the play only."""
    speaker = deal.auction.speaker
    if speaker is None or not deal.bidding or deal.auction.has_only_early_bid:
        return
    best = 0 if deal.bid is None else deal.worth(deal.bid.event.bid) + 1
    higher = [
        step
        for step in ladder
        if deal.worth(step) >= best and not deal.too_early(step, deal.auction.standing)
    ]
    # A form for the totals of a whole hand asks for the winning bid alone.
    levels: tuple[Level, ...] = LEVELS if deal.auction.turns else PLAYED
    if deal.auction.must_open:
        choices = [step for step in higher if deal.worth(step) >= (deal.auction.least or 0)]
    else:
        choices = [PASS, *higher]
    yield from offer((bid(speaker, choice) for choice in choices), levels, in_turn=True)


def _offer_highest_bid(
    deal: AuctionDeal, bid: BidEvent, ladder: Sequence[object]
) -> Iterator[Prompt]:
    """Offer each bid as the winning one, for each player who did not pass.

    If a card was called, it is offered only for the player who called.
    """
    called = [call.player for call in deal.calls[:1] if call.player]
    for player in called or deal.table.players:
        in_turn = deal.bidding and player == deal.table.eldest  # offered above, except at totals
        levels: tuple[Level, ...] = ("totals",) if in_turn else LEVELS
        if player not in deal.auction.passes:
            yield from offer((bid(player, step) for step in ladder), levels)
