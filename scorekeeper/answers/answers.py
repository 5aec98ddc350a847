"""Computation of long answers: once for equal requests, in turns for addresses.

A request waits for its answer in a thread of the server. So few requests may wait at the same
time; any more are refused with `BusyError`. `AnswerQueue` chooses which answers are computed next,
each in the thread of a request for it. A computation that no request waits for any more is
cancelled at once.
"""

import threading
import time
from collections.abc import Callable, Hashable, Sequence

from scorekeeper.answers.answer_queue import (
    LANES,
    AnswerQueue,
    PendingAnswer,
    Requester,
    WaitingRequest,
)
from scorekeeper.answers.helper import POLL_SECONDS, Helper, NotNeededError
from scorekeeper.answers.helper_process import Job
from scorekeeper.base.errors import BusyError
from scorekeeper.service.shared import SharedCache

AnswerWork = Callable[..., bytes]
ArgumentsFactory = Callable[[], tuple[object, ...]]


def assume_connected() -> bool:
    """Assume that the client is still connected."""
    return False


class GaveWayError(Exception):
    """A computation was interrupted, because another address needs the helper."""


class Answers:
    """Computes answers in two helpers, each answer within ``seconds`` and ``memory`` bytes.

    At most ``max_waiting`` requests wait at the same time. Recent answers are kept in ``shared``.
    """

    def __init__(
        self,
        helpers: Sequence[Helper],
        seconds: float,
        memory: int,
        max_waiting: int,
        shared: SharedCache | None = None,
    ) -> None:
        self._helpers = [helpers[lane] for lane in LANES]
        self.seconds = seconds
        self._memory = memory
        self._queue = AnswerQueue(max(2, max_waiting), seconds)
        self._changed = threading.Condition()  # whose lock guards the queue
        self._shared = shared or SharedCache()

    def compute(
        self,
        requester: Requester,
        key: Hashable,
        work: AnswerWork,
        make_arguments: ArgumentsFactory,
        is_gone: Callable[[], bool] = assume_connected,
        *,
        kept: bool = True,
    ) -> bytes:
        """Return the result of ``work``, and share it with requests for the same ``key``.

        ``key`` names everything that the answer depends on. ``requester`` is whose share of the
        waiting requests and of the helpers this one counts against. ``make_arguments`` is called
        when a helper is free. ``is_gone`` returns whether the client has disconnected. With
        ``kept`` false the answer holds secrets: it is not stored, and its key has to be unique.

        Raises whatever the work raises; `OverBudgetError` if it exceeds its budget; `BusyError` if
        too many requests wait, if no helper is free in time, or if the client has gone.
        """
        cached: bytes | None = self._shared.get(key)
        if cached is not None:
            return cached
        with self._changed:
            pending, waiter = self._queue.join(key, requester)
            self._changed.notify_all()
        try:
            while self._has_turn(pending, waiter, is_gone):
                self._compute_for_all(pending, work, make_arguments, is_gone, kept=kept)
        except NotNeededError:
            raise BusyError("the client no longer waits for it") from None
        finally:
            with self._changed:
                self._queue.leave(pending, waiter)
                self._changed.notify_all()
        return pending.result()

    def _has_turn(
        self, pending: PendingAnswer, waiter: WaitingRequest, is_gone: Callable[[], bool]
    ) -> bool:
        """Wait, and return whether this thread has to compute the answer; false if it is there.

        Raises `BusyError` if the request lost its place or has waited too long, and
        `NotNeededError` once the client is gone.
        """
        with self._changed:
            while not pending.is_done and pending.runner is not waiter:
                if waiter.is_refused:
                    raise BusyError("requests of other addresses wait for a computation: try again")
                if pending.runner is None and time.monotonic() > waiter.end:
                    raise BusyError(
                        "other requests were computed first, and the time to wait is over"
                    )
                if is_gone():
                    raise NotNeededError
                self._changed.wait(POLL_SECONDS)
            return not pending.is_done

    def _compute_for_all(
        self,
        pending: PendingAnswer,
        work: AnswerWork,
        make_arguments: ArgumentsFactory,
        is_gone: Callable[[], bool],
        *,
        kept: bool,
    ) -> None:
        """Compute the answer for all waiting requests, even if the own client disconnects.

        Raises `NotNeededError` if no request waits for it any more.
        """
        helper = self._helpers[pending.lane]

        def is_needed() -> bool:
            used = helper.seconds_used()
            with self._changed:
                if self._queue.must_give_way(pending, used):
                    raise GaveWayError
                is_awaited = len(pending.waiters) > 1
            self._prepare_helpers()
            return is_awaited or not is_gone()

        answer = failure = None
        try:
            answer = self._run(helper, work, make_arguments, is_needed)
            if kept:
                self._shared.put(pending.key, answer)
        except NotNeededError:
            raise
        except GaveWayError:
            with self._changed:
                self._queue.give_way(pending)
                self._changed.notify_all()
            return
        except BaseException as error:  # noqa: BLE001  # raised in each waiting request
            failure = error
        with self._changed:
            self._queue.finish(pending, answer, failure)
            self._changed.notify_all()

    def _prepare_helpers(self) -> None:
        """Start the process of the free helper while an answer takes long in the other one."""
        for helper in self._helpers:
            helper.start()

    def _run(
        self,
        helper: Helper,
        work: AnswerWork,
        make_arguments: ArgumentsFactory,
        is_needed: Callable[[], bool],
    ) -> bytes:
        """Acquire a helper within the time limit, and return the result of the job.

        Raises `BusyError` if it is not free in time, and `NotNeededError` once no request waits.
        """
        end = time.monotonic() + self.seconds
        while not helper.acquire(POLL_SECONDS):  # another application of this process may use it
            if not is_needed():
                raise NotNeededError
            if time.monotonic() > end:
                raise BusyError("other requests were computed first, and the time to wait is over")
        try:
            job = Job(work, make_arguments(), self.seconds, self._memory)
            return helper.run(job, is_needed)
        finally:
            helper.release()
