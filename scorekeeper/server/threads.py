"""A pool of threads that work for the addresses of clients in turn."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any, Final, NamedTuple

from scorekeeper.base.round_robin import RoundRobin

RESERVED_THREADS_DIVISOR: Final = 8  # an address may not use one thread in 8: it is for the others


class ThreadTask(NamedTuple):
    """A call that a thread is to make for an address, and the future of its result."""

    address: str
    function: Callable[..., Any]
    args: tuple[Any, ...]
    result: "Future[Any]"


class SharedThreads:
    """A pool of ``threads`` threads. Addresses whose tasks wait for a thread take turns.

    One address never keeps all of them busy, unless there is only one. ``name`` is the prefix of
    the threads' names.
    """

    def __init__(self, threads: int, name: str) -> None:
        self._most = max(1, threads - max(1, threads // RESERVED_THREADS_DIVISOR))  # of one address
        self._threads = ThreadPoolExecutor(threads, name)
        self._lock = Lock()
        self._waiting: RoundRobin[ThreadTask] = RoundRobin()
        self._busy: Counter[str] = Counter()  # threads by address

    def submit(self, address: str, function: Callable[..., Any], *args: object) -> "Future[Any]":
        """Let a thread call ``function(*args)`` for an address. Return the future of its result.

        Raises ``RuntimeError`` after the end of the process.
        """
        work = ThreadTask(address, function, args, Future())
        with self._lock:
            self._threads.submit(self._work_next)
            self._waiting.put(address, work)
        return work.result

    def _work_next(self) -> None:
        """Run the next task of an address that may use another thread, if there is one.

        It runs in a thread of the pool, once for each submitted task.
        """
        with self._lock:
            work = self._waiting.take(lambda address: self._busy[address] < self._most)
            if work is None:
                return
            self._busy[work.address] += 1
        try:
            run_task(work)
        finally:
            with self._lock:
                self._busy[work.address] -= 1
                if not self._busy[work.address]:
                    del self._busy[work.address]
                if self._waiting:  # perhaps work of this address, which had too many threads
                    self._threads.submit(self._work_next)


def run_task(work: ThreadTask) -> None:
    """Call the task's function, and set its future to the result or the error.

    Does nothing if the future was cancelled.
    """
    if not work.result.set_running_or_notify_cancel():
        return
    try:
        work.result.set_result(work.function(*work.args))
    except BaseException as error:  # noqa: BLE001  # it is raised where the result is awaited
        work.result.set_exception(error)
