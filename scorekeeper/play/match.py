"""A match: what hands and penalties add up to, and when it is over.

A :class:`Standing` is the score of a match at one moment. Penalties change it (G7), hands add
to it; whether it is over is asked only after a complete hand.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scorekeeper.play.scoring import Result, add_up


class Standing(NamedTuple):
    """The score of a match: its totals by side, the complete hands, and whether it is over.

    ``extra`` is for games whose match has an inner life of its own, such as Picchetto's games.
    """

    totals: Mapping[str, int]
    hands: int = 0
    over: bool = False
    extra: Any = None


class Penalty(NamedTuple):
    """A penalty with its place in the record."""

    seq: int
    side: str
    points: int


@dataclass(frozen=True)
class Course:
    """How a game's matches run.

    ``start`` is the standing before the first hand; ``penalize`` after a penalty; ``add``
    after a hand, with the penalties recorded before it was complete and those after it.
    """

    start: Callable[[Iterable[str], Mapping[str, Any]], Standing]
    penalize: Callable[[Standing, Penalty], Standing]
    add: Callable[
        [Standing, Result, Mapping[str, Any], tuple[Penalty, ...], tuple[Penalty, ...]], Standing
    ]


def begin(sides: Iterable[str], options: Mapping[str, Any]) -> Standing:
    """Nothing to anybody."""
    return Standing(dict.fromkeys(sides, 0))


def penalize(standing: Standing, penalty: Penalty) -> Standing:
    """The score of one side changes, and nothing else (G7)."""
    return standing._replace(totals=_plus(standing.totals, {penalty.side: penalty.points}))


def _plus(totals: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    return {side: points + more.get(side, 0) for side, points in totals.items()}


Ends = Callable[[Standing, Mapping[str, Any]], bool]
Credits = Callable[[Result, Mapping[str, int], Mapping[str, Any]], Mapping[str, int]]


def points_course(ends: Ends, credit: Credits = lambda result, scores, options: scores) -> Course:
    """A match in which the scores of the hands are added until ``ends`` says that it is over.

    ``credit`` says what a hand is worth in the match, where that is not its points.
    """

    def add(
        standing: Standing,
        result: Result,
        options: Mapping[str, Any],
        before: tuple[Penalty, ...],
        after: tuple[Penalty, ...],
    ) -> Standing:
        for penalty in before:
            standing = penalize(standing, penalty)
        if result.complete and not standing.over:
            scores = add_up(result.lines, standing.totals)
            totals = _plus(standing.totals, credit(result, scores, options))
            standing = standing._replace(totals=totals, hands=standing.hands + 1)
            standing = standing._replace(over=ends(standing, options))
        for penalty in after:
            standing = penalize(standing, penalty)
        return standing

    return Course(begin, penalize, add)


def leaders(totals: Mapping[str, int]) -> list[str]:
    """All sides with the highest total."""
    best = max(totals.values(), default=0)
    return [side for side, total in totals.items() if total == best]


class Goal(NamedTuple):
    """What a match is played to: ``points``, ``wins`` of hands, or ``hands`` in all.

    A figure below 0 is that of points lost, in games in which the fewest win.
    """

    counts: str
    figure: int

    def reached(self, standing: Standing) -> bool:
        """Whether a match is over by it: a target by one side that is alone in front.

        Where points are lost, it is over once any side has lost as many.
        """
        if self.counts == "hands":
            return standing.hands >= self.figure
        if self.figure < 0:
            return min(standing.totals.values()) <= self.figure
        first = leaders(standing.totals)
        return standing.totals[first[0]] >= self.figure and len(first) == 1


Goals = Callable[[Mapping[str, Any]], Goal | None]


def goal_of(option: str, *, lost: bool = False) -> Goals:
    """The goal that an option sets: ``open``, ``{"hands": N}``, ``{"wins": N}``, a target.

    ``lost``: the target is of points lost, which are scored below 0.
    """

    def goal(options: Mapping[str, Any]) -> Goal | None:
        end = options[option]
        if end == "open":
            return None
        [(name, figure)] = end.items()
        if name in ("hands", "wins"):
            return Goal(name, figure)
        return Goal("points", -figure if lost else figure)

    return goal


def ends_at(option: str, *, lost: bool = False) -> Ends:
    """The end of a match by the goal that an option sets; ``lost`` as in :func:`goal_of`."""

    def ends(standing: Standing, options: Mapping[str, Any]) -> bool:
        goal = goal_of(option, lost=lost)(options)
        return goal is not None and goal.reached(standing)

    return ends
