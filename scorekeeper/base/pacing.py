"""Limits on threads that wait or compute for long, so that short requests are not delayed.

The threads of a process share one interpreter: each thread that computes slows all others down, and
each one that waits is missing for other requests. So only one thread at a time computes for longer
than ``MAX_SHORT_SECONDS`` (it holds the *place*), and passes the place on after a slice of time.
Before a thread waits for another one, or for the place, it needs the leave of an `Admission`, which
admits few of them.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from scorekeeper.base.errors import BusyError

MAX_WAIT_SECONDS: Final = 2.0  # of a thread, for a lock or for the place
BRIEF_SECONDS: Final = 0.05  # of holding or awaiting a lock; longer is long
MAX_SHORT_SECONDS: Final = 0.1  # of the processor, for which any thread may compute
PLACE_SLICE_SECONDS: Final = 0.1  # of long work, after which another thread has the place
HANDOVER_PAUSE_SECONDS: Final = 0.0005  # that let a waiting thread take the place
STEPS_PER_LOOK: Final = 32  # between two looks at the clock; a step takes some 50 microseconds
STEPS_PER_HAND: Final = 20  # of its audit, or its part of a report
LONG_STEPS: Final = 300  # that certainly take long while other threads compute, too

BUSY: Final = "others are being worked for, and there is no room for more just now"


class Admission:
    """Admits threads that are going to wait or compute for long: this one admits all of them.

    Another one may raise `BusyError`.
    """

    def before_wait(self) -> None:
        """Admit this thread, which is going to wait for another one."""

    def before_long_work(self) -> None:
        """Admit this thread, which is going to compute for long."""

    def before_commit(self) -> None:
        """Note that this thread is going to store events; raises nothing."""


class WaitLimits:
    """Limits on the threads of a process that wait or compute for long.

    ``admission`` admits them. None waits for a lock, or for the place, longer than ``seconds``.
    """

    def __init__(
        self, admission: Admission | None = None, seconds: float = MAX_WAIT_SECONDS
    ) -> None:
        self.seconds = seconds
        self.admission = admission or Admission()
        self.place = threading.Semaphore(1)  # for the thread that computes for long

    def before_commit(self) -> None:
        """Release what others need before this thread waits for the disk.

        From now on this thread computes without the place where that is not free in time.
        """
        self.admission.before_commit()
        if _current.pace is not None:
            _current.pace.commit()

    @contextmanager
    def paced(self) -> Iterator[None]:
        """Count the computing of this thread within the block, by its calls of `step`.

        If it takes long, `step` waits for the place for long work, which is released after the
        block. Within another such block the time since the outer one began counts.
        """
        outer = _current.pace
        pace = _current.pace = outer or Pace(self)
        had_place = pace.has_place
        try:
            yield
        finally:
            _current.pace = outer
            if not had_place:
                pace.leave()


class BoundedLock:
    """A lock for which no thread waits for long; its holder computes ``paced``."""

    def __init__(self, limits: WaitLimits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._since = 0.0  # when it was taken

    @contextmanager
    def held(self, *, wait: bool = True) -> Iterator[None]:
        """Hold the lock within the block.

        Raises `BusyError` if it is not free in time, or not free at once if ``wait`` is false.
        """
        with self._limits.paced():
            self._acquire(wait=wait)
            self._since = time.monotonic()
            try:
                yield
            finally:
                self._lock.release()

    def _acquire(self, *, wait: bool) -> None:
        """Acquire the lock: at once, after a brief wait, or as a thread that may wait for long.

        Releases the place for long work before a long wait. Raises `BusyError` like `held`.
        """
        if self._lock.acquire(blocking=False):
            return
        if not wait:
            raise BusyError(BUSY)
        brief = self._since + BRIEF_SECONDS - time.monotonic()
        if brief > 0 and self._lock.acquire(timeout=brief):
            return
        leave_place()
        self._limits.admission.before_wait()
        if not self._lock.acquire(timeout=self._limits.seconds):
            raise BusyError(BUSY)


class Pace:
    """The computing time of one thread, and whether it holds the place for long work.

    After ``end``, a time of the monotonic clock, the thread has to stop.
    """

    __slots__ = ("_has_committed", "_limits", "_slice_end", "_steps", "_until", "end", "has_place")

    def __init__(self, limits: WaitLimits) -> None:
        self._limits = limits
        self._steps = 0
        self._until = time.thread_time() + MAX_SHORT_SECONDS  # of the processor, until it is long
        self._slice_end = 0.0  # by the monotonic clock, while it has the place
        self.has_place = False
        self._has_committed = False  # an error now would hide that events were stored
        self.end: float | None = None  # when the thread has to stop

    def step(self, steps: int) -> None:
        """Count steps; wait for the place if the thread has computed for long.

        Raises `BusyError` if the place is not free in time, or the thread has passed its ``end``.
        """
        self._steps += steps
        if self._steps < STEPS_PER_LOOK:
            return
        self._steps = 0
        now = time.monotonic()
        if now < self._slice_end if self.has_place else time.thread_time() < self._until:
            return
        if self.end is not None and now > self.end:
            raise BusyError("it takes longer than one request may")
        if self.has_place:
            self.leave()
            time.sleep(HANDOVER_PAUSE_SECONDS)
        self.take_place()

    def take_place(self) -> None:
        """Wait for the place for long work, unless the thread holds it.

        Raises `BusyError` if the thread is not admitted, or the place is not free in time; after
        a commit it computes on without the place.
        """
        if self.has_place:
            return
        self._limits.admission.before_long_work()
        if not self._limits.place.acquire(timeout=self._limits.seconds):
            if not self._has_committed:
                raise BusyError(BUSY)
            self._until = time.thread_time() + MAX_SHORT_SECONDS
            return
        self.has_place = True
        self._slice_end = time.monotonic() + PLACE_SLICE_SECONDS

    def commit(self) -> None:
        """Release the place before events are stored; from now on no `BusyError` is for it."""
        self._has_committed = True
        self.leave()

    def leave(self) -> None:
        """Release the place for long work, if this thread holds it."""
        if self.has_place:
            self.has_place = False
            self._limits.place.release()


class _ThreadPace(threading.local):
    pace: Pace | None = None


_current: Final = _ThreadPace()


def step(steps: int = 1) -> None:
    """Count steps of this thread's computation; after a long one, wait for the place for long work.

    Does nothing outside of a limited computation. Raises `BusyError` if the wait or the computation
    takes too long.
    """
    pace = _current.pace
    if pace is not None:
        pace.step(steps)


def expect(steps: int) -> None:
    """Wait for the place for long work if so many steps are going to take long.

    A crowd of threads would otherwise compute first, all at once. Does nothing outside of
    a limited computation. Raises `BusyError` like `step`.
    """
    pace = _current.pace
    if pace is not None and steps >= LONG_STEPS:
        pace.take_place()


def leave_place() -> None:
    """Release the place for long work, if this thread holds it, before the thread waits."""
    pace = _current.pace
    if pace is not None:
        pace.leave()


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Within the block, let `step` raise `BusyError` once ``seconds`` have passed.

    Does nothing outside of a limited computation.
    """
    pace = _current.pace
    if pace is None:
        yield
        return
    before, pace.end = pace.end, time.monotonic() + seconds
    try:
        yield
    finally:
        pace.end = before
