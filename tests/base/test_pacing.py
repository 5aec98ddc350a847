"""Few threads wait or compute for long, and the others are not delayed."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from scorekeeper.base import pacing
from scorekeeper.base.errors import BusyError
from scorekeeper.base.pacing import STEPS_PER_LOOK, Admission, BoundedLock, WaitLimits
from tests.refusals import refusal_of

TIMEOUT_SECONDS = 5.0


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everything that takes 10 ms take long."""
    for name in ("BRIEF_SECONDS", "MAX_SHORT_SECONDS", "PLACE_SLICE_SECONDS"):
        monkeypatch.setattr(pacing, name, 0.01)


class Holder:
    """Holds a lock in another thread until it is released with ``let_go``."""

    def __init__(self, lock: BoundedLock) -> None:
        self._go, has_it = threading.Event(), threading.Event()

        def hold() -> None:
            with lock.held():
                has_it.set()
                self._go.wait(TIMEOUT_SECONDS)

        self._thread = threading.Thread(target=hold)
        self._thread.start()
        assert has_it.wait(TIMEOUT_SECONDS)

    def let_go(self) -> None:
        self._go.set()
        self._thread.join(TIMEOUT_SECONDS)
        assert not self._thread.is_alive()


def try_lock(lock: BoundedLock) -> float | None:
    """Return the seconds after which the lock was refused; None where it was free."""
    began = time.monotonic()
    try:
        with lock.held():
            return None
    except BusyError:
        return time.monotonic() - began


def test_wait_for_a_lock_ends() -> None:
    lock = BoundedLock(WaitLimits(seconds=0.05))
    holder = Holder(lock)
    refused_after = try_lock(lock)
    holder.let_go()
    assert refused_after is not None
    assert 0.05 <= refused_after < TIMEOUT_SECONDS
    assert try_lock(lock) is None


def test_lock_that_becomes_free_in_time_is_acquired() -> None:
    lock = BoundedLock(WaitLimits(seconds=TIMEOUT_SECONDS))
    holder = Holder(lock)
    with ThreadPoolExecutor(4) as pool:
        waiting = [pool.submit(try_lock, lock) for _ in range(4)]
        time.sleep(0.03)
        holder.let_go()
        assert [job.result(TIMEOUT_SECONDS) for job in waiting] == [None] * 4


class Recorded(Admission):
    """An admission that records what it is asked for, and refuses it unless ``admits``."""

    def __init__(self, *, admits: bool = True) -> None:
        self.asked: list[str] = []
        self._admits = admits

    def before_wait(self) -> None:
        self._ask("wait")

    def before_long_work(self) -> None:
        self._ask("long work")

    def before_commit(self) -> None:
        self.asked.append("commit")

    def _ask(self, what: str) -> None:
        self.asked.append(what)
        if not self._admits:
            raise BusyError


def test_thread_needs_admission_to_wait_for_a_lock() -> None:
    admission = Recorded(admits=False)
    lock = BoundedLock(WaitLimits(admission, seconds=TIMEOUT_SECONDS))
    assert try_lock(lock) is None
    assert admission.asked == []
    holder = Holder(lock)
    refused_after = try_lock(lock)
    holder.let_go()
    assert refused_after is not None
    assert refused_after < TIMEOUT_SECONDS
    assert admission.asked == ["wait"]


def compute(seconds: float, began: Callable[[], object] = lambda: None) -> int:
    """Compute for so long; how often it was seen that another thread computed for long, too."""
    global _computing  # noqa: PLW0603
    end, together = time.monotonic() + seconds, 0
    began()
    while time.monotonic() < end:
        pacing.step(STEPS_PER_LOOK)
        if pacing._current.pace.has_place:  # type: ignore[union-attr]
            _computing += 1
            together += _computing > 1
            _computing -= 1
    return together


_computing = 0


def test_only_one_thread_at_a_time_computes_for_long() -> None:
    limits = WaitLimits(seconds=TIMEOUT_SECONDS)

    def work() -> int:
        with limits.paced():
            return compute(0.15)

    with ThreadPoolExecutor(3) as pool:
        done = [pool.submit(work) for _ in range(3)]
        assert [job.result(TIMEOUT_SECONDS) for job in done] == [0, 0, 0]
    assert limits.place.acquire(blocking=False)


def test_short_computation_does_not_wait_for_a_long_one() -> None:
    limits = WaitLimits(seconds=TIMEOUT_SECONDS)
    assert limits.place.acquire(blocking=False)
    with limits.paced():
        pacing.step(STEPS_PER_LOOK)


def test_thread_without_a_place_for_long_work_is_refused_in_time() -> None:
    limits = WaitLimits(seconds=0.02)
    assert limits.place.acquire(blocking=False)
    with pytest.raises(BusyError), limits.paced():
        compute(TIMEOUT_SECONDS)
    assert pacing._current.pace is None


def test_thread_needs_admission_to_compute_for_long() -> None:
    admission = Recorded(admits=False)
    limits = WaitLimits(admission)
    with pytest.raises(BusyError), limits.paced():
        pacing.expect(pacing.LONG_STEPS)
    assert admission.asked == ["long work"]
    with pytest.raises(BusyError), limits.paced():
        compute(TIMEOUT_SECONDS)
    assert admission.asked == ["long work"] * 2
    assert limits.place.acquire(blocking=False)


def test_time_in_which_a_thread_waits_does_not_count_as_computing() -> None:
    limits = WaitLimits(seconds=0.02)
    assert limits.place.acquire(blocking=False)
    with limits.paced():
        time.sleep(0.05)
        pacing.step(STEPS_PER_LOOK)


def test_thread_that_commits_releases_the_place() -> None:
    admission = Recorded()
    limits = WaitLimits(admission)
    with limits.paced():
        pacing.expect(pacing.LONG_STEPS)
        limits.before_commit()
        assert limits.place.acquire(blocking=False)
    assert admission.asked == ["long work", "commit"]


def test_computing_of_all_blocks_within_another_counts_together() -> None:
    admission = Recorded()
    limits = WaitLimits(admission)
    with limits.paced():
        end = time.thread_time() + 0.03
        while time.thread_time() < end:
            with limits.paced():
                compute(0.002)
        assert limits.place.acquire(blocking=False)  # each block releases it at its end
    assert admission.asked


def test_thread_that_has_committed_computes_on_without_the_place() -> None:
    limits = WaitLimits(seconds=0.01)
    with limits.paced():
        limits.before_commit()
        assert limits.place.acquire(blocking=False)
        compute(0.05)
        assert not limits.place.acquire(blocking=False)


@pytest.mark.parametrize("steps", [0, pacing.LONG_STEPS - 1])
def test_few_expected_steps_do_not_wait(steps: int) -> None:
    limits = WaitLimits(seconds=TIMEOUT_SECONDS)
    assert limits.place.acquire(blocking=False)
    with limits.paced():
        pacing.expect(steps)
    pacing.expect(pacing.LONG_STEPS)  # nothing is limited here


def test_continuable_work_stops_in_time_and_releases_the_place() -> None:
    limits = WaitLimits()
    with pytest.raises(BusyError), limits.paced(), pacing.at_most(0.05):
        compute(TIMEOUT_SECONDS)
    assert limits.place.acquire(blocking=False)


def test_thread_that_waits_for_a_lock_releases_the_place() -> None:
    admission = Recorded()
    limits = WaitLimits(admission, seconds=TIMEOUT_SECONDS)
    lock = BoundedLock(limits)
    holder = Holder(lock)

    def work() -> None:
        with limits.paced():
            compute(0.03)
            with lock.held():
                compute(0.03)

    with ThreadPoolExecutor(1) as pool:
        waits = pool.submit(work)
        free = limits.place.acquire(timeout=TIMEOUT_SECONDS)
        while not free or not admission.asked:
            time.sleep(0.005)
        limits.place.release()
        holder.let_go()
        waits.result(TIMEOUT_SECONDS)
    assert free


def test_without_limits_nothing_is_counted() -> None:
    assert refusal_of(pacing.step, 10**9) == ""
    pacing.leave_place()
    with pacing.at_most(0):
        assert refusal_of(pacing.step, 10**9) == ""
