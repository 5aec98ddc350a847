"""Prompts for a hand of Riparto."""

from collections.abc import Collection, Iterator
from itertools import permutations
from typing import Final

from scorekeeper.events.playing import OutcomeRecorded, PointsCounted
from scorekeeper.games.riparto.events import (
    BidMade,
    BidRaised,
    HierarchyDeclared,
    SetDistributed,
)
from scorekeeper.games.riparto.prompts_count import offer_result
from scorekeeper.games.riparto.rules import DEAL_POINTS, LARGEST_BID, PACK
from scorekeeper.games.riparto.state import NO_HIERARCHY, RipartoDeal
from scorekeeper.play.deal import RecordedEvent
from scorekeeper.play.prompts import LEVELS, Ask, Level, Prompt, offer
from scorekeeper.play.prompts.following import (
    offer_card,
    offer_shown_cards,
    unseen_holdings,
)
from scorekeeper.play.prompts.play import offer_rest, offer_winner

INSIEMI: Final = 2  # R4
RANKINGS: Final = (NO_HIERARCHY, *permutations(map(str, PACK.suits)))
TOTALS: Final = (Ask((BidMade,)), Ask((PointsCounted, OutcomeRecorded)))


def prompts(deal: RipartoDeal) -> Iterator[Prompt]:
    """Yield the prompts for a hand, until its result is known.

    The acts come in the order of the rules; none is offered after a later one is on record.
    """
    if deal.result.complete or deal.result.abandoned:
        return
    declaration = deal.declaration
    if declaration is None:
        yield from _offer_missing_bids(deal)
    elif deal.outcomes:
        yield from offer_result(deal, declaration)
    elif deal.tricks.numbered:
        yield from _prompts_of_play(deal, declaration)
    else:
        yield from _prompts_before_play(deal, declaration)


def _prompts_before_play(deal: RipartoDeal, declaration: RecordedEvent) -> Iterator[Prompt]:
    """Yield the prompts after a bid and before the first lead.

    The ripartitore's bid suffices for a count; recorded winners also need the hierarchy. But
    every level first offers the bids that are still missing.
    """
    ripartitore = declaration.player
    yield from _offer_missing_bids(deal)
    yield from _offer_insieme(deal, ripartitore)
    yield from _offer_hierarchy(deal, ripartitore)
    yield from offer_result(deal, declaration)
    yield from offer_winner(deal)
    yield from _offer_raise(deal, declaration)
    yield from offer_card(deal, unseen_holdings(deal))
    yield from offer_rest(deal)


def _prompts_of_play(deal: RipartoDeal, declaration: RecordedEvent) -> Iterator[Prompt]:
    """Yield the prompts after the first recorded trick."""
    holdings = unseen_holdings(deal)
    yield from offer_card(deal, holdings)
    yield from offer_winner(deal)
    yield from offer_result(deal, declaration)
    yield from offer_rest(deal)
    yield from offer_shown_cards(deal, holdings)


# ------------------------------------------------------------------------ the contract (R2 to R6)


def _players_to_bid(deal: RipartoDeal) -> tuple[str, ...]:
    """Return the players after the last bidder; none if a later act than a bid is on record."""
    players = deal.table.players
    if deal.bids and (deal.sets or deal.raises or deal.hierarchies):
        return ()
    last = max((players.index(bid.player) for bid in deal.bids), default=-1)
    return players[last + 1 :]


def _offer_missing_bids(deal: RipartoDeal) -> Iterator[Prompt]:
    """Offer the bid of the player in turn, and at coarser levels than ``cards`` any other bid.

    At those levels a table may record only the highest bid, which decides the ripartitore (R3).
    """
    players = _players_to_bid(deal)
    yield from _offer_bids(deal, players[:1], LEVELS, in_turn=True)
    yield from _offer_bids(deal, players[1:], ("totals", "tricks"))


def _offer_bids(
    deal: RipartoDeal,
    players: Collection[str],
    levels: tuple[Level, ...],
    *,
    in_turn: bool = False,
) -> Iterator[Prompt]:
    """Offer bids of these players, first those near an equal share of the points (R2)."""
    share = DEAL_POINTS / len(deal.table.players)
    figures = sorted(range(LARGEST_BID + 1), key=lambda points: abs(points - share))
    choices = (BidMade(player, points) for player in players for points in figures)
    yield from offer(choices, levels, in_turn=in_turn)


def _offer_insieme(deal: RipartoDeal, ripartitore: str) -> Iterator[Prompt]:
    """Offer the next insieme: without cards, with the kept card, or with all cards (R4).

    Nothing is offered after the second one, a raise or a hierarchy.
    """
    number = 1 + max((insieme.event.set for insieme in deal.sets), default=0)
    if number > INSIEMI or deal.raises or deal.hierarchies:
        return
    others = [player for player in deal.table.players if player != ripartitore]
    known = {card for held in deal.held() for card in held.cards}
    free = [card for card in PACK.cards if card not in known]
    gifts = [dict(zip(others, free[n:] + free[:n], strict=False)) for n in range(1, len(free) + 1)]
    choices = (
        SetDistributed(ripartitore, number),
        *(SetDistributed(ripartitore, number, kept) for kept in free),
        *(
            SetDistributed(ripartitore, number, kept, gift)
            for kept, gift in zip(free, gifts, strict=True)
        ),
    )
    yield from offer(choices, ("cards",))


def _offer_raise(deal: RipartoDeal, declaration: RecordedEvent) -> Iterator[Prompt]:
    """Offer a raise, once, and before the hierarchy (R5)."""
    player, points = declaration.player, declaration.event.points
    higher = range(points + 1, LARGEST_BID + 1)
    if deal.raised is None and not deal.hierarchies:
        yield from offer(BidRaised(player, figure) for figure in higher)


def _offer_hierarchy(deal: RipartoDeal, ripartitore: str) -> Iterator[Prompt]:
    """Offer each hierarchy, and that there is none (R6)."""
    if deal.ranking is None:
        choices = (HierarchyDeclared(ripartitore, suits) for suits in RANKINGS)
        yield from offer(choices, ("tricks", "cards"))
