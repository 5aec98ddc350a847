"""The marks of a hand, one after another: the bonus that each earns, and the one that wins.

A :class:`Tally` is the state of a hand after some of its marks. It has an index for each player,
0 for elder and 1 for younger, so that it is small and can be a key: :func:`possible_endings`
follows all orders in which counted tricks can have been taken, tally by tally.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from scorekeeper.games.picchetto.rules import (
    BONUS_FROM,
    BONUS_POINTS,
    CARDS_POINTS,
    LEAD_POINTS,
    MAJORITY,
    TRICK_POINTS,
    TRICKS,
)

Pair = tuple[int, int]

WHITE: Final = "P2"
DECLARATIONS: Final = frozenset({WHITE, "P4", "P5", "P6"})
TRICK: Final = "P9"
REPIQUE: Final = "P13"
PIQUE: Final = "P14"


@dataclass(slots=True, eq=False)
class Mark:
    """A mark for a trick, which has no score line of its own: each player has one for all tricks.

    ``low`` means that its card marks nothing (P9). ``taken`` means that the player took the trick;
    else they led it and lost it. Not frozen, for the same reason as a play.
    """

    side: str
    points: int
    rule: str
    events: tuple[int, ...]
    low: bool
    taken: bool = True


class MarkingTerms(NamedTuple):
    """The options and figures by which a hand is marked; without a ``target`` every mark counts.

    ``leads`` means that leading marks (P9). ``last_trick`` and ``capot`` are points. The players
    with an index in ``reckoning_nothing`` get no points in this hand (P12).
    """

    target: int | None
    white_in_repique: bool
    leads: bool = False
    last_trick: int = 2
    capot: int = 40
    reckoning_nothing: tuple[int, ...] = ()


class Tally(NamedTuple):
    """The state of a hand and its game after some of its marks, elder's figures first."""

    scores: Pair  # of the game
    marked: Pair = (0, 0)  # in this hand
    declared: Pair = (0, 0)  # in this hand, by declarations that count for the repique (P13)
    bonus: tuple[str, int] | None = None  # P13 or P14 and its player's index, once it was earned
    winner: int | None = None  # of the game


class OrderOutcomes(NamedTuple):
    """The possible ends of a hand with counted tricks, by the orders of the tricks.

    In ``whole`` every mark counts; in ``ended`` the hand ends with the mark that wins the game.
    """

    whole: frozenset[Tally]
    ended: frozenset[Tally]

    def some_give(self, bonus: tuple[str, int]) -> bool:
        """Return whether some order of the tricks gives a bonus.

        A bonus is the clause of a repique or pique, and the index of its player.
        """
        return any(tally.bonus == bonus for tally in self.whole)

    def all_give(self, bonus: tuple[str, int]) -> bool:
        """Return whether every order of the tricks gives a bonus (see :meth:`some_give`)."""
        return all(tally.bonus == bonus for tally in self.whole)

    def winners(self, bonus: tuple[str, int] | None) -> set[int | None]:
        """Return the possible winners of the game by index; None stands for no winner.

        If some orders give ``bonus``, only these are considered.
        """
        with_it = {tally.winner for tally in self.ended if bonus and tally.bonus == bonus}
        return with_it or {tally.winner for tally in self.ended}


def apply_mark(
    tally: Tally, index: int, points: int, rule: str, terms: MarkingTerms
) -> tuple[Tally, str | None]:
    """Return the tally after a mark, and the clause of the repique or pique that it earned.

    The points of that bonus are in the tally as well. The clause is None if it earned none. A
    player who reckons nothing changes nothing.
    """
    if index in terms.reckoning_nothing:
        return tally, None
    tally = _add_mark(tally, index, points, rule, terms)
    if tally.bonus is not None or tally.winner is not None:
        return tally, None
    bonus = _due_bonus(tally, index, rule)
    if bonus is not None:
        tally = _add_mark(tally, index, BONUS_POINTS[bonus], bonus, terms)
        tally = tally._replace(bonus=(bonus, index))
    return tally, bonus


def _add_mark(tally: Tally, index: int, points: int, rule: str, terms: MarkingTerms) -> Tally:
    """Return the tally with points added, and the winner if they end the game."""
    scores, marked, declared = tally.scores, tally.marked, tally.declared
    counts = rule in DECLARATIONS and (rule != WHITE or terms.white_in_repique)
    if index == 0:
        scores, marked = (scores[0] + points, scores[1]), (marked[0] + points, marked[1])
        declared = (declared[0] + points, declared[1]) if counts else declared
    else:
        scores, marked = (scores[0], scores[1] + points), (marked[0], marked[1] + points)
        declared = (declared[0], declared[1] + points) if counts else declared
    won = terms.target is not None and (scores[0] >= terms.target or scores[1] >= terms.target)
    return Tally(
        scores, marked, declared, tally.bonus, _winner_after_mark(scores, index) if won else None
    )


def add_to_pair(pair: Pair, index: int, points: int) -> Pair:
    """Return a pair of figures with points added for one player."""
    return (pair[0] + points, pair[1]) if index == 0 else (pair[0], pair[1] + points)


def _winner_after_mark(scores: Pair, index: int) -> int:
    """Return the index of the winner after a mark of the player ``index`` won the game.

    A penalty may have lifted the other player higher before (P15).
    """
    return index if scores[index] >= scores[1 - index] else 1 - index


def _due_bonus(tally: Tally, index: int, rule: str) -> str | None:
    """Return the clause of the repique or pique that a mark earned, else None (P13, P14).

    ``rule`` is the clause of the mark, which is already in the tally.
    """
    other = 1 - index
    if rule in DECLARATIONS and tally.declared[index] >= BONUS_FROM and not tally.declared[other]:
        return REPIQUE
    if rule == TRICK and tally.marked[index] >= BONUS_FROM and not tally.marked[other]:
        return PIQUE
    return None


def trick_points(number: int, terms: MarkingTerms) -> int:
    """Return the points of the trick with that number (P9)."""
    return terms.last_trick if number == TRICKS else TRICK_POINTS


def leads_lost(changes: int) -> Pair:
    """Return how often each player lost the lead, by the number of changes; elder leads first.

    >>> leads_lost(3), leads_lost(4)
    ((2, 1), (2, 2))
    """
    return (changes + 1) // 2, changes // 2


def majority_mark(tricks: Sequence[int], terms: MarkingTerms) -> tuple[int, str, int] | None:
    """Return the index, clause and points of the mark for the capot or the cards (P10, P11).

    None if the tricks are divided equally.
    """
    for index, taken in enumerate(tricks):
        if taken == TRICKS:
            return index, "P11", terms.capot
        if taken >= MAJORITY:
            return index, "P10", CARDS_POINTS
    return None


def possible_endings(
    tally: Tally,
    tricks: Pair,
    last: int,
    known: Sequence[int | None],
    terms: MarkingTerms,
    changes: int | None = None,
) -> frozenset[Tally]:
    """Return the possible tallies at the end of a hand, for all orders that fit the record.

    ``tally`` is the one before the first trick, ``tricks`` the number that each player took,
    ``last`` the player of the last trick, ``known`` the player of each trick or None if not on
    record. ``changes`` is the number of lead changes, where leading marks. Empty if no order fits.
    """
    orders = TrickOrders(last, known, terms)
    start = RemainingTricks(tricks, 0, changes)
    return (
        orders.outcomes(tally, start, majority_mark(tricks, terms))
        if orders.is_feasible(start)
        else frozenset()
    )


@lru_cache(maxsize=1 << 10)
def changes_possible(tricks: Pair, last: int, known: tuple[int | None, ...]) -> list[int]:
    """Return the possible numbers of lead changes, the fewest first; elder leads first.

    >>> changes_possible((2, 10), 1, (None,) * 12)
    [1, 3, 5]
    """
    possible: dict[tuple[Pair, int], frozenset[int]] = {((0, 0), last): frozenset([0])}

    def changes(left: Pair, leader: int) -> frozenset[int]:
        """Return the possible numbers of lead changes in the remaining tricks."""
        if (left, leader) not in possible:
            took = known[-sum(left)] if any(left) else None
            possible[left, leader] = frozenset(
                n + (index != leader)
                for index in (0, 1)
                if left[index] and took in (None, index)
                for n in changes(add_to_pair(left, index, -1), index)
            )
        return possible[left, leader]

    return sorted(changes(tricks, 0))


class RemainingTricks(NamedTuple):
    """The tricks still to come: their number by player, the leader, the number of lead changes.

    Where leading marks nothing, ``changes`` is None, and ``leader`` is not updated.
    """

    left: Pair
    leader: int
    changes: int | None


MajorityMark = tuple[int, str, int] | None


class TrickOrders:
    """The orders in which counted tricks can have been taken."""

    def __init__(self, last: int, known: Sequence[int | None], terms: MarkingTerms) -> None:
        """Create the search; ``last`` and ``known`` are as in :func:`possible_endings`."""
        self.terms = terms
        self.may_take = [[index for index in (0, 1) if player in (None, index)] for player in known]
        self.may_take[-1] = [index for index in self.may_take[-1] if index == last]
        self.tallies: dict[tuple[Tally, RemainingTricks], frozenset[Tally]] = {}
        self.feasible: dict[RemainingTricks, bool] = {}

    def next_tricks(self, state: RemainingTricks) -> Iterator[tuple[int, RemainingTricks]]:
        """Yield each player who can have taken the next trick, with the state after it."""
        for index in self.may_take[-sum(state.left)]:
            left = add_to_pair(state.left, index, -1)
            if not state.left[index]:
                continue
            if state.changes is None or index == state.leader:
                yield index, RemainingTricks(left, state.leader, state.changes)
            elif state.changes:
                yield index, RemainingTricks(left, index, state.changes - 1)

    def is_feasible(self, state: RemainingTricks) -> bool:
        """Return whether the remaining tricks have an order that fits the record."""
        if not any(state.left):
            return not state.changes
        if state not in self.feasible:
            self.feasible[state] = any(
                self.is_feasible(following) for _, following in self.next_tricks(state)
            )
        return self.feasible[state]

    def outcomes(
        self, tally: Tally, state: RemainingTricks, most: MajorityMark
    ) -> frozenset[Tally]:
        """Return the possible tallies at the end.

        ``most`` is the mark for the cards or the capot, if a player has one.
        """
        key = (tally, state)
        if key not in self.tallies:
            self.tallies[key] = frozenset(self._find_outcomes(tally, state, most))
        return self.tallies[key]

    def _find_outcomes(
        self, tally: Tally, state: RemainingTricks, most: MajorityMark
    ) -> Iterator[Tally]:
        """Yield the possible tallies at the end of the remaining tricks, without the cache."""
        if tally.winner is not None or (not any(state.left) and most is None):
            yield tally
        elif not any(state.left) and most is not None:
            index, rule, points = most
            yield apply_mark(tally, index, points, rule, self.terms)[0]
        else:
            for index, following in self.next_tricks(state):
                if self.is_feasible(following):
                    after = self._after_trick(tally, state, index)
                    yield from self.outcomes(after, following, most)

    def _after_trick(self, tally: Tally, state: RemainingTricks, index: int) -> Tally:
        """Return the tally after a trick, with the mark for a lost lead to it if leading marks."""
        if state.changes is not None and index != state.leader:
            tally, _ = apply_mark(tally, state.leader, LEAD_POINTS, TRICK, self.terms)
        if tally.winner is not None:
            return tally
        points = trick_points(TRICKS + 1 - sum(state.left), self.terms)
        return apply_mark(tally, index, points, TRICK, self.terms)[0]
