"""The rule book of Briscola Regina, version 1, and its figures."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from scorekeeper.base.errors import Cause
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import ExactPoints
from scorekeeper.cards.packs import Card, Pack
from scorekeeper.families.briscola import (
    ALL_POINTS,
    PACKS,
    left_out_option,
    pack_of,
    pack_option,
    refuse_left_out_suit,
)
from scorekeeper.play.match import Course, Penalty, Standing, ends_at, points_course
from scorekeeper.play.rulebook import Clause, Number, Numbers, Option, Preset, RuleBook
from scorekeeper.play.scoring import Result

DEALT: Final = 5  # cards to each player (B1)

# By the number of players (B4).
TRICKS: Final = {2: 20, 3: 13, 4: 10, 5: 8}
STOCK_LASTS: Final = {2: 15, 3: 8, 4: 5, 5: 3}  # the stock is empty after this trick

# Points for the 1st, 2nd, 3rd and 4th Bris that is counted together (B7).
BRIS_POINTS: Final = (0, 10, 20, 30)

# The two cards of a Bris, by the pack (B5).
BRIS_RANKS: Final = {"italian": ("K", "N"), "french": ("K", "Q")}

# Showings besides a Bris, by an option: four cards of this rank, and one of the other (B7).
KNIGHTS, KINGS = FIGURES = ("knights", "kings")

CLAUSES: Final = (
    Clause("B1", "Forty cards. In each suit, from the strongest: ace 11 points, three 10, king 4, "
           "knight (queen) 3, jack 2, and then seven, six, five, four and two without points: "
           "30 a suit, 120 in all. Each player is dealt five cards; what remains is the stock. "
           "Three players leave out one 2; the table decides which.", "found"),
    Clause("B2", "Eldest leads to the first trick, and the winner of each trick leads to the "
           "next. Any card may be played to any trick: nobody has to follow suit or to "
           "trump.", "source"),
    Clause("B3", "The highest trump takes a trick, or the highest card of the suit led if there "
           "is no trump in it. As long as no suit is trump, only the suit led counts.", "source"),
    Clause("B4", "After each trick, while the stock lasts, every player draws a card, first the "
           "one who took the trick. A hand has 20, 13, 10 or 8 tricks with 2, 3, 4 or 5 players, "
           "and the stock is gone after trick 15, 8, 5 or 3.", "source"),
    Clause("B5", "Bris: a player holding the king and the knight (queen) of one suit may show "
           "them and call, at any moment while they hold both, even in the middle of a trick. "
           "The two cards go back to their hand, to be played later. Each suit is called once in "
           "a hand.", "ruling"),
    Clause("B6", "The first Bris of the hand makes its suit trump. The trump then stays to the "
           "end of the hand. A trick is judged by the trump there is when its last card "
           "falls.", "ruling"),
    Clause("B7", "The first, second, third and fourth Bris are worth 0, 10, 20 and 30 points to "
           "the side that calls them. The table decides whether they are counted over "
           "the hand or for each side.", "ruling"),
    Clause("B8", "Four players: when the stock is gone, the partners of a side may exchange hands "
           "once, between two tricks. The table decides whether they only look, or keep "
           "what they get. Either way it must not take long.", "found"),
    Clause("B9", "A side's score is the card points in its tricks, of which there are 120 in all, "
           "and the points of its Bris. The side with the most wins the hand, whether that is "
           "over 60 or not.", "source"),
    Clause("B10", "Where two or more sides share the most points, the table decides who wins "
           "the hand.", "ruling"),
    Clause("B11", "A match goes to the first side to win two, three or four hands, or to reach a "
           "number of points, or on for as long as the players like.", "source"),
    Clause("B12", "Four players: partners may talk about their cards during the play, for all to "
           "hear. They speak in general words and never name a card: “I have a small sword” is "
           "allowed, “I have the 2 of swords” is not. What is said is not written down, and never "
           "changes the score.", "source"),
)  # fmt: skip


OPTIONS: Final = (
    pack_option("B1"),
    left_out_option("removed_two", "B1", "Three players: which 2 is left out?", "two"),
    Option("bris_count", "B7", "How are the Bris counted?", {
        "deal": "over the hand, whichever side calls: the second of the hand is worth 10",
        "side": "for each side: a side's own second is worth 10",
    }, brief={"side": "Bris by side"}),
    Option("hand_exchange", "B8", "Four players: may partners exchange hands?", {
        "look": "they look at each other's hand and give it back",
        "swap": "each keeps the hand that they get",
        "none": "they may not",
    }, brief={"swap": "partners exchange hands", "none": "no exchange of hands"}, scores=False,
       note="The text of the game says that partners may exchange their hands to work out a plan. "
       "Other rule books of such games say that they look and give the hands back: that is usual "
       "here."),
    Option("tie", "B10", "Who wins the hand when several sides share the most points?", {
        "draw": "nobody",
        "last_trick": "the one of them who took the latest trick; by a count alone, nobody",
    }, brief={"last_trick": "a tie goes to the last trick"}),
    Option("match", "B11", "When does a match end?", {
        Number("wins", only=(2, 3, 4)): "when a side has won this many hands",
        Number("points"): "when a side has this many points after a hand and is alone in front",
        "open": "when the players say so",
    }, brief={"wins": "to {n} hands won", "points": "to {n} points", "open": "open end"},
       default={"wins": 2}),
    Option("bris_points", "B7", "What are the first, second, third and fourth Bris worth?", {
        Numbers(only=BRIS_POINTS): "0, 10, 20 and 30 points",
        Numbers(only=(20, 40, 60, 80)): "20, 40, 60 and 80 points",
        Numbers(only=(40, 60, 80, 100)): "40, 60, 80 and 100 points",
        Numbers(only=(40, 20, 20, 20)): "40 points, and 20 for each after it",
        Numbers(only=(0, 0, 0, 0)): "nothing: they only make trump",
        Numbers(high=1_000, least=4, most=4): "this many points each",
    }, brief={...: "Bris at {n}"}, default=list(BRIS_POINTS), later=True),
    Option("trump_changes", "B6", "Does each further Bris change the trump?", {
        False: "no: the suit of the first Bris stays trump",
        True: "yes: the suit of the latest Bris is trump",
    }, brief={True: "each Bris makes trump"}, later=True),
    Option("four_figures", "B7", "Is it worth more to show four kings or four knights (queens)?", {
        "none": "no",
        Numbers(only=(250, 500), keys=FIGURES): "250 points for four knights (queens) and a king; "
        "500 for four kings and a knight (queen), which end the match",
        Numbers(only=(200, 500), keys=FIGURES): "200 points for four knights (queens) and a king; "
        "500 for four kings and a knight (queen), which end the match",
        Numbers(high=1_000, least=2, most=2, keys=FIGURES): "a number of points for four "
        "knights (queens) and a king, and another for four kings and a knight (queen), which end "
        "the match",
    }, brief={...: "four of a kind: {n}"}, later=True),
    Option("bris_until", "B5", "How long can Bris be called?", {
        "hand_end": "to the end of the hand",
        "stock_out": "as long as there is a stock",
    }, brief={"stock_out": "Bris while there is a stock"}, later=True),
    Option("bris_when", "B5", "At which moment can Bris be called?", {
        "any": "at any moment",
        "own_turn": "by the player whose turn it is",
        "between_tricks": "between two tricks",
    }, brief={"own_turn": "Bris in one’s turn", "between_tricks": "Bris between two tricks"},
       later=True, scores=False),
)  # fmt: skip

HOUSES: Final = (
    Preset("Marianna", "Tournaments and rule pages: each Bris makes trump, as long as there is a "
           "stock, and is worth 40, 60, 80 or 100; to 500 points.",
           {"bris_points": [40, 60, 80, 100], "trump_changes": True, "bris_until": "stock_out",
            "hand_exchange": "none", "match": {"points": 500}}),
    Preset("By the letter", "As the text of the game says: partners exchange their hands when the "
           "stock is gone.", {"hand_exchange": "swap"}),
)  # fmt: skip

BOOK: Final = RuleBook(CLAUSES, OPTIONS)


# ------------------------------------------------------------------------------------ cards


def pack(options: JsonObject, seats: int) -> Pack:
    """Return the forty cards; with three players one 2 is left out (B1)."""
    if seats != 3:
        return pack_of(options)
    return _without_two(options["pack"], options["removed_two"])


@cache
def _without_two(name: str, suit: str) -> Pack:
    """Return the pack with this name without the 2 of a suit."""
    return PACKS[name].without([Card.parse(f"2{suit}")])


def check_options(options: JsonObject, seats: int) -> None:
    """Raise `UnusableError` if the 2 to leave out is not in the pack (B1)."""
    refuse_left_out_suit(options, "removed_two")


# ------------------------------------------------------------------------------------ match


def counts_wins(options: JsonObject) -> bool:
    """Return whether the match is for hands won (B11)."""
    match = options["match"]
    return isinstance(match, Mapping) and "wins" in match


def match_credit(
    result: Result, scores: Mapping[str, ExactPoints], options: JsonObject
) -> Mapping[str, ExactPoints]:
    """Return what a hand adds to the match: a win for its winner, or the points of each (B11)."""
    if not counts_wins(options):
        return scores
    return {} if result.winner is None else {result.winner: 1}


def no_penalty(options: JsonObject, *, over: bool) -> Cause | None:
    """Return why no penalty is allowed: a match for hands won has no points to change (G7).

    None in matches for points.
    """
    words = "this match is played for hands won: it has no points"
    return Cause(words, "no_points_in_match") if counts_wins(options) else None


def highest_hand(options: JsonObject, seats: int) -> int | None:
    """Return the most points that a player can get from all other sides in a hand (B9).

    None if the match counts hands won.
    """
    if counts_wins(options):
        return None
    others = 1 if seats == 4 else seats - 1
    return others * (most_of_a_hand(options, seats) or 0)


def most_of_a_hand(options: JsonObject, seats: int) -> int | None:
    """Return the most points of a side in a hand: all cards, Bris and four figures (B9).

    None if the match counts hands won.
    """
    if counts_wins(options):
        return None
    points: int = ALL_POINTS + sum(options["bris_points"])
    return points + sum(figures_of(options).values())


def figures_of(options: JsonObject) -> Mapping[str, int]:
    """Return the points of showing four knights and four kings; empty if they have none (B7)."""
    figures: str | Mapping[str, int] = options["four_figures"]
    return {} if isinstance(figures, str) else figures


def course() -> Course:
    """Return the course of a match to the goal in the option ``match`` (B11).

    Four kings in a hand end it as well (B7).
    """
    plain = points_course(ends_at("match"), match_credit)

    def add(
        standing: Standing,
        result: Result,
        options: JsonObject,
        before: tuple[Penalty, ...],
        after: tuple[Penalty, ...],
    ) -> Standing:
        """Return the standing after a hand; four kings end the match."""
        stands = plain.add(standing, result, options, before, after)
        return stands._replace(over=True) if result.marks == KINGS else stands

    return Course(plain.start, plain.penalize, add)
