"""Prompts for a hand with an auction and a called card."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from scorekeeper.cards.packs import Card
from scorekeeper.events.common import HandAbandoned
from scorekeeper.events.event import Event
from scorekeeper.events.playing import CardsShown, OutcomeRecorded, PointsCounted
from scorekeeper.families.briscola import ALL_POINTS
from scorekeeper.families.called_card.rules import allows_redeals
from scorekeeper.families.called_card.state import CallingDeal
from scorekeeper.families.contracts.events import PartnerRevealed
from scorekeeper.families.contracts.state import BIDDER
from scorekeeper.play.checks import first_event_of_play
from scorekeeper.play.prompts import LEVELS, Ask, Level, Prompt, offer
from scorekeeper.play.prompts.following import player_of, unseen_per_player
from scorekeeper.play.prompts.holdings import Holdings
from scorekeeper.play.prompts.play import (
    all_cards_so_far,
    offer_counts,
    offer_rest,
    offer_winner,
    to_play,
)

NO_POINTS: Final = "no card with points"
WEAK_HAND: Final = "a weak hand"
CALLED: Final[tuple[Level, ...]] = ("tricks", "cards")  # levels at which the call is recorded

CallEvent = Callable[[str, Card], Event]  # creates a game's call from the player and the card


def totals_form(bid: type[Event]) -> tuple[Ask, ...]:
    """Return the questions of the form that records a whole hand by its totals.

    They are the bid, the partner, and the count or the outcome; ``bid`` is the type of a bid.
    """
    return Ask((bid,)), Ask((PartnerRevealed,)), Ask((PointsCounted, OutcomeRecorded))


def offer_redeal(deal: CallingDeal) -> Iterator[Prompt]:
    """Offer that a player who has not bid yet asks for a new deal because of a weak hand."""
    options = deal.table.options
    if deal.auction.over or not deal.bidding or not allows_redeals(options):
        return
    spoken = {bid.player for bid in deal.bids}
    kind = "weak_hand" if deal.abandonment_kind_matters else None
    waiting = (player for player in deal.table.players if player not in spoken)
    players = [player for player in waiting if deal.may_ask_redeal(player)]
    if options["redeal_max_points"] == 0 and not options["four_twos"]:
        yield from offer(HandAbandoned(NO_POINTS, player, kind) for player in players)
    else:
        yield from offer(HandAbandoned(WEAK_HAND, player, kind) for player in players)


# ------------------------------------------------------------------------------- the parties


def unseen_holdings(
    deal: CallingDeal, away: Collection[Card] = (), other_holders: dict[str, int] | None = None
) -> Holdings:
    """Return the unseen cards with their possible holders, players and others.

    ``other_holders`` has the number of cards by holder that is no player. ``away`` are cards that
    are on record, but were not played.
    """
    cards = [c for c in deal.table.pack.cards if c not in deal.first and c not in away]
    return Holdings({**unseen_per_player(deal), **(other_holders or {})}, cards)


def without_contradictions(known: Holdings) -> Holdings:
    """Return the holdings; if no distribution fits, only with the number of cards by holder."""
    return known if known.possible else Holdings(known.rooms, known.cards)


def require_partner(deal: CallingDeal, held: Holdings, called: Card) -> None:
    """Limit who can have the called card to holders with which the revealed partner is right."""
    if deal.revealed is not None:
        held.require_among(_holders_for_partner(deal, held, deal.revealed.player), [called])


def _holders_for_partner(deal: CallingDeal, held: Holdings, partner: str) -> list[str]:
    """Return the holders of the called card, now or before, that make ``partner`` the partner."""
    return [holder for holder in held.rooms if partner in deal.partners_with(player_of(holder))]


def offer_calls(
    deal: CallingDeal,
    cards: Sequence[Card],
    holdings: Callable[[Any, Card], Holdings],
    call: CallEvent,
    levels: tuple[Level, ...] = CALLED,
) -> Iterator[Prompt]:
    """Offer the cards that the bidder can call; all ``cards`` if the record contradicts each.

    ``holdings`` returns the possible holdings if a card was called, and ``call`` creates the
    event. After the play has begun only a correction can add a forgotten call, at its place.
    """
    bidder = deal.bidder
    if bidder is None or not may_call(deal):
        return
    possible = [card for card in cards if holdings(deal, card).possible]
    yield from offer((call(bidder, card) for card in possible or cards), levels)


def may_call(deal: CallingDeal) -> bool:
    """Return whether a card or its suit is still to be called, and in time."""
    begun = first_event_of_play(deal, trick=2 if deal.blind else 1) is not None
    return not (begun or deal.solo or deal.call is not None or deal.counts or deal.outcomes)


def offer_partner(deal: CallingDeal, held: Holdings) -> Iterator[Prompt]:
    """Offer each player who can be the partner, with the bidder, as alone, at the end."""
    if deal.partner is not None or deal.partner_face_down:
        return
    called = [] if deal.called is None else [deal.called]
    players = sorted(deal.table.players, key=lambda player: player == deal.bidder)
    if not deal.can_be_alone:
        players.remove(players[-1])
    holders = {player: _holders_for_partner(deal, held, player) for player in players}
    possible = [
        player
        for player in players
        if holders[player] and held.can_have_together(holders[player], called)
    ]
    yield from offer(PartnerRevealed(player) for player in possible or players)


def offer_called_card_shown(deal: CallingDeal, held: Holdings) -> Iterator[Prompt]:
    """Offer that a player who can hold the called card shows it.

    Nothing is offered if it was shown or a trick is on record without its cards.
    """
    called = deal.called
    if called is None or not all_cards_so_far(deal):
        return
    if not any(called in shown.cards for shown in deal.shown):
        players = (player for player in deal.table.players if held.can_hold(player, called))
        yield from offer((CardsShown(player, (called,)) for player in players), ("cards",))


# ---------------------------------------------------------------- the tricks and the result


def offer_trick_winner(deal: CallingDeal) -> Iterator[Prompt]:
    """Offer the winner of the next trick, unless a count or an outcome is on record."""
    if not (deal.counts or deal.outcomes):
        yield from offer_winner(deal)


def offer_claim_of_rest(deal: CallingDeal, held: Holdings) -> Iterator[Prompt]:
    """Offer a claim of the rest for each player who can take all remaining tricks."""
    if not (deal.counts or deal.outcomes):
        yield from offer_rest(deal, lambda player: _can_take_all(deal, player, held))


def _can_take_all(deal: CallingDeal, player: str, held: Holdings) -> bool:
    """Return whether a player can take all remaining tricks, as far as the cards are on record.

    The player needs the highest trumps and then, if there are too few, the highest cards of other
    suits, and the right to lead them.
    """
    if deal.called is None or not all_cards_so_far(deal):
        return True
    trumps = [card for card in held.cards if card.suit == deal.trump]
    others = [card for card in held.cards if card.suit != deal.trump]
    best = [*trumps, *others][: deal.tricks.total + 1 - deal.tricks.due]
    return (bool(trumps) or player == to_play(deal)) and held.can_have(player, best)


def sweep_counts(deal: CallingDeal) -> Iterator[PointsCounted]:
    """Yield counts with all tricks to one party, if such sweeps pay and the record allows them."""
    options = deal.table.options
    if options["sweep_test"] != "tricks" or options["sweep_pay"] == "none":
        return
    tricks = deal.tricks_at_least()
    for side in tricks:
        none = dict.fromkeys(tricks, 0)
        if tricks == {**none, side: tricks[side]}:
            yield PointsCounted({**none, side: ALL_POINTS}, {**none, side: deal.tricks.total})


def offer_results(deal: CallingDeal, possible: dict[str, Sequence[int]]) -> Iterator[Prompt]:
    """Offer the count and the outcome of the contract, once the parties are on record.

    ``possible`` has the points that each party can have.
    """
    on_record = deal.partner is not None or deal.partner_face_down
    if deal.need is None or not on_record or not possible[BIDDER]:
        return
    if deal.counts or deal.outcomes:
        return
    levels: tuple[Level, ...] = ("totals",)  # and where no trick can be added, the others
    if deal.all_tricks or deal.plays:
        levels = LEVELS if deal.all_tricks else ("totals", "tricks")
    for prompt in offer_counts(deal, possible, levels):
        swept = tuple(sweep_counts(deal)) if prompt.counts else ()
        yield replace(prompt, choices=(*prompt.choices, *swept))
    can = {
        True: max(possible[BIDDER]) >= deal.need,
        False: min(possible[BIDDER]) < deal.need,
    }
    yield from offer((OutcomeRecorded(is_made) for is_made in can if can[is_made]), levels)
