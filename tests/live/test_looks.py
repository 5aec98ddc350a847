"""One look serves all who asked before it began, and nobody sees what is older than his asking."""

import threading
from concurrent.futures import Future
from itertools import count

import pytest

from scorekeeper.live.looks import AT_ONCE, Looks

SOON = 5.0  # seconds


class Slow:
    """Looks that wait until they are let go; each sees another number."""

    def __init__(self) -> None:
        self.let_go, self.begun = threading.Event(), threading.Semaphore(0)
        self._numbers = count()

    def __call__(self) -> int:
        number = next(self._numbers)
        self.begun.release()
        assert self.let_go.wait(SOON)
        return number


def held_up(looks: Looks, slow: Slow) -> list[Future[int]]:
    """As many looks, each at something else, as are taken at once."""
    held = [looks.ask(f"else {n}", slow) for n in range(AT_ONCE)]
    for _ in held:
        assert slow.begun.acquire(timeout=SOON)
    return held


def test_who_asks_before_it_began_sees_the_same_look() -> None:
    looks, slow = Looks(), Slow()
    held_up(looks, slow)
    asked = [looks.ask("table", slow) for _ in range(20)]
    slow.let_go.set()
    assert {one.result(SOON) for one in asked} == {AT_ONCE}
    assert looks._due == {}


def test_who_asks_after_it_began_sees_another_one() -> None:
    looks, slow = Looks(), Slow()
    first = looks.ask("table", slow)
    assert slow.begun.acquire(timeout=SOON)
    second = looks.ask("table", slow)
    assert second is not first
    slow.let_go.set()
    assert (first.result(SOON), second.result(SOON)) == (0, 1)


def test_all_hear_of_a_look_that_failed_and_the_next_one_is_taken() -> None:
    looks, slow = Looks(), Slow()
    held_up(looks, slow)

    def fails() -> int:
        raise OSError("gone")

    asked = [looks.ask("table", fails) for _ in range(3)]
    slow.let_go.set()
    for one in asked:
        with pytest.raises(OSError, match="gone"):
            one.result(SOON)
    assert looks.ask("table", slow).result(SOON) == AT_ONCE
