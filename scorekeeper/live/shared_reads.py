"""Reads of the store that all simultaneous requests for the same state share."""

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final, TypeVar

READ_THREADS: Final = 2  # few, because each read is short

T = TypeVar("T")


class SharedReads:
    """Reads in a small thread pool; one read serves all requests made before it begins."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(READ_THREADS, "shared-read")
        self._lock = threading.Lock()
        self._waiting: dict[Hashable, Future[Any]] = {}

    def read(self, key: Hashable, read: Callable[[], T]) -> Future[T]:
        """Return the future result of ``read``, shared by requests with the same ``key``.

        The read begins after this call. Do not cancel the future: others may wait for it.
        """
        with self._lock:
            waiting = self._waiting.get(key)
            if waiting is None:
                waiting = self._waiting[key] = self._pool.submit(self._run, key, read)
            return waiting

    def _run(self, key: Hashable, read: Callable[[], T]) -> T:
        """Read in a thread of the pool; requests from now on get a new read."""
        with self._lock:
            del self._waiting[key]  # later requests need a later read
        return read()
