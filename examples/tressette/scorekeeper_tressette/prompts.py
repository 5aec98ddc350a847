"""The events that can be recorded next in a hand of Tressette."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.authoring import (
    LEVELS,
    Ask,
    Holdings,
    Level,
    PointsCounted,
    Prompt,
    offer,
    offer_card,
    offer_counts,
    offer_rest,
    offer_shown_cards,
    offer_winner,
    result_is_settled,
)
from scorekeeper_tressette.events import NapoletanaDeclared, SameRankDeclared
from scorekeeper_tressette.holdings import holdings, lacked
from scorekeeper_tressette.rules import DECLARED_RANKS, HAND_POINTS, PACK, napoletana, of_a_kind
from scorekeeper_tressette.state import TressetteDeal, declaration_key

TOTALS: Final = (
    Ask((NapoletanaDeclared,), times=len(PACK.suits), optional=True),
    Ask((SameRankDeclared,), times=len(DECLARED_RANKS), optional=True),
    Ask((PointsCounted,)),
)


def prompts(deal: TressetteDeal) -> Iterator[Prompt]:
    """Yield the possible next events of a hand, the likeliest first."""
    if result_is_settled(deal):
        return
    known = holdings(deal)
    yield from offer_card(deal, known)
    yield from offer_winner(deal)
    yield from _count(deal)
    yield from _declarations(deal, known)
    yield from offer_rest(deal)
    yield from offer_shown_cards(deal, known)


# ----------------------------------------------------------------------------- declarations


def _declarations(deal: TressetteDeal, known: Holdings) -> Iterator[Prompt]:
    """Yield possible declarations of players who have not played yet (T7)."""
    keys = {declaration_key(declared.event) for declared in deal.scored}
    players = [
        player for player in deal.table.players if deal.declares and deal.may_declare(player)
    ]
    yield from offer(
        NapoletanaDeclared(player, str(suit))
        for player in players
        for suit in PACK.suits
        if str(suit) not in keys and known.can_have(player, napoletana(str(suit)))
    )
    yield from offer(
        kind
        for player in players
        for rank in DECLARED_RANKS
        if rank not in keys
        for kind in _kinds(player, rank)
        if known.can_have(player, of_a_kind(rank, kind.suit), lacked(kind))
    )


def _kinds(player: str, rank: str) -> Iterator[SameRankDeclared]:
    """Yield three of a rank, without each suit in turn, and all four."""
    yield from (SameRankDeclared(player, 3, rank, str(suit)) for suit in PACK.suits)
    yield SameRankDeclared(player, 4, rank)


# ------------------------------------------------------------------------------- the count


def _count(deal: TressetteDeal) -> Iterator[Prompt]:
    """Yield the count, within the limits that the recorded tricks prove."""
    least = deal.points_at_least()
    spare = HAND_POINTS - sum(least.values())
    possible = {side: range(n, n + spare + 1) for side, n in least.items()}
    yield from offer_counts(deal, possible, _levels(deal))


def _levels(deal: TressetteDeal) -> tuple[Level, ...]:
    """Return the levels at which points can be counted now.

    At the level of totals that is also possible before the first card.
    """
    if deal.all_tricks:
        return LEVELS
    return ("totals",) if not deal.plays else ("totals", "tricks")
