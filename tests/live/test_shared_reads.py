"""One read serves all requests made before it began, and no request gets an older state."""

import threading
from concurrent.futures import Future
from itertools import count

import pytest

from scorekeeper.live.shared_reads import READ_THREADS, SharedReads

TIMEOUT_SECONDS = 5.0


class BlockedRead:
    """A read that waits until it is unblocked; each call returns the next number."""

    def __init__(self) -> None:
        self.unblocked, self.started = threading.Event(), threading.Semaphore(0)
        self._numbers = count()

    def __call__(self) -> int:
        number = next(self._numbers)
        self.started.release()
        assert self.unblocked.wait(TIMEOUT_SECONDS)
        return number


def occupy_threads(reads: SharedReads, blocked: BlockedRead) -> list[Future[int]]:
    """Start as many different reads as there are threads."""
    futures = [reads.read(f"other {n}", blocked) for n in range(READ_THREADS)]
    for _ in futures:
        assert blocked.started.acquire(timeout=TIMEOUT_SECONDS)
    return futures


def test_requests_before_a_read_begins_share_it() -> None:
    reads, blocked = SharedReads(), BlockedRead()
    occupy_threads(reads, blocked)
    futures = [reads.read("table", blocked) for _ in range(20)]
    blocked.unblocked.set()
    assert {future.result(TIMEOUT_SECONDS) for future in futures} == {READ_THREADS}
    assert reads._waiting == {}


def test_request_after_a_read_began_gets_another_one() -> None:
    reads, blocked = SharedReads(), BlockedRead()
    first = reads.read("table", blocked)
    assert blocked.started.acquire(timeout=TIMEOUT_SECONDS)
    second = reads.read("table", blocked)
    assert second is not first
    blocked.unblocked.set()
    assert (first.result(TIMEOUT_SECONDS), second.result(TIMEOUT_SECONDS)) == (0, 1)


def test_failed_read_fails_for_all_its_requests_and_the_next_one_works() -> None:
    reads, blocked = SharedReads(), BlockedRead()
    occupy_threads(reads, blocked)

    def fail() -> int:
        raise OSError("gone")

    futures = [reads.read("table", fail) for _ in range(3)]
    blocked.unblocked.set()
    for future in futures:
        with pytest.raises(OSError, match="gone"):
            future.result(TIMEOUT_SECONDS)
    assert reads.read("table", blocked).result(TIMEOUT_SECONDS) == READ_THREADS
