"""Exceptions that signals raise, told from those that code raises itself."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from scorekeeper.base.interrupts import is_from_signal, marked_interrupts


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


def test_a_real_interrupt_is_told_from_one_that_code_raises() -> None:
    with marked_interrupts():
        assert is_from_signal(raised(interrupted))
        assert not is_from_signal(raised(of_itself))


def test_where_it_cannot_be_told_an_interrupt_is_taken_for_a_real_one() -> None:
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert is_from_signal(raised(interrupted))
    assert is_from_signal(raised(of_itself))
    assert not is_from_signal(SystemExit(0))


def test_in_another_thread_no_signal_raises_anything() -> None:
    found: list[bool] = []

    def run() -> None:
        found.append(is_from_signal(raised(of_itself)))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert found == [False]


class Stops:
    def stop(self, number: int, frame: Any) -> None:
        raise SystemExit(number)


def stop(reason: str, number: int, frame: Any) -> None:
    raise ValueError(reason)


@pytest.mark.parametrize("handler", [Stops().stop, partial(stop, "enough")])
def test_whatever_a_handler_raises_is_from_its_signal(handler: Any) -> None:
    before = signal.signal(signal.SIGUSR1, handler)
    try:
        assert is_from_signal(raised(partial(os.kill, os.getpid(), signal.SIGUSR1)))
        assert not is_from_signal(raised(partial(sys.exit, 3)))
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_the_handler_is_put_back_and_that_of_others_is_left() -> None:
    with marked_interrupts(), marked_interrupts():
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with marked_interrupts():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
