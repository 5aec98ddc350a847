"""Prompts of White and of the exchange, elder first."""

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Final

from scorekeeper.games.picchetto.claims import fewest_to_exchange, most_to_exchange
from scorekeeper.games.picchetto.events import CardsExchanged, WhiteDeclared
from scorekeeper.games.picchetto.possible_holdings.bits import COURTS, WEAKEST_FIRST, bits, cards_of
from scorekeeper.games.picchetto.possible_holdings.constraints import (
    HoldingConstraints,
    WhiteConstraint,
)
from scorekeeper.games.picchetto.possible_holdings.from_record import PossibleHoldings
from scorekeeper.games.picchetto.rules import TALON
from scorekeeper.games.picchetto.state import PicchettoDeal
from scorekeeper.play.prompts import Prompt, offer

# Choices of the cards thrown away that are listed for each number of cards.
MAX_LISTED: Final = 16


def offer_exchanges(deal: PicchettoDeal, possible: PossibleHoldings) -> Iterator[Prompt]:
    """Offer the exchange that comes next: elder's, then younger's (P3)."""
    for player in _players_to_exchange(deal)[:1]:
        yield from _offer_exchange(deal, possible, player)


def offer_whites(deal: PicchettoDeal, possible: PossibleHoldings) -> Iterator[Prompt]:
    """Offer a White to each player before their exchange; only one of the two can have one (P2)."""
    players = [] if deal.whites else _players_to_exchange(deal)
    yield from offer(
        WhiteDeclared(player) for player in players if _can_be_white(deal, possible, player)
    )


def _players_to_exchange(deal: PicchettoDeal) -> list[str]:
    """Return the players without an exchange; none after the first declaration or card."""
    declared = deal.declarations or deal.answers or deal.showings
    if declared or deal.tricks.numbered or deal.rest:
        return []
    return [player for player in deal.table.players if deal.exchange(player) is None]


def _can_be_white(deal: PicchettoDeal, possible: PossibleHoldings, player: str) -> bool:
    """Return whether a player can have been dealt no king, queen or jack."""
    index = deal.index_of(player)
    elders = deal.exchange(deal.elder) if index else None
    discarded = bits((elders.event.discarded if elders else None) or ())
    white = WhiteConstraint(index, COURTS, most_to_exchange(deal, player), None, 0, discarded)
    return possible.can_satisfy(possible.constraints._replace(white=white))


# -------------------------------------------------------------------------------- exchange


def _offer_exchange(
    deal: PicchettoDeal, possible: PossibleHoldings, player: str
) -> Iterator[Prompt]:
    """Offer each number of cards, then some choices of the cards thrown away and drawn.

    Only exchanges that agree with the record are offered.
    """
    index, most = deal.index_of(player), most_to_exchange(deal, player)
    fewest = fewest_to_exchange(deal, player)
    counts = [
        count for count in range(most, fewest - 1, -1) if _can_exchange(possible, index, count)
    ]
    yield from offer((CardsExchanged(player, count) for count in counts), ("cards",))
    choices = (
        CardsExchanged(player, count, cards_of(discarded), cards_of(drawn) if drawn else None)
        for count in counts
        if count
        for discarded, drawn in islice(_choose_cards(deal, possible, index, count), MAX_LISTED)
    )
    yield from offer(choices, ("cards",))


def _can_exchange(possible: PossibleHoldings, index: int, count: int) -> bool:
    """Return whether a player can exchange that many cards; only a White can prevent it."""
    constraints = possible.constraints
    return constraints.white is None or possible.can_satisfy(
        _constraints_after(constraints, index, count, 0, 0)
    )


def _constraints_after(
    constraints: HoldingConstraints, index: int, count: int, discarded: int, drawn: int
) -> HoldingConstraints:
    """Return the constraints after an exchange; ``discarded`` and ``drawn`` are cards as bits."""
    white = constraints.white
    if white is not None and white.holder == index:
        white = white._replace(exchanged=count, most_drawn=count, discarded=discarded)
        constraints = constraints._replace(white=white)
        constraints = constraints.exclude(index, white.not_dealt & ~drawn) if drawn else constraints
    elif white is not None and index == 0:
        white = white._replace(opponent_discarded=discarded, most_drawn=TALON - count)
        constraints = constraints._replace(white=white)
    return constraints.require(index, drawn).exclude_for_both(discarded)


def _choose_cards(
    deal: PicchettoDeal, possible: PossibleHoldings, index: int, count: int
) -> Iterator[tuple[int, int]]:
    """Yield pairs of cards to throw away and cards drawn, as bits, for ``count`` cards.

    Weak cards come first. Each choice comes without cards drawn, and with the strongest that the
    player can have drawn.
    """
    constraints, before = possible.constraints, 0
    for exchange in deal.exchanges:
        before |= bits(exchange.event.discarded or ()) | bits(exchange.event.drawn or ())
    kept = before | constraints.must[0] | constraints.must[1]
    if constraints.white is not None and constraints.white.holder == index:
        kept |= constraints.white.not_dealt
    away = [bit for bit in WEAKEST_FIRST if not bit & kept]
    for chosen in islice(combinations(away, count), MAX_LISTED):
        discarded = sum(chosen)
        pool = constraints.may[index] & ~discarded & ~before & ~constraints.must[1 - index]
        for drawn in (0, _strongest(pool, count)):
            after = _constraints_after(constraints, index, count, discarded, drawn)
            if possible.can_satisfy(after):
                yield discarded, drawn


def _strongest(pool: int, count: int) -> int:
    """Return the ``count`` strongest cards of a pool, as bits."""
    return sum(islice((bit for bit in reversed(WEAKEST_FIRST) if bit & pool), count))
