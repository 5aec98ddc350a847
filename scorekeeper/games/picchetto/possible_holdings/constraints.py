"""Constraints on the two holdings of twelve cards after the exchange.

The first of each pair is elder's, the second younger's. ``holder`` and ``index`` are 0 for elder
and 1 for younger.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

from scorekeeper.games.picchetto.possible_holdings.bits import (
    ALL_CARDS,
    BEST_RUN,
    OF_RANK,
    SHIFTS,
    SUIT_MASK,
    SUM,
    Alternatives,
)
from scorekeeper.games.picchetto.rules import SET_POINTS

BitPair = tuple[int, int]  # cards of elder and of younger, as bits

FEWEST_OF_A_SET: Final = min(SET_POINTS)
ABOVE_ANY_WORTH: Final = 1000


class Requirement(NamedTuple):
    """The requirement that a player holds all cards of at least one of these alternatives.

    ``first`` is the alternative to try first: it is part of holdings that fit.
    """

    holder: int
    alternatives: Alternatives
    first: int | None = None


class AnswerLimits(NamedTuple):
    """The best point, sequence and set that younger can hold according to their answers."""

    point: int = SUM[SUIT_MASK]
    sequence: int = ABOVE_ANY_WORTH
    set: int = ABOVE_ANY_WORTH

    def allows(self, holding: int) -> bool:
        """Return whether a holding, as bits, has nothing better than these limits."""
        of_suit = find_suit_holdings(self.point, self.sequence)
        if not all(holding >> shift & SUIT_MASK in of_suit for shift in SHIFTS):
            return False
        of_rank = limit_ranks(self.set)
        return all((holding & four).bit_count() <= most for four, most in of_rank.items())


NO_LIMIT: Final = AnswerLimits()


@cache
def find_suit_holdings(point: int, sequence: int) -> Mapping[int, int]:
    """Return all holdings of one suit without a better point or sequence, and their sizes.

    Those with the most cards come first.
    """
    masks = [
        mask for mask in range(SUIT_MASK + 1) if SUM[mask] <= point and BEST_RUN[mask] <= sequence
    ]
    masks.sort(key=lambda mask: -mask.bit_count())
    return {mask: mask.bit_count() for mask in masks}


@cache
def limit_ranks(most: int) -> Mapping[int, int]:
    """Return, by the four cards of a rank, how many of them can be held without a better set.

    ``most`` is the encoded worth of the best allowed set. Ranks of which all four can be held are
    left out.
    """
    caps = {}
    for four, rank in OF_RANK:
        counts = [n for n in range(5) if n < FEWEST_OF_A_SET or n * 16 + rank <= most]
        caps[four] = max(counts)
    return {four: cap for four, cap in caps.items() if cap < len(SHIFTS)}


@lru_cache(maxsize=1 << 15)
def find_suit_choices(held: int, may: int, point: int, sequence: int) -> tuple[int, ...]:
    """Return what younger can hold of a suit, the most cards first.

    ``held`` are cards of it that they certainly hold, ``may`` all that they may hold. Nothing
    better than ``point`` and ``sequence`` is in them.
    """
    return tuple(
        mask for mask in find_suit_holdings(point, sequence) if not mask & ~may and not held & ~mask
    )


class WhiteConstraint(NamedTuple):
    """The constraint that a declared White puts on the holding of its player.

    Cards that were ``not_dealt`` to the player can be in the holding only if they were drawn:
    ``most_drawn`` at most. As many dealt cards were thrown away, none of which is among
    ``opponent_discarded``. ``exchanged`` is None if the exchange is not on record; ``discarded``
    are the cards that are known to have been thrown away.
    """

    holder: int
    not_dealt: int
    most_drawn: int
    exchanged: int | None
    discarded: int
    opponent_discarded: int

    def allows(self, holdings: BitPair) -> bool:
        """Return whether two holdings, as bits, agree with the White.

        Not too many cards were drawn, and enough dealt cards are left to have been thrown away.
        """
        drawn = (holdings[self.holder] & self.not_dealt).bit_count()
        out = ALL_CARDS & ~(holdings[0] | holdings[1] | self.not_dealt | self.opponent_discarded)
        return drawn <= self.most_drawn and (
            bool(self.discarded) or out.bit_count() >= self.most_drawn
        )


class HoldingConstraints(NamedTuple):
    """The constraints that both holdings have to satisfy.

    ``must`` are the cards that each player certainly holds, ``may`` those that each may hold.
    """

    must: BitPair = (0, 0)
    may: BitPair = (ALL_CARDS, ALL_CARDS)
    requirements: tuple[Requirement, ...] = ()
    limits: AnswerLimits = NO_LIMIT
    white: WhiteConstraint | None = None

    def require(self, index: int, mask: int) -> "HoldingConstraints":
        """Return these constraints with cards, as bits, that a player certainly holds."""
        return self._replace(must=replace_in_pair(self.must, index, self.must[index] | mask))

    def exclude(self, index: int, mask: int) -> "HoldingConstraints":
        """Return these constraints with cards, as bits, that a player does not hold."""
        return self._replace(may=replace_in_pair(self.may, index, self.may[index] & ~mask))

    def exclude_for_both(self, mask: int) -> "HoldingConstraints":
        """Return these constraints with cards, as bits, that neither player holds."""
        return self.exclude(0, mask).exclude(1, mask)

    def require_one_of(self, index: int, alternatives: Alternatives) -> "HoldingConstraints":
        """Return these constraints with a requirement for a player."""
        return self._replace(requirements=(*self.requirements, Requirement(index, alternatives)))

    def met_by(self, holdings: BitPair) -> "HoldingConstraints":
        """Return these constraints with hints for the search, from holdings that satisfy them.

        Each requirement gets the alternative that these holdings have, to be tried first.
        """
        requirements = []
        for requirement in self.requirements:
            held = holdings[requirement.holder]
            first = next((mask for mask in requirement.alternatives if not mask & ~held), None)
            requirements.append(requirement._replace(first=first))
        return self._replace(requirements=tuple(requirements))


def replace_in_pair(pair: BitPair, index: int, mask: int) -> BitPair:
    """Return a pair with other cards for one of the two players."""
    return (mask, pair[1]) if index == 0 else (pair[0], mask)
