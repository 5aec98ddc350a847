"""Memory for request bodies and answers, shared by the addresses that requests come from.

A small request is not counted, and so is never refused. If the memory is used up, a request of an
address that uses less than others takes it from the address that uses most: there, the largest
request that waits for its client ends. Requests that are being worked on are not interrupted.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

SMALL: Final = 64 << 10  # bytes of each request that are not counted


class Reservation:
    """The memory that one request uses: its body, and the part of its answer not yet sent.

    ``revoke`` is set while the request waits for its client, and ends that wait.
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
        """Use this many bytes from now on. Return whether there is memory for them."""
        self.size = size
        return self._capacity.resize(self, max(0, size - SMALL))


class SharedCapacity:
    """At most ``total`` bytes for all requests together, divided among their addresses."""

    def __init__(self, total: int) -> None:
        self._free = total
        self._used: Counter[str] = Counter()  # bytes by address
        self._reservations: dict[Reservation, None] = {}  # those that count

    @contextmanager
    def reserve(self, address: str) -> Iterator[Reservation]:
        """Open a reservation for one request, and release its memory at the end."""
        reservation = Reservation(self, address)
        try:
            yield reservation
        finally:
            self._count(reservation, 0)

    def resize(self, reservation: Reservation, size: int) -> bool:
        """Count ``size`` bytes for a reservation. Return whether there is memory for them."""
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
        """Find the request to end: the largest one of the address that uses most.

        The division among addresses, and among the requests of one address, must become more
        even, so that two requests never push out each other in turn. A request counts as large as
        it is expected to become.
        """
        address, size = asking.address, max(size, asking.expected - SMALL)
        after = self._used[address] + size - asking.counted
        candidates = [
            one for one in self._reservations
            if one.revoke is not None and one is not asking
            and (one.counted > size if one.address == address else self._used[one.address] > after)
        ]  # fmt: skip
        return max(candidates, key=lambda one: (self._used[one.address], one.counted), default=None)

    def _revoke(self, victim: Reservation) -> None:
        self._count(victim, 0)
        victim.is_revoked = True
        revoke, victim.revoke = victim.revoke, None
        if revoke is not None:
            revoke()

    def _count(self, reservation: Reservation, size: int) -> None:
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
