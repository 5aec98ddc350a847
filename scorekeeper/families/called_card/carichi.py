"""Carichi: the bids to play alone and without trumps, in the games with a called card."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from scorekeeper.base.errors import Cause, expected
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
        return f"{CARICHI} {self.carichi}"


Bid = str | int | Carichi


def in_figures(bid: Bid) -> str | int:
    """Return a bid as a word or a number."""
    return str(bid) if isinstance(bid, Carichi) else bid


def bid_words(bid: Bid) -> Word | Text:
    """Return a bid as a fact for the text of a sentence."""
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
    low, high = in_figures(bids[0]), in_figures(bids[-1])
    what = f"a bid of points from {low} to {high}" if of_points else f"a bid from {low} to {high}"
    return expected(what, in_figures(bid), "no_such_bid", low=low, high=high)


def is_solo(bid: Bid) -> bool:
    """Return whether a bid is to play alone and without trumps."""
    return bid == CARICHI or isinstance(bid, Carichi)


def above_all(bid: Bid) -> int:
    """Return the height of a bid of carichi, above all bids of points."""
    return ALL_POINTS + (bid.carichi if isinstance(bid, Carichi) else 1)


def needed(bid: Bid) -> int:
    """Return the card points that a bid of carichi needs."""
    return bid.carichi if isinstance(bid, Carichi) else CARICHI_POINTS


def is_carichi(bid: Bid, options: Mapping[str, Any]) -> bool:
    """Return whether the options allow a bid of carichi; its number has the limits of points."""
    if isinstance(bid, Carichi):
        with_points: bool = options["carichi"] == "points"
        return with_points and options["min_bid"] <= bid.carichi <= options["max_bid"]
    return bool(options["carichi"] == "flat")


def carichi_bids(options: Mapping[str, Any]) -> tuple[Bid, ...]:
    """Return the possible bids of carichi, the lowest first."""
    if options["carichi"] == "points":
        return tuple(map(Carichi, range(options["min_bid"], options["max_bid"] + 1)))
    return (CARICHI,) if options["carichi"] == "flat" else ()


def carichi_option(clause: str) -> Option:
    """Return the option ``carichi``."""
    asks = "May a player bid carichi: alone against all, without trumps?"
    return Option("carichi", clause, asks, {
        "off": "no",
        "flat": "yes, above all other bids; it needs 61 points, and pays 1 unit from each",
        "points": "yes, above all other bids, with a number of points: that many are needed, and "
        "it pays like a bid of that number",
    }, brief={"flat": "carichi", "points": "carichi with points"}, later=True)  # fmt: skip
