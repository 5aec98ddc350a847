"""The marks of a hand, one after another: what falls due at each, and which one wins the game.

A :class:`Tally` is how things stand after some marks. The two players are told apart by
their place, 0 for elder and 1 for younger, so that a tally is small and can be looked up: the
orders in which counted tricks may have fallen are followed tally by tally (:func:`endings`).
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
    """A mark that has no line of its own: a trick, of which a sheet has one line a player.

    ``low`` is whether its card marks nothing (P9); ``taken`` whether it is for a trick taken, and
    not for one that was led and lost. Not frozen, for the same reason as a play.
    """

    side: str
    points: int
    rule: str
    events: tuple[int, ...]
    low: bool
    taken: bool = True


class Terms(NamedTuple):
    """What a hand is marked under; without a target every mark counts.

    ``leads`` is whether leading marks (P9); ``last_trick`` and ``capot`` are what they are worth.
    ``nothing`` are the places of those who reckon nothing in this hand (P12).
    """

    target: int | None
    white_in_repique: bool
    leads: bool = False
    last_trick: int = 2
    capot: int = 40
    nothing: tuple[int, ...] = ()


class Tally(NamedTuple):
    """How a hand and its game stand after a given number of marks, elder's figures first."""

    scores: Pair  # of the game
    marked: Pair = (0, 0)  # in this hand
    declared: Pair = (0, 0)  # in this hand, by what counts for the repique (P13)
    bonus: tuple[str, int] | None = None  # P13 or P14 and for whom, once one has fallen due
    winner: int | None = None  # of the game


class Orders(NamedTuple):
    """What counted tricks can have come to: with every mark counting, and ended by the target."""

    whole: frozenset[Tally]
    ended: frozenset[Tally]

    def give(self, bonus: tuple[str, int]) -> bool:
        """Whether some order of the tricks gives that repique or pique."""
        return any(tally.bonus == bonus for tally in self.whole)

    def always_give(self, bonus: tuple[str, int]) -> bool:
        """Whether every order gives it."""
        return all(tally.bonus == bonus for tally in self.whole)

    def winners(self, bonus: tuple[str, int] | None) -> set[int | None]:
        """Who may have won the game; where a bonus is said to have been made, with it."""
        with_it = {tally.winner for tally in self.ended if bonus and tally.bonus == bonus}
        return with_it or {tally.winner for tally in self.ended}


def after(tally: Tally, who: int, points: int, rule: str, terms: Terms) -> tuple[Tally, str | None]:
    """The tally after a mark, and the repique or pique that fell due with it, marked as well."""
    if who in terms.nothing:
        return tally, None
    tally = _marked(tally, who, points, rule, terms)
    if tally.bonus is not None or tally.winner is not None:
        return tally, None
    bonus = _due(tally, who, rule)
    if bonus is not None:
        tally = _marked(tally, who, BONUS_POINTS[bonus], bonus, terms)._replace(bonus=(bonus, who))
    return tally, bonus


def _marked(tally: Tally, who: int, points: int, rule: str, terms: Terms) -> Tally:
    scores, marked, declared = tally.scores, tally.marked, tally.declared
    counts = rule in DECLARATIONS and (rule != WHITE or terms.white_in_repique)
    if who == 0:
        scores, marked = (scores[0] + points, scores[1]), (marked[0] + points, marked[1])
        declared = (declared[0] + points, declared[1]) if counts else declared
    else:
        scores, marked = (scores[0], scores[1] + points), (marked[0], marked[1] + points)
        declared = (declared[0], declared[1] + points) if counts else declared
    won = terms.target is not None and (scores[0] >= terms.target or scores[1] >= terms.target)
    return Tally(scores, marked, declared, tally.bonus, _winner(scores, who) if won else None)


def plus(pair: Pair, who: int, points: int) -> Pair:
    """A pair of figures with more for one player."""
    return (pair[0] + points, pair[1]) if who == 0 else (pair[0], pair[1] + points)


def _winner(scores: Pair, who: int) -> int:
    """Who has won a game after a mark; a penalty may have lifted the other before (P15)."""
    return who if scores[who] >= scores[1 - who] else 1 - who


def _due(tally: Tally, who: int, rule: str) -> str | None:
    other = 1 - who
    if rule in DECLARATIONS and tally.declared[who] >= BONUS_FROM and not tally.declared[other]:
        return REPIQUE
    if rule == TRICK and tally.marked[who] >= BONUS_FROM and not tally.marked[other]:
        return PIQUE
    return None


def trick_points(number: int, terms: Terms) -> int:
    """What the trick of that number is worth (P9)."""
    return terms.last_trick if number == TRICKS else TRICK_POINTS


def leads_lost(changes: int) -> Pair:
    """How often each has lost the lead, out of the times it changed hands: elder has it first.

    >>> leads_lost(3), leads_lost(4)
    ((2, 1), (2, 2))
    """
    return (changes + 1) // 2, changes // 2


def for_most(tricks: Sequence[int], terms: Terms) -> tuple[int, str, int] | None:
    """Who marks the capot or the cards, under which clause and how much (P10, P11)."""
    for who, taken in enumerate(tricks):
        if taken == TRICKS:
            return who, "P11", terms.capot
        if taken >= MAJORITY:
            return who, "P10", CARDS_POINTS
    return None


def endings(
    tally: Tally,
    tricks: Pair,
    last: int,
    known: Sequence[int | None],
    terms: Terms,
    changes: int | None = None,
) -> frozenset[Tally]:
    """What a hand can come to, its tricks being taken in every order that fits the record.

    ``tally`` is before the first trick; ``tricks`` are how many each took, ``last`` is who took
    the last one, and ``known`` who took each, where that is on record. ``changes`` is how often
    the lead changed hands, where leading marks. Empty if no order fits.
    """
    ways = Ways(last, known, terms)
    start = ToTake(tricks, 0, changes)
    return ways.follow(tally, start, for_most(tricks, terms)) if ways.fits(start) else frozenset()


@lru_cache(maxsize=1 << 10)
def changes_possible(tricks: Pair, last: int, known: tuple[int | None, ...]) -> list[int]:
    """How often the lead can have changed hands, the fewest first; elder has it at the start.

    >>> changes_possible((2, 10), 1, (None,) * 12)
    [1, 3, 5]
    """
    found: dict[tuple[Pair, int], frozenset[int]] = {((0, 0), last): frozenset([0])}

    def changes(left: Pair, leader: int) -> frozenset[int]:
        if (left, leader) not in found:
            took = known[-sum(left)] if any(left) else None
            found[left, leader] = frozenset(
                n + (who != leader)
                for who in (0, 1)
                if left[who] and took in (None, who)
                for n in changes(plus(left, who, -1), who)
            )
        return found[left, leader]

    return sorted(changes(tricks, 0))


class ToTake(NamedTuple):
    """The tricks still to come: how many each takes, who leads, how often the lead changes hands.

    Where leading marks nothing, ``changes`` is None, and who leads is not followed.
    """

    left: Pair
    leader: int
    changes: int | None


MostMarks = tuple[int, str, int] | None


class Ways:
    """The orders in which counted tricks can have been taken."""

    def __init__(self, last: int, known: Sequence[int | None], terms: Terms) -> None:
        self.terms = terms
        self.may_take = [[who for who in (0, 1) if one in (None, who)] for one in known]
        self.may_take[-1] = [who for who in self.may_take[-1] if who == last]
        self.found: dict[tuple[Tally, ToTake], frozenset[Tally]] = {}
        self.fitting: dict[ToTake, bool] = {}

    def next_tricks(self, at: ToTake) -> Iterator[tuple[int, ToTake]]:
        """Who can have taken the next trick, and what is left then."""
        for who in self.may_take[-sum(at.left)]:
            left = plus(at.left, who, -1)
            if not at.left[who]:
                continue
            if at.changes is None or who == at.leader:
                yield who, ToTake(left, at.leader, at.changes)
            elif at.changes:
                yield who, ToTake(left, who, at.changes - 1)

    def fits(self, at: ToTake) -> bool:
        """Whether some order is left that fits the record."""
        if not any(at.left):
            return not at.changes
        if at not in self.fitting:
            self.fitting[at] = any(self.fits(then) for _, then in self.next_tricks(at))
        return self.fitting[at]

    def follow(self, tally: Tally, at: ToTake, most: MostMarks) -> frozenset[Tally]:
        """What a tally can come to; ``most`` is who has the cards or the capot at the end."""
        key = (tally, at)
        if key not in self.found:
            self.found[key] = frozenset(self._follow(tally, at, most))
        return self.found[key]

    def _follow(self, tally: Tally, at: ToTake, most: MostMarks) -> Iterator[Tally]:
        if tally.winner is not None or (not any(at.left) and most is None):
            yield tally
        elif not any(at.left) and most is not None:
            who, rule, points = most
            yield after(tally, who, points, rule, self.terms)[0]
        else:
            for who, then in self.next_tricks(at):
                if self.fits(then):
                    yield from self.follow(self._taken(tally, at, who), then, most)

    def _taken(self, tally: Tally, at: ToTake, who: int) -> Tally:
        """The tally after a trick, and after the lead to it where that is lost and marks."""
        if at.changes is not None and who != at.leader:
            tally, _ = after(tally, at.leader, LEAD_POINTS, TRICK, self.terms)
        if tally.winner is not None:
            return tally
        points = trick_points(TRICKS + 1 - sum(at.left), self.terms)
        return after(tally, who, points, TRICK, self.terms)[0]
