"""The rule book of Riparto, version 1, and its figures."""

from typing import Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.cards.packs import french
from scorekeeper.play.rulebook import Clause, Number, Option, RuleBook

PACK: Final = french("A K Q J 10 9 8 7 6")  # in this order of strength
TRICKS: Final = 9
LAST_THREE: Final = (7, 8, 9)  # their numbers
LARGEST_BID: Final = 15  # R2, R5

TRICK_POINTS: Final = 1  # R10
LAST_TRICK_POINTS: Final = 1  # R10, beside the point of the trick itself
LAST_THREE_POINTS: Final = 5  # R11
DEAL_POINTS: Final = 15  # R11: 9 + 1 + 5
DEAL_POINTS_WITHOUT_LAST_THREE: Final = 10  # R11 under sweep, where nobody took all three

CLAUSES: Final = (
    Clause("R1", "Three or four players, each alone; everything goes clockwise. The pack has 36 "
           "cards: ace, king, queen, jack, 10, 9, 8, 7 and 6 of each suit, from strong to weak. "
           "The dealer gives three cards to each player, lays out the first insieme, face down, "
           "with a card for each player, gives two more to each, lays out the second insieme, "
           "just as large, and gives the last two. Four players use up the pack; with three, "
           "nine cards are left over, and nobody sees them.", "source"),
    Clause("R2", "Beginning with eldest, each player says once how many points they will take in "
           "this deal, no more and no fewer: a number from 0 to 15. Nobody may pass.", "ruling"),
    Clause("R3", "The player who bids most is the ripartitore; where two bid the same, the table "
           "decides which of them. If some bids are not on record, the highest of the others "
           "counts as the ripartitore's, and may be the figure after their raise.", "ruling"),
    Clause("R4", "The ripartitore takes up the first insieme, keeps one card of it, and only then "
           "gives one to each of the others; then they do the same with the second. From now on "
           "every player has nine cards.", "source"),
    Clause("R5", "Next the ripartitore may raise their bid, once, to 15 at most. The figure that "
           "they now have is their declaration, and no other counts.", "source"),
    Clause("R6", "Then they may rank all four suits, the strongest first, which is the hierarchy, "
           "or leave them equal.", "source"),
    Clause("R7", "The ripartitore leads to the first trick. A player who has the suit led plays "
           "it; one who is void plays any card, and never has to trump.", "source"),
    Clause("R8", "Under a hierarchy a card trumps the suit led if its own suit is ranked two or "
           "three places higher. So the first suit trumps the two lowest, the second only the "
           "lowest, and nothing trumps the first or the second. Without a hierarchy nothing is "
           "trumped at all.", "source"),
    Clause("R9", "In a trick that was trumped the best trumping card wins, in any other the best "
           "card of the suit led. Only the lowest suit can be trumped by two suits at once: the "
           "table decides which of them is the better.", "ruling"),
    Clause("R10", "A trick is worth 1 point, and the ninth, which is the last, 1 more.",
           "source"),
    Clause("R11", "Another 5 points go with the last three tricks as a whole, so that these are "
           "worth 9 (5 + 3 + 1) and the deal 15. The table decides who gets the 5.",
           "ruling"),
    Clause("R12", "If the ripartitore took exactly what they declared, their balance goes up by "
           "that figure, and no other balance changes.", "source"),
    Clause("R13", "If they took more or fewer, their balance goes down by the figure that they "
           "declared, below zero if it must.", "source"),
    Clause("R14", "In that case the best of the other players, by the points of this deal, adds "
           "them to their balance. The table decides what happens where several are equally "
           "good.", "ruling"),
    Clause("R15", "The table says when a match is over, and so who wins it.", "source"),
)  # fmt: skip

OPTIONS: Final = (
    Option("bid_tie", "R3", "Whose is the highest bid when two players bid the same?", {
        "first": "the player who bid it first",
        "last": "the player who bid it last",
    }, brief={"last": "the last of equal bids stands"}),
    Option("double_trump", "R9", "Who takes a trick that both strong suits trump?", {
        "hierarchy": "the best card of the first suit, whatever the second suit shows",
        "rank": "the better rank of both suits, and of two equal ones the first suit's",
    }, brief={"rank": "the better rank trumps"}),
    Option("last_three", "R11", "Who gets the five points of the last three tricks?", {
        "majority": "the player with two of them or all three; if three players took one each, "
                    "the one with the last",
        "sweep": "a player who took all three; if nobody did, the points go to nobody, and the "
                 "deal is worth 10",
        "last_trick": "the player with the last trick",
    }, brief={"sweep": "all of the last three", "last_trick": "the last trick for the last three"}),
    Option("award_tie", "R14", "Who adds points when several others have the most?", {
        "all": "each of them",
        "none": "none of them",
        "last_trick": "the one of them who was the last to take a trick; where the record does "
                      "not show who that was, each of them",
    }, brief={"none": "equal others add nothing", "last_trick": "tied for most: the last trick "
                                                                "decides"}),
    Option("match_end", "R15", "When does a match end?", {
        "open": "when the players say so",
        Number("target"): "when after a hand somebody has this many points or more and is alone "
                          "in front",
        Number("hands"): "after this many complete hands; the highest balance wins, and equal "
                         "ones share",
    }, brief={"open": "open end", "target": "to {n}", "hands": "{n} hands"}, scores=False),
)  # fmt: skip

BOOK: Final = RuleBook(CLAUSES, OPTIONS)


def highest_hand(options: JsonObject, seats: int) -> int:
    """Return the most points that one player can pay: for a lost bid of all points (R13, R14).

    The player pays the bid to each other player, and all the points to a player who took them.
    """
    return LARGEST_BID * (seats - 1) + DEAL_POINTS
