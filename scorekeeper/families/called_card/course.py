"""Pending doublings: the state that a match with a called card keeps between hands.

An abandoned or drawn hand can double the payments of the next scored hand. Each such hand
doubles them once more, until a hand is scored. A hand without a result on record scores nothing
and uses up no doubling; until it has a result, the doubling of later hands is not certain.
"""

from typing import Final, NamedTuple

from scorekeeper.base.json_object import JsonObject
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


def waiting_doublings(standing: Standing | None) -> Waiting:
    """Return the doublings that wait for the next hand, from the standing before it."""
    return standing.extra if standing is not None and standing.extra else NOTHING


def course(ends: Ends) -> Course:
    """Return the course of a match that adds up hands, some of which double the next.

    ``ends`` returns whether a standing ends the match.
    """
    plain = points_course(ends)

    def add(
        standing: Standing,
        result: Result,
        options: JsonObject,
        before: tuple[Penalty, ...],
        after: tuple[Penalty, ...],
    ) -> Standing:
        """Return the standing after a hand, with the doublings that now wait in ``extra``."""
        stands = plain.add(standing, result, options, before, after)
        if not options["next_double"]:
            return stands
        return stands._replace(
            extra=_doublings_after(waiting_doublings(standing), result, options["next_double"])
        )

    return Course(plain.start, plain.penalize, add)


def _doublings_after(waits: Waiting, result: Result, doubles: list[str]) -> Waiting:
    """Return the doublings that wait after a hand; ``doubles`` are the kinds of hand that double.

    A complete hand uses them up. A hand without a result makes the following ones unsure.
    """
    marks: Doubling | None = result.marks
    if marks is not None:
        several = (*waits.doublings, marks) if marks.kind in doubles else waits.doublings
        return waits._replace(doublings=several[:MAX_DOUBLINGS])
    if result.complete:
        return NOTHING
    return waits if result.abandoned else waits._replace(unsure=True)
