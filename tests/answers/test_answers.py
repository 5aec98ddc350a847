"""What takes long is worked out once, beside, within a budget, and only while somebody waits.

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

from scorekeeper.answers.answers import Answers, AnswerWork
from scorekeeper.answers.helper import Helper, helper
from scorekeeper.answers.helper_process import USUAL
from scorekeeper.base.errors import Busy, Cause, OverBudget, Unusable
from tests.answers.work import MEGABYTE, break_down, die, echo, refuse, slow, spin, swell
from tests.operation.serving import until

SOON = 60.0  # seconds, on a machine that has much else to do


# --------------------------------------------------------------------------------------- budgets


@pytest.fixture
def answers() -> Answers:
    return Answers(helper(), seconds=30, memory=300 * MEGABYTE, places=8)


def ask(
    answers: Answers, work: AnswerWork, *given: Any, asker: str = "a table", **more: Any
) -> bytes:
    return answers.ask(asker, (work.__name__, given), work, lambda: given, **more)


def test_what_comes_of_it_is_the_answer(answers: Answers) -> None:
    assert ask(answers, echo, b"said") == b"said"


def test_what_it_refuses_is_refused_as_it_said(answers: Answers) -> None:
    with pytest.raises(Unusable, match=r"line 7, field data\.x: expected less") as caught:
        ask(answers, refuse)
    assert isinstance(caught.value.reason, Cause)
    assert (caught.value.reason.why, caught.value.reason.facts) == ("too_many", {"got": 3})


def test_it_serves_on_whatever_was_taken_by_who_started_it() -> None:
    taken = b"x" * (300 * MEGABYTE)
    own = Helper()
    answers = Answers(own, seconds=30, memory=len(taken), places=8)
    ask(answers, echo, b"one")
    first = own._running
    ask(answers, echo, b"another")
    assert first is not None
    assert own._running is first


def test_it_can_be_started_before_it_is_needed() -> None:
    own = Helper()
    own.begin()
    first = own._running
    own.begin()
    assert first is not None
    assert ask(Answers(own, seconds=30, memory=300 * MEGABYTE, places=8), echo, b"x") == b"x"
    assert own._running is first


def test_what_is_mostly_asked_for_is_there() -> None:
    assert all(find_spec(one) for one in USUAL)


def test_a_bug_is_told_with_where_it_was(answers: Answers) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        ask(answers, break_down)
    assert "in break_down" in "".join(caught.value.__notes__)


def test_what_takes_too_long_is_given_up(answers: Answers) -> None:
    hasty = Answers(helper(), seconds=1, memory=300 * MEGABYTE, places=8)
    with pytest.raises(OverBudget, match="longer"):
        ask(hasty, spin)
    assert ask(answers, echo, b"the next") == b"the next"


def test_what_takes_too_much_memory_is_given_up(answers: Answers) -> None:
    with pytest.raises(OverBudget, match="memory"):
        ask(answers, swell)
    assert ask(answers, echo, b"the next") == b"the next"


def test_a_helper_that_dies_is_followed_by_another(answers: Answers) -> None:
    with pytest.raises(OverBudget, match="given up"):
        ask(answers, die)
    assert ask(answers, echo, b"the next") == b"the next"


# ------------------------------------------------------------------------- once for all who ask


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


def begun(path: Path) -> int:
    return len(path.read_text().splitlines()) if path.exists() else 0


def test_who_asks_the_same_meanwhile_waits_for_the_same(
    answers: Answers, pool: ThreadPoolExecutor, tmp_path: Path
) -> None:
    path = tmp_path / "begun"
    asked = [pool.submit(ask, answers, slow, str(path), 0.5) for _ in range(4)]
    assert [one.result(SOON) for one in asked] == [b"done"] * 4
    assert ask(answers, slow, str(path), 0.5) == b"done"  # it was kept
    assert begun(path) == 1


def test_what_nobody_waits_for_any_more_is_ended(
    answers: Answers, pool: ThreadPoolExecutor, tmp_path: Path
) -> None:
    path, gone = tmp_path / "begun", threading.Event()
    first = pool.submit(ask, answers, slow, str(path), SOON, gone=gone.is_set)
    until(lambda: begun(path))
    began = time.monotonic()
    gone.set()
    with pytest.raises(Busy):
        first.result(SOON)
    assert ask(answers, echo, b"another") == b"another"
    assert time.monotonic() - began < SOON / 2


def test_what_another_waits_for_goes_on_though_who_asked_first_has_gone(
    answers: Answers, pool: ThreadPoolExecutor, tmp_path: Path
) -> None:
    path = tmp_path / "begun"
    gone = threading.Event()
    first = pool.submit(ask, answers, slow, str(path), 1.5, gone=gone.is_set)
    until(lambda: begun(path))
    second = pool.submit(ask, answers, slow, str(path), 1.5)
    until(lambda: answers._waiting["a table"] == 2)
    gone.set()
    assert (first.result(SOON), second.result(SOON)) == (b"done", b"done")
    assert begun(path) == 1


# ------------------------------------------------------------------------------------------ room


class Taken(Helper):
    """A helper that is never free."""

    def turn(self, seconds: float) -> bool:
        time.sleep(0.01)
        return False


def test_few_wait_and_of_one_session_or_address_half_of_them(pool: ThreadPoolExecutor) -> None:
    answers = Answers(Taken(), seconds=SOON, memory=MEGABYTE, places=4)
    gone = threading.Event()

    def wait(asker: str, number: int) -> "Future[bytes]":
        return pool.submit(ask, answers, echo, b"%d" % number, asker=asker, gone=gone.is_set)

    waiting = [wait("greedy", 1), wait("greedy", 2)]
    until(lambda: answers._waiting["greedy"] == 2)
    with pytest.raises(Busy):
        ask(answers, echo, b"3", asker="greedy")
    waiting += [wait("a table", 4), wait("another", 5)]
    until(lambda: answers._waiting.total() == 4)
    with pytest.raises(Busy) as caught:
        ask(answers, echo, b"6", asker="a third")
    assert caught.value.seconds > 0
    gone.set()
    for one in waiting:
        with pytest.raises(Busy):
            one.result(SOON)
    assert not answers._waiting


def test_who_has_no_turn_in_time_is_told_to_come_again() -> None:
    answers = Answers(Taken(), seconds=0.05, memory=MEGABYTE, places=4)
    with pytest.raises(Busy, match="turn"):
        ask(answers, echo, b"")
