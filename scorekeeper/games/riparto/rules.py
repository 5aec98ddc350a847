"""The rule book of Riparto, version 1, and its figures."""

from typing import Final

from scorekeeper.cards import french
from scorekeeper.rulebook import Clause, Number, Option, RuleBook

PACK: Final = french("A K Q J 10 9 8 7 6")  # in this order of strength
TRICKS: Final = 9
LARGEST_BID: Final = 15

TRICK_POINTS: Final = 1  # R10
LAST_TRICK_POINTS: Final = 1  # R10, beside the point of the trick itself
LAST_THREE_POINTS: Final = 5  # R11
DEAL_POINTS: Final = 15  # R11: 9 + 1 + 5
DEAL_POINTS_WITHOUT_LAST_THREE: Final = 10  # R11 under sweep, where nobody took all three

CLAUSES: Final = (
    Clause("R1", "The deal: three cards to each player, then the first insieme, as many cards as "
           "there are players, face down; two more each, the second insieme, and two more each. "
           "Four players use all 36 cards; three use 27, and nine stay unseen.", "source"),
    Clause("R2", "Each player in turn, eldest first, bids once the exact number of points that he "
           "expects to take, from 0 to 15. Nobody passes.", "ruling"),
    Clause("R3", "The highest bidder is the ripartitore. Of equal highest bids the option "
           "bid_tie decides. Where not all bids are on record, the highest of those that are "
           "is his, and may already be the raised figure.", "ruling"),
    Clause("R4", "The ripartitore distributes the first insieme and then the second: of each he "
           "first takes one card for himself and then gives one to each other player. All hold "
           "nine cards then.", "source"),
    Clause("R5", "He may then raise his bid once, up to 15. The raised figure is his declaration "
           "for everything that follows.", "source"),
    Clause("R6", "He may then declare a hierarchy of the four suits, strongest first, or none.",
           "source"),
    Clause("R7", "The ripartitore leads to the first trick. Players follow suit when they can; a "
           "player who is void may play any card, and nobody has to trump.", "source"),
    Clause("R8", "A suit trumps the suit led when it stands at least two places above it in the "
           "hierarchy: the first suit trumps the third and the fourth, the second trumps the "
           "fourth, and the first two cannot be trumped. Without a hierarchy there are no "
           "trumps.", "source"),
    Clause("R9", "The highest card of a trumping suit takes the trick, else the highest card of "
           "the suit led. Where the first and the second suit both trump the fourth, the option "
           "double_trump decides.", "ruling"),
    Clause("R10", "Each trick is 1 point, and the last trick 1 more.", "source"),
    Clause("R11", "The last three tricks together carry 5 points more, so that a deal holds 15. "
           "The option last_three says who gets the five.", "ruling"),
    Clause("R12", "A ripartitore who takes exactly his declaration adds it to his balance; "
           "nobody else scores.", "source"),
    Clause("R13", "Otherwise he loses his declaration from his balance, which may go below zero,",
           "source"),
    Clause("R14", "and the other player with the most points of the deal adds those points. "
           "Where several have as many, the option award_tie decides.", "ruling"),
    Clause("R15", "The house chooses how a match ends, by the option match_end.", "source"),
)  # fmt: skip

OPTIONS: Final = (
    Option("bid_tie", "R3", "Whose is the highest bid when two players bid the same?", {
        "first": "his who bid it first",
        "last": "his who bid it last",
    }),
    Option("double_trump", "R9", "Who takes a trick that both strong suits trump?", {
        "hierarchy": "the first suit, whatever the cards",
        "rank": "the higher card, and the first suit when they are equal",
    }),
    Option("last_three", "R11", "Who gets the five points of the last three tricks?", {
        "majority": "who took most of the three; with one each, who took the last",
        "sweep": "only who took all three, else nobody: the deal then holds 10",
        "last_trick": "who took the last trick",
    }),
    Option("award_tie", "R14", "Who adds points when several others have the most?", {
        "all": "each of them",
        "none": "none of them",
        "last_trick": "the one of them who took the latest trick; by a count alone, each",
    }),
    Option("match_end", "R15", "When does a match end?", {
        "open": "when the players say so",
        Number("target"): "when a balance reaches this and is alone in front after a hand",
        Number("hands"): "after so many complete hands; the highest balance wins, or shares",
    }),
)  # fmt: skip

BOOK: Final = RuleBook(CLAUSES, OPTIONS)
