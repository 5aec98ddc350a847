"""What was made lately and is the same for many: made once, and given to all who ask for it.

What is kept is named by all that it depends on. Of a session that is its head, too: what was
corrected since is not shown, and need not be forgotten. Who may see it is asked before.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Final

ROOM: Final = 32 << 20  # bytes of all that is kept: answers, files, reports, parts of pages
LARGEST: Final = 4 << 20  # bytes of one of them


class Shared:
    """What was asked for lately, as much as there is room for: weighed in bytes, or otherwise."""

    def __init__(
        self, room: int = ROOM, largest: int = LARGEST, weigh: Callable[[Any], int] = len
    ) -> None:
        self._room = room
        self._largest = largest
        self._weigh = weigh
        self._lock = threading.Lock()
        self._made: OrderedDict[Hashable, Any] = OrderedDict()
        self._size = 0

    def get(self, key: Hashable) -> Any:
        """What is kept under a key, None if nothing is."""
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
            return self._made.get(key)

    def put(self, key: Hashable, made: Any) -> None:
        """Keep something, and forget what was asked for longest ago."""
        with self._lock:
            if self._weigh(made) > self._largest or key in self._made:
                return
            self._made[key] = made
            self._size += self._weigh(made)
            while self._size > self._room:
                self._size -= self._weigh(self._made.popitem(last=False)[1])
