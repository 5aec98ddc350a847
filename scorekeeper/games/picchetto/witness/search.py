"""The search for two holdings with which all that is known is true.

It meets what was said one need after another, and then deals the rest so that younger has
nothing better than he answered.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from scorekeeper.games.picchetto.holdings import HELD
from scorekeeper.games.picchetto.witness.bits import ALL, IN_A_SUIT, SHIFTS, SUIT, WEAKEST_FIRST
from scorekeeper.games.picchetto.witness.lie import (
    NO_LIMIT,
    HandCounts,
    Lie,
    Need,
    capped,
    choices,
    fitting,
    with_,
)

# Steps of a search before it is given up: for what is on record, and for one choice beside it.
STEPS: Final = 3000
STEPS_FOR_A_CHOICE: Final = 80


def found(lie: Lie, wanted: HandCounts = (0, 0), steps: int = STEPS) -> HandCounts | None:
    """Holdings that fit, with the cards wanted where that is no trouble.

    None if none fit, or the search takes too many steps.
    """
    needs = sorted(lie.needs, key=lambda need: len(need.ways))
    for one in _with_exchange(lie):
        hands = Search(one, wanted, steps).meet(one.must, one.may, needs)
        if hands is not None:
            return hands
    return None


def _with_exchange(lie: Lie) -> Iterator[Lie]:
    """The same; where a White was declared, with each number that may then have been exchanged."""
    white = lie.white
    if white is None or white.exchanged is not None:
        yield lie
        return
    for count in range(1, white.most + 1):
        yield lie._replace(white=white._replace(most=count, exchanged=count))


class Search:
    """A search for holdings that fit what is known."""

    def __init__(self, lie: Lie, wanted: HandCounts, steps: int) -> None:
        self.most = lie.most
        self.white = lie.white
        self.wanted = wanted
        white_limits = lie.white is not None and lie.white.who == 1
        self.limited = lie.most != NO_LIMIT or white_limits
        self.fitting = fitting(lie.most.point, lie.most.sequence)
        self.caps = tuple(capped(lie.most.set).items())
        self.steps = steps

    def meet(self, must: HandCounts, may: HandCounts, needs: Sequence[Need]) -> HandCounts | None:
        """Holdings that meet these needs, one after another."""
        self.steps -= 1
        may = (may[0] & ~must[1], may[1] & ~must[0])
        if self.steps < 0 or not self._possible(must, may):
            return None
        unmet = [need for need in needs if not _met(need, must)]
        if not unmet:
            return self._deal(must, may)
        need, *others = unmet
        if not all(any(_ways(other, must, may)) for other in others):
            return None
        held = must[need.who]
        for way in _in_turn(need, must, may):
            found = self.meet(with_(must, need.who, held | way), may, others)
            if found is not None:
                return found
        return None

    def _possible(self, must: HandCounts, may: HandCounts) -> bool:
        """Whether the rest can be dealt at all, as far as one sees without trying."""
        for who, (held, possible) in enumerate(zip(must, may, strict=True)):
            if held & ~possible or not held.bit_count() <= HELD <= possible.bit_count():
                return False
            if not self._dealt(who, held):
                return False
        if (may[0] | may[1]).bit_count() < HELD + HELD:
            return False
        return not self.limited or self._roomy(must[1], may[1])

    def _roomy(self, hand: int, may: int) -> bool:
        """Whether younger has room for twelve cards none of which makes what he has better."""
        room = 0
        for shift in SHIFTS:
            suits = self._of_suit(hand, may, shift)
            if not suits:
                return False
            room += suits[0].bit_count()
        return room >= HELD and self._sets_allowed(hand)

    # ------------------------------------------------------------------------------- the rest

    def _deal(self, must: HandCounts, may: HandCounts) -> HandCounts | None:
        """The rest of both holdings: younger's first, who may be held down by his answers."""
        spare = may[0].bit_count() - HELD
        younger = self._fill(must[1], may, spare)
        if younger is None and self.limited:
            younger = self._fill_exactly(must[1], may, spare)
        if younger is None:
            return None
        elder = self._fill_freely(must[0], may[0] & ~younger)
        hands = (elder, younger)
        if elder.bit_count() < HELD or (self.white and not self.white.allows(hands)):
            return None
        return hands

    def _fill(self, hand: int, may: HandCounts, spare: int) -> int | None:
        """Twelve cards for younger taken as they come, ``spare`` of elder's at most."""
        room, theirs = HELD - hand.bit_count(), may[0]
        for bit in self._in_order(1, may[1] & ~hand, theirs):
            if not room:
                break
            if bit & theirs and not spare:
                continue
            if self.limited and not self._fits(hand | bit, bit):
                continue
            hand |= bit
            room -= 1
            spare -= bool(bit & theirs)
        return None if room else hand

    def _fits(self, hand: int, bit: int) -> bool:
        """Whether younger may hold these cards, the last of which came just now."""
        place = (bit.bit_length() - 1) // IN_A_SUIT * IN_A_SUIT
        return (hand >> place & SUIT) in self.fitting and self._allowed(hand)

    def _fill_freely(self, hand: int, may: int) -> int:
        for bit in self._in_order(0, may & ~hand):
            if hand.bit_count() == HELD:
                break
            hand |= bit if self._dealt(0, hand | bit) else 0
        return hand

    def _dealt(self, who: int, hand: int) -> bool:
        """Whether a player may hold these cards after the White that he declared, if he did."""
        white = self.white
        return white is None or who != white.who or (hand & white.strange).bit_count() <= white.most

    def _in_order(self, who: int, pool: int, theirs: int = 0) -> Iterator[int]:
        """The cards of a pool, in the order in which a player should get them.

        After a White those that were not dealt with it come first, and of them those that are
        not ``theirs``: enough of the others must be left to have been thrown away.
        """
        parts: tuple[int, ...] = (self.wanted[who], ~self.wanted[1 - who], ALL)
        if self.white is not None:
            parts = (self.white.strange & ~theirs, self.white.strange, *parts)
        for part in parts:
            yield from (bit for bit in WEAKEST_FIRST if bit & pool & part)
            pool &= ~part

    def _allowed(self, hand: int) -> bool:
        """Whether younger may hold these cards of different suits, perhaps among more."""
        return self._dealt(1, hand) and self._sets_allowed(hand)

    def _sets_allowed(self, hand: int) -> bool:
        return all((hand & four).bit_count() <= most for four, most in self.caps)

    def _fill_exactly(self, hand: int, may: HandCounts, spare: int) -> int | None:
        """Twelve cards for younger, all choices of each suit being tried."""
        suits = [[mask << shift for mask in self._of_suit(hand, may[1], shift)] for shift in SHIFTS]
        suits.sort(key=len)
        room = [suit[0].bit_count() if suit else -HELD for suit in suits]
        return self._choose(suits, room, may[0], spare)

    def _of_suit(self, hand: int, may: int, shift: int) -> tuple[int, ...]:
        """What younger may hold of one suit, the most cards first."""
        most = self.most
        return choices(hand >> shift & SUIT, may >> shift & SUIT, most.point, most.sequence)

    def _choose(
        self, suits: list[list[int]], room: list[int], theirs: int, spare: int, hand: int = 0
    ) -> int | None:
        """Twelve cards, a given number of each of the suits left, ``spare`` of elder's at most."""
        if not suits:
            return hand if hand.bit_count() == HELD else None
        missing, others = HELD - hand.bit_count(), sum(room[1:])
        for mask in suits[0]:
            number = mask.bit_count()
            if self.steps < 0 or number + others < missing:
                return None
            self.steps -= 1
            left = spare - (mask & theirs).bit_count()
            if number <= missing and left >= 0 and self._allowed(hand | mask):
                found = self._choose(suits[1:], room[1:], theirs, left, hand | mask)
                if found is not None:
                    return found
        return None


def _met(need: Need, must: HandCounts) -> bool:
    missing = ~must[need.who]
    return any(not way & missing for way in need.ways)


def _in_turn(need: Need, must: HandCounts, may: HandCounts) -> Iterator[int]:
    """The ways to try: the one that is known to do elsewhere, and those of the fewest cards."""
    held = must[need.who]
    if need.first is not None:
        yield from _ways(need._replace(ways=(need.first,)), must, may)
    yield from sorted(_ways(need, must, may), key=lambda way: (way & ~held).bit_count())


def _ways(need: Need, must: HandCounts, may: HandCounts) -> Iterator[int]:
    """The ways that a need can still be met in."""
    held, out = must[need.who], ~may[need.who]
    room = HELD - held.bit_count()
    for way in need.ways:
        if not way & out and (way & ~held).bit_count() <= room:
            yield way
