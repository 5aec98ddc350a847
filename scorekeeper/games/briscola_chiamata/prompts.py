"""Prompts for a hand of Briscola Chiamata."""

from collections.abc import Collection, Iterator
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.families.called_card import prompts as calling
from scorekeeper.families.called_card.events import CardCalled
from scorekeeper.families.called_card.takings import possible_takings
from scorekeeper.families.contracts.prompts import offer_bids, offer_late_bids
from scorekeeper.games.briscola_chiamata.events import BidMade
from scorekeeper.games.briscola_chiamata.state import ChiamataDeal
from scorekeeper.play.prompts import Prompt
from scorekeeper.play.prompts.following import holders_of, of_suit, voids
from scorekeeper.play.prompts.holdings import Holdings
from scorekeeper.play.prompts.play import offer_cards, result_is_settled

TOTALS: Final = calling.totals_form(BidMade)


def prompts(deal: ChiamataDeal) -> Iterator[Prompt]:
    """Yield the prompts for a hand, the likeliest first."""
    if result_is_settled(deal):
        return
    held = calling.without_contradictions(possible_holdings(deal, deal.called))
    yield from offer_bids(deal, BidMade, deal.ladder)
    if deal.bid is not None:
        before_the_call = deal.solo or (deal.blind and not deal.first_trick_over)
        if not before_the_call:
            yield from calling.offer_calls(
                deal, callable_cards(deal), possible_holdings, CardCalled
            )
        if deal.call is not None or before_the_call:
            yield from offer_cards(deal, held, lambda player, card: cards_lacked(deal, held, card))
        yield from calling.offer_trick_winner(deal)
        yield from calling.offer_partner(deal, held)
        yield from calling.offer_results(deal, possible_takings(deal))
        yield from calling.offer_called_card_shown(deal, held)
        yield from calling.offer_claim_of_rest(deal, held)
    yield from offer_late_bids(deal, BidMade, deal.ladder)
    yield from calling.offer_redeal(deal)


# --------------------------------------------------------------------------------- the call


def callable_cards(deal: ChiamataDeal) -> list[Card]:
    """Return the cards of the rank that was bid, or else all cards, the lowest first (C4)."""
    pack = deal.table.pack
    ranks = [deal.rank_bid] if deal.rank_bid else list(reversed(pack.ranks))
    return sorted(
        [card for card in pack.cards if card.rank in ranks], key=lambda card: ranks.index(card.rank)
    )


def possible_holdings(deal: ChiamataDeal, called: Card | None) -> Holdings:
    """Return the possible holdings if the bidder called ``called``; None for no call.

    A bidder who could choose, and did not call the 2, has all the trumps below the one called, and
    not that one (C4). If suit is followed, a player who did not follow is void (C6).
    """
    held = calling.unseen_holdings(deal)
    for player, suit in voids(deal) if deal.table.options["must_follow"] else ():
        held.exclude(player, of_suit(held.cards, suit))
    for shown in deal.shown:
        held.require_among(holders_of(deal, shown.player, shown.trick), shown.cards)
    if called is None or deal.bidder is None:
        return held
    calling.require_partner(deal, held, called)
    beyond = deal.trumps_implied_by(called)
    if beyond is not None:
        held.require_among(holders_of(deal, deal.bidder), beyond)
        held.exclude(deal.bidder, [called])
    if not deal.may_be_alone:
        held.exclude(deal.bidder, [called])
    if contradicts_first_trick(deal, called, beyond or ()):
        held.require_among((), held.cards)
    return held


def contradicts_first_trick(deal: ChiamataDeal, called: Card, beyond: Collection[Card]) -> bool:
    """Return whether the first trick proves that another card than ``called`` was due.

    This is possible if it was played before the call. ``beyond`` are the trumps that the call
    implies. It is also proved if a player other than the revealed partner played the called card.
    """
    if not deal.blind:
        return False
    partner = deal.revealed
    if partner and any(play.player != partner.player for play in deal.fallen([called])):
        return True
    own = [called] if beyond or not deal.may_be_alone else []
    return any(play.player != deal.bidder for play in deal.fallen(beyond)) or any(
        play.player == deal.bidder for play in deal.fallen(own)
    )


def cards_lacked(deal: ChiamataDeal, held: Holdings, card: Card) -> Collection[Card]:
    """Return the unseen cards that a player lacks after playing this card (C6).

    They are the suit led, if the player must follow and did not.
    """
    trick = deal.tricks.open
    if not deal.table.options["must_follow"] or trick is None:
        return ()
    led = trick.plays[0].card.suit
    return () if card.suit is led else of_suit(held.cards, led)
