"""The duties of a player who does not lead a trick: to follow suit, to trump and to overtrump.

A card that was played by the rules shows which cards its player lacks. Prompts, holdings and
checks use the same rules.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorekeeper.cards.packs import Card, Pack, Suit
from scorekeeper.cards.tricks import Play


@dataclass(frozen=True, slots=True)
class Duties:
    """What a player must do who does not lead: follow suit, and with a ``trump`` more.

    ``trumps``: a player who cannot follow plays a trump. ``overtrumps``: a trump beats the highest
    trump of the trick if its player can, whether a plain suit or the trump was led. The Fool may be
    played to any trick, and shows nothing.

    >>> from scorekeeper.cards.packs import french
    >>> duties, ace = Duties(french("A K Q"), Suit.H), Play(1, "leo", Card.parse("AS"))
    >>> [str(card) for card in duties.lacked([ace], Card.parse("KD"))]
    ['AS', 'KS', 'QS', 'AH', 'KH', 'QH']
    """

    pack: Pack
    trump: Suit | None = None
    trumps: bool = True
    overtrumps: bool = True

    def lacked(self, before: Sequence[Play], card: Card) -> tuple[Card, ...]:
        """Return the cards that a player lacks who plays ``card`` by the rules.

        ``before`` are the plays to the trick so far.
        """
        return (
            *self.lacked_of_led_suit(before, card),
            *self.lacked_trumps(before, card),
            *self.lacked_higher_trumps(before, card),
        )

    def lacked_of_led_suit(self, before: Sequence[Play], card: Card) -> tuple[Card, ...]:
        """Return the cards of the suit led, if the card is of another suit."""
        led = led_suit(before)
        if led is None or card.suit in (None, led):
            return ()
        return self._of_suit(led)

    def lacked_trumps(self, before: Sequence[Play], card: Card) -> tuple[Card, ...]:
        """Return the trumps, if the card is none and does not follow suit."""
        led = led_suit(before)
        if not self.trumps or self.trump in (None, led) or led is None:
            return ()
        if card.suit in (None, led, self.trump):
            return ()
        return self._of_suit(self.trump)

    def lacked_higher_trumps(self, before: Sequence[Play], card: Card) -> tuple[Card, ...]:
        """Return the trumps above all of the trick, if the card is a lower trump than one of it."""
        if not self.overtrumps or self.trump is None or card.suit is not self.trump:
            return ()
        heights = [self.height(play.card) for play in before if play.card.suit is self.trump]
        highest = max(heights, default=0)
        if self.height(card) >= highest:
            return ()
        return tuple(held for held in self._of_suit(self.trump) if self.height(held) > highest)

    def height(self, card: Card) -> int:
        """Return the height of a card in its suit; that of a trump of the tarot is its number."""
        return int(card.rank) if card.suit is Suit.T else self.pack.height[card]

    def _of_suit(self, suit: Suit | None) -> tuple[Card, ...]:
        """Return the cards of a suit of the pack."""
        return tuple(card for card in self.pack.cards if card.suit is suit)


def led_suit(plays: Sequence[Play]) -> Suit | None:
    """Return the suit that was led: that of the first card with a suit."""
    return next((play.card.suit for play in plays if play.card.suit is not None), None)


def plays_with_those_before(plays: Sequence[Play]) -> Iterator[tuple[Play, Sequence[Play]]]:
    """Yield each play of a trick with the plays before it."""
    for place, play in enumerate(plays):
        yield play, plays[:place]
