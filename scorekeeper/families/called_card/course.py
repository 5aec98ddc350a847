"""Pending doublings: the state that a match with a called card keeps between hands.

An abandoned or drawn hand can double the payments of the next scored hand. Each such hand
doubles them once more, until a hand is scored. A hand without a result on record scores nothing
and uses up no doubling; until it has a result, the doubling of later hands is not certain.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from scorekeeper.families.called_card.rules import MAX_DOUBLINGS
from scorekeeper.play.match import Course, Ends, Penalty, Standing, points_course
from scorekeeper.play.scoring import Result


class Doubling(NamedTuple):
    """An abandoned or drawn hand, with the events that prove it.

    Its ``kind`` is a value of the option ``next_double``, or a kind that doubles nothing.
    """

    kind: str
    events: tuple[int, ...]


class Waiting(NamedTuple):
    """The doublings that wait for the next scored hand.

    ``unsure``: a hand since the last scored one has no result on record.
    """

    doublings: tuple[Doubling, ...] = ()
    unsure: bool = False


NOTHING: Final = Waiting()


def waiting(standing: Standing | None) -> Waiting:
    """Return the doublings that wait for the next hand of a match."""
    return standing.extra if standing is not None and standing.extra else NOTHING


def course(ends: Ends) -> Course:
    """Return the course of a match that adds up hands, some of which double the next."""
    plain = points_course(ends)

    def add(
        standing: Standing,
        result: Result,
        options: Mapping[str, Any],
        before: tuple[Penalty, ...],
        after: tuple[Penalty, ...],
    ) -> Standing:
        stands = plain.add(standing, result, options, before, after)
        if not options["next_double"]:
            return stands
        return stands._replace(extra=_after(waiting(standing), result, options["next_double"]))

    return Course(plain.start, plain.penalize, add)


def _after(waits: Waiting, result: Result, doubles: list[str]) -> Waiting:
    """Return the doublings that wait after a hand."""
    marks: Doubling | None = result.marks
    if marks is not None:
        several = (*waits.doublings, marks) if marks.kind in doubles else waits.doublings
        return waits._replace(doublings=several[:MAX_DOUBLINGS])
    if result.complete:
        return NOTHING
    return waits if result.abandoned else waits._replace(unsure=True)
