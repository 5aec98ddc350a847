"""Slots for open streams: limited in number, shared fairly by sessions and addresses."""

import threading
from collections import Counter
from collections.abc import Callable


class StreamSlot:
    """The slot of a stream that is open, or about to be."""

    def __init__(self, stream_id: str, address: str) -> None:
        self.stream_id = stream_id
        self.address = address
        self.evicted = False  # to free the slot for another stream
        self.wake: Callable[[], object] = lambda: None  # called when the slot is evicted


class StreamSlots:
    """The slots of the streams of a process, at most ``max_streams``.

    If none is free, a stream of a session or address that holds more slots loses its slot to the
    new stream. The client that lost it polls instead.
    """

    def __init__(self, max_streams: int) -> None:
        self.max_streams = max_streams
        self._lock = threading.Lock()
        self._slots: dict[StreamSlot, None] = {}  # the oldest first
        self._by_session: Counter[str] = Counter()
        self._by_address: Counter[str] = Counter()
        self._ending = 0  # evicted streams that have not ended yet

    def acquire(self, stream_id: str, address: str) -> StreamSlot | None:
        """Return a slot, or None if none is free. The caller must `release` it."""
        slot = StreamSlot(stream_id, address)
        with self._lock:
            if len(self._slots) >= self.max_streams and not self._evict_for(slot):
                return None
            self._slots[slot] = None
            self._count(slot, 1)
        return slot

    def release(self, slot: StreamSlot) -> None:
        """Free a slot, whether or not it was evicted."""
        with self._lock:
            if slot.evicted:
                self._ending -= 1
            else:
                self._remove(slot)

    def _remove(self, slot: StreamSlot) -> None:
        """Remove a slot from those that are held."""
        del self._slots[slot]
        self._count(slot, -1)

    def _count(self, slot: StreamSlot, change: int) -> None:
        """Add ``change`` to the slots of the session and of the address of a slot."""
        for counter, name in (
            (self._by_session, slot.stream_id), (self._by_address, slot.address),
        ):  # fmt: skip
            counter[name] += change
            if not counter[name]:
                del counter[name]

    def _evict_for(self, new: StreamSlot) -> bool:
        """Evict a slot in favour of a new one, and return whether that was possible.

        It is not if more than a quarter of ``max_streams`` are still ending, or if no eviction
        makes the shares more even.

        It is the slot whose eviction makes the shares most even: the sum of the squares of the
        slots of each session and of each address becomes smallest. Each eviction reduces this sum,
        so two streams cannot evict each other in turns. The evicted stream is woken.
        """
        if not self._slots or self._ending > self.max_streams // 4:
            return False
        by_session, by_address = self._by_session, self._by_address

        def gain(slot: StreamSlot) -> int:
            """Return half of the reduction of that sum if ``slot`` is evicted for ``new``."""
            of_sessions = by_session[slot.stream_id] - by_session[new.stream_id] - 1
            of_addresses = by_address[slot.address] - by_address[new.address] - 1
            same_session, same_address = (
                slot.stream_id == new.stream_id,
                slot.address == new.address,
            )
            return (0 if same_session else of_sessions) + (0 if same_address else of_addresses)

        best = max(self._slots, key=gain)  # the oldest of several equal ones
        if gain(best) <= 0:
            return False
        best.evicted = True
        self._remove(best)
        self._ending += 1
        best.wake()
        return True
