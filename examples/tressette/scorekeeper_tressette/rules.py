"""The rule book of Tressette, version 1, and its figures."""

from typing import Final

from scorekeeper.authoring import Card, Clause, Number, Option, RuleBook, italian

PACK: Final = italian("3 2 A K N J 7 6 5 4")  # in this order of strength (T2)
TRICKS: Final = 10

# Thirds of a point for a card (T5); other ranks have none.
THIRDS_OF_RANK: Final = {"A": 3, "3": 1, "2": 1, "K": 1, "N": 1, "J": 1}
THIRDS: Final = {card: THIRDS_OF_RANK.get(card.rank, 0) for card in PACK.cards}
ALL_THIRDS: Final = 32  # 8 in each suit
LAST_TRICK_THIRDS: Final = 3  # T6
POINT: Final = 3  # thirds
HAND_POINTS: Final = 11  # T6: 10 for cards (two thirds are left over), and 1 for the last trick

# Declarations in the first trick, and their points (T7).
DECLARED_RANKS: Final = ("3", "2", "A")  # all three for a napoletana; each can be of a kind
NAPOLETANA_POINTS: Final = 3
KIND_POINTS: Final = {3: 3, 4: 4}  # by the number of cards

CLAUSES: Final = (
    Clause("T1", "Four players, two against two, partners facing each other; everything goes "
           "counter-clockwise. The pack has forty Italian cards, ten for each player.", "found"),
    Clause("T2", "In each suit the three is the strongest, then the two, the ace, the king, the "
           "knight, the jack, and 7, 6, 5, 4. There is no trump.", "found"),
    Clause("T3", "A player who holds a card of the suit led plays one; one who is void plays any "
           "card.", "found"),
    Clause("T4", "Eldest leads to the first trick. The strongest card of the suit led wins the "
           "trick, and its player leads to the next.", "found"),
    Clause("T5", "An ace is worth one point; a three, a two, a king, a knight and a jack a third "
           "of a point each; the others are worth nothing.", "found"),
    Clause("T6", "The last trick is worth one point more. Thirds that make no whole point are "
           "not counted: so a hand is worth 11 points, whoever takes which.", "found"),
    Clause("T7", "With their first card players may declare what they hold: three, two and "
           "ace of one suit, the napoletana, for 3 points; three of the threes, the twos or "
           "the aces for 3, all four of them for 4. The table decides whether they are "
           "played.", "found"),
    Clause("T8", "A declaration that comes later, or of a suit or rank that was declared so "
           "before, scores nothing. One of cards that the record shows elsewhere is found, and "
           "scores as declared.", "ruling"),
    Clause("T9", "A match goes to the first side that has 21 points, or 31, after a hand and is "
           "alone in front.", "found"),
)  # fmt: skip

OPTIONS: Final = (
    Option("declarations", "T7", "Are holdings declared in the first trick?", {
        "first_trick": "the napoletana, and three or four of a kind, score",
        "none": "nothing is declared",
    }),
    Option("match", "T9", "When does a match end?", {
        Number("target", only=(21, 31)): "when a side has this many points after a hand and is "
                                         "alone in front",
        Number("hands"): "after this many complete hands; the highest total wins",
        "open": "when the players say so",
    }, default={"target": 21}),
)  # fmt: skip

BOOK: Final = RuleBook(CLAUSES, OPTIONS)


def napoletana(suit: str) -> tuple[Card, ...]:
    """Return the three cards of a napoletana (T7)."""
    return tuple(Card.parse(f"{rank}{suit}") for rank in DECLARED_RANKS)


def of_a_kind(rank: str, without: str | None = None) -> tuple[Card, ...]:
    """Return the cards of a rank: all four, or three without that of one suit (T7)."""
    return tuple(Card.parse(f"{rank}{suit}") for suit in PACK.suits if suit != without)
