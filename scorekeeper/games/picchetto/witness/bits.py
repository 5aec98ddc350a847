"""Holdings as bits, and the tables of what makes a point, a sequence or a set in them.

A card is the bit of its place in the pack: eight bits a suit, the strongest lowest. A *way* is
a set of cards, as bits, with which something that was said is true.
"""

from collections.abc import Iterable
from functools import cache
from itertools import combinations
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.games.picchetto.holdings import RANKS, runs_of
from scorekeeper.games.picchetto.rules import (
    CARD_VALUE,
    COURT,
    PACK,
    SEQUENCE_POINTS,
    SET_POINTS,
    SET_RANKS,
)
from scorekeeper.games.picchetto.state import RANK

BitWays = tuple[int, ...]

IN_A_SUIT: Final = len(PACK.ranks)
SUIT: Final = (1 << IN_A_SUIT) - 1  # all the cards of one, at the place of the first
SHIFTS: Final = tuple(IN_A_SUIT * place for place in range(len(PACK.suits)))
BIT: Final = {card: 1 << place for place, card in enumerate(PACK.cards)}
ALL: Final = (1 << len(PACK.cards)) - 1


def bits(cards: Iterable[Card]) -> int:
    """These cards as bits.

    >>> bits([PACK.cards[0], PACK.cards[8]])
    257
    """
    return sum({BIT[card] for card in cards})


def cards_of(mask: int) -> tuple[Card, ...]:
    """The cards of some bits, in the order of the pack."""
    return tuple(card for card, bit in BIT.items() if bit & mask)


SUITS: Final = tuple(SUIT << shift for shift in SHIFTS)
COURTS: Final = bits(card for card in PACK.cards if card.rank in COURT)
# Every card, the weakest first.
WEAKEST_FIRST: Final = tuple(
    BIT[card] for card in sorted(PACK.cards, key=lambda card: RANK[card.rank])
)


def suit_of(card: Card) -> int:
    """The cards of the same suit."""
    return next(suit for suit in SUITS if suit & BIT[card])


def higher(card: Card) -> int:
    """The higher cards of the same suit."""
    return suit_of(card) & (BIT[card] - 1)


def worth(number: int, rank: str) -> int:
    """How good a sequence to that rank is, or a set of it: the more cards the better."""
    return number * 16 + RANK[rank]


# ----------------------------------------------------------------------- what makes something

RUNS: Final[dict[tuple[int, str], BitWays]] = {
    (length, high): tuple(bits(run) for run in runs_of(length, high))
    for length in SEQUENCE_POINTS
    for high in PACK.ranks
    if runs_of(length, high)
}
SETS: Final[dict[tuple[int, str], BitWays]] = {
    (count, rank): tuple(bits(chosen) for chosen in combinations(RANKS[rank], count))
    for count in SET_POINTS
    for rank in SET_RANKS
}
OF_RANK: Final = tuple((bits(RANKS[rank]), RANK[rank]) for rank in SET_RANKS)


def _sum(mask: int) -> int:
    return sum(CARD_VALUE[rank] for place, rank in enumerate(PACK.ranks) if mask >> place & 1)


def _best_run(mask: int) -> int:
    runs = [worth(*run) for run, ways in RUNS.items() if not ways[0] & ~mask]
    return max(runs, default=0)


# By the cards held of one suit: what they add up to, and the worth of the best run in them.
SUM: Final = tuple(_sum(mask) for mask in range(SUIT + 1))
BEST_RUN: Final = tuple(_best_run(mask) for mask in range(SUIT + 1))


@cache
def points(count: int, least: int) -> BitWays:
    """A given number of cards of one suit that make at least that sum, the highest sums first."""
    found = [mask for mask in range(SUIT + 1) if mask.bit_count() == count and SUM[mask] >= least]
    found.sort(key=lambda mask: -SUM[mask])
    return tuple(mask << shift for mask in found for shift in SHIFTS)


@cache
def exact_points(count: int, value: int) -> BitWays:
    """A given number of cards of one suit that make that sum."""
    return tuple(set(points(count, value)) - set(points(count, value + 1)))


@cache
def sums_from(least: int) -> BitWays:
    """The cards of one suit that make at least that sum, and would not without any of them."""
    found = [
        mask
        for mask in range(SUIT + 1)
        if SUM[mask] >= least
        and not any(SUM[mask & ~(1 << n)] >= least for n in range(IN_A_SUIT) if mask >> n & 1)
    ]
    return tuple(mask << shift for mask in found for shift in SHIFTS)


@cache
def better(category: str, than: int) -> BitWays:
    """The cards with which a sequence or a set is better than one of that worth."""
    made = RUNS if category == "sequence" else SETS
    return tuple(way for one, ways in made.items() if worth(*one) > than for way in ways)


def apart(run: int, others: int) -> bool:
    """Whether a run neither overlaps others nor makes one run with them."""
    ends = any((run << 1 | run >> 1) & others & suit for suit in SUITS if run & suit)
    return not run & others and not ends
