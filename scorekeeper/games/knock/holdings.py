"""The possible holdings in a hand of Knock!, according to the record."""

from collections.abc import Callable, Collection
from typing import Final

from scorekeeper.cards.packs import FOOL, Card, Suit
from scorekeeper.games.knock.gestures import GestureMeaning, meaning_of
from scorekeeper.games.knock.rules import LAID_AWAY, PACK, POWER, may_be_laid_away
from scorekeeper.games.knock.state import KnockDeal
from scorekeeper.play.prompts.following import holders_of, unseen_per_player
from scorekeeper.play.prompts.holdings import Holdings

AWAY: Final = "(away)"  # the lay-away as a holder; no player has such an id

# The cards that the dealer may lay away freely, and all the others (K3).
FREE: Final = tuple(c for c in PACK.cards if may_be_laid_away(c) and c.suit is not Suit.T)
NEVER_AWAY: Final = tuple(card for card in PACK.cards if not may_be_laid_away(card))
NOT_FREE: Final = tuple(card for card in PACK.cards if card not in FREE)
TRUMPS: Final = tuple(POWER[Suit.T])


def holdings(deal: KnockDeal) -> Holdings:
    """Return the possible holders of all cards that are not on record.

    Trumps laid away without being shown are assumed only if no other deal of the cards fits. If
    the record contradicts itself, the least certain knowledge is left out until it does not.
    """
    for number in range(len(KNOWN), -1, -1):
        for lay_away in (plain_away, trumps_away):
            known = _unseen(deal)
            for learn in (lay_away, *KNOWN[:number]):
                learn(deal, known)
            if known.possible:
                return known
    return _unseen(deal)


def _unseen(deal: KnockDeal) -> Holdings:
    """Return the holdings of the cards not played, without any further knowledge."""
    away = deal.laid_away
    cards = [card for card in PACK.cards if card not in deal.first and card not in away]
    return Holdings({**unseen_per_player(deal), AWAY: LAID_AWAY - len(away)}, cards)


def shows(led: Suit | None, card: Card) -> Collection[Card]:
    """Return the cards that a play proves its player lacks: the suit led, and trumps (K4)."""
    if led is None or card is FOOL or card.suit is led:
        return ()
    if card.suit is Suit.T:
        return POWER[led]
    return (*POWER[led], *TRUMPS)


# ------------------------------------------------------------- knowledge about the holdings


def plain_away(deal: KnockDeal, known: Holdings) -> None:
    """Learn that no trumps lie away but those shown, which prove a lack of plain cards (K3)."""
    known.exclude(AWAY, NOT_FREE)
    if any(card.suit is Suit.T for card in deal.laid_away):
        known.exclude(deal.table.dealer, FREE)


def trumps_away(deal: KnockDeal, known: Holdings) -> None:
    """Learn that trumps may lie away, and that the dealer has no plain card to lay away (K3)."""
    known.exclude(AWAY, NEVER_AWAY)
    known.exclude(deal.table.dealer, FREE)


def by_the_play(deal: KnockDeal, known: Holdings) -> None:
    """Learn from the cards that did not follow suit (K4)."""
    for trick in deal.tricks:
        led = trick.led_suit
        for play in trick.plays:
            known.exclude(play.player, shows(led, play.card))


def by_the_payment(deal: KnockDeal, known: Holdings) -> None:
    """Learn that the card paid for the Fool came from a trick (K7)."""
    if deal.payment is not None:
        known.exclude(AWAY, (deal.payment.event.card,))


def by_showing(deal: KnockDeal, known: Holdings) -> None:
    """Learn from cards shown; cards shown of the dealer's fifteen may have been laid away."""
    for shown in deal.shown:
        holders = holders_of(deal, shown.player, shown.trick)
        fifteen = shown.seq in deal.of_fifteen
        known.require_among((*holders, AWAY) if fifteen else holders, shown.cards)


def by_gestures(deal: KnockDeal, known: Holdings) -> None:
    """Learn from gestures that declare cards of their player (K11).

    After a trick without its cards, gestures about the cards left in a suit are unclear.
    """
    hidden = [
        trick for trick in deal.tricks if trick.named_winners and not deal.tricks.is_full(trick)
    ]
    first = min((trick.named_winners[0].seq for trick in hidden), default=None)
    for signal in deal.signals:
        if first is not None and signal.seq > first:
            break
        player = signal.event.player
        meaning = meaning_of(deal, player, signal.event.signal, signal.after) or GestureMeaning()
        known.require_among(holders_of(deal, player), meaning.has)
        known.exclude(player, meaning.lacks)


# The sources of knowledge, from the most certain to the least certain.
KNOWN: Final[tuple[Callable[[KnockDeal, Holdings], None], ...]] = (
    by_the_play,
    by_the_payment,
    by_showing,
    by_gestures,
)
