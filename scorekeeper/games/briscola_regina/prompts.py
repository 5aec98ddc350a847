"""Prompts for a hand of Briscola Regina."""

from collections.abc import Iterator
from functools import reduce
from itertools import islice
from operator import or_
from typing import Final

from scorekeeper.cards.packs import ITALIAN_SUITS
from scorekeeper.events.playing import CardPlayed, CardsShown, PointsCounted
from scorekeeper.games.briscola_regina.events import BrisCalled, FiguresShown, HandsExchanged
from scorekeeper.games.briscola_regina.holdings import KnownHoldings
from scorekeeper.games.briscola_regina.rules import KINGS, KNIGHTS, STOCK_LASTS, figures_of
from scorekeeper.games.briscola_regina.state import ReginaDeal, suit_of_bris
from scorekeeper.play.counts import sums_of
from scorekeeper.play.prompts import LEVELS, Ask, Level, Prompt, offer
from scorekeeper.play.prompts.play import (
    MAX_LISTED_SHOWN,
    offer_counts,
    offer_rest,
    offer_winner,
    result_is_settled,
    to_play,
)

TOTALS: Final = (
    Ask((BrisCalled,), times=len(ITALIAN_SUITS), optional=True),
    Ask((PointsCounted,)),
)


def prompts(deal: ReginaDeal) -> Iterator[Prompt]:
    """Yield the prompts for a hand, the likeliest first."""
    if result_is_settled(deal):
        return
    known = KnownHoldings(deal)
    calls, counts = offer_bris(deal, known), offer_count(deal, known)
    if not known.timed:
        yield from (*counts, *calls)
        return
    yield from offer_card(deal, known)
    yield from offer_winner(deal)
    yield from offer_exchange(deal)
    if deal.tricks.numbered:
        yield from (*calls, *offer_rest(deal), *counts)
    elif deal.calls:
        yield from (*counts, *calls, *offer_rest(deal))
    else:
        yield from (*calls, *counts, *offer_rest(deal))
    yield from offer_figures(deal, known)
    yield from offer_card_to_show(deal, known)


# ------------------------------------------------------------------------------------- play


def offer_card(deal: ReginaDeal, known: KnownHoldings) -> Iterator[Prompt]:
    """Offer the cards that the player whose turn it is can hold; any may be played (B2).

    None is offered if the first card of the trick would prove a recorded Bris out of time (B5).
    """
    player = to_play(deal)
    if player is None or deal.rest is not None or not may_lead(deal, player):
        return
    cards = [card for card in known.unseen if known.may_hold(player, card)]
    # If the record allows no card, it is contradictory, and any card is possible.
    yield from offer((CardPlayed(player, card) for card in cards or known.unseen), ("cards",))


def may_lead(deal: ReginaDeal, leader: str) -> bool:
    """Return whether the next trick can be recorded by its cards, if ``leader`` leads (B5).

    If Bris must be called in one's turn, it cannot after another player's Bris: that player called
    within the trick, whose cards were not recorded.
    """
    if deal.table.options["bris_when"] != "own_turn" or deal.tricks.open is not None:
        return True
    return all(
        call.player == leader for call in deal.first_calls() if call.trick == deal.tricks.due
    )


def offer_exchange(deal: ReginaDeal) -> Iterator[Prompt]:
    """Offer an exchange of hands to each side, once, after the stock and between tricks (B8).

    It is for four players at tables that allow it.
    """
    table, tricks = deal.table, deal.tricks
    if len(table.players) != 4 or table.options["hand_exchange"] == "none" or deal.rest is not None:
        return
    if tricks.open is None and STOCK_LASTS[4] < tricks.due <= tricks.total:
        before = {exchange.side for exchange in deal.exchanges}
        sides = [side for side in table.sides if side not in before]
        yield from offer((HandsExchanged(side) for side in sides), ("tricks", "cards"))


def offer_card_to_show(deal: ReginaDeal, known: KnownHoldings) -> Iterator[Prompt]:
    """Offer each unseen card that a player can show, high ranks first.

    Nothing is offered if a trick is on record without its cards.
    """
    if not known.by_cards:
        return
    ranks = deal.table.pack.ranks
    cards = [card for card in known.unseen if card not in known.holder]
    choices = (
        CardsShown(player, (card,))
        for card in sorted(cards, key=lambda card: ranks.index(card.rank))
        for player in deal.table.players
        if known.room[player] > 0
    )
    yield from offer(islice(choices, MAX_LISTED_SHOWN), ("cards",))


# ------------------------------------------------------------------------------------- Bris


def offer_figures(deal: ReginaDeal, known: KnownHoldings) -> Iterator[Prompt]:
    """Offer four kings and a knight, or the reverse, for players who can hold them (B7).

    Nothing is offered if the options give them no points.
    """
    kinds = [kind for kind in figures_of(deal.table.options) if kind not in deal.first_figures]
    if not kinds or not known.timed or deal.rest is not None:
        return
    choices = (
        FiguresShown(player, kind)
        for kind in kinds
        for player in deal.table.players
        if can_show(deal, known, player, kind)
    )
    yield from offer(choices, needed=False)


def can_show(deal: ReginaDeal, known: KnownHoldings, player: str, kind: str) -> bool:
    """Return whether a player can hold the four cards of ``kind`` and one of the other kind (B7).

    A kind is ``kings`` or ``knights``.
    """
    four = deal.four_of_kind(kind)
    fifth = deal.four_of_kind(KNIGHTS if kind == KINGS else KINGS)
    return not any(card in deal.first for card in four) and any(
        card not in deal.first and known.may_hold(player, *four, card) for card in fifth
    )


def offer_bris(deal: ReginaDeal, known: KnownHoldings) -> Iterator[Prompt]:
    """Offer a Bris on a suit not yet called, for players who can hold its two cards (B5).

    Before any trick is on record, it offers all Bris that may still be called later as well, for
    tables that record only the Bris and the count.
    """
    if deal.rest is not None or not bris_is_allowed(deal):
        return
    choices = [call for call in possible_bris(deal, known) if is_players_time(deal, call.player)]
    current = [
        call
        for call in choices
        if known.timed and known.may_hold(call.player, *deal.bris_cards(call.suit))
    ]
    in_turn = [call for call in current if is_players_turn(deal, call.player)]
    yield from offer(in_turn)
    yield from offer((call for call in current if call not in in_turn), ("totals", "tricks"))
    if not deal.tricks.numbered:
        yield from offer((call for call in choices if call not in current), ("totals",))


def bris_is_allowed(deal: ReginaDeal) -> bool:
    """Return whether a Bris is allowed at this point (B5)."""
    options, stock = deal.table.options, STOCK_LASTS[len(deal.table.players)]
    if options["bris_until"] == "stock_out" and deal.tricks.due > stock:
        return False
    return options["bris_when"] != "between_tricks" or deal.tricks.open is None


def is_players_time(deal: ReginaDeal, player: str) -> bool:
    """Return whether a player may call a Bris now, as far as the record shows (B5).

    The turn is unknown until the trick has a card on record. It may be recorded by its winner.
    """
    return deal.tricks.open is None or is_players_turn(deal, player)


def is_players_turn(deal: ReginaDeal, player: str) -> bool:
    """Return whether a player may call a Bris in a trick that is recorded by its cards (B5)."""
    if deal.table.options["bris_when"] != "own_turn":
        return True
    return to_play(deal) in (None, player)


def possible_bris(deal: ReginaDeal, known: KnownHoldings) -> Iterator[BrisCalled]:
    """Yield Bris on uncalled suits whose cards are not played, nor shown by another player."""
    called = {suit_of_bris(call) for call in deal.first_calls()}
    for player in deal.table.players:
        for suit in deal.table.pack.suits:
            cards = deal.bris_cards(suit)
            fallen = any(card in deal.first for card in cards)
            elsewhere = any(known.holder.get(card, player) != player for card in cards)
            if suit not in called and not fallen and not elsewhere:
                yield BrisCalled(player, str(suit))


# --------------------------------------------------------------------------------- the count


def offer_count(deal: ReginaDeal, known: KnownHoldings) -> Iterator[Prompt]:
    """Offer the counts that are possible by the recorded tricks (B9)."""
    goes_on = known.timed and deal.rest is None and deal.tricks.due <= deal.tricks.total
    levels: tuple[Level, ...] = ("totals", "tricks") if goes_on else LEVELS
    yield from offer_counts(deal, possible_points(deal), levels)


def possible_points(deal: ReginaDeal) -> dict[str, list[int]]:
    """Return the card points that each side can have, in rising order.

    They are the points of its recorded cards and of its other cards. The tricks that are not on
    record go to any side, each with all its cards.
    """
    points, unseen, hidden = deal.in_tricks
    sums = sums_of(hidden)
    size = deal.tricks.players
    left = deal.tricks.total - len(deal.won)
    possible = {}
    for side, number in unseen.items():
        bits = reduce(or_, sums[number : number + size * left + 1 : size])
        possible[side] = [points[side] + n for n in range(bits.bit_length()) if bits >> n & 1]
    return possible
