"""One address that asks without end keeps a thread for others."""

import threading
from concurrent.futures import Future
from typing import Any

import pytest

from scorekeeper.server.threads import SharedThreads

SOON = 5.0  # seconds


class Held:
    """Work that continues until it is released."""

    def __init__(self, threads: SharedThreads, address: str, many: int) -> None:
        self.go = threading.Event()
        self.began = threading.Semaphore(0)
        self.results: list[Future[Any]] = [
            threads.submit(address, self._work, n) for n in range(many)
        ]

    def _work(self, n: int) -> int:
        self.began.release()
        assert self.go.wait(SOON)
        return n


def test_address_cannot_keep_all_threads() -> None:
    threads = SharedThreads(4, "test")
    held = Held(threads, "attacker", 40)
    for _ in range(3):
        assert held.began.acquire(timeout=SOON)
    assert threads.submit("table", str, 7).result(SOON) == "7"
    assert not held.began.acquire(blocking=False)
    held.go.set()
    assert [result.result(SOON) for result in held.results] == list(range(40))


def test_addresses_take_turns_at_threads() -> None:
    threads, order = SharedThreads(1, "test"), list[str]()
    held = Held(threads, "first", 1)
    assert held.began.acquire(timeout=SOON)
    work = [threads.submit(address, order.append, address) for address in ["a"] * 5 + ["b"] * 2]
    held.go.set()
    for job in work:
        job.result(SOON)
    assert order == ["a", "b", "a", "b", "a", "a", "a"]


def test_error_is_raised_where_the_result_is_awaited() -> None:
    threads = SharedThreads(1, "test")
    with pytest.raises(ZeroDivisionError):
        threads.submit("a", divmod, 1, 0).result(SOON)
    assert threads.submit("a", divmod, 7, 2).result(SOON) == (3, 1)


def test_cancelled_work_is_not_done() -> None:
    threads, done = SharedThreads(1, "test"), list[int]()
    held = Held(threads, "a", 1)
    assert held.began.acquire(timeout=SOON)
    work = threads.submit("a", done.append, 1)
    assert work.cancel()
    held.go.set()
    threads.submit("a", done.append, 2).result(SOON)
    assert done == [2]
