"""How the cards can lie: what is known of two holdings of twelve, after the exchange.

The first of a pair is elder's, the second younger's.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

from scorekeeper.games.picchetto.rules import SET_POINTS
from scorekeeper.games.picchetto.witness.bits import (
    ALL,
    BEST_RUN,
    OF_RANK,
    SHIFTS,
    SUIT,
    SUM,
    BitWays,
)

HandCounts = tuple[int, int]

FEWEST_OF_A_SET: Final = min(SET_POINTS)


class Need(NamedTuple):
    """What a player said: he holds the cards of one of these ways at least.

    ``first`` is the way to try first, where it is known to do.
    """

    who: int
    ways: BitWays
    first: int | None = None


class Most(NamedTuple):
    """The best that younger can hold, as he answered."""

    point: int = SUM[SUIT]
    sequence: int = 1000  # above any worth
    set: int = 1000

    def allows(self, hand: int) -> bool:
        """Whether these cards are no better."""
        fits = fitting(self.point, self.sequence)
        if not all(hand >> shift & SUIT in fits for shift in SHIFTS):
            return False
        return all((hand & four).bit_count() <= most for four, most in capped(self.set).items())


NO_LIMIT: Final = Most()


@cache
def fitting(point: int, sequence: int) -> Mapping[int, int]:
    """What can be held of a suit with no better point or sequence, the most cards first.

    Each with the number of its cards.
    """
    found = [mask for mask in range(SUIT + 1) if SUM[mask] <= point and BEST_RUN[mask] <= sequence]
    found.sort(key=lambda mask: -mask.bit_count())
    return {mask: mask.bit_count() for mask in found}


@cache
def capped(most: int) -> Mapping[int, int]:
    """How many can be held of the four cards of a rank with no better set, where not all can."""
    caps = {}
    for four, rank in OF_RANK:
        counts = [n for n in range(5) if n < FEWEST_OF_A_SET or n * 16 + rank <= most]
        caps[four] = max(counts)
    return {four: cap for four, cap in caps.items() if cap < len(SHIFTS)}


@lru_cache(maxsize=1 << 15)
def choices(held: int, may: int, point: int, sequence: int) -> tuple[int, ...]:
    """What younger can hold of a suit by what he holds and may hold, the most cards first."""
    return tuple(mask for mask in fitting(point, sequence) if not mask & ~may and not held & ~mask)


class White(NamedTuple):
    """A White: of the ``strange`` cards, which were not dealt, he holds as many as he drew.

    He threw away as many of the others, which are not among ``gone``; ``exchanged`` is None where
    the exchange is not on record, ``thrown`` are the cards that he is known to have thrown away.
    """

    who: int
    strange: int
    most: int
    exchanged: int | None
    thrown: int
    gone: int

    def allows(self, hands: HandCounts) -> bool:
        """Whether the cards can have been dealt so."""
        drawn = (hands[self.who] & self.strange).bit_count()
        out = ALL & ~(hands[0] | hands[1] | self.strange | self.gone)
        return drawn <= self.most and (bool(self.thrown) or out.bit_count() >= self.most)


class Lie(NamedTuple):
    """What is known: the cards that each player holds, those that he may hold, what was said."""

    must: HandCounts = (0, 0)
    may: HandCounts = (ALL, ALL)
    needs: tuple[Need, ...] = ()
    most: Most = NO_LIMIT
    white: White | None = None

    def having(self, who: int, mask: int) -> "Lie":
        """The same, a player holding these cards."""
        return self._replace(must=with_(self.must, who, self.must[who] | mask))

    def lacking(self, who: int, mask: int) -> "Lie":
        """The same, a player not holding these cards."""
        return self._replace(may=with_(self.may, who, self.may[who] & ~mask))

    def out(self, mask: int) -> "Lie":
        """The same, these cards being with nobody."""
        return self.lacking(0, mask).lacking(1, mask)

    def needing(self, who: int, ways: BitWays) -> "Lie":
        """The same, a player holding one of these ways."""
        return self._replace(needs=(*self.needs, Need(who, ways)))

    def met_by(self, hands: HandCounts) -> "Lie":
        """The same, where holdings are known that fit."""
        needs = []
        for need in self.needs:
            met = next((way for way in need.ways if not way & ~hands[need.who]), None)
            needs.append(need._replace(first=met))
        return self._replace(needs=tuple(needs))


def with_(pair: HandCounts, who: int, mask: int) -> HandCounts:
    """A pair with these cards for one of the two."""
    return (mask, pair[1]) if who == 0 else (pair[0], mask)
