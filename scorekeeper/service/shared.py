"""A cache of results that are the same for many clients: answers, files, parts of pages.

A key names everything that the result depends on, including the head of a session. So a result
is never out of date, and nothing is invalidated. The caller checks the rights of the client first.
"""

import threading
from collections.abc import Callable, Hashable
from typing import Any, Final

from cachetools import LRUCache

MAX_TOTAL_BYTES: Final = 32 << 20
MAX_ENTRY_BYTES: Final = 4 << 20


class SharedCache:
    """A cache of at most ``max_total`` bytes, with values of at most ``max_entry`` bytes.

    The least recently used values are dropped first; ``weigh`` returns the size of a value.
    """

    def __init__(
        self,
        max_total: int = MAX_TOTAL_BYTES,
        max_entry: int = MAX_ENTRY_BYTES,
        weigh: Callable[[Any], int] = len,
    ) -> None:
        self._max_entry = max_entry
        self._weigh = weigh
        self._lock = threading.Lock()
        self._entries: LRUCache[Hashable, Any] = LRUCache(max_total, weigh)

    def get(self, key: Hashable) -> Any:
        """Return the value of a key, or None; the value counts as used."""
        with self._lock:
            return self._entries.get(key)

    def put(self, key: Hashable, value: Any) -> None:
        """Store a value unless it is too large or known, and drop old ones above the limit."""
        with self._lock:
            if self._weigh(value) <= self._max_entry and key not in self._entries:
                self._entries[key] = value
