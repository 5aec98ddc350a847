"""Options and limits that the rule books of games with a called card share."""

from collections.abc import Mapping
from typing import Final

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.families.briscola import ALL_POINTS
from scorekeeper.families.called_card.carichi import Bid, Carichi
from scorekeeper.play.rulebook import Conflict, ListOf, Number, Numbers, Option

HIGHEST_BID: Final = ALL_POINTS
MIN_BAND_POINTS: Final = 62  # a lower band would include every bid
MAX_BANDS: Final = 8
MAX_WEAK_HAND_POINTS: Final = 5  # card points
MAX_DOUBLINGS: Final = 20  # of one hand; more would give amounts that nobody could pay

# The points from which a bid is paid one unit more, for the variants of real tables.
BANDS: Final = {
    (71, 81, 91, 101): "2 units from 71 points on, 3 from 81, 4 from 91 and 5 from 101",
    (91,): "2 units from 91 points on",
    (70, 80): "2 units from 70 points on and 3 from 80",
    (71, 81): "2 units from 71 points on and 3 from 81",
    (71, 81, 91, 101, 111): "2 units from 71 points on, 3 from 81, 4 from 91, 5 from 101 and "
    "6 from 111",
    (81, 91, 101, 111, 120): "2 units from 81 points on, 3 from 91, 4 from 101, 5 from 111 and "
    "6 at 120",
    (70, 80, 90, 100, 110, 120): "2 units from 70 points on, and 1 more at every ten",
    (): "1 unit, whatever was bid",
}


def match_end_option(clause: str) -> Option:
    """Return the option ``match_end``: open, at a target of points, or after a number of hands."""
    return Option("match_end", clause, "When does a match end?", {
        "open": "when the players say so",
        Number("target"): "when a total reaches this and is alone in front after a hand",
        Number("hands"): "after this many complete hands; the highest total wins, and equal ones "
                         "share",
    }, brief={"open": "open end", "target": "to {n}", "hands": "{n} hands"},
       scores=False)  # fmt: skip


def bands_option(clause: str, usual: tuple[int, ...]) -> Option:
    """Return the option ``bands``: the points from which a bid is paid one unit more.

    ``usual`` is the default.
    """
    other = Numbers(low=MIN_BAND_POINTS, high=HIGHEST_BID, most=MAX_BANDS, rising=True)
    return Option("bands", clause, "How much does a bid of points pay?", {
        **{Numbers(only=bands): words for bands, words in BANDS.items()},
        other: "1 unit, and 1 more from each of these numbers of points on",
    }, brief={(): "one unit for every bid", ...: "stakes at {n}"},
       default=list(usual), later=True)  # fmt: skip


def unit_of(bid: Bid, options: JsonObject) -> int:
    """Return the units of a bid: one, and one more for each band that it reaches.

    A bid without a number of points is paid like the lowest.

    >>> [unit_of(bid, {"bands": [71, 81]}) for bid in ("J", 70, 71, 120, Carichi(75))]
    [1, 1, 2, 3, 2]
    """
    points = bid.carichi if isinstance(bid, Carichi) else bid if isinstance(bid, int) else 0
    bands: list[int] = options["bands"]
    return 1 + sum(points >= band for band in bands)


def highest_carichi_unit(options: JsonObject) -> int:
    """Return the most units that a bid of carichi can pay; 0 if the table has no such bid.

    >>> usual = {"bands": [91], "max_bid": 120, "sweep_pay": "none"}
    >>> [highest_carichi_unit({**usual, "carichi": value}) for value in ("off", "flat", "points")]
    [0, 1, 2]
    """
    if options["carichi"] == "off":
        return 0
    return highest_unit(options if options["carichi"] == "points" else {**options, "max_bid": 0})


def highest_unit(options: JsonObject) -> int:
    """Return the most units that a hand can pay: the highest bid, with a sweep.

    >>> highest_unit({"bands": [91], "max_bid": 120, "sweep_pay": "double"})
    4
    """
    unit, pay = unit_of(options["max_bid"], options), options["sweep_pay"]
    if isinstance(pay, Mapping):
        [(how, units)] = pay.items()
        return unit + int(units) if how == "add" else max(unit, int(units))
    return 2 * unit if pay == "double" else unit


def limits_options(clause: str, lowest: object) -> tuple[Option, Option]:
    """Return the options ``min_bid`` and ``max_bid``: the range of the bids of points.

    ``lowest`` is the default of the first: a number, or a function of the options before it.
    """
    return (
        Option("min_bid", clause, "What is the lowest bid of points?", {
            Number(None, low=MIN_BAND_POINTS - 1, high=HIGHEST_BID): "this many points",
        }, brief={...: "bids from {n}"}, default=lowest, later=True, scores=False),
        Option("max_bid", clause, "Which bid of points is the highest, and ends the auction?", {
            HIGHEST_BID: "all 120 points",
            Number(None, low=MIN_BAND_POINTS - 1, high=HIGHEST_BID): "this many points",
        }, brief={...: "bids up to {n}"}, later=True, scores=False),
    )  # fmt: skip


def lead_option(clause: str, usual: str) -> Option:
    """Return the option ``first_lead``: eldest or the bidder; ``usual`` is the default."""
    return Option("first_lead", clause, "Who leads to the first trick?", {
        "eldest": "eldest",
        "bidder": "the bidder",
    }, brief={"eldest": "eldest leads", "bidder": "the bidder leads"},
       default=usual, later=True, scores=False)  # fmt: skip


def whose_sweep_option(clause: str, usual: str, *, later: bool) -> Option:
    """Return the option ``sweep``: whether the sweep of either party pays, or only the bidder's.

    ``usual`` is the default, and ``later`` is as in `Option`.
    """
    return Option("sweep", clause, "Whose sweep is paid?", {
        "either": "that of the bidder's party, and that of the defenders",
        "bidder": "only that of the bidder's party",
    }, brief={"either": "either party’s sweep pays", "bidder": "only the bidder’s sweep pays"},
       default=usual, later=later)  # fmt: skip


def sweep_options(clause: str, usual: str) -> tuple[Option, Option]:
    """Return the options ``sweep_test`` and ``sweep_pay``: the definition and pay of a sweep.

    ``usual`` is the default of the first: ``tricks`` or ``points``.
    """
    return (
        Option("sweep_test", clause, "What is a sweep?", {
            "tricks": "to take all the tricks",
            "points": "to take all 120 card points",
        }, brief={"tricks": "a sweep is all the tricks", "points": "a sweep is all 120 points"},
           default=usual, later=True),
        Option("sweep_pay", clause, "What does a sweep pay?", {
            "double": "twice as much",
            "none": "no more than any hand",
            Number("add", high=20): "this many units more",
            Number("set", high=20): "this many units, in place of those of the bid",
        }, brief={"double": "a sweep pays double", "none": "a sweep pays nothing more",
            "add": "a sweep pays {n} units more", "set": "a sweep pays {n} units"}, later=True),
    )  # fmt: skip


def redeal_options(clause: str, usual: str | int) -> tuple[Option, Option]:
    """Return the options ``redeal_max_points`` and ``four_twos``: the hands that allow a redeal.

    ``usual`` is the default of the first: ``none``, or the most card points of a weak hand.
    """
    return (
        Option("redeal_max_points", clause, "When may a player ask for a new deal?", {
            "none": "never",
            0: "with no card that has points",
            Number(None, low=1, high=MAX_WEAK_HAND_POINTS): "with at most this many card points",
        }, brief={"none": "no new deals", ...: "a new deal with at most {n} points"},
           default=usual, later=True, scores=False),
        Option("four_twos", clause, "May a player who holds all four 2s ask for a new deal?", {
            False: "no",
            True: "yes",
        }, brief={True: "a new deal with four 2s"}, later=True, scores=False),
    )  # fmt: skip


def next_double_option(clause: str, after: tuple[str, ...]) -> Option:
    """Return the option ``next_double``: a list of kinds of hand that double the next scored one.

    ``after`` are the kinds that a table can choose. By default none doubles.
    """
    return Option("next_double", clause, "After which hands does the next one pay double?", {
        ListOf(()): "after none",
        ListOf(after): "after these; twice in a row, and it pays four times",
    }, brief={(): "no hand doubles the next", ...: "double after: {n}"},
       default=[], later=True)  # fmt: skip


def can_double_next(options: JsonObject) -> bool:
    """Return whether hands can double the next one at a table with these options."""
    return bool(options["next_double"])


def allows_redeals(options: JsonObject) -> bool:
    """Return whether a player may ask for a new deal at a table with these options."""
    weak = "weak_hand" in options["next_double"]
    return weak or options["four_twos"] or options["redeal_max_points"] != "none"


CONFLICTS: Final = (
    Conflict("next_double", "redeal_max_points", lambda options: (
        "weak_hand" in options["next_double"]
        and options["redeal_max_points"] == "none"
        and not options["four_twos"]
    )),
)  # fmt: skip


def check_options(options: JsonObject, seats: int) -> None:
    """Raise `UnusableError` if options of the match contradict one another; it names the option.

    They are the lowest and highest bid, drawn hands, and a sweep that pays less than a bid.
    """
    if options["min_bid"] > options["max_bid"]:
        low, high = options["min_bid"], options["max_bid"]
        words = f"the lowest bid (min_bid {low}) is above the highest (max_bid {high})"
        cause = Cause(words, "bids_crossed", low=low, high=high)
        raise UnusableError(cause, field="data.options.min_bid")
    if "draw" in options["next_double"] and options["sixty"] != "draw":
        words = "no hand can be drawn (sixty loss), so none can double the next (next_double draw)"
        raise UnusableError(Cause(words, "nothing_drawn"), field="data.options.next_double")
    pay, most = options["sweep_pay"], 1 + len(options["bands"])
    if isinstance(pay, dict) and pay.get("set", most) < most:
        words = (
            f"a sweep would pay less (sweep_pay {pay['set']}) than the highest bid without one "
            f"(bands: {most} units)"
        )
        cause = Cause(words, "sweep_pays_less", pay=pay["set"], most=most)
        raise UnusableError(cause, field="data.options.sweep_pay")
