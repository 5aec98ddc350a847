"""Carichi: the bids to play alone and without trumps, in the games with a called card."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from scorekeeper.base.errors import Cause, expected
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.fields import Declared, Whole, part
from scorekeeper.families.briscola import ALL_POINTS
from scorekeeper.play.rulebook import Option
from scorekeeper.play.scoring import Text, Word

CARICHI: Final = "carichi"  # the bid without a number
ON_BUTTONS: Final = "Carichi, no trumps"  # the word alone can also mean aces and threes
CARICHI_POINTS: Final = 61  # card points that a bid without a number needs


@dataclass(frozen=True, slots=True)
class Carichi(Declared):
    """A bid to play alone and without trumps, for a number of card points.

    >>> str(Carichi(85))
    'carichi 85'
    """

    SAYS: ClassVar = "carichi with {carichi}"
    carichi: int = part(
        Whole(CARICHI_POINTS, ALL_POINTS), "the card points that they need", label=ON_BUTTONS,
        asks=ON_BUTTONS,
    )  # fmt: skip

    def __str__(self) -> str:
        """Return the bid as reports have it, such as ``carichi 85``."""
        return f"{CARICHI} {self.carichi}"


Bid = str | int | Carichi


def bid_figure(bid: Bid) -> str | int:
    """Return a bid as reports have it: a rank, a number of points, or ``carichi 85``."""
    return str(bid) if isinstance(bid, Carichi) else bid


def bid_words(bid: Bid) -> Word | Text:
    """Return a bid as a fact that can be translated and filled into a sentence."""
    if isinstance(bid, Carichi):
        return Text(Carichi.SAYS, carichi=bid.carichi)
    return Word("rank", bid)


def no_such_bid(bid: Bid, ladder: Sequence[Bid]) -> Cause:
    """Return the cause for refusing a bid that is not in ``ladder``, which begins with the lowest.

    A number is refused with the numbers that can be bid, anything else with all bids.

    >>> str(no_such_bid(65, ("2", "A", 70, 71, 120)))
    'expected a bid of points from 70 to 120, got 65'
    """
    numbers = [step for step in ladder if isinstance(step, int)]
    of_points = isinstance(bid, int) and bool(numbers)
    bids = numbers if of_points else ladder
    low, high = bid_figure(bids[0]), bid_figure(bids[-1])
    what = f"a bid of points from {low} to {high}" if of_points else f"a bid from {low} to {high}"
    return expected(what, bid_figure(bid), "no_such_bid", low=low, high=high)


def is_solo(bid: Bid) -> bool:
    """Return whether a bid is to play alone and without trumps."""
    return bid == CARICHI or isinstance(bid, Carichi)


def carichi_height(bid: Bid) -> int:
    """Return the height of a bid of carichi in the auction, which is above all bids of points.

    Among them the higher number of points is higher.
    """
    return ALL_POINTS + (bid.carichi if isinstance(bid, Carichi) else 1)


def carichi_points_needed(bid: Bid) -> int:
    """Return the card points that a bid of carichi needs: its number, or 61 without one."""
    return bid.carichi if isinstance(bid, Carichi) else CARICHI_POINTS


def is_allowed_carichi(bid: Bid, options: JsonObject) -> bool:
    """Return whether the options allow this bid of carichi; its number has the limits of points."""
    if isinstance(bid, Carichi):
        with_points: bool = options["carichi"] == "points"
        return with_points and options["min_bid"] <= bid.carichi <= options["max_bid"]
    return bool(options["carichi"] == "flat")


def carichi_bids(options: JsonObject) -> tuple[Bid, ...]:
    """Return the bids of carichi that the options allow, the lowest first; may be empty."""
    if options["carichi"] == "points":
        return tuple(map(Carichi, range(options["min_bid"], options["max_bid"] + 1)))
    return (CARICHI,) if options["carichi"] == "flat" else ()


def carichi_option(clause: str) -> Option:
    """Return the option ``carichi``: not allowed, without a number, or with a number of points."""
    asks = "May a player bid carichi: alone against all, without trumps?"
    return Option("carichi", clause, asks, {
        "off": "no",
        "flat": "yes, above all other bids; it needs 61 points, and pays 1 unit from each",
        "points": "yes, above all other bids, with a number of points: that many are needed, and "
        "it pays like a bid of that number",
    }, brief={"flat": "carichi", "points": "carichi with points"}, later=True)  # fmt: skip
