"""The events that can be recorded next in a hand of French Tarot."""

from collections.abc import Iterator
from itertools import product

from scorekeeper.authoring import (
    LEVELS,
    Ask,
    Prompt,
    offer,
    offer_card,
    offer_counts,
    offer_shown_cards,
    offer_winner,
    result_is_settled,
    unseen_holdings,
)
from scorekeeper_tarot import events, rules
from scorekeeper_tarot.state import TarotDeal


def totals(deal: TarotDeal) -> tuple[Ask, ...]:
    """Return the questions of the form for totals: at five, the partner too (F3)."""
    partner = len(deal.table.players) == rules.PLAYERS_WITH_CALL
    return (
        Ask((events.ContractTaken,)),
        *((Ask((events.PartnerNamed,)),) if partner else ()),
        Ask((events.HandfulShown,), times=2, optional=True),
        Ask((events.SlamAnnounced,), optional=True),
        Ask((events.BoutsCounted,)),
        Ask((events.HalvesCounted,)),
    )


def prompts(deal: TarotDeal) -> Iterator[Prompt]:
    """Yield the possible next events of a hand, the likeliest first."""
    if result_is_settled(deal):
        return
    if deal.contract is None:
        bids = product(deal.table.players, rules.CONTRACTS)
        yield from offer(events.ContractTaken(player, contract) for player, contract in bids)
        return
    known = unseen_holdings(deal)
    yield from _partner(deal)
    yield from offer_card(deal, known)
    yield from offer_winner(deal)
    yield from _result(deal)
    yield from _declarations(deal, deal.contract.player)
    yield from offer_shown_cards(deal, known)


def _partner(deal: TarotDeal) -> Iterator[Prompt]:
    """Yield the called king with the cards, else the partner (F3)."""
    if deal.partner is not None:
        return
    if not deal.calls and not deal.plays:
        kings = (card for card in rules.PACK.cards if card.rank == "K")
        yield from offer((events.KingCalled(king) for king in kings), ("cards",))
    levels = LEVELS if deal.all_tricks or (deal.plays and not deal.calls) else LEVELS[:2]
    yield from offer((events.PartnerNamed(player) for player in deal.table.players), levels)


def _result(deal: TarotDeal) -> Iterator[Prompt]:
    """Yield the bouts and the petit, and then the count of points."""
    levels = LEVELS if deal.all_tricks else LEVELS[:1]
    if deal.bouts is None:
        counts = product(range(4), events.PETITS)
        yield from offer((events.BoutsCounted(*count) for count in counts), levels)
    else:
        possible = dict.fromkeys(deal.counted_sides(), range(rules.ALL_HALVES + 1))
        yield from offer_counts(deal, possible, levels)


def _declarations(deal: TarotDeal, taker: str) -> Iterator[Prompt]:
    """Yield handfuls and a slam, which few hands have (F7, F8)."""
    shown = [handful.player for handful in deal.handfuls]
    players = [p for p in deal.table.players if p not in shown and not deal.plays_by[p]]
    needed = rules.TRUMPS_SHOWN[len(deal.table.players)]
    handfuls = (events.HandfulShown(player, trumps) for player in players for trumps in needed)
    yield from offer(handfuls, needed=False)
    if not (deal.slams or deal.plays or deal.won):
        yield from offer((events.SlamAnnounced(taker),), needed=False)
