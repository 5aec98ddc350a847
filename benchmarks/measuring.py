"""Timing of work, and the printing of figures."""

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from scorekeeper.base.collector import GC_THRESHOLDS

RUNS: Final = 5


def median_seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """Return the median seconds of ``work``, after one run that is not counted."""
    work()
    return statistics.median(seconds(work) for _ in range(runs))


def seconds(work: Callable[[], object]) -> float:
    """Return the seconds of one run."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


class Spent(NamedTuple):
    """The duration of a run in seconds: by the clock, and of the processor."""

    clock: float
    processor: float


def spent(work: Callable[[], object]) -> Spent:
    """Run ``work`` once and return its duration."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return Spent(time.perf_counter() - clock, time.process_time() - processor)


def busy_seconds(work: Callable[[], object]) -> float:
    """Return the processor seconds of one run, without waiting for the disk."""
    return spent(work).processor


def ratio(ours: Sequence[Spent], theirs: Sequence[Spent]) -> Spent:
    """Return the runs of ours per run of theirs, by the clock and by the processor."""
    sums = zip(zip(*ours, strict=True), zip(*theirs, strict=True), strict=True)
    return Spent(*(sum(others) / sum(own) for own, others in sums))


def median_ratio(ratios: Sequence[Spent]) -> Spent:
    """Return the median of ratios, by the clock and by the processor."""
    return Spent(*map(statistics.median, zip(*ratios, strict=True)))


def seconds_after_collection(work: Callable[[], object]) -> float:
    """Return the seconds of one run after a garbage collection."""
    gc.collect()
    return seconds(work)


@contextmanager
def collected_as_served() -> Iterator[None]:
    """Collect garbage as seldom as a server does."""
    before = gc.get_threshold()
    gc.set_threshold(*GC_THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def interleaved(first: Callable[[], object], second: Callable[[], object]) -> tuple[float, float]:
    """Return the median seconds of two kinds of work, run in turn.

    Garbage is collected before each run.
    """
    first()
    second()
    pairs = [
        (seconds_after_collection(first), seconds_after_collection(second)) for _ in range(RUNS)
    ]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def slope(sizes: Sequence[int], times: Sequence[float]) -> float:
    """Return the exponent of growth: 1 if twice the size takes twice the time."""
    import math  # noqa: PLC0415

    logs = [(math.log(size), math.log(took)) for size, took in zip(sizes, times, strict=True)]
    fit = statistics.linear_regression([x for x, _ in logs], [y for _, y in logs])
    return fit.slope


def print_row(what: str, figure: str, bar: str, *, met: bool) -> bool:
    """Print a figure beside its bar; return whether the bar is met."""
    print(f"{'ok  ' if met else 'MISS'}  {what:<70} {figure:>16}   {bar}")
    return met
