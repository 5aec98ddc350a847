"""Counts at the end of a hand: what was given, and the side that was left out."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from scorekeeper.base.errors import Cause, UnusableError, expected


class Count(NamedTuple):
    """A count as given, with the side that was left out; ``sound`` where it makes the total."""

    seq: int
    points: Mapping[str, int]
    tricks: Mapping[str, int] | None
    sound: bool


def with_the_rest(
    given: Mapping[str, int], sides: Collection[str], total: int | None
) -> dict[str, int]:
    """A count with the side that was left out: it has the rest of the total."""
    missing = [side for side in sides if side not in given]
    rest = {missing[0]: total - sum(given.values())} if len(missing) == 1 and total else {}
    both = {**given, **rest}
    return {side: both[side] for side in sides if side in both}


def refuse_count(
    field: str, given: Mapping[str, int], sides: Collection[str], total: int | None
) -> None:
    """Refuse a count that leaves out too many sides, or leaves less than nothing to one."""
    missing = [side for side in sides if side not in given]
    if len(missing) > (total is not None):
        what = "all sides but one" if total is not None else "every side"
        words = f"expected a count for {what}, nothing came for {', '.join(missing)}"
        raise UnusableError(Cause(words, "count_not_whole"), field=field)
    if missing and total is not None and sum(given.values()) > total:
        got = sum(given.values())
        words = expected(f"at most {total} in all, so that {missing[0]} has the rest", got)
        raise UnusableError(Cause(words, "too_many_in_all", all=total, got=got), field=field)


def sums_of(numbers: Sequence[int]) -> list[int]:
    """The sums that some of the numbers can make, from none of them to all: a bit for each."""
    sums = [1] + [0] * len(numbers)
    for place, number in enumerate(numbers):
        for many in range(place, -1, -1):
            sums[many + 1] |= sums[many] << number
    return sums
