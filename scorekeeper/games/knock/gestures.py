"""The meaning of a gesture as cards that its player holds or lacks, if it has one (K11)."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from itertools import pairwise
from typing import Final, NamedTuple

from scorekeeper.cards.packs import ALL_CARDS, Card, Suit
from scorekeeper.games.knock.rules import LAID_AWAY, MAGICIAN, POWER, WORLD, may_be_laid_away
from scorekeeper.games.knock.signals import JUDGES, MOON, SUN, TRUMPS_15_TO_17
from scorekeeper.games.knock.state import KnockDeal


class GestureMeaning(NamedTuple):
    """The cards that a gesture declares as held, and those that it declares as not held."""

    has: tuple[Card, ...] = ()
    lacks: Collection[Card] = ()


class GestureContext(NamedTuple):
    """The moment of a gesture: the suit of its card, and the cards that can no longer be held.

    ``away_known``: whether both cards of the lay-away are known, which are unavailable then.
    """

    suit: Suit
    unavailable: Collection[Card]
    away_known: bool

    def left(self, cards: Collection[Card]) -> list[Card]:
        """Return those of the cards that can still be held."""
        return [card for card in cards if card not in self.unavailable]


# None if the gesture cannot be true then, or does not determine the cards.
GestureReader = Callable[[GestureContext], GestureMeaning | None]


def read_void(context: GestureContext) -> GestureMeaning:
    """Return the meaning “I have no card left of the suit of my card”."""
    return GestureMeaning(lacks=POWER[context.suit])


def read_queen(context: GestureContext) -> GestureMeaning | None:
    """Return the meaning “I hold the queen of the suit of my card”; None after a trump."""
    return None if context.suit is Suit.T else GestureMeaning((ALL_CARDS[f"Q{context.suit}"],))


def read_last_card(context: GestureContext, cards: Collection[Card] = ()) -> GestureMeaning | None:
    """Return the meaning “I hold the last one left of these cards”, by default of the suit.

    None unless exactly one of them can still be held.
    """
    left = context.left(cards or POWER[context.suit])
    return GestureMeaning(tuple(left)) if len(left) == 1 else None


def read_highest(
    context: GestureContext, suit: Suit | None = None, number: int = 1
) -> GestureMeaning | None:
    """Return the meaning “I hold the ``number`` highest cards left in a suit”.

    By default it is the suit of the card played. None if one of them is equal to another (K5), or
    may lie away.
    """
    power = POWER[suit or context.suit]
    best = sorted(context.left(power), key=lambda card: -power[card])
    held = tuple(best[:number])
    if len(held) < number or any(
        power[higher] == power[lower] for higher, lower in pairwise(best[: number + 1])
    ):
        return None
    plain = (card for card in held if card.suit is not Suit.T)
    if not context.away_known and any(map(may_be_laid_away, plain)):
        return None
    return GestureMeaning(held)


READERS: Final[Mapping[str, GestureReader]] = {
    "one_more": read_last_card,
    "last_trump": lambda context: read_void(context) if context.suit is Suit.T else None,
    "magician_at_risk": lambda context: GestureMeaning((MAGICIAN,)),
    "highest_trump": partial(read_highest, suit=Suit.T),
    "two_highest_trumps": partial(read_highest, suit=Suit.T, number=2),
    "have_world": lambda context: GestureMeaning((WORLD,)),
    "have_sun": lambda context: GestureMeaning((SUN,)),
    "have_moon": lambda context: GestureMeaning((MOON,)),
    "say_15_16_17": partial(read_last_card, cards=TRUMPS_15_TO_17),
    "last_of_suit": read_void,
    "highest_of_suit": read_highest,
    "have_queen": read_queen,
}


def meaning_of(deal: KnockDeal, player: str, signal: str, after: int) -> GestureMeaning | None:
    """Return the cards that a player's gesture declares as held or not held.

    ``after`` is the number of cards that had been played. A request has an empty meaning. None if
    the meaning cannot be given as cards.
    """
    if signal not in READERS:
        return None if signal in JUDGES else GestureMeaning()
    before = deal.plays[:after]
    suit = next((play.card.suit for play in reversed(before) if play.player == player), None)
    if suit is None:
        return None
    unavailable = {play.card for play in before}.union(deal.laid_away)
    return READERS[signal](GestureContext(suit, unavailable, len(deal.laid_away) >= LAID_AWAY))
