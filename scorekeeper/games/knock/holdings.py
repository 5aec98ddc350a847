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


def known_holdings(deal: KnockDeal) -> Holdings:
    """Return the possible holders of all cards that are not on record.

    Trumps laid away without being shown are assumed only if no other deal of the cards fits. If
    the record contradicts itself, the least certain knowledge is left out until it does not.
    """
    for number in range(len(KNOWN), -1, -1):
        for lay_away in (learn_no_hidden_trumps, learn_trumps_away):
            known = _unseen_cards(deal)
            for learn in (lay_away, *KNOWN[:number]):
                learn(deal, known)
            if known.possible:
                return known
    return _unseen_cards(deal)


def _unseen_cards(deal: KnockDeal) -> Holdings:
    """Return the holdings of the cards not played, without any further knowledge.

    They are with the players, or in the lay-away (``AWAY``).
    """
    away = deal.laid_away
    cards = [card for card in PACK.cards if card not in deal.first and card not in away]
    return Holdings({**unseen_per_player(deal), AWAY: LAID_AWAY - len(away)}, cards)


def cards_lacked(led: Suit | None, card: Card) -> Collection[Card]:
    """Return the cards that a player lacks after playing ``card`` on the suit ``led`` (K4).

    They are the cards of the suit led if the player did not follow, and all trumps if the player
    did not trump either. The Fool proves nothing.
    """
    if led is None or card is FOOL or card.suit is led:
        return ()
    if card.suit is Suit.T:
        return POWER[led]
    return (*POWER[led], *TRUMPS)


# ------------------------------------------------------------- knowledge about the holdings


def learn_no_hidden_trumps(deal: KnockDeal, known: Holdings) -> None:
    """Exclude from the lay-away all trumps but those shown (K3).

    If trumps lie away, the dealer has no plain card that could have been laid away.
    """
    known.exclude(AWAY, NOT_FREE)
    if any(card.suit is Suit.T for card in deal.laid_away):
        known.exclude(deal.table.dealer, FREE)


def learn_trumps_away(deal: KnockDeal, known: Holdings) -> None:
    """Assume that trumps lie away, so the dealer has no plain card to lay away (K3)."""
    known.exclude(AWAY, NEVER_AWAY)
    known.exclude(deal.table.dealer, FREE)


def learn_from_play(deal: KnockDeal, known: Holdings) -> None:
    """Exclude from each player the cards that their plays show them to lack (K4)."""
    for trick in deal.tricks:
        led = trick.led_suit
        for play in trick.plays:
            known.exclude(play.player, cards_lacked(led, play.card))


def learn_from_payment(deal: KnockDeal, known: Holdings) -> None:
    """Exclude the card paid for the Fool from the lay-away: it came from a trick (K7)."""
    if deal.payment is not None:
        known.exclude(AWAY, (deal.payment.event.card,))


def learn_from_shown_cards(deal: KnockDeal, known: Holdings) -> None:
    """Limit the holders of cards that a player showed to that player.

    Those of the dealer's fifteen may also have been laid away.
    """
    for shown in deal.shown:
        holders = holders_of(deal, shown.player, shown.trick)
        fifteen = shown.seq in deal.of_fifteen
        known.require_among((*holders, AWAY) if fifteen else holders, shown.cards)


def learn_from_gestures(deal: KnockDeal, known: Holdings) -> None:
    """Limit the holders of cards by the gestures that declare cards of their player (K11).

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
    learn_from_play,
    learn_from_payment,
    learn_from_shown_cards,
    learn_from_gestures,
)
