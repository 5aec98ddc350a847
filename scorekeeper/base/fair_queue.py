"""A queue in which the address that cost least lately has its turn first."""

import heapq
import time
from collections.abc import Callable
from itertools import count
from math import exp2, log2
from typing import Final, Generic, NamedTuple, TypeVar

T = TypeVar("T")

HALF_LIFE_SECONDS: Final = 1.0  # after which half of a cost is forgotten
EQUAL_COST_SECONDS: Final = 2.5e-4  # of cost: addresses that cost less are equal
UNKNOWN_COST_SECONDS: Final = 1e-3  # what an address counts for that is not known
RANK_TOLERANCE: Final = 1e-6  # of the logarithm of a cost
MAX_DROPPED_TURNS: Final = 1024  # kept of items that were dropped
MAX_ADDRESSES_WITH_COST: Final = 4096  # addresses, until half of them are forgotten


class Cost(NamedTuple):
    """The recent cost of an address: processor seconds, as of the time ``at`` of the clock."""

    seconds: float
    at: float


class FairQueue(Generic[T]):
    """A queue of items by address; the address that has cost least recently has its turn first.

    Costs are forgotten by halves, so their order does not change with time. An address that costs
    little has its turn before all that cost much, however many these are, also if they come again
    without end; addresses without a known cost come in between. Addresses that always have items
    get the same share each. An item that waits has its turn before new ones after a few half-lives,
    whatever its address cost.

    >>> queue = FairQueue[str]()
    >>> queue.charge("costly", 0.005)
    >>> for address, item in [("costly", "x"), ("costly", "y"), ("b", "z")]:
    ...     queue.put(address, item)
    >>> [queue.take() for _ in range(len(queue))]
    ['z', 'x', 'y']
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._costs: dict[str, Cost] = {}
        self._turns: list[tuple[float, int, str]] = []  # a heap; a cost may have grown since
        self._turn_of: dict[str, int] = {}  # the number of the turn that counts
        self._items: dict[str, list[tuple[float, int, T]]] = {}  # heaps
        self._numbers = count()
        self._many = 0
        self._lengths: dict[int, dict[str, None]] = {}  # addresses by how many items they have
        self._longest = 0

    def __len__(self) -> int:
        return self._many

    def put(self, address: str, item: T, due: float = 0.0) -> None:
        """Add an item of an address.

        It comes behind items of the same address that are ``due`` at the same time or earlier.
        ``due`` is a time that only orders the items of one address; nothing waits for it.
        """
        items = self._items.setdefault(address, [])
        heapq.heappush(items, (due, next(self._numbers), item))
        self._count(address, len(items) - 1, len(items))
        if len(items) == 1:
            self._await_turn(address)

    def take(self) -> T | None:
        """Remove and return the next item of the address whose turn it is; None if none waits."""
        while self._turns:
            rank, number, address = heapq.heappop(self._turns)
            if self._turn_of.get(address) != number:
                continue  # all items of that turn were dropped
            if address in self._costs and self._rank(address, least=0.0) > rank + RANK_TOLERANCE:
                self._await_turn(address)  # it was charged since
                continue
            item = heapq.heappop(self._items[address])[-1]
            self._removed(address)
            if address in self._items:
                self._await_turn(address)
            return item
        return None

    def drop_one(self) -> T:
        """Remove and return one item of the address with most items; at least one must wait.

        It is not the next one of its address, unless that has only one.
        """
        address = next(iter(self._lengths[self._longest]))
        item = self._items[address].pop()[-1]  # a leaf: the rest is a heap without it, too
        self._removed(address)
        if len(self._turns) > 2 * len(self._items) + MAX_DROPPED_TURNS:
            self._turns = [turn for turn in self._turns if self._turn_of.get(turn[2]) == turn[1]]
            heapq.heapify(self._turns)
        return item

    def _removed(self, address: str) -> None:
        """Update the counts after an item of an address was removed."""
        length = len(self._items[address])
        self._count(address, length + 1, length)
        if not length:
            del self._items[address], self._turn_of[address]

    def _count(self, address: str, before: int, after: int) -> None:
        """Update the counts for an address that had ``before`` items and has ``after`` now."""
        self._many += after - before
        if before:
            self._lengths[before].pop(address)
        if after:
            self._lengths.setdefault(after, {})[address] = None
        if before and not self._lengths[before]:
            del self._lengths[before]
        if after > self._longest or self._longest not in self._lengths:
            self._longest = after

    def charge(self, address: str, seconds: float) -> None:
        """Add seconds to the cost of an address; negative ones take back an earlier charge.

        If too many addresses are known, the cheaper half is forgotten.
        """
        self._costs[address] = Cost(max(0.0, self._cost(address) + seconds), self._clock())
        if len(self._costs) > MAX_ADDRESSES_WITH_COST:
            dearest = sorted(self._costs, key=self._cost)[-MAX_ADDRESSES_WITH_COST // 2 :]
            self._costs = {dear_address: self._costs[dear_address] for dear_address in dearest}

    def _cost(self, address: str) -> float:
        """Return what is left of the cost of an address, in seconds; a default if unknown."""
        cost = self._costs.get(address)
        if cost is None:
            return UNKNOWN_COST_SECONDS
        return cost.seconds * exp2((cost.at - self._clock()) / HALF_LIFE_SECONDS)

    def _rank(self, address: str, least: float) -> float:
        """Return the rank of an address in the queue; the lowest rank has its turn first.

        It is the logarithm of the cost in seconds, but of at least ``least``, plus the time in half
        lives: so ranks that were computed at different times can be compared.
        """
        cost = max(self._cost(address), least)
        return log2(cost) + self._clock() / HALF_LIFE_SECONDS if cost else float("-inf")

    def _await_turn(self, address: str) -> None:
        """Give an address a turn in the queue, by its rank now; an older turn counts no more."""
        rank = self._rank(address, least=EQUAL_COST_SECONDS)
        number = self._turn_of[address] = next(self._numbers)
        heapq.heappush(self._turns, (rank, number, address))
