"""The rule book of Scopone scientifico, version 1, and its figures."""

from collections.abc import Collection
from itertools import combinations
from typing import Final

from scorekeeper.authoring import Card, Clause, Number, Option, RuleBook, italian

PACK: Final = italian("K N J 7 6 5 4 3 2 A")
CARDS: Final = len(PACK.cards)
SETTEBELLO: Final = Card.parse("7D")
COINS: Final = SETTEBELLO.suit

# The values of cards in a capture (S2), and in the primiera (S6).
VALUES: Final = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "J": 8, "N": 9, "K": 10}
PRIMIERA: Final = {
    "7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "J": 10, "N": 10, "K": 10,
}  # fmt: skip

MOST_SCOPE: Final = 19  # of 39 cards, for the card after a scopa always stays on the table (S3)
PACK_POINTS: Final = 4

CLAUSES: Final = (
    Clause("S1", "Four players, two against two, partners facing each other; everything goes "
           "counter-clockwise. All forty Italian cards are dealt, ten to each player.", "found"),
    Clause("S2", "Players play a card in turn, eldest first. It takes a card of the same value "
           "from the table, or else cards that add up to its value, those that the player "
           "chooses. If it can take nothing it stays on the table. Cards from ace to seven are "
           "worth 1 to 7, the jack 8, the knight 9, the king 10.", "found"),
    Clause("S3", "A card that takes all that lies on the table makes a scopa, for 1 point, unless "
           "it is the last of the hand. The side that took last has what lies there in the end.",
           "found"),
    Clause("S4", "The side with more than half of the cards has 1 point, and so has the side with "
           "more than half of the coins; nobody has it if both have half.", "found"),
    Clause("S5", "The settebello, the seven of coins, is worth 1 point.", "found"),
    Clause("S6", "The better primiera is worth 1 point: the sum of the best card of each suit. A "
           "7 counts 21, a 6 18, an ace 16, a 5 15, a 4 14, a 3 13, a 2 12, the others 10. A side "
           "without a suit has none. Nobody has the point if they are equal.", "found"),
    Clause("S7", "A table may record no more than the points of each side. What a player took "
           "against the rules counts, and is found.", "ruling"),
    Clause("S8", "A match goes to the first side that has 21 points, or 11, after a hand and is "
           "alone in front.", "found"),
)  # fmt: skip

OPTIONS: Final = (
    Option("match", "S8", "When does a match end?", {
        Number("target", only=(11, 21)): "when a side has this many points after a hand and is "
                                         "alone in front",
        Number("hands"): "after this many complete hands; the highest total wins",
        "open": "when the players say so",
    }, default={"target": 21}),
)  # fmt: skip

BOOK: Final = RuleBook(CLAUSES, OPTIONS)

Cards = tuple[Card, ...]


def captures(lying: Cards, card: Card) -> tuple[Cards, ...]:
    """Return what a card can take from the table: one of these; nothing if there are none (S2)."""
    value = VALUES[card.rank]
    small = [other for other in lying if VALUES[other.rank] <= value]
    same = tuple((other,) for other in small if VALUES[other.rank] == value)
    return same or tuple(
        several
        for size in range(2, len(small) + 1)
        for several in combinations(small, size)
        if sum(VALUES[other.rank] for other in several) == value
    )


def primiera(cards: Collection[Card]) -> int:
    """Return the primiera of these cards; 0 if a suit is missing (S6)."""
    best = [
        max((PRIMIERA[card.rank] for card in cards if card.suit == suit), default=0)
        for suit in PACK.suits
    ]
    return sum(best) if all(best) else 0
