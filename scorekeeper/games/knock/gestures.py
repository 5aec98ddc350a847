"""What a gesture says of its maker's cards (K11), as far as it can be said card by card."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from itertools import pairwise
from typing import Final, NamedTuple

from scorekeeper.cards.packs import ALL_CARDS, Card, Suit
from scorekeeper.games.knock.rules import LAID_AWAY, MAGICIAN, POWER, WORLD, may_be_laid_away
from scorekeeper.games.knock.signals import JUDGES, MOON, SAID_ALOUD, SUN
from scorekeeper.games.knock.state import KnockDeal


class GestureMeaning(NamedTuple):
    """The cards that a gesture says are held, and those that it says are not."""

    has: tuple[Card, ...] = ()
    lacks: Collection[Card] = ()


class Spoken(NamedTuple):
    """The moment of a gesture: the suit of its card, what was gone by then, and what lies away."""

    suit: Suit
    gone: Collection[Card]
    away_known: bool

    def left(self, cards: Collection[Card]) -> list[Card]:
        """Those of the cards that can still be held."""
        return [card for card in cards if card not in self.gone]


# None where the gesture cannot be true then, or does not say which card is held.
GestureSaying = Callable[[Spoken], GestureMeaning | None]


def void(spoken: Spoken) -> GestureMeaning:
    """That no card of the suit is left."""
    return GestureMeaning(lacks=POWER[spoken.suit])


def queen(spoken: Spoken) -> GestureMeaning | None:
    """That the queen of the suit is held."""
    return None if spoken.suit is Suit.T else GestureMeaning((ALL_CARDS[f"Q{spoken.suit}"],))


def the_one_left(spoken: Spoken, cards: Collection[Card] = ()) -> GestureMeaning | None:
    """That one of the cards, or else of the suit, is held, where a single one is left."""
    left = spoken.left(cards or POWER[spoken.suit])
    return GestureMeaning(tuple(left)) if len(left) == 1 else None


def highest(spoken: Spoken, suit: Suit | None = None, number: int = 1) -> GestureMeaning | None:
    """That the highest cards left in a suit are held, a given number of them.

    Not where one of them is equal to another (K5), or may lie away.
    """
    power = POWER[suit or spoken.suit]
    best = sorted(spoken.left(power), key=lambda card: -power[card])
    held = tuple(best[:number])
    if len(held) < number or any(
        power[one] == power[two] for one, two in pairwise(best[: number + 1])
    ):
        return None
    plain = (card for card in held if card.suit is not Suit.T)
    if not spoken.away_known and any(map(may_be_laid_away, plain)):
        return None
    return GestureMeaning(held)


SAYINGS: Final[Mapping[str, GestureSaying]] = {
    "one_more": the_one_left,
    "last_trump": lambda spoken: void(spoken) if spoken.suit is Suit.T else None,
    "magician_at_risk": lambda spoken: GestureMeaning((MAGICIAN,)),
    "highest_trump": partial(highest, suit=Suit.T),
    "two_highest_trumps": partial(highest, suit=Suit.T, number=2),
    "have_world": lambda spoken: GestureMeaning((WORLD,)),
    "have_sun": lambda spoken: GestureMeaning((SUN,)),
    "have_moon": lambda spoken: GestureMeaning((MOON,)),
    "say_15_16_17": partial(the_one_left, cards=SAID_ALOUD),
    "last_of_suit": void,
    "highest_of_suit": highest,
    "have_queen": queen,
}


def meaning_of(deal: KnockDeal, player: str, signal: str, after: int) -> GestureMeaning | None:
    """What a player says by a gesture when a given number of cards have been played.

    Nothing by one that only asks for something; None where it cannot be said card by card.
    """
    if signal not in SAYINGS:
        return None if signal in JUDGES else GestureMeaning()
    before = deal.plays[:after]
    suit = next((play.card.suit for play in reversed(before) if play.player == player), None)
    if suit is None:
        return None
    gone = {play.card for play in before}.union(deal.laid_away)
    return SAYINGS[signal](Spoken(suit, gone, len(deal.laid_away) >= LAID_AWAY))
