"""Looks at the store for many who want to see the same at the same time: one for all of them."""

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final, TypeVar

AT_ONCE: Final = 2  # threads; what they do is soon done

T = TypeVar("T")


class Looks:
    """Takes a look for everybody who asked before it began."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(AT_ONCE, "look")
        self._lock = threading.Lock()
        self._due: dict[Hashable, Future[Any]] = {}

    def ask(self, key: Hashable, look: Callable[[], T]) -> Future[T]:
        """What ``look`` sees, which is the same for all who name the same ``key``.

        It begins after this call. Who loses patience leaves it be: others wait for it.
        """
        with self._lock:
            due = self._due.get(key)
            if due is None:
                due = self._due[key] = self._pool.submit(self._take, key, look)
            return due

    def _take(self, key: Hashable, look: Callable[[], T]) -> T:
        with self._lock:
            del self._due[key]  # who asks from now on may want to see what is newer
        return look()
