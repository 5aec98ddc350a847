"""Long answers are computed once, in a helper, within a budget, while a request waits for them.

Tests of ``answers.helper``, ``answers.helper_process`` and ``answers.jobs``.
"""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.answers import answer_queue
from scorekeeper.answers.answer_queue import Requester
from scorekeeper.answers.answers import Answers, AnswerWork
from scorekeeper.answers.helper import Helper, NotNeededError, helpers
from scorekeeper.answers.helper_process import PRELOADED_MODULES, Job
from scorekeeper.base.errors import BusyError, Cause, OverBudgetError, UnusableError
from tests.answers.work import (
    MEGABYTE,
    break_down,
    break_down_again,
    die,
    echo,
    refuse,
    slow,
    spin,
    swell,
    toil,
)
from tests.operation.serving import until

TIMEOUT_SECONDS = 60.0  # generous, for a machine under load


# --------------------------------------------------------------------------------------- budgets


@pytest.fixture
def answers() -> Answers:
    return Answers(helpers(), seconds=30, memory=300 * MEGABYTE, max_waiting=8)


def compute(
    answers: Answers, work: AnswerWork, *arguments: Any, address: str = "a phone", **options: Any
) -> bytes:
    key = (work.__name__, arguments)
    return answers.compute(Requester(address, "a table"), key, work, lambda: arguments, **options)


def test_result_of_the_work_is_the_answer(answers: Answers) -> None:
    assert compute(answers, echo, b"a result") == b"a result"


def test_error_is_raised_with_its_reason_and_facts(answers: Answers) -> None:
    with pytest.raises(UnusableError, match=r"line 7, field data\.x: expected less") as caught:
        compute(answers, refuse)
    assert isinstance(caught.value.reason, Cause)
    assert (caught.value.reason.why, caught.value.reason.facts) == ("too_many", {"got": 3})


def test_helper_continues_after_a_job_whatever_memory_its_parent_uses() -> None:
    memory_of_parent = b"x" * (300 * MEGABYTE)
    own = Helper()
    answers = Answers((own, Helper()), seconds=30, memory=len(memory_of_parent), max_waiting=8)
    compute(answers, echo, b"1")
    first = own._process
    compute(answers, echo, b"2")
    assert first is not None
    assert own._process is first


def test_helper_can_be_started_before_the_first_job() -> None:
    own = Helper()
    own.start()
    first = own._process
    own.start()
    assert first is not None
    answers = Answers((own, Helper()), seconds=30, memory=300 * MEGABYTE, max_waiting=8)
    assert compute(answers, echo, b"x") == b"x"
    assert own._process is first


def test_preloaded_modules_exist() -> None:
    assert all(find_spec(name) for name in PRELOADED_MODULES)


def test_unexpected_exception_has_the_traceback_of_the_helper(answers: Answers) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        compute(answers, break_down)
    assert "in break_down" in "".join(caught.value.__notes__)


def test_exception_that_is_raised_again_has_one_traceback(answers: Answers) -> None:
    for _ in range(3):
        with pytest.raises(ZeroDivisionError) as caught:
            compute(answers, break_down_again)
        assert "".join(caught.value.__notes__).count("in break_down_again") == 1


def test_job_that_takes_too_long_is_stopped(answers: Answers) -> None:
    of_a_moment = Answers(helpers(), seconds=0.3, memory=300 * MEGABYTE, max_waiting=8)
    with pytest.raises(OverBudgetError, match="too long"):
        compute(of_a_moment, spin)
    assert compute(answers, echo, b"the next") == b"the next"


def test_job_that_takes_too_much_memory_is_stopped(answers: Answers) -> None:
    with pytest.raises(OverBudgetError, match="memory"):
        compute(answers, swell)
    assert compute(answers, echo, b"the next") == b"the next"


def test_helper_that_dies_is_replaced(answers: Answers) -> None:
    with pytest.raises(OverBudgetError, match="stopped"):
        compute(answers, die)
    assert compute(answers, echo, b"the next") == b"the next"


# ------------------------------------------------------------------------------- shared answers


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


def started_jobs(path: Path) -> int:
    return len(path.read_text().splitlines()) if path.exists() else 0


def test_equal_requests_share_one_computation(
    answers: Answers, pool: ThreadPoolExecutor, tmp_path: Path
) -> None:
    path = tmp_path / "started"
    requests = [pool.submit(compute, answers, slow, str(path), 0.5) for _ in range(4)]
    assert [request.result(TIMEOUT_SECONDS) for request in requests] == [b"done"] * 4
    assert compute(answers, slow, str(path), 0.5) == b"done"  # from the cache
    assert started_jobs(path) == 1


def test_job_is_stopped_when_its_client_disconnects(
    answers: Answers, pool: ThreadPoolExecutor, tmp_path: Path
) -> None:
    path, gone = tmp_path / "started", threading.Event()
    first = pool.submit(compute, answers, slow, str(path), TIMEOUT_SECONDS, is_gone=gone.is_set)
    until(lambda: started_jobs(path))
    began = time.monotonic()
    gone.set()
    with pytest.raises(BusyError):
        first.result(TIMEOUT_SECONDS)
    assert compute(answers, echo, b"another") == b"another"
    assert time.monotonic() - began < TIMEOUT_SECONDS / 2


def test_job_continues_for_a_second_client_when_the_first_disconnects(
    answers: Answers, pool: ThreadPoolExecutor, tmp_path: Path
) -> None:
    path = tmp_path / "started"
    gone = threading.Event()
    first = pool.submit(compute, answers, slow, str(path), 0.8, is_gone=gone.is_set)
    until(lambda: started_jobs(path))
    second = pool.submit(compute, answers, slow, str(path), 0.8)
    until(lambda: len(answers._queue.waiters) == 2)
    gone.set()
    results = (first.result(TIMEOUT_SECONDS), second.result(TIMEOUT_SECONDS))
    assert results == (b"done", b"done")
    assert started_jobs(path) == 1


# ---------------------------------------------------------------------------------------- limits


class BusyHelper(Helper):
    """A helper that is never free."""

    def acquire(self, seconds: float) -> bool:
        time.sleep(0.01)
        return False


def test_waiting_request_is_refused_when_another_address_needs_its_place(
    pool: ThreadPoolExecutor,
) -> None:
    busy = (BusyHelper(), BusyHelper())
    answers = Answers(busy, seconds=TIMEOUT_SECONDS, memory=MEGABYTE, max_waiting=4)
    gone = threading.Event()

    def wait(address: str, subject: str) -> "Future[bytes]":
        key, requester = (address, subject), Requester(address, subject)
        return pool.submit(
            answers.compute, requester, key, echo, lambda: (b"",), is_gone=gone.is_set
        )

    waiting = [wait("attacker", subject) for subject in "abcd"]
    until(lambda: len(answers._queue.waiters) == 4)
    with pytest.raises(BusyError) as caught:
        compute(answers, echo, b"", address="attacker")
    assert caught.value.seconds > 0
    waiting += [wait("a phone", "e")]
    until(lambda: any(request.done() for request in waiting))
    refused = [request for request in waiting if request.done()]
    assert len(refused) == 1
    assert refused[0] in waiting[:4]
    with pytest.raises(BusyError, match="other addresses"):
        refused[0].result()
    gone.set()
    for request in waiting:
        with pytest.raises(BusyError):
            request.result(TIMEOUT_SECONDS)
    assert not answers._queue.waiters


def test_request_is_refused_if_the_helper_is_not_free_in_time() -> None:
    answers = Answers((BusyHelper(), BusyHelper()), seconds=0.05, memory=MEGABYTE, max_waiting=4)
    with pytest.raises(BusyError, match="time to wait"):
        compute(answers, echo, b"")


# ----------------------------------------------------------------------------------------- turns


def test_long_answer_of_one_address_does_not_delay_another_address(
    answers: Answers, pool: ThreadPoolExecutor, tmp_path: Path
) -> None:
    path, gone = tmp_path / "started", threading.Event()
    for number in range(3):
        work = (slow, str(path), TIMEOUT_SECONDS + number)
        pool.submit(compute, answers, *work, address="attacker", is_gone=gone.is_set)
    try:
        until(lambda: started_jobs(path))
        assert compute(answers, echo, b"short", address="a phone") == b"short"
        assert started_jobs(path) == 1  # one at a time for the attacker
    finally:
        gone.set()


def test_long_answers_of_two_addresses_give_way_to_a_third(
    answers: Answers, pool: ThreadPoolExecutor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interrupted answer is computed again, to its end."""
    monkeypatch.setattr(answer_queue, "SHORT_LANE_SECONDS", 0.1)
    paths = tmp_path / "first", tmp_path / "second"
    gone = threading.Event()
    pool.submit(
        compute, answers, slow, str(paths[0]), TIMEOUT_SECONDS, address="1", is_gone=gone.is_set
    )
    try:
        until(lambda: started_jobs(paths[0]))
        second = pool.submit(compute, answers, toil, str(paths[1]), 1.0, address="2")
        until(lambda: started_jobs(paths[1]))
        assert compute(answers, echo, b"short", address="3") == b"short"
        assert not second.done()
    finally:
        gone.set()
    assert second.result(TIMEOUT_SECONDS) == b"done"
    assert started_jobs(paths[1]) == 2


def test_processor_seconds_of_the_present_job_are_known() -> None:
    own = Helper()
    used: list[float] = []

    def is_needed() -> bool:
        used.append(own.seconds_used())
        return used[-1] < 0.2

    assert own.acquire(0)
    with pytest.raises(NotNeededError):
        own.run(Job(spin, (), 30, 300 * MEGABYTE), is_needed)
    assert used == sorted(used)
    assert own.seconds_used() == 0.0
