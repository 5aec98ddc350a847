"""Holdings as bits, and tables of the cards that make a point, a sequence or a set.

A card is the bit of its place in the pack: eight bits a suit, the strongest lowest. An
*alternative* is a group of cards, as bits, with which a declaration or showing is true.
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

Alternatives = tuple[int, ...]

SUIT_SIZE: Final = len(PACK.ranks)
SUIT_MASK: Final = (1 << SUIT_SIZE) - 1  # all cards of the first suit
SHIFTS: Final = tuple(SUIT_SIZE * place for place in range(len(PACK.suits)))
BIT: Final = {card: 1 << place for place, card in enumerate(PACK.cards)}
ALL_CARDS: Final = (1 << len(PACK.cards)) - 1


def bits(cards: Iterable[Card]) -> int:
    """Return cards as bits.

    >>> bits([PACK.cards[0], PACK.cards[8]])
    257
    """
    return sum({BIT[card] for card in cards})


def cards_of(mask: int) -> tuple[Card, ...]:
    """Return the cards of some bits, in the order of the pack."""
    return tuple(card for card, bit in BIT.items() if bit & mask)


SUITS: Final = tuple(SUIT_MASK << shift for shift in SHIFTS)
COURTS: Final = bits(card for card in PACK.cards if card.rank in COURT)
# Every card, the weakest first.
WEAKEST_FIRST: Final = tuple(
    BIT[card] for card in sorted(PACK.cards, key=lambda card: RANK[card.rank])
)


def suit_bits(card: Card) -> int:
    """Return all cards of the suit of a card, as bits."""
    return next(suit for suit in SUITS if suit & BIT[card])


def higher_cards(card: Card) -> int:
    """Return the higher cards of the same suit, as bits."""
    return suit_bits(card) & (BIT[card] - 1)


def encode_worth(number: int, rank: str) -> int:
    """Return the worth of a sequence or set as one number: its size counts first, then the rank.

    ``rank`` is the top of a sequence, or the rank of a set.
    """
    return number * 16 + RANK[rank]


# ------------------------------------------------------- cards that make a declaration true

RUNS: Final[dict[tuple[int, str], Alternatives]] = {
    (length, high): tuple(bits(run) for run in runs_of(length, high))
    for length in SEQUENCE_POINTS
    for high in PACK.ranks
    if runs_of(length, high)
}
SETS: Final[dict[tuple[int, str], Alternatives]] = {
    (count, rank): tuple(bits(chosen) for chosen in combinations(RANKS[rank], count))
    for count in SET_POINTS
    for rank in SET_RANKS
}
OF_RANK: Final = tuple((bits(RANKS[rank]), RANK[rank]) for rank in SET_RANKS)


def _sum_of_suit(mask: int) -> int:
    """Return the sum of cards of one suit, given as the lowest eight bits (P4)."""
    return sum(CARD_VALUE[rank] for place, rank in enumerate(PACK.ranks) if mask >> place & 1)


def _best_run(mask: int) -> int:
    """Return the encoded worth of the best sequence in cards of one suit; 0 without one.

    The cards are the lowest eight bits.
    """
    runs = [encode_worth(*run) for run, alternatives in RUNS.items() if not alternatives[0] & ~mask]
    return max(runs, default=0)


# By the cards held of one suit: their sum (P4), and the worth of the best sequence in them.
SUM: Final = tuple(_sum_of_suit(mask) for mask in range(SUIT_MASK + 1))
BEST_RUN: Final = tuple(_best_run(mask) for mask in range(SUIT_MASK + 1))


@cache
def point_alternatives(count: int, least: int) -> Alternatives:
    """Return the groups of ``count`` cards of one suit with a sum of at least ``least``.

    Those with the highest sum come first.
    """
    masks = [
        mask for mask in range(SUIT_MASK + 1) if mask.bit_count() == count and SUM[mask] >= least
    ]
    masks.sort(key=lambda mask: -SUM[mask])
    return tuple(mask << shift for mask in masks for shift in SHIFTS)


@cache
def exact_point_alternatives(count: int, value: int) -> Alternatives:
    """Return the groups of ``count`` cards of one suit with exactly that sum."""
    return tuple(set(point_alternatives(count, value)) - set(point_alternatives(count, value + 1)))


@cache
def minimal_points(least: int) -> Alternatives:
    """Return the groups of cards of one suit with a sum of at least ``least``.

    Without any one of its cards a group would have less.
    """
    masks = [
        mask
        for mask in range(SUIT_MASK + 1)
        if SUM[mask] >= least
        and not any(SUM[mask & ~(1 << n)] >= least for n in range(SUIT_SIZE) if mask >> n & 1)
    ]
    return tuple(mask << shift for mask in masks for shift in SHIFTS)


@cache
def better_alternatives(category: str, worth: int) -> Alternatives:
    """Return the groups of cards that make a better sequence or set, as bits.

    ``worth`` is the encoded worth of the one to beat.
    """
    groups = RUNS if category == "sequence" else SETS
    return tuple(
        alternative
        for size_and_rank, alternatives in groups.items()
        if encode_worth(*size_and_rank) > worth
        for alternative in alternatives
    )


def are_separate(run: int, others: int) -> bool:
    """Return whether a sequence neither overlaps other cards nor continues their suit's run.

    Both arguments are cards as bits.
    """
    ends = any((run << 1 | run >> 1) & others & suit for suit in SUITS if run & suit)
    return not run & others and not ends
