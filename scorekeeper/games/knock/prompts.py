"""Prompts for a hand of Knock!."""

from collections.abc import Collection, Iterator
from itertools import combinations, islice
from typing import Final

from scorekeeper.cards.packs import FOOL, Card, Suit
from scorekeeper.events.playing import PointsCounted
from scorekeeper.games.knock.events import CardsLaidAway, FoolPaid, FoolSurrendered
from scorekeeper.games.knock.holdings import AWAY, FREE, TRUMPS, cards_lacked, known_holdings
from scorekeeper.games.knock.prompts_signals import offer_gestures
from scorekeeper.games.knock.rules import (
    EMPTY,
    HAND_POINTS,
    HONOUR_POINTS,
    LAID_AWAY,
    PACK,
    POWER,
    TRICK_POINTS,
    TRICKS,
    VALUE,
    may_be_laid_away,
)
from scorekeeper.games.knock.state import FoolDebt, KnockDeal
from scorekeeper.play.prompts import LEVELS, Ask, Level, Prompt, offer
from scorekeeper.play.prompts.following import holders_of
from scorekeeper.play.prompts.holdings import Holdings
from scorekeeper.play.prompts.play import (
    offer_cards,
    offer_counts,
    offer_rest,
    offer_winner,
)

MOST_NAMED: Final = 95  # the most lay-aways of plain cards that are listed
LOW_TRUMPS: Final = 6  # the number of lowest trumps that are listed in pairs

POWER_OF_TRUMPS: Final = POWER[Suit.T]
# Pairs of plain cards, first those with the most points, which count for the dealer's side (K2).
PAIRS: Final = sorted(
    combinations(FREE, LAID_AWAY), key=lambda pair: -sum(VALUE[card] for card in pair)
)
# Trumps that the dealer may lay away, and shows, if they have no other cards for it (K3).
# The lowest come first.
LAID_TRUMPS: Final = tuple(card for card in reversed(TRUMPS) if may_be_laid_away(card))
SHOWN: Final = (
    *((card,) for card in LAID_TRUMPS), *combinations(LAID_TRUMPS[:LOW_TRUMPS], LAID_AWAY)
)  # fmt: skip
BY_POINTS: Final = sorted(PACK.cards, key=VALUE.__getitem__)
TOTALS: Final = (Ask((PointsCounted,)),)


def prompts(deal: KnockDeal) -> Iterator[Prompt]:
    """Yield the prompts for a hand, the likeliest first."""
    if deal.abandoned is not None:
        return
    known = known_holdings(deal)
    if deal.result.complete:
        yield from _offer_after_result(deal, known)
        return
    yield from _offer_lay_away(deal, known)
    yield from offer_cards(deal, known, lambda player, card: _cards_lacked_after(deal, card))
    yield from offer_winner(deal)
    yield from _offer_count(deal)
    yield from _offer_fool_settlement(deal, known)
    yield from offer_gestures(deal, known)
    yield from _offer_claim_of_rest(deal, known)


def _cards_lacked_after(deal: KnockDeal, card: Card) -> Collection[Card]:
    """Return the cards that a player lacks if they play this card to the open trick."""
    return cards_lacked(deal.tricks.open.led_suit, card) if deal.tricks.open else ()


def _offer_after_result(deal: KnockDeal, known: Holdings) -> Iterator[Prompt]:
    """Yield the prompts for a hand that already has its score by its tricks.

    They are for the lay-away and the Fool; nothing is offered if the score is from a count.
    """
    if deal.reckoning is None:
        return
    if deal.rest is not None and not deal.all_cards and not _total_is_fixed(deal):
        yield from _offer_late_lay_away(deal, known)
    yield from _offer_fool_settlement(deal, known)


def _total_is_fixed(deal: KnockDeal) -> bool:
    """Return whether a count or a score on paper is on record, with which the rest has to agree."""
    return bool(deal.counts or deal.claims)


# ------------------------------------------------------------------------------- the lay-away


def _offer_lay_away(deal: KnockDeal, known: Holdings) -> Iterator[Prompt]:
    """Offer the dealer's lay-away before the play: unnamed, named, or with trumps shown (K2)."""
    if deal.lay_away is not None or deal.tricks.numbered or deal.rest is not None:
        return
    dealer = deal.table.dealer
    shown = [CardsLaidAway(dealer, None, t) for t in SHOWN if known.can_have(dealer, t, FREE)]
    yield from offer((CardsLaidAway(dealer), *_named_lay_aways(deal, known), *shown), ("cards",))


def _offer_late_lay_away(deal: KnockDeal, known: Holdings) -> Iterator[Prompt]:
    """Offer to name the lay-away, if the other side than the dealer's claimed the rest.

    The claim does not include the lay-away.
    """
    side = deal.table.side_of[deal.rest.event.player] if deal.rest else None
    if side != deal.dealers_side and not deal.laid_away:
        yield from offer(_named_lay_aways(deal, known), ("cards",))


def _named_lay_aways(deal: KnockDeal, known: Holdings) -> Iterator[CardsLaidAway]:
    """Yield lay-aways of two plain cards that can lie away, the highest points first.

    At most ``MOST_NAMED`` are yielded.
    """
    possible = (pair for pair in PAIRS if known.can_have(AWAY, pair))
    yield from (CardsLaidAway(deal.table.dealer, pair) for pair in islice(possible, MOST_NAMED))


# ----------------------------------------------------------------------------------- the Fool


def _offer_fool_settlement(deal: KnockDeal, known: Holdings) -> Iterator[Prompt]:
    """Offer the card paid for the Fool, or giving the Fool up (K7, K8), after the last trick.

    A count already includes the payment. If the cards are on record instead, the payment is needed
    only if cards of different points can have been paid.
    """
    if not deal.all_tricks or deal.payments or deal.surrenders:
        return
    sides = [side for side in deal.table.sides if _may_have_played_fool(deal, known, side)]
    tricks = deal.tricks_at_least()
    paid = [
        FoolPaid(side, card)
        for side in sides
        if deal.owes(side) is FoolDebt.CARD and tricks[side] < TRICKS
        for card in _payable_cards(deal, known, side)
    ]
    needed = deal.reckoning is not None and len({VALUE[payment.card] for payment in paid}) > 1
    yield from offer(paid, ("tricks", "cards"), needed=needed)
    given_up = (FoolSurrendered(side) for side in sides if deal.owes(side) is FoolDebt.FOOL)
    yield from offer(given_up, ("tricks", "cards"), needed=False)


def _may_have_played_fool(deal: KnockDeal, known: Holdings, side: str) -> bool:
    """Return whether a side played the Fool, or can have played it if that is not on record."""
    if deal.fool_side is not None:
        return deal.fool_side == side
    return any(_may_have_had(deal, known, player, FOOL) for player in deal.table.sides[side])


def _may_have_had(deal: KnockDeal, known: Holdings, player: str, card: Card) -> bool:
    """Return whether a player may hold a card, or have played it to a trick without its cards."""
    return known.can_have_together(holders_of(deal, player), [card])


def _payable_cards(deal: KnockDeal, known: Holdings, side: str) -> Iterator[Card]:
    """Yield the cards that a side may pay for the Fool, the lowest first."""
    worth = _payable_points(deal, side)
    for card in BY_POINTS:
        if VALUE[card] in worth and not deal.cannot_have_won(card, side):
            players = deal.table.players
            if card in deal.first or any(
                _may_have_had(deal, known, player, card) for player in players
            ):
                yield card


def _payable_points(deal: KnockDeal, side: str) -> set[int]:
    """Return the possible points of the card that a side pays for the Fool (K7).

    Without known points they are those of an empty card. A recorded count or score limits them to
    the payment that agrees with it.
    """
    reckoning = deal.reckoning
    if reckoning is None:
        return set(range(EMPTY + 1))
    if _total_is_fixed(deal):
        return {reckoning.paid} if reckoning.payer == side else set()
    return deal.lawful_payments(side)


# ---------------------------------------------------------------------- the count, and the rest


def _offer_count(deal: KnockDeal) -> Iterator[Prompt]:
    """Offer the counts that the tricks on record and the payment allow (K9)."""
    most = {side: _most_points(deal, side) for side in deal.table.sides}
    least = deal.points_at_least()
    for side in deal.table.sides:
        least[side] = max(least[side], HAND_POINTS - most[deal.other_side(side)])
    if deal.payment is not None:
        tricks, payer = deal.tricks_at_least(), deal.payment.event.side
        least[payer] = max(least[payer], TRICK_POINTS * tricks[payer] + HONOUR_POINTS)
    possible = {
        side: range(n, HAND_POINTS - least[deal.other_side(side)] + 1) for side, n in least.items()
    }
    yield from offer_counts(deal, possible, _levels_of_count(deal))


def _most_points(deal: KnockDeal, side: str) -> int:
    """Return the most points that a side can have, by the tricks that the other side lacks.

    The lay-away is added for the dealer's side.
    """
    tricks = TRICKS - deal.tricks_at_least()[deal.other_side(side)]
    cards = sorted(VALUE, key=lambda card: -VALUE[card])
    away: Collection[Card] = ()
    if side == deal.dealers_side:
        best = [card for card in cards if may_be_laid_away(card)][:LAID_AWAY]
        away = deal.laid_away if len(deal.laid_away) == LAID_AWAY else best
    won = [VALUE[card] for card in cards if card not in away][: len(deal.table.players) * tricks]
    return TRICK_POINTS * tricks + sum(won) + sum(VALUE[card] for card in away)


def _levels_of_count(deal: KnockDeal) -> tuple[Level, ...]:
    """Return the levels that offer a count: all after the last trick, else ``totals``.

    If cards are on record, ``tricks`` is added.
    """
    if deal.all_tricks:
        return LEVELS
    return ("totals", "tricks") if deal.plays else ("totals",)


def _offer_claim_of_rest(deal: KnockDeal, known: Holdings) -> Iterator[Prompt]:
    """Offer a claim of the rest for sides that can have the highest trump, which none can beat."""
    able = set(deal.table.players)
    trumps = [card for card in known.cards if card in POWER_OF_TRUMPS]
    if trumps:
        most = max(POWER_OF_TRUMPS[card] for card in trumps)
        best = [card for card in trumps if POWER_OF_TRUMPS[card] == most]
        able = {p for p in able if any(known.can_hold(p, card) for card in best)}
    sides = {deal.table.side_of[player] for player in able}
    yield from offer_rest(deal, lambda player: deal.table.side_of[player] in sides)
