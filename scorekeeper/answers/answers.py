"""Computation of long answers: once for equal requests, with a limit on how many may wait.

A request waits for its answer in a thread of the server. So few requests may wait at the same
time, and at most half of them for one session or from one address; any more are refused with
`BusyError`. A computation that no request waits for any more is cancelled at once.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from scorekeeper.answers.helper import POLL_SECONDS, Helper, NotNeededError
from scorekeeper.answers.helper_process import Job
from scorekeeper.base.errors import BusyError
from scorekeeper.service.shared import SharedCache

AnswerWork = Callable[..., bytes]
ArgumentsFactory = Callable[[], tuple[Any, ...]]


def assume_connected() -> bool:
    """Assume that the client is still connected."""
    return False


class Answers:
    """Computes answers in a helper, each within ``seconds`` and ``memory`` bytes.

    At most ``max_waiting`` requests wait at the same time. Recent answers are kept in ``shared``.
    """

    def __init__(
        self,
        helper: Helper,
        seconds: float,
        memory: int,
        max_waiting: int,
        shared: SharedCache | None = None,
    ) -> None:
        self._helper = helper
        self.seconds = seconds
        self._memory = memory
        self._max_waiting = max(2, max_waiting)
        self._lock = threading.Lock()
        self._waiting: Counter[str] = Counter()  # requests by requester
        self._pending: dict[Hashable, PendingAnswer] = {}
        self._shared = shared or SharedCache()

    def compute(
        self,
        requester: str,
        key: Hashable,
        work: AnswerWork,
        make_arguments: ArgumentsFactory,
        is_gone: Callable[[], bool] = assume_connected,
    ) -> bytes:
        """Return the result of ``work``, and share it with requests for the same ``key``.

        ``key`` names everything that the answer depends on. ``requester`` is the session or
        address whose share of the waiting requests this one counts against. ``make_arguments`` is
        called when the helper is free. ``is_gone`` returns whether the client has disconnected.

        Raises whatever the work raises; `OverBudgetError` if it exceeds its budget; `BusyError` if
        too many requests wait, if the helper is not free in time, or if the client has gone.
        """
        cached: bytes | None = self._shared.get(key)
        if cached is not None:
            return cached
        try:
            with self._counted_as_waiting(requester):
                return self._await(key, work, make_arguments, is_gone)
        except NotNeededError:
            raise BusyError("the client no longer waits for it") from None

    def _await(
        self,
        key: Hashable,
        work: AnswerWork,
        make_arguments: ArgumentsFactory,
        is_gone: Callable[[], bool],
    ) -> bytes:
        """Return the answer for a key. The first request computes it, the others wait for it."""
        with self._lock:
            pending = self._pending.get(key)
            is_first = pending is None
            if pending is None:
                pending = self._pending[key] = PendingAnswer()
            pending.waiters += 1
        if is_first:
            self._compute_for_all(key, pending, work, make_arguments, is_gone)
        else:
            try:
                pending.wait(is_gone)
            finally:
                with self._lock:
                    pending.waiters -= 1
        return pending.result()

    @contextmanager
    def _counted_as_waiting(self, requester: str) -> Iterator[None]:
        """Count the request as waiting while the context lasts.

        Raises `BusyError` if the limit for all requests or for this requester is reached.
        """
        with self._lock:
            share = (self._max_waiting + 1) // 2
            if self._waiting.total() >= self._max_waiting or self._waiting[requester] >= share:
                raise BusyError("too many requests are waiting for a computation: try again")
            self._waiting[requester] += 1
        try:
            yield
        finally:
            with self._lock:
                self._waiting[requester] -= 1
                self._waiting += Counter()  # drops requesters at zero

    def _compute_for_all(
        self,
        key: Hashable,
        pending: "PendingAnswer",
        work: AnswerWork,
        make_arguments: ArgumentsFactory,
        is_gone: Callable[[], bool],
    ) -> None:
        """Compute the answer for all waiting requests, even if the first client disconnects."""
        try:
            pending.answer = self._run(work, make_arguments, pending.needed_unless(is_gone))
        except BaseException as error:  # noqa: BLE001  # raised in each waiting request
            pending.failure = error
        finally:
            if pending.answer is not None:
                self._shared.put(key, pending.answer)
            with self._lock:
                del self._pending[key]
            pending.done.set()

    def _run(
        self, work: AnswerWork, make_arguments: ArgumentsFactory, is_needed: Callable[[], bool]
    ) -> bytes:
        """Acquire the helper within the time limit, and return the result of the job.

        Raises `BusyError` if the helper is not free in time, and `NotNeededError` once no request
        waits.
        """
        end = time.monotonic() + self.seconds
        while not self._helper.acquire(POLL_SECONDS):
            if not is_needed():
                raise NotNeededError
            if time.monotonic() > end:
                raise BusyError("other requests were computed first, and the time to wait is over")
        try:
            job = Job(work, make_arguments(), self.seconds, self._memory)
            return self._helper.run(job, is_needed)
        finally:
            self._helper.release()


class PendingAnswer:
    """An answer that is being computed, and the number of requests that wait for it."""

    def __init__(self) -> None:
        self.waiters = 0
        self.done = threading.Event()
        self.answer: bytes | None = None
        self.failure: BaseException | None = None

    def needed_unless(self, first_is_gone: Callable[[], bool]) -> Callable[[], bool]:
        """Return a predicate whether the answer is still needed.

        It is if another request waits, or the first client is still connected.
        """
        return lambda: self.waiters > 1 or not first_is_gone()

    def wait(self, is_gone: Callable[[], bool]) -> None:
        """Wait for the answer. Raises `NotNeededError` once the client is gone."""
        while not self.done.wait(POLL_SECONDS):
            if is_gone():
                raise NotNeededError

    def result(self) -> bytes:
        """Return the answer, or raise the error that its computation raised.

        Raises `NotNeededError` if it was not computed, because no client waited for it.
        """
        if self.answer is None:
            raise self.failure or NotNeededError
        return self.answer
