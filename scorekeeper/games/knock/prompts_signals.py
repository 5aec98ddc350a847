"""Prompts for the gestures in a hand of Knock! (K11)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from scorekeeper.cards.packs import Suit
from scorekeeper.cards.tricks import Play
from scorekeeper.games.knock.events import SignalMade
from scorekeeper.games.knock.gestures import meaning_of
from scorekeeper.games.knock.rules import (
    AFTERWARDS,
    ANY_SUIT,
    BEFORE,
    FOLLOWING,
    LEADING,
    POWER,
    SIGNAL,
    SIGNALS,
    TO_TRUMP,
    WITH_SUIT,
    WITH_TRUMP,
    agreed_signals,
    own_signals,
)
from scorekeeper.games.knock.state import KnockDeal
from scorekeeper.play.prompts import Prompt, offer
from scorekeeper.play.prompts.holdings import Holdings
from scorekeeper.play.prompts.play import all_cards_so_far, to_play


class SignalMoment(NamedTuple):
    """A card just played, in its trick; ``void`` if its player can have no more of its suit."""

    suit: Suit
    leads: bool
    follows: bool
    void: bool

    @property
    def trump(self) -> bool:
        """Whether it is a trump."""
        return self.suit is Suit.T


# By the moment that the rule book gives a gesture: whether that is the moment of this card (K11).
IS_AT: Final[Mapping[str, Callable[[SignalMoment], bool]]] = {
    LEADING: lambda moment: moment.leads,
    TO_TRUMP: lambda moment: moment.leads and not moment.trump,
    ANY_SUIT: lambda moment: True,
    WITH_TRUMP: lambda moment: moment.trump,
    AFTERWARDS: lambda moment: moment.trump or moment.void,
    WITH_SUIT: lambda moment: not moment.trump,
    FOLLOWING: lambda moment: moment.follows,
    BEFORE: lambda moment: False,
}


def offer_gestures(deal: KnockDeal, known: Holdings) -> Iterator[Prompt]:
    """Offer gestures with the card just played, or to a partner who leads next.

    They are agreed on at the table, can be true, and have an exact meaning in cards. Each player
    makes one at most, and none without a card left.
    """
    next_up = to_play(deal)
    if next_up is None or not all_cards_so_far(deal):
        return
    agreed = agreed_signals(deal.table.options)
    choices = (
        gesture
        for gesture in (
            *_gestures_with_last_card(deal, known),
            *_gestures_before_lead(deal, next_up, known),
        )
        if gesture.signal in agreed and not _is_already_made(deal, gesture)
    )
    yield from offer(choices, ("cards",))


def _is_already_made(deal: KnockDeal, gesture: SignalMade) -> bool:
    """Return whether the player has made a gesture with the same card, or before the same lead."""
    before = _is_before(gesture.signal)
    agreed = agreed_signals(deal.table.options)
    current = (signal.event for signal in deal.signals if signal.after == len(deal.plays))
    return any(
        other.player == gesture.player and _is_before(other.signal) is before
        for other in current
        if other.signal in agreed or other.signal in SIGNAL
    )


def _is_before(signal: str) -> bool:
    """Return whether a gesture is made before the partner leads.

    A gesture of the table's own never is.
    """
    return signal in SIGNAL and SIGNAL[signal].moment == BEFORE


def _gestures_with_last_card(deal: KnockDeal, known: Holdings) -> Iterator[SignalMade]:
    """Yield the gestures that the last card's player can make with it.

    Those of the rule book must be possible by the holding; the table's own always are. There are
    none with the Fool or without a card left.
    """
    play = deal.plays[-1] if deal.plays else None
    moment = _moment(deal, play, known) if play and known.rooms[play.player] else None
    if play is None or moment is None:
        return
    for signal in SIGNALS:
        if IS_AT[signal.moment](moment):
            meaning = meaning_of(deal, play.player, signal.id, len(deal.plays))
            if meaning and known.can_have(play.player, meaning.has, meaning.lacks):
                yield SignalMade(play.player, signal.id)
    for own in own_signals(deal.table.options):
        yield SignalMade(play.player, own)


def _moment(deal: KnockDeal, play: Play, known: Holdings) -> SignalMoment | None:
    """Return the moment of a gesture with a card; None after the Fool, which has no suit."""
    suit = play.card.suit
    if suit is None:
        return None
    trick = deal.tricks.open or deal.tricks.numbered[deal.tricks.due - 1]
    leads = trick.plays[0] is play
    void = not any(known.can_hold(play.player, card) for card in POWER[suit])
    return SignalMoment(suit, leads, not leads and trick.led_suit is suit, void)


def _gestures_before_lead(deal: KnockDeal, leader: str, known: Holdings) -> Iterator[SignalMade]:
    """Yield the gestures that the leader's partner can make before the lead."""
    if deal.tricks.open is None and known.rooms[leader] > 1:
        partner = deal.table.after(leader, 2)
        yield from (SignalMade(partner, signal.id) for signal in SIGNALS if signal.moment == BEFORE)
