"""What goes from hand to hand in a match with a called card: the doublings that wait.

An abandoned hand, or a drawn one, can double what the next one that is scored pays. Each
such hand doubles it once more, until a hand is scored. A hand whose result is not on record scores
nothing and uses nothing up; while it is open, what comes after it is not certain.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from scorekeeper.families.called_card.rules import MOST_DOUBLINGS
from scorekeeper.play.match import Course, Ends, Penalty, Standing, points_course
from scorekeeper.play.scoring import Result


class Doubling(NamedTuple):
    """A hand that doubles the next, and the events that say what became of it.

    Its ``kind`` is one of the values of the option ``next_double``, or one that doubles nothing.
    """

    kind: str
    events: tuple[int, ...]


class Waiting(NamedTuple):
    """The doublings that wait for a hand to be scored.

    ``unsure``: a hand since the last that was scored has no result on record.
    """

    doublings: tuple[Doubling, ...] = ()
    unsure: bool = False


NOTHING: Final = Waiting()


def waiting(standing: Standing | None) -> Waiting:
    """What waits for the next hand of a match that stands so."""
    return standing.extra if standing is not None and standing.extra else NOTHING


def course(ends: Ends) -> Course:
    """A match in which hands are added up, and some of them double the next."""
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
    """What waits after a hand."""
    marks: Doubling | None = result.marks
    if marks is not None:
        several = (*waits.doublings, marks) if marks.kind in doubles else waits.doublings
        return waits._replace(doublings=several[:MOST_DOUBLINGS])
    if result.complete:
        return NOTHING
    return waits if result.abandoned else waits._replace(unsure=True)
