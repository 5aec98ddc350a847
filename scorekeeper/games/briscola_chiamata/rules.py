"""The rule book of Briscola Chiamata, version 1, and its figures."""

from collections.abc import Mapping
from typing import Any, Final

from scorekeeper.families.briscola import pack_option
from scorekeeper.families.called_card import rules as calling
from scorekeeper.families.called_card.rules import HIGHEST_BID, match_end_option
from scorekeeper.families.called_card.score import Shares
from scorekeeper.games.game import everybody
from scorekeeper.play.rulebook import Clause, House, Option, RuleBook

PLAYERS: Final = 5  # with one seat more the dealer sits out
TRICKS: Final = 8

LOWEST_RANK: Final = "2"  # the highest bid of a rank (C2), and the card called on points (C4)
TWO_AS_NUMBER: Final = 61  # what a bid of 2 needs, and the lowest that there can be
LOWEST_NUMBER: Final = 62  # C2
HIGHEST_NUMBER: Final = HIGHEST_BID  # C2

POINTS_NEEDED: Final = 61  # on a bid of a rank; else the points bid (C7)
HALF_THE_POINTS: Final = 60  # of each party: lost, or a draw by the option sixty (C7)

USUAL_BANDS: Final = (71, 81, 91, 101)  # a bid below, and that of a rank, is 1 unit (C8)

# Of a contract that was made (C8); each adds up to 0 over the five.
WITH_PARTNER: Final = Shares(bidder=2, partner=1, defender=-1)
ALONE: Final = Shares(bidder=4, partner=0, defender=-1)

CLAUSES: Final = (
    Clause("C1", "Each of the five players is dealt eight cards; where six are seated, the dealer "
           "sits out and scores nothing. Eldest bids first, and the turn to bid goes round. Who "
           "passes is out of the auction for good. It is over when one player is left and has "
           "made a bid, or at a bid of 120. A player who is left without a bid on the table may "
           "still bid, or pass.", "found"),
    Clause("C2", "The bids, from the lowest: ace, three, king, knight (queen), jack, seven, six, "
           "five, four, two; then card points from 62 to 120. Each bid must be higher than the "
           "one before, by as many steps as the player likes.", "source"),
    Clause("C3", "A hand that nobody bids for is abandoned, without a score.", "found"),
    Clause("C4", "The highest bidder calls a card before the first lead. It is a card of the rank "
           "that he bid, or a 2 where he bid points, and its suit is trump. On a bid of 2 or of "
           "points, a bidder who holds the 2 of trumps himself may instead call the lowest trump "
           "that he does not hold.", "source"),
    Clause("C5", "Whoever holds the called card is the bidder's partner, and keeps it to himself "
           "until he plays it. A bidder may call a card of his own: then he plays alone against "
           "the four, and they do not know it either.", "source"),
    Clause("C6", "Forty cards. In each suit, from the strongest: ace 11 points, three 10, king 4, "
           "knight (queen) 3, jack 2, and seven, six, five, four and two without points: 120 in "
           "all. Eldest leads to the first of eight tricks, and who takes a trick leads to the "
           "next. Any card may be played at any time. The highest trump takes the trick, and "
           "where there is none, the highest card of the suit led.", "source"),
    Clause("C7", "The bidder and his partner win with 61 card points or more, or on a bid of "
           "points with as many as he bid. With 60 on each side the table decides.",
           "found"),
    Clause("C8", "The payment is 1 unit on a bid of a rank or of up to 70 points, 2 units up to "
           "80, 3 up to 90, 4 up to 100, and 5 from 101 on. When the contract is made, the bidder "
           "gets twice the units, his partner gets them once, and each of the three others "
           "pays them once. A bidder alone gets them four times, once from each of the four "
           "others. When it is lost, the same is paid the other way.", "source"),
    Clause("C9", "A party that loses no trick at all doubles what is paid: either party, or "
           "the bidder's only, as the table decides.", "source"),
    Clause("C10", "The table decides how a match ends.", "ruling"),
)  # fmt: skip


def usual_call(options: Mapping[str, Any]) -> str:
    """Where bids are points only, any card is called; else one of the rank that was bid (C4)."""
    return "any" if options.get("ladder") == "points" else "rank_bid"


def lowest_number(options: Mapping[str, Any]) -> int:
    """The lowest bid of points: 62 above the ranks, and 61 where they do not go before (C2)."""
    return LOWEST_NUMBER if options.get("ladder") in (None, "ranks_points") else TWO_AS_NUMBER


OPTIONS: Final = (
    pack_option("C6"),
    Option("sixty", "C7", "What if each party has 60 card points, on a bid of a rank?", {
        "loss": "the bidder's party loses",
        "draw": "nobody scores",
    }),
    calling.whose_sweep_option("C9", "either", later=False),
    match_end_option("C10"),
    calling.bands_option("C8", USUAL_BANDS),
    *calling.sweep_options("C9", "tricks"),
    Option("ladder", "C2", "Which bids are there?", {
        "ranks_points": "ranks from the ace down to the 2, and then card points",
        "points": "card points only",
        "two": "the 2 first, which needs 61 points, and then card points",
        "ranks": "ranks from the ace down to the 2, and nothing above",
    }, later=True),
    Option("call_duty", "C4", "Which card may the bidder call?", {
        "rank_bid": "one of the rank that he bid",
        "any": "any card",
        "highest_missing": "the highest trump that he does not hold",
    }, default=usual_call, later=True),
    Option("two_call", "C4", "What does a bidder of 2 or of points call if he holds that 2?", {
        "lowest_missing": "that 2, or the lowest trump that he does not hold",
        "two_only": "that 2",
        "must_lowest_missing": "the lowest trump that he does not hold",
    }, later=True),
    *calling.limits_options("C2", lowest_number),
    calling.lead_option("C6", "eldest"),
    Option("must_follow", "C6", "Must a player follow suit if he can?", {
        False: "no: any card may be played",
        True: "yes: any other card only if he has none of the suit led",
    }, later=True),
    Option("alone", "C5", "May the bidder call a card of his own, and play alone?", {
        "allowed": "yes",
        "forbidden": "no",
    }, later=True),
)  # fmt: skip

HOUSES: Final = (
    House("Round tens", "Players with programs of their own: 2 units from 70, 3 from 80.",
          {"bands": [70, 80]}),
    House("Round tens, with cappotto",
          "A program: 2 units from 70, 3 from 80, and a sweep pays 2 more.",
          {"bands": [70, 80], "sweep": "bidder", "sweep_pay": {"add": 2}}),
    House("Flat", "Programs and rule pages: one unit, and suit is followed.",
          {"bands": [], "sweep_test": "points", "must_follow": True, "match_end": {"target": 11}}),
    House("Points only", "A league, a federation and six rule pages: bids from 61, and any card "
          "may be called.", {"ladder": "points"}),
)  # fmt: skip

BOOK: Final = RuleBook(CLAUSES, OPTIONS)


def players(seats: tuple[str, ...], dealer: str) -> tuple[str, ...]:
    """Who plays, eldest first; the sixth, who sits out, is the dealer (C1)."""
    return everybody(seats, dealer)[:PLAYERS]
