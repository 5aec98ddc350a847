"""What takes long to work out: once for all who ask the same, and no more than there is room for.

Who asks waits in a thread of the server. So few may wait at once, of one session or address no
more than half of them, and the others are told to come again. What nobody waits for any more is
given up, wherever it has come to.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from scorekeeper.answers.helper import LOOK, Helper, NotNeeded
from scorekeeper.answers.helper_process import Job
from scorekeeper.base.errors import Busy
from scorekeeper.service.shared import Shared

AnswerWork = Callable[..., bytes]
Arguments = Callable[[], tuple[Any, ...]]


def here() -> bool:
    """That who asks has not gone, as far as anybody knows."""
    return False


class Answers:
    """Works out answers in a helper, within ``seconds`` and bytes of ``memory`` each.

    ``places`` is how many may wait at once. What was worked out lately is ``shared``.
    """

    def __init__(
        self,
        helper: Helper,
        seconds: float,
        memory: int,
        places: int,
        shared: Shared | None = None,
    ) -> None:
        self._helper = helper
        self.seconds = seconds
        self._memory = memory
        self._places = max(2, places)
        self._lock = threading.Lock()
        self._waiting: Counter[str] = Counter()  # by who asks
        self._under_way: dict[Hashable, Awaited] = {}
        self._shared = shared or Shared()

    def ask(
        self,
        asker: str,
        key: Hashable,
        work: AnswerWork,
        given: Arguments,
        gone: Callable[[], bool] = here,
    ) -> bytes:
        """What comes of ``work``, called with what is ``given`` when its turn has come.

        ``key`` names all that the answer depends on: who asks the same meanwhile waits for the
        same. ``asker`` is whose places it takes. Whatever the work raises; Busy where there is no
        room or no turn in time, OverBudget where it goes beyond its budget, NotNeeded once who asks
        is ``gone``.
        """
        kept: bytes | None = self._shared.get(key)
        if kept is not None:
            return kept
        try:
            with self._place(asker):
                return self._awaited(key, work, given, gone)
        except NotNeeded:
            raise Busy("nobody waits for it any more") from None

    def _awaited(
        self, key: Hashable, work: AnswerWork, given: Arguments, gone: Callable[[], bool]
    ) -> bytes:
        with self._lock:
            awaited = self._under_way.get(key)
            leads = awaited is None
            if awaited is None:
                awaited = self._under_way[key] = Awaited()
            awaited.askers += 1
        if leads:
            self._lead(key, awaited, work, given, gone)
        else:
            try:
                awaited.wait(gone)
            finally:
                with self._lock:
                    awaited.askers -= 1
        return awaited.result()

    @contextmanager
    def _place(self, asker: str) -> Iterator[None]:
        with self._lock:
            share = (self._places + 1) // 2
            if self._waiting.total() >= self._places or self._waiting[asker] >= share:
                raise Busy("so much is being worked out that there is no room for more just now")
            self._waiting[asker] += 1
        try:
            yield
        finally:
            with self._lock:
                self._waiting[asker] -= 1
                self._waiting += Counter()  # forgets whoever has none

    def _lead(
        self,
        key: Hashable,
        awaited: "Awaited",
        work: AnswerWork,
        given: Arguments,
        gone: Callable[[], bool],
    ) -> None:
        """Work it out for all who wait; also after who asked first has gone, if others have not."""
        needed = awaited.needed_beside(gone)
        try:
            awaited.made = self._worked_out(work, given, needed)
        except BaseException as error:  # noqa: BLE001  # it is raised in all who wait
            awaited.failure = error
        finally:
            if awaited.made is not None:
                self._shared.put(key, awaited.made)
            with self._lock:
                del self._under_way[key]
            awaited.done.set()

    def _worked_out(self, work: AnswerWork, given: Arguments, needed: Callable[[], bool]) -> bytes:
        end = time.monotonic() + self.seconds
        while not self._helper.turn(LOOK):
            if not needed():
                raise NotNeeded
            if time.monotonic() > end:
                raise Busy("others are being answered, and it was not this one's turn in time")
        try:
            return self._helper.work(Job(work, given(), self.seconds, self._memory), needed)
        finally:
            self._helper.leave()


class Awaited:
    """An answer that is being worked out, and how many wait for it."""

    def __init__(self) -> None:
        self.askers = 0
        self.done = threading.Event()
        self.made: bytes | None = None
        self.failure: BaseException | None = None

    def needed_beside(self, gone: Callable[[], bool]) -> Callable[[], bool]:
        """Whether anybody waits, by who asked first and sees for himself whether he is gone."""
        return lambda: self.askers > 1 or not gone()

    def wait(self, gone: Callable[[], bool]) -> None:
        """Wait until it is there; NotNeeded once who asks is gone."""
        while not self.done.wait(LOOK):
            if gone():
                raise NotNeeded

    def result(self) -> bytes:
        """The answer; or what went wrong with it."""
        if self.made is None:
            raise self.failure or NotNeeded
        return self.made
