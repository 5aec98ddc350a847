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
    """A card just played, in its trick; ``void`` where none of its suit can be left."""

    suit: Suit
    leads: bool
    follows: bool
    void: bool

    @property
    def trump(self) -> bool:
        """Whether it is a trump."""
        return self.suit is Suit.T


# By the moment that the book gives a gesture, whether it is now.
NOW: Final[Mapping[str, Callable[[SignalMoment], bool]]] = {
    LEADING: lambda now: now.leads,
    TO_TRUMP: lambda now: now.leads and not now.trump,
    ANY_SUIT: lambda now: True,
    WITH_TRUMP: lambda now: now.trump,
    AFTERWARDS: lambda now: now.trump or now.void,
    WITH_SUIT: lambda now: not now.trump,
    FOLLOWING: lambda now: now.follows,
    BEFORE: lambda now: False,
}


def gestures_to_make(deal: KnockDeal, known: Holdings) -> Iterator[Prompt]:
    """A gesture with the card just played, or to a partner who leads next.

    Those that the table agreed on, that can be true and that leave no doubt what would make
    them so; one a player, and none when he has no card left.
    """
    next_up = to_play(deal)
    if next_up is None or not all_cards_so_far(deal):
        return
    agreed = agreed_signals(deal.table.options)
    choices = (
        made
        for made in (*_with_the_last_card(deal, known), *_before_the_lead(deal, next_up, known))
        if made.signal in agreed and not _made(deal, made)
    )
    yield from offer(choices, ("cards",))


def _made(deal: KnockDeal, gesture: SignalMade) -> bool:
    """Whether a player has made a gesture already with that card, or before that lead."""
    before = _is_before(gesture.signal)
    agreed = agreed_signals(deal.table.options)
    now = (made.event for made in deal.signals if made.after == len(deal.plays))
    return any(
        made.player == gesture.player and _is_before(made.signal) is before
        for made in now
        if made.signal in agreed or made.signal in SIGNAL
    )


def _is_before(signal: str) -> bool:
    """Whether a gesture is made before partner leads; one of the table's own goes with a card."""
    return signal in SIGNAL and SIGNAL[signal].moment == BEFORE


def _with_the_last_card(deal: KnockDeal, known: Holdings) -> Iterator[SignalMade]:
    """Yield gestures of the last card's player; none with the Fool or without a card left."""
    play = deal.plays[-1] if deal.plays else None
    moment = _moment(deal, play, known) if play and known.rooms[play.player] else None
    if play is None or moment is None:
        return
    for signal in SIGNALS:
        if NOW[signal.moment](moment):
            said = meaning_of(deal, play.player, signal.id, len(deal.plays))
            if said and known.can_have(play.player, said.has, said.lacks):
                yield SignalMade(play.player, signal.id)
    for own in own_signals(deal.table.options):
        yield SignalMade(play.player, own)


def _moment(deal: KnockDeal, play: Play, known: Holdings) -> SignalMoment | None:
    suit = play.card.suit
    if suit is None:
        return None
    trick = deal.tricks.open or deal.tricks.numbered[deal.tricks.due - 1]
    leads = trick.plays[0] is play
    void = not any(known.can_hold(play.player, card) for card in POWER[suit])
    return SignalMoment(suit, leads, not leads and trick.led_suit is suit, void)


def _before_the_lead(deal: KnockDeal, leader: str, known: Holdings) -> Iterator[SignalMade]:
    if deal.tricks.open is None and known.rooms[leader] > 1:
        partner = deal.table.after(leader, 2)
        yield from (SignalMade(partner, one.id) for one in SIGNALS if one.moment == BEFORE)
