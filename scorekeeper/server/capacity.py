"""Memory for request bodies and answers, shared by the addresses that requests come from.

The first ``UNCOUNTED_BYTES`` of a request are not counted, so a small request is never refused. If
the memory is used up, a request of an address that uses less than others takes memory from the
address that uses most: the largest request of that address that waits for its client is ended.
Requests in threads are not interrupted.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

UNCOUNTED_BYTES: Final = 64 << 10  # of each request, which are always granted


class Reservation:
    """The memory that one request uses: its body, and the part of its answer not yet sent.

    ``revoke`` ends the wait of the request for its client, and is None while it does not wait.
    ``is_revoked`` is whether another request took the memory.
    """

    def __init__(self, capacity: "SharedCapacity", address: str) -> None:
        self._capacity = capacity
        self.address = address
        self.size = 0  # bytes
        self.counted = 0  # bytes of them that count
        self.expected = 0  # bytes that it will use, as far as is known
        self.revoke: Callable[[], None] | None = None
        self.is_revoked = False

    def resize(self, size: int) -> bool:
        """Set the request's memory to ``size`` bytes, and return whether there is enough.

        This may end other requests. The new size is stored even if there is not enough memory.
        """
        self.size = size
        return self._capacity.resize(self, max(0, size - UNCOUNTED_BYTES))


class SharedCapacity:
    """At most ``total`` bytes for all requests together, divided among their addresses."""

    def __init__(self, total: int) -> None:
        self._free = total
        self._used: Counter[str] = Counter()  # bytes by address
        self._reservations: dict[Reservation, None] = {}  # those that count

    @contextmanager
    def reserve(self, address: str) -> Iterator[Reservation]:
        """Yield an empty reservation for one request, and release its memory after the block."""
        reservation = Reservation(self, address)
        try:
            yield reservation
        finally:
            self._count(reservation, 0)

    def resize(self, reservation: Reservation, size: int) -> bool:
        """Count ``size`` bytes for a reservation, and return whether there is enough memory.

        Requests that use more are ended to make room. If there is still too little, or the
        reservation was revoked, nothing changes for it, and the result is false.
        """
        if reservation.is_revoked:
            return False
        more = size - reservation.counted
        while more > self._free:
            victim = self._victim(reservation, size)
            if victim is None:
                return False
            self._revoke(victim)
        self._count(reservation, size)
        return True

    def _victim(self, asking: Reservation, size: int) -> Reservation | None:
        """Return the request to end for ``asking``: the largest one of the address that uses most.

        Only requests that wait for their client can be ended. The division among addresses, and
        among the requests of one address, must become more even, so that two requests never push
        out each other in turn. A request counts as large as it is expected to become. Returns None
        if there is no such request.
        """
        address, size = asking.address, max(size, asking.expected - UNCOUNTED_BYTES)
        after = self._used[address] + size - asking.counted
        candidates = [
            reservation for reservation in self._reservations
            if reservation.revoke is not None and reservation is not asking
            and (
                reservation.counted > size
                if reservation.address == address
                else self._used[reservation.address] > after
            )
        ]  # fmt: skip
        return max(
            candidates,
            key=lambda reservation: (self._used[reservation.address], reservation.counted),
            default=None,
        )

    def _revoke(self, victim: Reservation) -> None:
        """Take the memory of a waiting request, and end its wait."""
        self._count(victim, 0)
        victim.is_revoked = True
        revoke, victim.revoke = victim.revoke, None
        if revoke is not None:
            revoke()

    def _count(self, reservation: Reservation, size: int) -> None:
        """Set how many bytes are counted for a reservation, and update the totals."""
        more = size - reservation.counted
        self._free -= more
        self._used[reservation.address] += more
        if not self._used[reservation.address]:
            del self._used[reservation.address]
        reservation.counted = size
        if size:
            self._reservations[reservation] = None
        else:
            self._reservations.pop(reservation, None)
