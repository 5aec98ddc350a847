"""Timing, and how it is printed."""

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from scorekeeper.base.collector import SELDOM

RUNS: Final = 5


def median_seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """The median time of some work, after one run that is not counted."""
    work()
    return statistics.median(seconds(work) for _ in range(runs))


def seconds(work: Callable[[], object]) -> float:
    """The time of one run."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


class Spent(NamedTuple):
    """What a run took, in seconds: by the clock, and of the processor."""

    clock: float
    processor: float


def spent(work: Callable[[], object]) -> Spent:
    """What one run took."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return Spent(time.perf_counter() - clock, time.process_time() - processor)


def busy_seconds(work: Callable[[], object]) -> float:
    """The time of the processor in one run; the disk's is not in it."""
    return spent(work).processor


def ratio(ours: Sequence[Spent], theirs: Sequence[Spent]) -> Spent:
    """How many runs are ours while others make one: by the clock, and by the processor."""
    sums = zip(zip(*ours, strict=True), zip(*theirs, strict=True), strict=True)
    return Spent(*(sum(others) / sum(own) for own, others in sums))


def median_ratio(ratios: Sequence[Spent]) -> Spent:
    """The medians of such ratios."""
    return Spent(*map(statistics.median, zip(*ratios, strict=True)))


def anew(work: Callable[[], object]) -> float:
    """The time of one run, after what is not needed any more was collected."""
    gc.collect()
    return seconds(work)


@contextmanager
def collected_as_served() -> Iterator[None]:
    """Let garbage be collected as seldom as a server has it."""
    before = gc.get_threshold()
    gc.set_threshold(SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def interleaved(first: Callable[[], object], second: Callable[[], object]) -> tuple[float, float]:
    """The median times of two kinds of work, taken in turn.

    Each begins with nothing to be collected that others have left.
    """
    first()
    second()
    pairs = [(anew(first), anew(second)) for _ in range(RUNS)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def slope(sizes: Sequence[int], times: Sequence[float]) -> float:
    """The exponent of growth: 1 where twice the size takes twice the time."""
    import math  # noqa: PLC0415

    logs = [(math.log(size), math.log(took)) for size, took in zip(sizes, times, strict=True)]
    fit = statistics.linear_regression([x for x, _ in logs], [y for _, y in logs])
    return fit.slope


def tell(what: str, figure: str, bar: str, *, met: bool) -> bool:
    """Print one figure beside its bar; whether it was met."""
    print(f"{'ok  ' if met else 'MISS'}  {what:<70} {figure:>16}   {bar}")
    return met
