"""The memory for bodies and answers: each address has a share, and small requests always fit."""

from contextlib import ExitStack

import pytest

from scorekeeper.server.capacity import UNCOUNTED_BYTES, Reservation, SharedCapacity

TOTAL = 80 << 20
LARGE = 10 << 20


class Requests:
    """Requests that hold memory, and those that had to end."""

    def __init__(self, total: int = TOTAL) -> None:
        self.capacity = SharedCapacity(total)
        self.stack = ExitStack()
        self.ended: list[Reservation] = []

    def hold(self, address: str, size: int, *, waits: bool = True) -> Reservation | None:
        """A request of this size, or None if there was no memory for it."""
        reservation = self.stack.enter_context(self.capacity.reserve(address))
        if waits:
            reservation.revoke = lambda: self.ended.append(reservation)
        return reservation if reservation.resize(size) else None


@pytest.fixture
def requests() -> Requests:
    return Requests()


def fill(requests: Requests, address: str, *, waits: bool = True) -> list[Reservation]:
    held = [requests.hold(address, LARGE + UNCOUNTED_BYTES, waits=waits) for _ in range(8)]
    assert None not in held
    return [reservation for reservation in held if reservation is not None]


def test_single_address_may_use_all_memory(requests: Requests) -> None:
    fill(requests, "a")
    assert requests.hold("a", LARGE + UNCOUNTED_BYTES) is None
    assert requests.ended == []


@pytest.mark.parametrize("address", ["a", "b"])
@pytest.mark.parametrize("waits", [True, False])
def test_small_requests_always_fit(requests: Requests, address: str, waits: bool) -> None:
    fill(requests, "a", waits=waits)
    for _ in range(1000):
        assert requests.hold(address, UNCOUNTED_BYTES) is not None
    assert requests.ended == []


def test_another_address_gets_as_much_as_the_largest_user(requests: Requests) -> None:
    held = fill(requests, "a")
    for _ in range(4):
        assert requests.hold("b", LARGE + UNCOUNTED_BYTES) is not None
    assert requests.hold("b", LARGE + UNCOUNTED_BYTES) is None
    assert len(requests.ended) == 4
    assert set(requests.ended) <= set(held)
    assert all(
        reservation.is_revoked and not reservation.resize(UNCOUNTED_BYTES)
        for reservation in requests.ended
    )


def test_many_addresses_share_memory_evenly(requests: Requests) -> None:
    for address in "abcdefgh":
        fill_as_much_as_fits(requests, address)
    for address in "abcdefgh":
        assert requests.capacity._used[address] == LARGE


def fill_as_much_as_fits(requests: Requests, address: str) -> None:
    while requests.hold(address, LARGE + UNCOUNTED_BYTES):
        pass


def test_largest_request_of_an_address_ends_for_a_smaller_one(requests: Requests) -> None:
    """As behind one address of a pub, where one phone holds much and others need little."""
    fill(requests, "a")
    for _ in range(200):
        assert requests.hold("a", UNCOUNTED_BYTES + 100_000) is not None
    assert len(requests.ended) == 2


def test_request_that_is_being_processed_does_not_end(requests: Requests) -> None:
    fill(requests, "a", waits=False)
    assert requests.hold("b", LARGE) is None
    assert requests.ended == []


def test_two_requests_do_not_displace_each_other(requests: Requests) -> None:
    for address in "abcdefgh":
        assert requests.hold(address, LARGE + UNCOUNTED_BYTES)
    for address in "ihg":
        assert requests.hold(address, LARGE + UNCOUNTED_BYTES) is None
    assert requests.ended == []


def test_growing_request_keeps_its_memory(requests: Requests) -> None:
    fill(requests, "a")
    growing = requests.hold("b", UNCOUNTED_BYTES)
    assert growing is not None
    for size in range(UNCOUNTED_BYTES, 8 << 20, 1 << 16):
        assert growing.resize(size)
    assert len(requests.ended) == 1
    assert not growing.is_revoked


def test_growing_request_does_not_displace_a_smaller_one(
    requests: Requests,
) -> None:
    fill(requests, "a")
    growing = requests.hold("a", UNCOUNTED_BYTES)
    assert growing is not None
    growing.expected = LARGE + UNCOUNTED_BYTES
    assert not growing.resize(UNCOUNTED_BYTES + 1)
    growing.expected = LARGE
    assert growing.resize(UNCOUNTED_BYTES + 1)
    assert len(requests.ended) == 1


def test_all_memory_is_released_at_the_end() -> None:
    requests = Requests(total=LARGE)
    for _ in range(3):
        with requests.stack:
            assert requests.hold("a", LARGE)
            assert requests.hold("b", 5 << 20) is not None
            assert len(requests.ended) == 1
        requests.ended.clear()
        assert requests.capacity._free == LARGE
        assert not requests.capacity._used
        assert not requests.capacity._reservations
