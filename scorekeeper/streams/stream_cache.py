"""A cache of replayed streams, so that the next event needs no replay.

The cache may be lost at any time. During a commit it is ahead of the disk: if the commit fails,
the stream is read again from the store.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Generic, TypeVar

from scorekeeper.base.errors import UnknownSessionError
from scorekeeper.games import GAMES
from scorekeeper.streams.folded import FoldedStream

MIN_STREAMS: Final = 4  # cached, whatever they weigh

F = TypeVar("F", bound=FoldedStream)


class StreamCache(Generic[F]):
    """The recently used streams of a kind, replayed; they weigh at most ``max_weight`` in all.

    ``fold`` makes the empty stream of an id.
    """

    def __init__(self, fold: Callable[[str], F], max_weight: int) -> None:
        self._fold = fold
        self._max_weight = max_weight
        self._mutex = threading.Lock()
        self._kept: OrderedDict[str, F] = OrderedDict()
        self._weight = 0  # of all that are kept, as they were weighed

    def find(self, id_: str) -> F | None:
        """Return a cached stream without its lock, or None."""
        return self._kept.get(id_)

    @contextmanager
    def held(self, id_: str, *, wait: bool = True) -> Iterator[F]:
        """Yield a stream under its lock; call its ``refresh`` before reading it.

        Entries that are not settled after the block are dropped with the stream. Raises `BusyError`
        if other threads hold it for too long, or at once without ``wait``.
        """
        with self._mutex:
            folded = self._kept.get(id_)
            if folded is None:
                folded = self._kept[id_] = self._fold(id_)
            else:
                self._kept.move_to_end(id_)
        with folded.lock.held(wait=wait):
            try:
                with GAMES.failures_as_not_installed():
                    yield folded
            finally:
                if folded.ahead:
                    folded.forget()
                self._evict_above_limit(folded)

    @contextmanager
    def fresh(self, id_: str, *, wait: bool = True) -> Iterator[F]:
        """Yield a stream under its lock, replayed up to its end; see `held`.

        Raises `UnknownSessionError` and `NotInstalledError`, too.
        """
        with self.held(id_, wait=wait) as folded:
            try:
                folded.refresh()
            except UnknownSessionError:
                folded.forget()
                raise
            yield folded

    def _evict_above_limit(self, used: F) -> None:
        """Update a stream's weight after its use, and drop the oldest streams above the limit.

        ``MIN_STREAMS`` of them stay, whatever they weigh. The used one is dropped if it has no
        weight.
        """
        evicted: list[F] = []  # freed without the mutex: a long stream takes a while
        with self._mutex:
            if self._kept.get(used.id) is used:
                self._weight += used.weight - used.weighed
                used.weighed = used.weight
                if not used.weighed:
                    del self._kept[used.id]
            while self._weight > self._max_weight and len(self._kept) > MIN_STREAMS:
                evicted.append(self._kept.popitem(last=False)[1])
                self._weight -= evicted[-1].weighed
