"""A queue that serves addresses in turn."""

from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class RoundRobin(Generic[T]):
    """A queue of items by address. The addresses take turns; each has its items in their order.

    So an address with a thousand items delays another one by a single item only.

    >>> queue = RoundRobin[int]()
    >>> for address, item in [("a", 1), ("a", 2), ("a", 3), ("b", 4)]:
    ...     queue.put(address, item)
    >>> [queue.take() for _ in range(len(queue))]
    [1, 4, 2, 3]
    """

    def __init__(self) -> None:
        self._items: OrderedDict[str, deque[T]] = OrderedDict()  # in the order of their turns

    def __len__(self) -> int:
        """Return the number of all waiting items."""
        return sum(map(len, self._items.values()))

    def __bool__(self) -> bool:
        """Return whether an item waits, without counting those of all addresses."""
        return bool(self._items)

    def put(self, address: str, item: T) -> None:
        """Append an item to those of its address."""
        self._items.setdefault(address, deque()).append(item)

    def take(self, may_serve: Callable[[str], bool] = lambda _: True) -> T | None:
        """Remove and return the next item of the first address for which ``may_serve`` is true.

        The address then goes behind the others. Returns None if there is no such address.
        """
        address = next(filter(may_serve, self._items), None)
        if address is None:
            return None
        items = self._items.pop(address)
        item = items.popleft()
        if items:
            self._items[address] = items  # behind the other addresses
        return item

    def remove(self, address: str, item: T) -> None:
        """Remove a waiting item of an address; it must be waiting."""
        items = self._items[address]
        items.remove(item)
        if not items:
            del self._items[address]
