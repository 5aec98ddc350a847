"""Counts of points or tricks at the end of a hand; one side may be left out of a count."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from scorekeeper.base.errors import Cause, UnusableError, expected
from scorekeeper.base.parts import format_parts


class Count(NamedTuple):
    """A recorded count, completed for the side that was left out.

    ``sound`` is whether it makes the fixed total.
    """

    seq: int
    points: Mapping[str, int]
    tricks: Mapping[str, int] | None
    sound: bool


def complete_count(
    counted: Mapping[str, int], sides: Collection[str], total: int | None
) -> dict[str, int]:
    """Return the count of each side, in the order of ``sides``.

    If one side is missing and ``total`` is known, it gets the rest. Other missing sides stay out.
    """
    missing = [side for side in sides if side not in counted]
    rest = {missing[0]: total - sum(counted.values())} if len(missing) == 1 and total else {}
    completed = {**counted, **rest}
    return {side: completed[side] for side in sides if side in completed}


def refuse_count(
    field: str,
    counted: Mapping[str, int],
    sides: Collection[str],
    total: int | None,
    parts: int = 1,
) -> None:
    """Refuse a count that leaves out too many sides, or less than nothing for the one left out.

    The count is in ``parts`` of a point. Raises `UnusableError` for the ``field`` of the event.
    """
    missing = [side for side in sides if side not in counted]
    if len(missing) > (total is not None):
        what = "all sides but one" if total is not None else "every side"
        words = f"expected a count for {what}, nothing came for {', '.join(missing)}"
        raise UnusableError(Cause(words, "count_not_whole"), field=field)
    if missing and total is not None and sum(counted.values()) > total:
        most, got = (number_fact(number, parts) for number in (total, sum(counted.values())))
        words = expected(f"at most {most} in all, so that {missing[0]} has the rest", got)
        raise UnusableError(Cause(words, "too_many_in_all", all=most, got=got), field=field)


def number_fact(number: int, parts: int) -> int | str:
    """Return a figure for a sentence: points in digits if it counts ``parts`` of a point."""
    return number if parts == 1 else format_parts(number, parts)


def sums_of(numbers: Sequence[int]) -> list[int]:
    """Return the sums that each quantity of the numbers can make, from none of them to all.

    Entry ``k`` is a bit set: bit ``s`` is 1 where some ``k`` of the numbers add up to ``s``.
    """
    sums = [1] + [0] * len(numbers)
    for place, number in enumerate(numbers):
        for quantity in range(place, -1, -1):
            sums[quantity + 1] |= sums[quantity] << number
    return sums
