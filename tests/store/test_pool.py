"""The limit on threads that use or await the connections of a store, and its timeouts."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from scorekeeper.base.errors import StaleVersionError, StorageUnavailableError
from scorekeeper.store.pool import FULL_QUEUE_TIMEOUT_SECONDS, AdmissionControl

FULL = "all are taken"
TIMEOUT = 0.4  # seconds


@pytest.fixture
def admission() -> AdmissionControl:
    """Return an admission control for two threads, both inside."""
    admission = AdmissionControl(2, 1, FULL)
    admission.timeout = TIMEOUT
    admission.enter()
    admission.enter()
    return admission


def wait_until_refused(admission: AdmissionControl) -> float:
    """Return the seconds until a thread was refused."""
    began = time.monotonic()
    with pytest.raises(StorageUnavailableError, match=FULL):
        admission.enter()
    return time.monotonic() - began


def test_thread_waits_until_another_leaves(admission: AdmissionControl) -> None:
    timer = threading.Timer(0.05, admission.leave, kwargs={"answered": True})
    began = time.monotonic()
    timer.start()
    admission.enter()
    assert time.monotonic() - began >= 0.05
    timer.join()


def test_no_thread_waits_after_a_timeout(admission: AdmissionControl) -> None:
    assert wait_until_refused(admission) >= TIMEOUT
    assert max(wait_until_refused(admission) for _ in range(10)) < TIMEOUT / 2


def test_threads_wait_again_after_an_answer(admission: AdmissionControl) -> None:
    wait_until_refused(admission)
    admission.leave(answered=False)
    with pytest.raises(ZeroDivisionError), admission:
        raise ZeroDivisionError
    with admission:
        assert wait_until_refused(admission) < TIMEOUT / 2  # the thread that left got no answer
    admission.enter()
    assert wait_until_refused(admission) >= TIMEOUT


def test_refusal_by_the_store_counts_as_an_answer(admission: AdmissionControl) -> None:
    wait_until_refused(admission)
    admission.leave(answered=False)
    with pytest.raises(StaleVersionError), admission:
        raise StaleVersionError(1, 2, "head")
    admission.enter()
    assert wait_until_refused(admission) >= TIMEOUT


def test_only_the_queue_waits_for_the_full_timeout(admission: AdmissionControl) -> None:
    with ThreadPoolExecutor(4) as pool:
        waits = sorted(pool.map(lambda _: wait_until_refused(admission), range(4)))
    assert waits[0] >= FULL_QUEUE_TIMEOUT_SECONDS
    assert waits[2] < TIMEOUT <= waits[3]
