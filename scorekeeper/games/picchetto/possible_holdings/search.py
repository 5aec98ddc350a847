"""The search for two holdings that satisfy all constraints.

It meets the requirements one after another, and then deals the other cards so that younger holds
nothing better than their answers allow.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from scorekeeper.games.picchetto.holdings import HELD
from scorekeeper.games.picchetto.possible_holdings.bits import (
    ALL_CARDS,
    SHIFTS,
    SUIT_MASK,
    SUIT_SIZE,
    WEAKEST_FIRST,
)
from scorekeeper.games.picchetto.possible_holdings.constraints import (
    NO_LIMIT,
    BitPair,
    HoldingConstraints,
    Requirement,
    find_suit_choices,
    find_suit_holdings,
    limit_ranks,
    replace_in_pair,
)

# Steps after which a search is given up: for the record, and for the record with one choice added.
MAX_STEPS: Final = 3000
MAX_STEPS_FOR_A_CHOICE: Final = 80


def find_holdings(
    constraints: HoldingConstraints, wanted: BitPair = (0, 0), steps: int = MAX_STEPS
) -> BitPair | None:
    """Return holdings that fit; None if none fit or the search takes too many ``steps``.

    Where cards can be chosen freely, each player gets their ``wanted`` ones first.
    """
    requirements = sorted(
        constraints.requirements, key=lambda requirement: len(requirement.alternatives)
    )
    for exchanged in _with_possible_exchanges(constraints):
        search = HoldingSearch(exchanged, wanted, steps)
        holdings = search.meet(exchanged.must, exchanged.may, requirements)
        if holdings is not None:
            return holdings
    return None


def _with_possible_exchanges(constraints: HoldingConstraints) -> Iterator[HoldingConstraints]:
    """Yield the constraints for each number of cards that the player of a White may have exchanged.

    Without a White, or if its exchange is on record, the constraints are yielded as they are.
    """
    white = constraints.white
    if white is None or white.exchanged is not None:
        yield constraints
        return
    for count in range(1, white.most_drawn + 1):
        yield constraints._replace(white=white._replace(most_drawn=count, exchanged=count))


class HoldingSearch:
    """A search for holdings that satisfy the constraints, in a limited number of steps."""

    def __init__(self, constraints: HoldingConstraints, wanted: BitPair, steps: int) -> None:
        """Begin a search; ``wanted`` and ``steps`` are as in :func:`find_holdings`."""
        self.limits = constraints.limits
        self.white = constraints.white
        self.wanted = wanted
        white_limits = constraints.white is not None and constraints.white.holder == 1
        self.limited = constraints.limits != NO_LIMIT or white_limits
        self.suit_holdings = find_suit_holdings(self.limits.point, self.limits.sequence)
        self.caps = tuple(limit_ranks(self.limits.set).items())
        self.steps = steps

    def meet(
        self, must: BitPair, may: BitPair, requirements: Sequence[Requirement]
    ) -> BitPair | None:
        """Return holdings that meet these requirements; None if none do, or the steps are used up.

        ``must`` and ``may`` are the cards that each player certainly holds, and may hold.
        """
        self.steps -= 1
        may = (may[0] & ~must[1], may[1] & ~must[0])
        if self.steps < 0 or not self._is_feasible(must, may):
            return None
        unmet = [requirement for requirement in requirements if not _is_met(requirement, must)]
        if not unmet:
            return self._complete(must, may)
        requirement, *others = unmet
        if not all(any(_open_alternatives(other, must, may)) for other in others):
            return None
        held = must[requirement.holder]
        for alternative in _order_alternatives(requirement, must, may):
            more = replace_in_pair(must, requirement.holder, held | alternative)
            holdings = self.meet(more, may, others)
            if holdings is not None:
                return holdings
        return None

    def _is_feasible(self, must: BitPair, may: BitPair) -> bool:
        """Return False if counting alone shows that the other cards cannot be dealt."""
        for index, (held, possible) in enumerate(zip(must, may, strict=True)):
            if held & ~possible or not held.bit_count() <= HELD <= possible.bit_count():
                return False
            if not self._fits_white(index, held):
                return False
        if (may[0] | may[1]).bit_count() < HELD + HELD:
            return False
        return not self.limited or self._has_enough_cards(must[1], may[1])

    def _has_enough_cards(self, holding: int, may: int) -> bool:
        """Return whether younger can get twelve cards within the limits of their answers."""
        most = 0
        for shift in SHIFTS:
            suits = self._suit_choices(holding, may, shift)
            if not suits:
                return False
            most += suits[0].bit_count()
        return most >= HELD and self._fits_sets(holding)

    # ---------------------------------------------------------------------- the other cards

    def _complete(self, must: BitPair, may: BitPair) -> BitPair | None:
        """Return both holdings completed to twelve cards; None if that fails.

        Younger's comes first, since the answers may limit it.
        """
        spare = may[0].bit_count() - HELD
        younger = self._fill_younger(must[1], may, spare)
        if younger is None and self.limited:
            younger = self._fill_younger_exhaustively(must[1], may, spare)
        if younger is None:
            return None
        elder = self._fill_elder(must[0], may[0] & ~younger)
        holdings = (elder, younger)
        if elder.bit_count() < HELD or (self.white and not self.white.allows(holdings)):
            return None
        return holdings

    def _fill_younger(self, holding: int, may: BitPair, spare: int) -> int | None:
        """Return twelve cards for younger, taken greedily; None if that fails.

        ``holding`` are those that younger has so far. At most ``spare`` of the added ones are
        cards that elder may hold.
        """
        missing, elders = HELD - holding.bit_count(), may[0]
        for bit in self._order_cards(1, may[1] & ~holding, elders):
            if not missing:
                break
            if bit & elders and not spare:
                continue
            if self.limited and not self._may_add_to_younger(holding | bit, bit):
                continue
            holding |= bit
            missing -= 1
            spare -= bool(bit & elders)
        return None if missing else holding

    def _may_add_to_younger(self, holding: int, bit: int) -> bool:
        """Return whether younger may hold these cards; ``bit`` is the card that was added last."""
        place = (bit.bit_length() - 1) // SUIT_SIZE * SUIT_SIZE
        return (holding >> place & SUIT_MASK) in self.suit_holdings and self._fits_white_and_sets(
            holding
        )

    def _fill_elder(self, holding: int, may: int) -> int:
        """Return cards for elder from ``may``, added to ``holding``: twelve if there are enough.

        No answer limits elder.
        """
        for bit in self._order_cards(0, may & ~holding):
            if holding.bit_count() == HELD:
                break
            holding |= bit if self._fits_white(0, holding | bit) else 0
        return holding

    def _fits_white(self, index: int, holding: int) -> bool:
        """Return whether a player may hold these cards after a White.

        The cards that were not dealt must be few enough to have been drawn. A player without a
        White may hold any.
        """
        white = self.white
        if white is None or index != white.holder:
            return True
        return (holding & white.not_dealt).bit_count() <= white.most_drawn

    def _order_cards(self, index: int, pool: int, elders: int = 0) -> Iterator[int]:
        """Yield the cards of a pool in the order in which a player should get them.

        After a White the cards that were not dealt come first, and of them those that elder
        cannot hold: enough of the dealt cards must be left to have been thrown away.
        """
        parts: tuple[int, ...] = (self.wanted[index], ~self.wanted[1 - index], ALL_CARDS)
        if self.white is not None:
            parts = (self.white.not_dealt & ~elders, self.white.not_dealt, *parts)
        for part in parts:
            yield from (bit for bit in WEAKEST_FIRST if bit & pool & part)
            pool &= ~part

    def _fits_white_and_sets(self, holding: int) -> bool:
        """Return whether a White and the limit on sets allow younger to hold these cards."""
        return self._fits_white(1, holding) and self._fits_sets(holding)

    def _fits_sets(self, holding: int) -> bool:
        """Return whether the limit on sets allows younger to hold these cards."""
        return all((holding & four).bit_count() <= most for four, most in self.caps)

    def _fill_younger_exhaustively(self, holding: int, may: BitPair, spare: int) -> int | None:
        """Return twelve cards for younger by trying all choices of each suit; None if none fit."""
        suits = [
            [mask << shift for mask in self._suit_choices(holding, may[1], shift)]
            for shift in SHIFTS
        ]
        suits.sort(key=len)
        most = [suit[0].bit_count() if suit else -HELD for suit in suits]
        return self._choose_suits(suits, most, may[0], spare)

    def _suit_choices(self, holding: int, may: int, shift: int) -> tuple[int, ...]:
        """Return what younger may hold of one suit, the most cards first."""
        held, possible = holding >> shift & SUIT_MASK, may >> shift & SUIT_MASK
        return find_suit_choices(held, possible, self.limits.point, self.limits.sequence)

    def _choose_suits(
        self, suits: list[list[int]], most: list[int], elders: int, spare: int, holding: int = 0
    ) -> int | None:
        """Return twelve cards made of one choice for each remaining suit; None if none fit.

        ``most`` is the largest choice of each suit. At most ``spare`` cards are among ``elders``.
        """
        if not suits:
            return holding if holding.bit_count() == HELD else None
        missing, others = HELD - holding.bit_count(), sum(most[1:])
        for mask in suits[0]:
            number = mask.bit_count()
            if self.steps < 0 or number + others < missing:
                return None
            self.steps -= 1
            left = spare - (mask & elders).bit_count()
            if number <= missing and left >= 0 and self._fits_white_and_sets(holding | mask):
                chosen = self._choose_suits(suits[1:], most[1:], elders, left, holding | mask)
                if chosen is not None:
                    return chosen
        return None


def _is_met(requirement: Requirement, must: BitPair) -> bool:
    """Return whether the player certainly holds all cards of one of the alternatives."""
    missing = ~must[requirement.holder]
    return any(not alternative & missing for alternative in requirement.alternatives)


def _order_alternatives(requirement: Requirement, must: BitPair, may: BitPair) -> Iterator[int]:
    """Yield the alternatives to try: the known one, then those that add the fewest cards."""
    held = must[requirement.holder]
    if requirement.first is not None:
        known = requirement._replace(alternatives=(requirement.first,))
        yield from _open_alternatives(known, must, may)
    yield from sorted(
        _open_alternatives(requirement, must, may),
        key=lambda alternative: (alternative & ~held).bit_count(),
    )


def _open_alternatives(requirement: Requirement, must: BitPair, may: BitPair) -> Iterator[int]:
    """Yield the alternatives by which a requirement can still be met."""
    held, out = must[requirement.holder], ~may[requirement.holder]
    missing = HELD - held.bit_count()
    for alternative in requirement.alternatives:
        if not alternative & out and (alternative & ~held).bit_count() <= missing:
            yield alternative
