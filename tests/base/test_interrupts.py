"""Exceptions that signals raise are distinguished from those that code raises itself."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from scorekeeper.base.interrupts import is_from_signal, marked_interrupts
from tests.conftest import restore_interrupts


def raised(run: Callable[[], object]) -> BaseException:
    with pytest.raises(BaseException) as caught:  # noqa: PT011 - any at all
        run()
    return caught.value


def interrupted() -> None:
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(1_000_000):
        pass


def of_itself() -> None:
    raise KeyboardInterrupt


def test_real_interrupt_is_distinguished_from_one_raised_by_code() -> None:
    with marked_interrupts():
        assert is_from_signal(raised(interrupted))
        assert not is_from_signal(raised(of_itself))


def test_unmarked_interrupt_counts_as_a_real_one() -> None:
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert is_from_signal(raised(interrupted))
    assert is_from_signal(raised(of_itself))
    assert not is_from_signal(SystemExit(0))


def test_signals_raise_nothing_in_other_threads() -> None:
    raised_: list[bool] = []

    def run() -> None:
        raised_.append(is_from_signal(raised(of_itself)))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert raised_ == [False]


class Stops:
    def stop(self, number: int, frame: Any) -> None:
        raise SystemExit(number)


def stop(reason: str, number: int, frame: Any) -> None:
    raise ValueError(reason)


@pytest.mark.parametrize("handler", [Stops().stop, partial(stop, "enough")])
def test_exception_of_a_handler_is_from_its_signal(handler: Any) -> None:
    before = signal.signal(signal.SIGUSR1, handler)
    try:
        assert is_from_signal(raised(partial(os.kill, os.getpid(), signal.SIGUSR1)))
        assert not is_from_signal(raised(partial(sys.exit, 3)))
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_handler_is_restored_and_foreign_handlers_stay() -> None:
    with marked_interrupts(), marked_interrupts():
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with marked_interrupts():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_tests_that_run_in_the_background_are_interrupted_as_others() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        restore_interrupts()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
