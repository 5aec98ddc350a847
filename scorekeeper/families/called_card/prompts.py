"""Prompts for a hand with an auction and a called card."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from scorekeeper.cards.packs import Card
from scorekeeper.events.common import HandAbandoned
from scorekeeper.events.event import Event
from scorekeeper.events.playing import CardsShown, OutcomeRecorded, PointsCounted
from scorekeeper.families.briscola import ALL_POINTS
from scorekeeper.families.called_card.auction import PASS
from scorekeeper.families.called_card.events import PartnerRevealed
from scorekeeper.families.called_card.rules import asks_for_new_deals
from scorekeeper.families.called_card.state import BIDDER, CallingDeal
from scorekeeper.play.checks import play_begun
from scorekeeper.play.prompts import LEVELS, Ask, Level, Prompt, offer
from scorekeeper.play.prompts.following import player_of, rooms_left
from scorekeeper.play.prompts.holdings import Holdings
from scorekeeper.play.prompts.play import (
    all_cards_so_far,
    offer_counts,
    offer_rest,
    offer_winner,
    to_play,
)

ALL_PASSED: Final = "everybody passed"
NO_POINTS: Final = "no card with points"
WEAK_HAND: Final = "a weak hand"
CALLED: Final[tuple[Level, ...]] = ("tricks", "cards")  # levels at which the call is recorded

BidEvent = Callable[[str, Any], Event]  # creates a game's bid from the player and the bid
CallEvent = Callable[[str, Card], Event]  # creates a game's call from the player and the card


def totals(bid: type[Event]) -> tuple[Ask, ...]:
    """Return the questions of the form for a hand at the level ``totals``."""
    return Ask((bid,)), Ask((PartnerRevealed,)), Ask((PointsCounted, OutcomeRecorded))


# ------------------------------------------------------------------------------- the auction


def bids(deal: CallingDeal, bid: BidEvent, ladder: Sequence[Any]) -> Iterator[Prompt]:
    """Offer a bid in turn, or only the highest bid if no other is on record.

    ``ladder`` are all possible bids, the lowest first.
    """
    spoken = deal.auction.turns
    if not spoken or spoken[0].event.player == deal.table.eldest:
        yield from _in_turn(deal, bid, ladder)
    if deal.bid is None and not (spoken and deal.bidding):
        yield from _highest(deal, bid, ladder)
    if deal.bid is None and deal.bidding and deal.auction.least is None:
        over = HandAbandoned(
            ALL_PASSED, kind="all_passed" if deal.abandonment_kind_matters else None
        )
        yield from offer([over], ("totals", "tricks"))


def more_bids(deal: CallingDeal, bid: BidEvent, ladder: Sequence[Any]) -> Iterator[Prompt]:
    """Offer a bid in turn if eldest's first bid is not on record; more bids are unlikely then."""
    spoken = deal.auction.turns
    if spoken and spoken[0].event.player != deal.table.eldest:
        yield from _in_turn(deal, bid, ladder)


def _in_turn(deal: CallingDeal, bid: BidEvent, ladder: Sequence[Any]) -> Iterator[Prompt]:
    speaker = deal.auction.speaker
    if speaker is None or not deal.bidding or deal.auction.may_be_all:
        return
    best = 0 if deal.bid is None else deal.worth(deal.bid.event.bid) + 1
    higher = [
        step
        for step in ladder
        if deal.worth(step) >= best and not deal.too_early(step, deal.auction.standing)
    ]
    # A form for the totals of a whole hand asks for the winning bid alone.
    levels: tuple[Level, ...] = LEVELS if deal.auction.turns else CALLED
    if deal.auction.must_open:
        choices = [step for step in higher if deal.worth(step) >= (deal.auction.least or 0)]
    else:
        choices = [PASS, *higher]
    yield from offer((bid(speaker, choice) for choice in choices), levels, in_turn=True)


def _highest(deal: CallingDeal, bid: BidEvent, ladder: Sequence[Any]) -> Iterator[Prompt]:
    """Offer the winning bid for each player, or only for the player who called a card."""
    called = [call.event.player for call in deal.calls[:1]]
    for player in called or deal.table.players:
        in_turn = deal.bidding and player == deal.table.eldest  # offered above, except at totals
        levels: tuple[Level, ...] = ("totals",) if in_turn else LEVELS
        if player not in deal.auction.passes:
            yield from offer((bid(player, step) for step in ladder), levels)


def new_deals(deal: CallingDeal) -> Iterator[Prompt]:
    """Offer a new deal that a player with a weak hand asks for before their first bid."""
    options = deal.table.options
    if deal.auction.over or not deal.bidding or not asks_for_new_deals(options):
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


def unseen(
    deal: CallingDeal, away: Collection[Card] = (), beside: dict[str, int] | None = None
) -> Holdings:
    """Return the unseen cards with their possible holders: the players and those ``beside`` them.

    ``away`` are cards that are on record, but were not played.
    """
    cards = [c for c in deal.table.pack.cards if c not in deal.first and c not in away]
    return Holdings({**rooms_left(deal), **(beside or {})}, cards)


def if_possible(known: Holdings) -> Holdings:
    """Return the holdings; if they are contradictory, only with the number of cards per holder."""
    return known if known.possible else Holdings(known.rooms, known.cards)


def require_partner(deal: CallingDeal, held: Holdings, called: Card) -> None:
    """Limit the holders of the called card to those that make the revealed player the partner."""
    if deal.revealed is not None:
        held.require_among(_holders(deal, held, deal.revealed.player), [called])


def _holders(deal: CallingDeal, held: Holdings, partner: str) -> list[str]:
    """Return the holders of the called card, now or before, with which ``partner`` is right."""
    return [holder for holder in held.rooms if partner in deal.partners_with(player_of(holder))]


def calls(
    deal: CallingDeal,
    cards: Sequence[Card],
    holdings: Callable[[Any, Card], Holdings],
    call: CallEvent,
    levels: tuple[Level, ...] = CALLED,
) -> Iterator[Prompt]:
    """Offer the cards that the bidder can call without contradicting the record.

    After the play has begun only a correction can add a forgotten call, at its place.
    """
    bidder = deal.bidder
    if bidder is None or not may_call(deal):
        return
    possible = [card for card in cards if holdings(deal, card).possible]
    yield from offer((call(bidder, card) for card in possible or cards), levels)


def may_call(deal: CallingDeal) -> bool:
    """Return whether a card or its suit is still to be called, and in time."""
    begun = play_begun(deal, trick=2 if deal.blind else 1) is not None
    return not (begun or deal.solo or deal.call is not None or deal.counts or deal.outcomes)


def partner_to_reveal(deal: CallingDeal, held: Holdings) -> Iterator[Prompt]:
    """Offer the partner, the bidder last."""
    if deal.partner is not None or deal.partner_face_down:
        return
    called = [] if deal.called is None else [deal.called]
    players = sorted(deal.table.players, key=lambda player: player == deal.bidder)
    if not deal.may_be_alone:
        players.remove(players[-1])
    holders = {player: _holders(deal, held, player) for player in players}
    possible = [
        player
        for player in players
        if holders[player] and held.can_have_together(holders[player], called)
    ]
    yield from offer(PartnerRevealed(player) for player in possible or players)


def called_to_show(deal: CallingDeal, held: Holdings) -> Iterator[Prompt]:
    """Offer that a player who can hold the called card shows it."""
    called = deal.called
    if called is None or not all_cards_so_far(deal):
        return
    if not any(called in shown.cards for shown in deal.shown):
        players = (player for player in deal.table.players if held.can_hold(player, called))
        yield from offer((CardsShown(player, (called,)) for player in players), ("cards",))


# ---------------------------------------------------------------- the tricks and the result


def tricks(deal: CallingDeal) -> Iterator[Prompt]:
    """Offer the winner of the next trick, unless a count or an outcome is on record."""
    if not (deal.counts or deal.outcomes):
        yield from offer_winner(deal)


def rest(deal: CallingDeal, held: Holdings) -> Iterator[Prompt]:
    """Offer a claim of the rest for each player who can take it."""
    if not (deal.counts or deal.outcomes):
        yield from offer_rest(deal, lambda player: _takes_all(deal, player, held))


def _takes_all(deal: CallingDeal, player: str, held: Holdings) -> bool:
    """Return whether a player can take all remaining tricks, as far as the cards are on record.

    The player needs the highest trumps and then, if there are too few, the highest cards of
    other suits, and the right to lead them.
    """
    if deal.called is None or not all_cards_so_far(deal):
        return True
    trumps = [card for card in held.cards if card.suit == deal.trump]
    others = [card for card in held.cards if card.suit != deal.trump]
    best = [*trumps, *others][: deal.tricks.total + 1 - deal.tricks.due]
    return (bool(trumps) or player == to_play(deal)) and held.can_have(player, best)


def sweeps(deal: CallingDeal) -> Iterator[PointsCounted]:
    """Yield counts with all tricks to one party, if they matter and the record allows them."""
    options = deal.table.options
    if options["sweep_test"] != "tricks" or options["sweep_pay"] == "none":
        return
    tricks = deal.tricks_at_least()
    for side in tricks:
        none = dict.fromkeys(tricks, 0)
        if tricks == {**none, side: tricks[side]}:
            yield PointsCounted({**none, side: ALL_POINTS}, {**none, side: deal.tricks.total})


def results(deal: CallingDeal, possible: dict[str, Sequence[int]]) -> Iterator[Prompt]:
    """Offer the count and the outcome of the contract, once the parties are on record."""
    on_record = deal.partner is not None or deal.partner_face_down
    if deal.need is None or not on_record or not possible[BIDDER]:
        return
    if deal.counts or deal.outcomes:
        return
    levels: tuple[Level, ...] = ("totals",)  # and where no trick can be added, the others
    if deal.all_tricks or deal.plays:
        levels = LEVELS if deal.all_tricks else ("totals", "tricks")
    for prompt in offer_counts(deal, possible, levels):
        swept = tuple(sweeps(deal)) if prompt.counts else ()
        yield replace(prompt, choices=(*prompt.choices, *swept))
    can = {
        True: max(possible[BIDDER]) >= deal.need,
        False: min(possible[BIDDER]) < deal.need,
    }
    yield from offer((OutcomeRecorded(made) for made in can if can[made]), levels)
