"""The marks of a hand, one after another: what falls due at each, and which one wins the game.

A :class:`Tally` is how things stand after so many marks. The two players are told apart by
their place, 0 for elder and 1 for younger, so that a tally is small and can be looked up: the
orders in which counted tricks may have fallen are followed tally by tally (:func:`endings`).
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from scorekeeper.games.picchetto.rules import (
    BONUS_FROM,
    BONUS_POINTS,
    CAPOT_POINTS,
    CARDS_POINTS,
    LAST_TRICK_POINTS,
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


class Mark(NamedTuple):
    """A mark that has no line of its own: a trick, of which a sheet has one line a player."""

    side: str
    points: int
    rule: str
    events: tuple[int, ...]


class Terms(NamedTuple):
    """What a hand is marked under; without a target every mark counts."""

    target: int | None
    white_in_repique: bool


class Tally(NamedTuple):
    """How a hand and its game stand after so many marks, elder's figures first."""

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


def trick_points(number: int) -> int:
    """What the trick of that number is worth (P9)."""
    return LAST_TRICK_POINTS if number == TRICKS else TRICK_POINTS


def for_most(tricks: Sequence[int]) -> tuple[int, str, int] | None:
    """Who marks the capot or the cards, under which clause and how much (P10, P11)."""
    for who, taken in enumerate(tricks):
        if taken == TRICKS:
            return who, "P11", CAPOT_POINTS
        if taken >= MAJORITY:
            return who, "P10", CARDS_POINTS
    return None


def endings(
    tally: Tally, tricks: Pair, last: int, known: Sequence[int | None], terms: Terms
) -> frozenset[Tally]:
    """What a hand can come to, its tricks being taken in every order that fits the record.

    ``tally`` is before the first trick; ``tricks`` are how many each took, ``last`` is who took
    the last one, and ``known`` who took each, where that is on record. Empty if no order fits.
    """
    ways = Ways(tricks, last, known)
    return ways.follow(tally, tricks, terms) if ways.fits(tricks) else frozenset()


class Ways:
    """The orders in which counted tricks can have been taken; ``left`` are those still to come."""

    def __init__(self, tricks: Pair, last: int, known: Sequence[int | None]) -> None:
        self.most = for_most(tricks)
        self.may_take = [[who for who in (0, 1) if one in (None, who)] for one in known]
        self.may_take[-1] = [who for who in self.may_take[-1] if who == last]
        self.found: dict[tuple[Tally, Pair], frozenset[Tally]] = {}
        self.fitting: dict[Pair, bool] = {(0, 0): True}

    def next_tricks(self, left: Pair) -> Iterator[tuple[int, Pair]]:
        """Who can have taken the next trick, and what is left then."""
        for who in self.may_take[-sum(left)]:
            if left[who]:
                yield who, plus(left, who, -1)

    def fits(self, left: Pair) -> bool:
        """Whether some order is left that fits the record."""
        if left not in self.fitting:
            self.fitting[left] = any(self.fits(then) for _, then in self.next_tricks(left))
        return self.fitting[left]

    def follow(self, tally: Tally, left: Pair, terms: Terms) -> frozenset[Tally]:
        """What a tally can come to."""
        key = (tally, left)
        if key not in self.found:
            self.found[key] = frozenset(self._follow(tally, left, terms))
        return self.found[key]

    def _follow(self, tally: Tally, left: Pair, terms: Terms) -> Iterator[Tally]:
        if tally.winner is not None or (not any(left) and self.most is None):
            yield tally
        elif not any(left) and self.most is not None:
            who, rule, points = self.most
            yield after(tally, who, points, rule, terms)[0]
        else:
            points = trick_points(TRICKS + 1 - sum(left))
            for who, then in self.next_tricks(left):
                if self.fits(then):
                    marked, _ = after(tally, who, points, TRICK, terms)
                    yield from self.follow(marked, then, terms)
