"""The rule book of Briscola Chiamata, version 1, and its figures."""

from collections.abc import Sequence
from typing import Final

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.families.briscola import pack_option
from scorekeeper.families.called_card import rules as calling
from scorekeeper.families.called_card.carichi import carichi_option
from scorekeeper.families.called_card.rules import HIGHEST_BID, match_end_option
from scorekeeper.families.contracts.score import ContractShares
from scorekeeper.games.game import all_players
from scorekeeper.play.rulebook import Clause, Number, Option, Preset, RuleBook

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
SHARES: Final = ContractShares(alone=4, bidder=2, partner=1)

CLAUSES: Final = (
    Clause("C1", "Each of the five players is dealt eight cards, in packets of four; where six "
           "are seated, the dealer sits out and scores nothing. Eldest bids first, and the turn "
           "to bid goes round. A player who passes is out of the auction for good. It is over "
           "when one player is left and has made a bid, or at a bid of 120. A player who is left "
           "without a bid on the table may still bid, or pass.", "found"),
    Clause("C2", "The bids, from the lowest: ace, three, king, knight (queen), jack, seven, six, "
           "five, four, two; then card points from 62 to 120. Each bid must be higher than the "
           "one before, by as many steps as the player likes.", "source"),
    Clause("C3", "A hand that nobody bids for is abandoned, without a score.", "found"),
    Clause("C4", "The highest bidder calls a card before the first lead. It is a card of the rank "
           "that was bid, or a 2 if points were bid, and its suit is trump. On a bid of 2 or of "
           "points, a bidder who holds the 2 of trumps may instead call the lowest trump that "
           "they do not hold.", "source"),
    Clause("C5", "The player who holds the called card is the bidder's partner, and says nothing "
           "until it is played. Bidders may call a card of their own: then they play alone "
           "against the four, who do not know it either.", "source"),
    Clause("C6", "Forty cards. In each suit, from the strongest: ace 11 points, three 10, king 4, "
           "knight (queen) 3, jack 2, and seven, six, five, four and two without points: 120 in "
           "all. Eldest leads to the first of eight tricks, and the winner of each trick leads "
           "to the next. Any card may be played at any time. The highest trump takes the trick, "
           "and where there is none, the highest card of the suit led.", "source"),
    Clause("C7", "The bidder and the partner win with 61 card points or more, or on a bid of "
           "points with as many as were bid. With 60 on each side the table decides.",
           "found"),
    Clause("C8", "The payment is 1 unit on a bid of a rank or of up to 70 points, 2 units up to "
           "80, 3 up to 90, 4 up to 100, and 5 from 101 on. When the contract is made, the "
           "bidder gets twice the units, the partner gets them once, and each of the three "
           "others pays them once. A bidder alone gets them four times, once from each of the "
           "four others. When it is lost, the same is paid the other way.", "source"),
    Clause("C9", "A party that loses no trick at all doubles what is paid: either party, or "
           "the bidder's only, as the table decides.", "source"),
    Clause("C10", "The table decides how a match ends.", "ruling"),
)  # fmt: skip


def usual_call_duty(options: JsonObject) -> str:
    """Return the default of the option ``call_duty``, by the option ``ladder`` (C4).

    If only points are bid, the bidder calls any card; else one of the rank that was bid.
    """
    return "any" if options.get("ladder") == "points" else "rank_bid"


def lowest_points_bid(options: JsonObject) -> int:
    """Return the lowest bid of points: 62 if ranks come before the points, else 61 (C2)."""
    return LOWEST_NUMBER if options.get("ladder") in (None, "ranks_points") else TWO_AS_NUMBER


# If the option `bid_needs` is "weight", the bidder's trumps must weigh enough for the bid. Each
# needed weight stands beside the lowest bid that needs it.
WEIGHT_BY_RANK: Final = {"A": 11, "3": 10, "K": 4, "N": 3, "Q": 3, "J": 2}
WEIGHT_OF_LOW_TRUMP: Final = 1
WEIGHT_NEEDED_BY_BID: Final = {62: 13, 71: 19, 81: 23, 91: 25, 101: 28}
# If it is "trumps", the bidder needs so many trumps, again by the lowest bid. Of five, some must
# be among the best.
TRUMPS_NEEDED_BY_BID: Final = {91: 4, 111: 5}
BEST_TRUMPS: Final = ("A", "3", "K")
BEST_OF_FIVE: Final = 2


def have_enough_weight(bid: int, trumps: Sequence[str]) -> bool:
    """Return whether trumps of these ranks weigh enough for a bid of card points.

    The weight needed grows with the bid (`WEIGHT_NEEDED_BY_BID`).

    >>> [have_enough_weight(bid, ["A", "K", "7", "5", "2"]) for bid in (70, 80, 95)]
    [True, False, False]
    """
    needed = max((n for low, n in WEIGHT_NEEDED_BY_BID.items() if low <= bid), default=0)
    return sum(WEIGHT_BY_RANK.get(rank, WEIGHT_OF_LOW_TRUMP) for rank in trumps) >= needed


def have_enough_trumps(bid: int, trumps: Sequence[str]) -> bool:
    """Return whether there are enough trumps for a bid of card points.

    If five are needed, there must be more than five or two of the best ones (`BEST_TRUMPS`).

    >>> have_enough_trumps(95, ["7"] * 4), have_enough_trumps(95, ["A"] * 3)
    (True, False)
    >>> have_enough_trumps(111, ["A", "3", "7", "5", "2"])
    True
    """
    needed = max((n for low, n in TRUMPS_NEEDED_BY_BID.items() if low <= bid), default=0)
    most = max(TRUMPS_NEEDED_BY_BID.values())
    best = [rank for rank in trumps if rank in BEST_TRUMPS]
    good = needed < most or len(trumps) > most or len(best) >= BEST_OF_FIVE
    return len(trumps) >= needed and good


# Whether a bid of points is good with these trumps, by the option bid_needs.
NEEDS: Final = {"weight": have_enough_weight, "trumps": have_enough_trumps}

OPTIONS: Final = (
    pack_option("C6"),
    Option("sixty", "C7", "What if each party has 60 card points, on a bid of a rank?", {
        "loss": "the bidder's party loses",
        "draw": "nobody scores",
    }, brief={"draw": "60 each is a draw"}),
    calling.whose_sweep_option("C9", "either", later=False),
    match_end_option("C10"),
    calling.bands_option("C8", USUAL_BANDS),
    *calling.sweep_options("C9", "tricks"),
    Option("ladder", "C2", "Which bids are there?", {
        "ranks_points": "ranks from the ace down to the 2, and then card points",
        "points": "card points only",
        "two": "the 2 first, which needs 61 points, and then card points",
        "ranks": "ranks from the ace down to the 2, and nothing above",
    }, brief={"points": "points only", "two": "the 2 and points", "ranks": "ranks only"},
       later=True, scores=False),
    Option("call_duty", "C4", "Which card may the bidder call?", {
        "rank_bid": "one of the rank that was bid",
        "any": "any card",
        "highest_missing": "the highest trump that they do not hold",
    }, brief={"rank_bid": "the rank that was bid is called", "any": "any card is called",
        "highest_missing": "the highest missing trump is called"},
        default=usual_call_duty, later=True, scores=False),
    *calling.redeal_options("C3", "none"),
    calling.next_double_option("C3", ("weak_hand", "all_passed", "draw")),
    Option("two_call", "C4", "What can a bidder of 2 or of points call if they hold that 2?", {
        "lowest_missing": "that 2, or the lowest trump that they do not hold",
        "two_only": "that 2",
        "must_lowest_missing": "the lowest trump that they do not hold",
    }, brief={"two_only": "on points the 2 is called",
        "must_lowest_missing": "on points the lowest missing trump is called"},
        later=True, scores=False),
    *calling.limits_options("C2", lowest_points_bid),
    calling.lead_option("C6", "eldest"),
    Option("pass", "C1", "May a player who passed bid again later?", {
        "final": "no: a player who passes is out of the auction",
        "may_return": "yes, until all the others pass in a row",
    }, brief={"may_return": "who passed may bid again"}, later=True, scores=False),
    carichi_option("C2"),
    Option("last_must_bid", "C1", "All others have passed: must the last one bid?", {
        "none": "no: the last player may pass, too",
        Number(None, low=TWO_AS_NUMBER, high=HIGHEST_NUMBER): "yes, at least this many points",
    }, brief={"none": "the last player may pass, too", ...: "the last player must bid at least "
                                                            "{n}"},
       later=True, scores=False),
    Option("bid_needs", "C2", "Must a bid of points have strong trumps?", {
        "none": "no",
        "weight": "yes, by weight (ace 11, three 10, king 4, knight 3, jack 2, other 1): 13, and "
        "from 71 on 19, from 81 on 23, from 91 on 25, from 101 on 28",
        "trumps": "yes, by number: four from 91 on; from 111 on six, or five with two of ace, "
        "three and king",
    }, brief={"weight": "bid high only with strong trumps",
              "trumps": "bid high only with many trumps"},
       later=True, scores=False),
    Option("trump_named", "C4", "When does the bidder call the card?", {
        "before_lead": "before the first lead",
        "after_first_trick": "after the first trick, which then goes by the trump so named",
    }, brief={"after_first_trick": "blind first trick"}, later=True, scores=False),
    Option("must_follow", "C6", "Must players follow suit if they can?", {
        False: "no: any card may be played",
        True: "yes: any other card only if they have none of the suit led",
    }, brief={True: "suit is followed"}, later=True, scores=False),
    Option("alone", "C5", "May bidders call a card of their own, and play alone?", {
        "allowed": "yes",
        "forbidden": "no",
    }, brief={"forbidden": "nobody calls a card of their own"}, later=True, scores=False),
    Option("points_bids", "C2", "When can points be bid?", {
        "any": "after any rank, or as the first bid",
        "after_two": "only after the 2 has been bid; where the auction is not on record, this is "
        "not checked",
    }, brief={"after_two": "points only after the 2"}, later=True, scores=False,
       note="The text of the game says that the next possible bid is 62 once the bidding has "
       "reached the 2. That can be meant of their order alone, and is read so here: as other bids "
       "can be skipped, so can all that are left."),
)  # fmt: skip

HOUSES: Final = (
    Preset("Round tens", "Players with programs of their own: 2 units from 70, 3 from 80.",
           {"bands": [70, 80]}),
    Preset("Round tens, with carichi",
           "A program: 2 units from 70, 3 from 80; alone only at a bid of carichi.",
           {"bands": [70, 80], "carichi": "flat", "alone": "forbidden"}),
    Preset("Round tens, with cappotto",
           "A program: 2 units from 70, 3 from 80, and a sweep pays 2 more.",
           {"bands": [70, 80], "sweep": "bidder", "sweep_pay": {"add": 2}}),
    Preset("Flat", "Programs and rule pages: one unit, and suit is followed.",
           {"bands": [], "sweep_test": "points", "must_follow": True, "match_end": {"target": 11}}),
    Preset("Milan club",
           "A club's tournament: 2 units from 71, 3 from 81, and a weak hand doubles.",
           {"bands": [71, 81], "redeal_max_points": 4, "next_double": ["weak_hand"],
            "two_call": "two_only"}),
    Preset("Online", "A program online, by its older rules: after any abandoned hand the next "
                     "one pays double.",
           {"bands": [71, 81, 91, 101, 111], "sixty": "draw", "redeal_max_points": 2,
            "next_double": ["weak_hand", "all_passed", "draw"], "sweep": "bidder",
            "sweep_test": "points"}),
    Preset("Linguaglossa league", "A league: points only, the trump after a blind first trick, ten "
           "hands. How it pays is worked out from its results.",
           {"ladder": "points", "trump_named": "after_first_trick",
            "bands": [81, 91, 101, 111, 120], "max_bid": 115, "match_end": {"hands": 10}}),
    Preset("Blind tournament", "A tournament: the trump after a blind first trick, weak hands are "
           "thrown in, ten hands.",
           {"trump_named": "after_first_trick", "redeal_max_points": 5, "four_twos": True,
            "match_end": {"hands": 10}}),
    Preset("Points only", "A league, a federation and six rule pages: bids from 61, and any card "
           "may be called.", {"ladder": "points"}),
    Preset("By the letter", "As the text of the game says: points can be bid only after the 2.",
           {"points_bids": "after_two"}),
)  # fmt: skip


BOOK: Final = RuleBook(CLAUSES, OPTIONS, calling.CONFLICTS)


def check_options(options: JsonObject, seats: int) -> None:
    """Raise `UnusableError` if options of the match exclude one another; it names the option."""
    calling.check_options(options, seats)
    least, ladder = options["last_must_bid"], options["ladder"]
    if options["points_bids"] == "after_two":
        _refuse_points_after_two(ladder, least)
    if least == "none":
        return
    if ladder == "ranks":
        words = (
            f"the last must bid points (last_must_bid {least}), and there are no such bids "
            "(ladder ranks)"
        )
        raise UnusableError(Cause(words, "no_bids_of_points"), field="data.options.last_must_bid")
    if least > options["max_bid"]:
        most = options["max_bid"]
        words = f"the last must bid more (last_must_bid {least}) than anybody may (max_bid {most})"
        cause = Cause(words, "last_bids_too_much", least=least, most=most)
        raise UnusableError(cause, field="data.options.last_must_bid")


def _refuse_points_after_two(ladder: str, least: str | int) -> None:
    """Raise `UnusableError` if points are bid only after the 2, but cannot be.

    Either there is no 2 to bid, or the last player must bid points.
    """
    if ladder in ("points", "ranks"):
        words = (
            "points are bid only after the 2 (points_bids after_two), and there are no bids of "
            f"both (ladder {ladder})"
        )
        raise UnusableError(Cause(words, "no_two_before_points"), field="data.options.points_bids")
    if least != "none":
        words = (
            f"the last must bid points (last_must_bid {least}), and they are bid only after the 2 "
            "(points_bids after_two)"
        )
        raise UnusableError(Cause(words, "last_bids_before_two"), field="data.options.points_bids")


def players(seats: tuple[str, ...], dealer: str) -> tuple[str, ...]:
    """Return the active players, eldest first; of six the dealer sits out (C1)."""
    return all_players(seats, dealer)[:PLAYERS]


def highest_hand(options: JsonObject, seats: int) -> int:
    """Return the most points that a player can get in a hand (C8, C9).

    That is for the highest bid, made alone if that is allowed.
    """
    bids = {**options, "max_bid": 0} if options["ladder"] == "ranks" else options
    share = SHARES.alone if options["alone"] == "allowed" else SHARES.bidder
    solo = SHARES.alone * calling.highest_carichi_unit(options)
    return max(share * calling.highest_unit(bids), solo)
