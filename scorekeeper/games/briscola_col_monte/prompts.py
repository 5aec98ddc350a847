"""Prompts for a hand of Briscola col Monte."""

from collections.abc import Iterator, Sequence
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.families.briscola import POINTS
from scorekeeper.families.called_card import prompts as calling
from scorekeeper.families.called_card.takings import possible_takings
from scorekeeper.families.contracts.prompts import offer_bids, offer_late_bids
from scorekeeper.games.briscola_col_monte.events import (
    BidMade,
    CalledCardShown,
    CardCalled,
    CardsLaidAway,
    MonteTaken,
)
from scorekeeper.games.briscola_col_monte.state import AWAY, MonteDeal
from scorekeeper.play.prompts import Level, Prompt, offer
from scorekeeper.play.prompts.following import holders_of
from scorekeeper.play.prompts.holdings import Holdings, possible_sets
from scorekeeper.play.prompts.play import offer_cards, result_is_settled

TOTALS: Final = calling.totals_form(BidMade)


def prompts(deal: MonteDeal) -> Iterator[Prompt]:
    """Yield the prompts for a hand, the likeliest first."""
    if result_is_settled(deal):
        return
    yield from offer_bids(deal, BidMade, deal.ladder)
    if deal.bidder is not None:
        yield from offer_after_auction(deal, deal.bidder)
    yield from offer_late_bids(deal, BidMade, deal.ladder)
    yield from calling.offer_redeal(deal)


def offer_after_auction(deal: MonteDeal, bidder: str) -> Iterator[Prompt]:
    """Yield all prompts after the auction, the likeliest first."""
    held = calling.without_contradictions(possible_holdings(deal, deal.called))
    strongest = sorted(
        deal.table.pack.cards, key=lambda card: deal.table.pack.ranks.index(card.rank)
    )
    if deal.solo:
        yield from offer_monte_and_card(deal, bidder, held)
    elif deal.calls_first:
        yield from calling.offer_calls(deal, strongest, possible_holdings, CardCalled)
    else:
        yield from offer_suit_monte_and_call(deal, bidder, held, strongest)
    if deal.call is not None:
        yield from offer_monte_and_card(deal, bidder, held)
    yield from calling.offer_trick_winner(deal)
    yield from offer_showing(deal, bidder, held)
    yield from calling.offer_partner(deal, held)
    yield from calling.offer_results(
        deal, possible_takings(deal, deal.size.monte, unplayed_lay_away(deal))
    )
    yield from calling.offer_called_card_shown(deal, held)
    yield from calling.offer_claim_of_rest(deal, held)


def offer_monte_and_card(deal: MonteDeal, bidder: str, held: Holdings) -> Iterator[Prompt]:
    """Offer the monte, if it comes after the naming or without one, and the next card played."""
    if (deal.calls_first or deal.solo) and is_before_lead(deal):
        yield from offer_monte(deal, bidder, held)
    yield from offer_cards(deal, held)


def offer_suit_monte_and_call(
    deal: MonteDeal, bidder: str, held: Holdings, strongest: Sequence[Card]
) -> Iterator[Prompt]:
    """Offer trump, the monte and the named card, at tables that name the card last (M3).

    ``strongest`` are all cards, the strongest ranks first.
    """
    if not calling.may_call(deal):
        return
    suit, before = deal.suit_named, is_before_lead(deal) and deal.lay_away is None
    if suit is None and before and deal.table.options["call_time"] == "suit_then_card":
        named = (CardCalled(bidder, suit=str(suit)) for suit in deal.table.pack.suits)
        yield from offer(named, calling.CALLED)
        return
    if before:
        yield from offer_monte(deal, bidder, held)
    away = unplayed_lay_away(deal)
    cards = [card for card in strongest if card not in away]
    if suit is not None:
        cards = [card for card in cards if card.suit == suit.event.suit]
    levels: tuple[Level, ...] = ("tricks",) if before else calling.CALLED
    yield from calling.offer_calls(deal, cards, possible_holdings, CardCalled, levels)


# ----------------------------------------------------------------- the monte, the named card


def offer_monte(deal: MonteDeal, bidder: str, held: Holdings) -> Iterator[Prompt]:
    """Offer taking the monte and laying cards away, with or without the cards (M3).

    Nothing is offered after a lay-away, or without a monte.
    """
    many = deal.size.monte
    if deal.lay_away is not None or not many:
        return
    if deal.monte is None:
        montes = possible_sets(held, (bidder, AWAY), many, tuple(held.cards))
        named = (MonteTaken(bidder, cards) for cards in montes)
        yield from offer((MonteTaken(bidder), *named), ("cards",))
    lay_aways = possible_sets(held, (AWAY,), many, order_by_likely_lay_away(deal, held))
    away = (CardsLaidAway(bidder, cards) for cards in lay_aways)
    yield from offer((CardsLaidAway(bidder), *away), ("cards",))


def offer_showing(deal: MonteDeal, bidder: str, held: Holdings) -> Iterator[Prompt]:
    """Offer showing the named card, if the bidder can have it and is not known as alone (M5)."""
    if deal.table.options["called_in_hand"] not in ("choice", "right"):
        return
    partner = deal.revealed.player if deal.revealed else deal.neighbour
    if partner != deal.neighbour or deal.showings or not is_before_lead(deal):
        return
    if deal.called is not None and held.can_hold(bidder, deal.called):
        yield from offer([CalledCardShown(bidder)], calling.CALLED, needed=False)


def is_before_lead(deal: MonteDeal) -> bool:
    """Return whether no trick and no claim of the rest is on record."""
    return not deal.tricks.numbered and deal.rest is None


def order_by_likely_lay_away(deal: MonteDeal, held: Holdings) -> Sequence[Card]:
    """Return the unseen cards, first those that a bidder is more likely to lay away."""
    monte = deal.monte.event.cards if deal.monte else None
    return sorted(
        held.cards,
        key=lambda card: (card.suit == deal.trump, card not in (monte or ()), POINTS[card]),
    )


# ------------------------------------------------------------------------- who can hold what


def unplayed_lay_away(deal: MonteDeal) -> tuple[Card, ...]:
    """Return the recorded cards of the lay-away that were not played, at most as many as due."""
    cards = deal.lay_away.event.cards if deal.lay_away else None
    return tuple(card for card in cards or () if card not in deal.first)[: deal.size.monte]


def possible_holdings(deal: MonteDeal, called: Card | None) -> Holdings:
    """Return the possible holdings, with the lay-away, if this card is named; None for no card."""
    away = unplayed_lay_away(deal)
    held = calling.unseen_holdings(deal, away, {AWAY: deal.size.monte - len(away)})
    bidder = deal.bidder
    for shown in deal.shown:
        kept = shown.player != bidder or (
            deal.lay_away is not None and deal.lay_away.seq < shown.seq
        )
        holders = holders_of(deal, shown.player, shown.trick)
        held.require_among(holders if kept else (*holders, AWAY), shown.cards)
    if bidder is not None and deal.monte is not None:
        held.require_among((*holders_of(deal, bidder), AWAY), deal.monte.event.cards or ())
    if called is not None:
        calling.require_partner(deal, held, called)
        if deal.showing is not None:
            held.require_among(holders_of(deal, deal.showing.player), [called])
    return held
