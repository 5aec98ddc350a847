"""What can be recorded next of a hand of Tressette."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.events.playing import PointsCounted
from scorekeeper.play.prompts import LEVELS, Ask, Level, Prompt, offer
from scorekeeper.play.prompts.following import card_to_play, cards_to_show
from scorekeeper.play.prompts.holdings import Holdings
from scorekeeper.play.prompts.play import points_to_count, rest_to_claim, settled, winner_to_say
from scorekeeper_tressette.events import NapoletanaDeclared, SameRankDeclared
from scorekeeper_tressette.holdings import holdings, lacked
from scorekeeper_tressette.rules import DECLARED_RANKS, HAND_POINTS, PACK, napoletana, of_a_kind
from scorekeeper_tressette.state import TressetteDeal, what_is_declared

TOTALS: Final = (
    Ask((NapoletanaDeclared,), times=len(PACK.suits), optional=True),
    Ask((SameRankDeclared,), times=len(DECLARED_RANKS), optional=True),
    Ask((PointsCounted,)),
)


def prompts(deal: TressetteDeal) -> Iterator[Prompt]:
    """What can be recorded next of a hand, the likeliest first."""
    if settled(deal):
        return
    known = holdings(deal)
    yield from card_to_play(deal, known)
    yield from winner_to_say(deal)
    yield from _count(deal)
    yield from _declarations(deal, known)
    yield from rest_to_claim(deal)
    yield from cards_to_show(deal, known)


# ----------------------------------------------------------------------------- declarations


def _declarations(deal: TressetteDeal, known: Holdings) -> Iterator[Prompt]:
    """What a player who has not played yet can hold, and nobody has declared (T7)."""
    said = {what_is_declared(one.event) for one in deal.scored}
    players = [one for one in deal.table.players if deal.declares and deal.may_declare(one)]
    yield from offer(
        NapoletanaDeclared(player, str(suit))
        for player in players
        for suit in PACK.suits
        if str(suit) not in said and known.can_have(player, napoletana(str(suit)))
    )
    yield from offer(
        kind
        for player in players
        for rank in DECLARED_RANKS
        if rank not in said
        for kind in _kinds(player, rank)
        if known.can_have(player, of_a_kind(rank, kind.suit), lacked(kind))
    )


def _kinds(player: str, rank: str) -> Iterator[SameRankDeclared]:
    """Three of a rank, without one suit or another, and all four."""
    yield from (SameRankDeclared(player, 3, rank, str(suit)) for suit in PACK.suits)
    yield SameRankDeclared(player, 4, rank)


# ------------------------------------------------------------------------------- the count


def _count(deal: TressetteDeal) -> Iterator[Prompt]:
    """The count, within what the tricks on record prove."""
    least = deal.points_at_least()
    spare = HAND_POINTS - sum(least.values())
    possible = {side: range(n, n + spare + 1) for side, n in least.items()}
    yield from points_to_count(deal, possible, _levels(deal))


def _levels(deal: TressetteDeal) -> tuple[Level, ...]:
    """Once all tricks are on record, all levels count; a table that counts may begin with it."""
    if deal.all_tricks:
        return LEVELS
    return ("totals",) if not deal.plays else ("totals", "tricks")
