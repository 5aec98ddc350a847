"""The rule book of Picchetto, version 1, and its figures."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from scorekeeper.base.json_object import JsonObject
from scorekeeper.cards.packs import french
from scorekeeper.play.match import Goal
from scorekeeper.play.rulebook import Clause, Number, Option, Preset, RuleBook

PACK: Final = french("A K Q J 10 9 8 7")  # in this order of strength
TRICKS: Final = 12
TALON: Final = 8
MOST_FOR_ELDER: Final = 5  # P3

COURT: Final = ("K", "Q", "J")
WHITE_POINTS: Final = 10  # P2

# The value of each rank in the sum of a point (P4).
CARD_VALUE: Final = {"A": 11, "K": 10, "Q": 10, "J": 10, "10": 10, "9": 9, "8": 8, "7": 7}
# The lowest and the highest sum that a given number of cards of one suit can make (P4).
POINT_SUMS: Final = {3: (24, 31), 4: (34, 41), 5: (44, 51), 6: (54, 60), 7: (64, 68), 8: (75, 75)}
ENDING_IN_FOUR: Final = (34, 44, 54, 64)  # sums that count a card less, by an option (P4)
SEQUENCE_POINTS: Final = {3: 3, 4: 4, 5: 15, 6: 16, 7: 17, 8: 18}  # by the number of cards (P5)
SET_POINTS: Final = {3: 3, 4: 14}  # P6
SET_RANKS: Final = ("A", "K", "Q", "J", "10")  # above the nine (P6)

TRICK_POINTS: Final = 1  # P9
LEAD_POINTS: Final = 1  # P9, where leading marks: for the leader of a trick that they lose
LOW: Final = ("9", "8", "7")  # ranks that mark nothing in play, by an option (P9)
MAJORITY: Final = 7  # P10: more than half of the twelve
CARDS_POINTS: Final = 10  # P10
BONUS_FROM: Final = 30  # P13, P14
BONUS_POINTS: Final = {"P13": 60, "P14": 30}

FINAL_TARGET: Final = 221  # beyond 220 (P16)

# The games of a match by the option ``match``: name, and the points that win it (P15, P16).
GAMES_OF_A_MATCH: Final[Mapping[str, tuple[tuple[str, int], ...]]] = {
    "classic": (("game", 150), ("return", 150), ("final", FINAL_TARGET)),
    "single": (("game", 150),),
    "cent": (("game", 100),) * 5,
}
DOUBLE_UNDER: Final = 50  # "cent": a game counts two if the loser has fewer points (P16)


class Deals(NamedTuple):
    """The ``number`` of hands of a match; ``more`` follow if the scores are equal then.

    ``double`` are the numbers of the hands that count double.
    """

    number: int
    more: int
    double: tuple[int, ...] = ()


DEALS_OF_A_MATCH: Final = {"rubicon": Deals(6, 2), "four_deals": Deals(4, 2, (1, 4))}  # P16
RUBICON: Final = 100  # the loser's score from which only the difference counts (P16)
SETTLED: Final = 100  # points for the winner, plus the difference or the sum of the scores (P16)
CALLED: Final = {"game": "Game", "return": "Return game", "final": "Final"}

CLAUSES: Final = (
    Clause("P1", "Two players: the dealer is younger, the other elder. Each gets twelve cards; "
           "the eight left are the talon, a packet of five lying on a packet of three. The deal "
           "alternates, from one game of a match to the next as well. There are no trumps.",
           "found"),
    Clause("P2", "White (carte blanche): a player who finds no king, queen or jack among their "
           "twelve cards shows them and marks 10. Elder declares it before exchanging, and so "
           "does younger.", "source"),
    Clause("P3", "Elder throws away one to five cards and draws as many from the packet of five. "
           "Younger then exchanges at least one card, and at most what is left, eight less "
           "elder's number: first what elder left of the five, then the three. What elder threw "
           "away is out of the game.", "found"),
    Clause("P4", "First (the point): elder says the total of their best suit, with the ace at 11, "
           "king, queen and jack at 10 and the others at their number, and does not name the "
           "suit. Younger answers “good” if their own best total is lower: elder shows the suit "
           "and marks 1 for each card of it. Younger answers “not good” if their own is higher, "
           "shows it, and marks 1 a card. When they are equal both show, and nobody "
           "marks.", "source"),
    Clause("P5", "Second (sequences): three or more cards of one suit in a row. Elder says the "
           "length and the top card; the longer wins, and of equal length the one with the "
           "higher top; when these are equal too nobody marks any. The winner marks all their "
           "sequences, each a whole run and none inside another: 3, 4, 15, 16, 17 or 18 for "
           "three, four, five, six, seven or eight cards.", "found"),
    Clause("P6", "Third (sets): three or four cards of one rank, ten or higher. Four beat three, "
           "else the higher rank wins. The winner marks all their sets: 3 for three, 14 for "
           "four.",
           "found"),
    Clause("P7", "Elder says nothing in a category in which they have nothing; younger then shows "
           "and marks what they have.", "ruling"),
    Clause("P8", "Elder leads to the first trick, and the winner of each leads to the next. The "
           "second player follows suit if they can; the higher card of the suit led wins. The "
           "table decides whether they also have to beat it.", "found"),
    Clause("P9", "The winner of a trick marks 1, and for the last trick 2: thirteen in a hand. "
           "Nothing is marked for leading.", "source"),
    Clause("P10", "The cards: a player with seven tricks or more marks 10 at the end of the play; "
           "with six each nobody does.", "source"),
    Clause("P11", "Capot: the player who takes all twelve tricks marks 40 in place of the 10. The "
           "text of the game does not say that the 10 fall away; other rule books do.", "found"),
    Clause("P12", "Points are marked, and count, in this order: elder's White, younger's White, "
           "First, Second, Third, the tricks one after another, the cards or the capot.", "found"),
    Clause("P13", "Repique (ripicca): the player who has marked 30 or more in a hand by "
           "declarations alone, before the opponent has marked anything in it, marks 60 more at "
           "once. The table decides whether White counts for it.", "found"),
    Clause("P14", "Pique (picca): the player who reaches 30 or more in a hand by declarations and "
           "tricks, before the opponent has marked anything in it, marks 30 more at once. It "
           "falls due when a trick is marked, never beside a repique. White counts for it; so "
           "does the opponent's White against it. The cards and the capot do not count toward "
           "it.",
           "ruling"),
    Clause("P15", "The first player to reach 150 wins the game, at the very mark that gets them "
           "there; what would be marked later in that hand does not count. Where that mark "
           "cannot be told, because the tricks or all the points were only counted, everything "
           "counts and the higher total wins, elder's when they are equal. If a penalty lifts "
           "somebody to the figure, the next mark of either ends the game, and the higher total "
           "of those who have reached it wins; when they are equal, who marked.", "found"),
    Clause("P16", "A match is the Game to 150, the Return Game to 150 and, if each has won one, "
           "the Final, won by the first to go beyond 220. Every game begins at nothing. A table "
           "may agree on a single game to 150 instead.", "source"),
)  # fmt: skip

OPTIONS: Final = (
    Option("must_beat", "P8", "Must the second player beat the card led if they can?", {
        False: "no: following suit is enough",
        True: "yes: following suit with a lower card while holding a higher one is a fault",
    }, brief={True: "the card led must be beaten"}, scores=False,
       note="The text of the game says that the second player must follow suit and try to take. "
       "Other rule books of piquet ask only to follow suit: that is usual here."),
    Option("white_in_repique", "P13", "Does White count for the repique?", {
        True: "yes: toward the thirty, and as a mark of the opponent",
        False: "no, neither way",
    }, brief={False: "White is not in the repique"},
       note="The text of the game counts for the repique what is declared of honours: First, "
       "Second and Third, and so not White. Other rule books count carte blanche with them: that "
       "is usual here."),
    Option("match", "P16", "What is a match?", {
        "classic": "Game and Return Game to 150, and at one each the Final to 221",
        "single": "one game to 150",
        "rubicon": "six hands, each marked to its end; the winner gets 100 and the difference, or "
                   "100 and the sum where the loser has under 100; if equal, two hands more",
        "four_deals": "four hands, the first and the last counting double, and settled as over "
                      "six hands; if equal, two single hands more",
        "cent": "best of five games to 100, where a game counts two if the loser has under 50",
        Number("game"): "one game to this many points",
    }, brief={"single": "one game to 150", "rubicon": "six hands, and the rubicon at 100",
        "four_deals": "four hands, first and last double", "cent": "best of five games to 100",
        "game": "one game to {n}"}),
    Option("final_target", "P16", "What wins the Final?", {
        221: "221 points: more than 220",
        220: "220 points",
        150: "150 points, as in the games before",
    }, brief={...: "Final to {n}"}, later=True, scores=False),
    Option("lead_point", "P9", "Is a point marked for leading?", {
        "none": "no",
        "each": "yes: 1 for each lead, and 1 to the second player who takes a trick; where the "
                "tricks are only counted, also record how often the lead changed hands",
    }, brief={"each": "a point for each lead"}, later=True),
    Option("last_trick", "P9", "What is the last trick worth?", {
        2: "2 points",
        3: "3 points",
    }, brief={...: "last trick {n}"}, later=True),
    Option("low_cards_in_play", "P9", "Do nine, eight and seven mark in the play?", {
        True: "yes, like any other card",
        False: "no: leading or taking a trick with one marks nothing, apart from the extra for "
               "the last trick; record the cards of the tricks, or all the points marked",
    }, brief={False: "9, 8 and 7 mark nothing in play"}, later=True),
    Option("capot", "P11", "What is the capot worth?", {
        40: "40 points",
        30: "30 points",
    }, brief={...: "capot {n}"}, later=True),
    Option("younger_min", "P3", "How many cards does younger exchange at least?", {
        1: "one",
        0: "none: younger may keep all their cards",
    }, brief={0: "younger may keep all their cards"}, later=True, scores=False),
    Option("carte_rouge", "P12", "Is carte rouge marked: every card in something declared?", {
        "off": "no",
        10: "yes, 10 points after the sets, which count for no repique",
        20: "yes, 20 points after the sets, which count for no repique",
        40: "yes, 40 points after the sets, which count for no repique",
        50: "yes, 50 points after the sets, which count for no repique",
    }, brief={"off": "no carte rouge", ...: "carte rouge {n}"}, later=True),
    Option("point_ending_four", "P4", "Does a point of 34, 44, 54 or 64 count a card less?", {
        False: "no",
        True: "yes, where its sum was declared or its cards are on record",
    }, brief={True: "34, 44, 54 and 64 count a card less"}, later=True),
)  # fmt: skip


HOUSES: Final = (
    Preset("English piquet", "English rule books since Cavendish: six hands, a point for each "
           "lead, and the loser pays more under 100.", {"match": "rubicon", "lead_point": "each"}),
    Preset("Au Cent", "Old laws and German pages: five games to 100, two at once if the loser has "
           "under 50.", {"match": "cent"}),
    Preset("By the letter", "As the text of the game says: the second player beats when they can, "
           "and White does not count for the repique.",
           {"must_beat": True, "white_in_repique": False}),
)  # fmt: skip


def games_of(options: JsonObject) -> tuple[tuple[str, int], ...]:
    """Return the games that a match can have: names, and the points that win them (P15, P16).

    It is empty for a match of fixed hands.
    """
    match = options["match"]
    if isinstance(match, Mapping):
        return (("game", match["game"]),)
    return tuple(
        (name, options["final_target"] if name == "final" else target)
        for name, target in GAMES_OF_A_MATCH.get(match, ())
    )


def deals_of(options: JsonObject) -> Deals | None:
    """Return the hands of a match of fixed hands; None for a match of games (P16)."""
    match = options["match"]
    return DEALS_OF_A_MATCH.get(match) if isinstance(match, str) else None


def goal(options: JsonObject) -> Goal | None:
    """Return the number of hands of a match of fixed hands as its goal; None for others."""
    deals = deals_of(options)
    return deals and Goal("hands", deals.number)


BOOK: Final = RuleBook(CLAUSES, OPTIONS)
