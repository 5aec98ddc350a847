"""Threads that work for the addresses in turn."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any, Final, NamedTuple

from scorekeeper.base.round_robin import RoundRobin

PART_FOR_OTHERS: Final = 8  # of the threads, an eighth is kept from each address for the others


class ThreadTask(NamedTuple):
    """What a thread is to call for an address."""

    address: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    result: "Future[Any]"


class SharedThreads:
    """At most ``threads`` threads. Addresses whose work waits for one take turns.

    One address never keeps all of them busy.
    """

    def __init__(self, threads: int, name: str) -> None:
        self._most = max(1, threads - max(1, threads // PART_FOR_OTHERS))  # of one address
        self._threads = ThreadPoolExecutor(threads, name)
        self._lock = Lock()
        self._waiting: RoundRobin[ThreadTask] = RoundRobin()
        self._busy: Counter[str] = Counter()  # threads by address

    def submit(self, address: str, function: Callable[..., Any], *args: Any) -> "Future[Any]":
        """Let a thread call ``function``. Raises ``RuntimeError`` after the end of the process."""
        work = ThreadTask(address, function, args, Future())
        with self._lock:
            self._threads.submit(self._work_next)
            self._waiting.put(address, work)
        return work.result

    def _work_next(self) -> None:
        with self._lock:
            work = self._waiting.take(lambda address: self._busy[address] < self._most)
            if work is None:
                return
            self._busy[work.address] += 1
        try:
            call(work)
        finally:
            with self._lock:
                self._busy[work.address] -= 1
                if not self._busy[work.address]:
                    del self._busy[work.address]
                if self._waiting:  # perhaps work of this address, which had too many threads
                    self._threads.submit(self._work_next)


def call(work: ThreadTask) -> None:
    """Call what is to be called, unless the client no longer waits for it."""
    if not work.result.set_running_or_notify_cancel():
        return
    try:
        work.result.set_result(work.function(*work.args))
    except BaseException as error:  # noqa: BLE001  # it is raised where the result is awaited
        work.result.set_exception(error)
