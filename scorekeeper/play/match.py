"""A match: the sum of hands and penalties, and the test for its end.

A :class:`Standing` is the score of a match at one moment. Penalties change it (G7), hands add
to it. Only a complete hand can end a match.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import ExactPoints
from scorekeeper.play.scoring import Result, add_up


class Standing(NamedTuple):
    """The score of a match: its totals by side, the complete hands, and whether it is over.

    ``extra`` is for games whose match has more state, such as the games of a Picchetto match.
    """

    totals: Mapping[str, ExactPoints]
    hands: int = 0
    over: bool = False
    extra: Any = None


class Penalty(NamedTuple):
    """A penalty with its place in the record."""

    seq: int
    side: str
    points: ExactPoints


@dataclass(frozen=True)
class Course:
    """The functions that compute the standing of a game's matches.

    ``start`` returns the standing before the first hand, ``penalize`` after a penalty, ``add``
    after a hand, with the penalties recorded before it was complete and those after it.
    """

    start: Callable[[Iterable[str], JsonObject], Standing]
    penalize: Callable[[Standing, Penalty], Standing]
    add: Callable[
        [Standing, Result, JsonObject, tuple[Penalty, ...], tuple[Penalty, ...]], Standing
    ]


def begin(sides: Iterable[str], options: JsonObject) -> Standing:
    """Return the standing before the first hand: 0 points for every side."""
    return Standing(dict.fromkeys(sides, 0))


def penalize(standing: Standing, penalty: Penalty) -> Standing:
    """Return the standing after a penalty, which changes the total of one side only (G7)."""
    return standing._replace(totals=_add_points(standing.totals, {penalty.side: penalty.points}))


def _add_points(
    totals: Mapping[str, ExactPoints], more: Mapping[str, ExactPoints]
) -> dict[str, ExactPoints]:
    """Return the totals with the points of ``more`` added; a side that it lacks stays as it is."""
    return {side: points + more.get(side, 0) for side, points in totals.items()}


Ends = Callable[[Standing, JsonObject], bool]
Credits = Callable[[Result, Mapping[str, ExactPoints], JsonObject], Mapping[str, ExactPoints]]


def points_course(ends: Ends, credit: Credits = lambda result, scores, options: scores) -> Course:
    """Return the course of a match that adds the scores of hands until ``ends`` is true.

    ``credit`` returns what a hand is worth in the match, where that is not its points.
    """

    def add(
        standing: Standing,
        result: Result,
        options: JsonObject,
        before: tuple[Penalty, ...],
        after: tuple[Penalty, ...],
    ) -> Standing:
        """Return the standing after a hand: its penalties, its points, whether the match is over.

        A hand counts only if it is complete and the match was not over before.
        """
        for penalty in before:
            standing = penalize(standing, penalty)
        if result.complete and not standing.over:
            scores = add_up(result.lines, standing.totals)
            totals = _add_points(standing.totals, credit(result, scores, options))
            standing = standing._replace(totals=totals, hands=standing.hands + 1)
            standing = standing._replace(over=ends(standing, options))
        for penalty in after:
            standing = penalize(standing, penalty)
        return standing

    return Course(begin, penalize, add)


def leaders(totals: Mapping[str, ExactPoints]) -> list[str]:
    """Return all sides with the highest total."""
    best = max(totals.values(), default=0)
    return [side for side, total in totals.items() if total == best]


class Goal(NamedTuple):
    """The end of a match: a number of ``points``, of ``wins`` of hands, or of ``hands`` in all.

    A figure below 0 counts points lost, in games in which the fewest win.
    """

    counts: str
    figure: int

    def reached(self, standing: Standing) -> bool:
        """Return whether a match is over: a single leading side has reached the figure.

        Where points are lost, the match is over when any side has lost as many.
        """
        if self.counts == "hands":
            return standing.hands >= self.figure
        if self.figure < 0:
            return min(standing.totals.values()) <= self.figure
        first = leaders(standing.totals)
        return standing.totals[first[0]] >= self.figure and len(first) == 1


Goals = Callable[[JsonObject], Goal | None]


def goal_of(option: str, *, lost: bool = False) -> Goals:
    """Return a function that reads the goal of a match from its options.

    ``option`` is the name of the option; its value is ``open``, ``{"hands": N}``, ``{"wins": N}``
    or a target of points. ``lost``: the target counts points lost, which are scored below 0.
    """

    def goal(options: JsonObject) -> Goal | None:
        """Return the goal that the options of a match set; None if it is open."""
        end = options[option]
        if end == "open":
            return None
        [(name, figure)] = end.items()
        if name in ("hands", "wins"):
            return Goal(name, figure)
        return Goal("points", -figure if lost else figure)

    return goal


def ends_at(option: str, *, lost: bool = False) -> Ends:
    """Return a function that tests whether a match is over, by the goal in ``option``.

    ``lost`` is as in :func:`goal_of`.
    """

    def ends(standing: Standing, options: JsonObject) -> bool:
        """Return whether the standing has reached the goal; false for an open match."""
        goal = goal_of(option, lost=lost)(options)
        return goal is not None and goal.reached(standing)

    return ends
