"""Limits on threads that wait or compute for long, so that short requests go on beside them.

The threads of a process share one interpreter: each one that computes slows all others down, and
each one that waits is missing for other requests. So one thread at a time computes for longer than
``SHORT``; few threads wait, for a session or for that one place, and none waits for long. All
others are refused at once, and their clients told when to ask again.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Final

from scorekeeper.base.errors import BusyError

MOST_WAITING: Final = 8  # threads that wait for long, of a process
LONGEST_WAIT: Final = 2.0  # seconds for which one of them waits
FIRST: Final = 3  # threads at a lock that have places of their own
BRIEF: Final = 0.05  # seconds after which a lock is held, or waited for, for long
SHORT: Final = 0.1  # seconds for which any thread may compute
SLICE: Final = 0.25  # seconds of long work after which another thread has the place
PAUSE: Final = 0.0005  # seconds that let a thread begin that waits for the place
STEPS: Final = 32  # between two looks at the clock; a step takes some 20 microseconds

BUSY: Final = "others are being worked for, and there is no room for more just now"


def nothing() -> None:
    """Do nothing before a wait."""


class WaitLimits:
    """How many threads of a process wait for long, and for how many ``seconds``.

    Threads that wait for the same lock have all places but one. As many places again are
    kept for the first three threads at each lock, so that a crowd at one turns nobody away from
    another. ``before_wait`` is called in each thread before it waits, so that it lets go of what
    others need.
    """

    def __init__(
        self,
        most: int = MOST_WAITING,
        seconds: float = LONGEST_WAIT,
        before_wait: Callable[[], None] = nothing,
    ) -> None:
        self.seconds = seconds
        self._most = max(1, most)
        self._most_for_one = max(1, most - 1)
        self.before_wait = before_wait
        self._lock = threading.Lock()
        self._waiting: Counter[Hashable] = Counter()
        self.place = threading.Semaphore(1)  # for the thread that computes for long

    @contextmanager
    def waiting(self, awaited: Hashable) -> Iterator[None]:
        """Count this thread among those that wait.

        Raises `BusyError` if there are too many.
        """
        self.before_wait()
        with self._lock:
            before = self._waiting[awaited]
            most = 2 * self._most if before < FIRST else self._most
            if self._waiting.total() >= most or before >= self._most_for_one:
                raise BusyError(BUSY)
            self._waiting[awaited] += 1
        try:
            yield
        finally:
            with self._lock:
                self._waiting[awaited] -= 1
                self._waiting += Counter()  # drops what nobody waits for

    @contextmanager
    def paced(self) -> Iterator[None]:
        """Let this thread compute, and wait for the place once that takes long.

        Raises `BusyError`.
        """
        if _here.pace is not None:
            yield
            return
        pace = _here.pace = Pace(self)
        try:
            yield
        finally:
            _here.pace = None
            pace.leave()


class BoundedLock:
    """A lock for which few threads wait, and none for long; who holds it computes ``paced``."""

    def __init__(self, limits: WaitLimits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._since = 0.0  # when it was taken

    @contextmanager
    def held(self, *, wait: bool = True) -> Iterator[None]:
        """Hold the lock.

        Raises `BusyError` if it is not free in time, or not free where none may ``wait``.
        """
        outer = _here.pace
        pace = _here.pace = outer or Pace(self._limits)
        try:
            self._acquire(wait=wait)
            self._since = time.monotonic()
            try:
                yield
            finally:
                self._lock.release()
        finally:
            _here.pace = outer
            if outer is None:
                pace.leave()

    def _acquire(self, *, wait: bool) -> None:
        if self._lock.acquire(blocking=False):
            return
        if not wait:
            raise BusyError(BUSY)
        brief = self._since + BRIEF - time.monotonic()
        if brief > 0 and self._lock.acquire(timeout=brief):
            return
        leave_place()
        with self._limits.waiting(self):
            if not self._lock.acquire(timeout=self._limits.seconds):
                raise BusyError(BUSY)


class Pace:
    """How long one thread has computed, and whether it has the place for long work."""

    __slots__ = ("_has_place", "_limits", "_steps", "_until", "end")

    def __init__(self, limits: WaitLimits) -> None:
        self._limits = limits
        self._steps = 0
        self._until = time.monotonic() + SHORT
        self._has_place = False
        self.end: float | None = None  # when the thread has to stop

    def step(self, steps: int) -> None:
        """Count steps; wait for the place where the thread has computed for long."""
        self._steps += steps
        if self._steps < STEPS:
            return
        self._steps = 0
        now = time.monotonic()
        if now < self._until:
            return
        if self.end is not None and now > self.end:
            raise BusyError("it takes longer than one request may")
        if self._has_place:
            self.leave()
            time.sleep(PAUSE)
        if not self._limits.place.acquire(blocking=False):
            with self._limits.waiting(self._limits):
                if not self._limits.place.acquire(timeout=self._limits.seconds):
                    raise BusyError(BUSY)
        self._has_place = True
        self._until = time.monotonic() + SLICE

    def leave(self) -> None:
        """Let another thread have the place."""
        if self._has_place:
            self._has_place = False
            self._limits.place.release()


class _Here(threading.local):
    pace: Pace | None = None


_here: Final = _Here()


def step(steps: int = 1) -> None:
    """Count steps of what this thread computes.

    Raises `BusyError` if it takes too long.
    """
    pace = _here.pace
    if pace is not None:
        pace.step(steps)


def leave_place() -> None:
    """Let another thread compute for long while this one waits."""
    pace = _here.pace
    if pace is not None:
        pace.leave()


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Stop with Busy after this many seconds; for work that can be continued later."""
    pace = _here.pace
    if pace is None:
        yield
        return
    before, pace.end = pace.end, time.monotonic() + seconds
    try:
        yield
    finally:
        pace.end = before
