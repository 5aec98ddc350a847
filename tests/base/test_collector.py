"""Garbage collection is paused while a file is made, and seldom searches what stays."""

import gc
from collections.abc import Iterator
from contextlib import suppress
from weakref import ref

import pytest

from scorekeeper.base.collector import (
    SECONDS_BETWEEN_FULL_SEARCHES,
    gc_paused,
    search_survivors_seldom,
)
from scorekeeper.base.errors import UnusableError


class Node:
    """An object that can refer to itself."""

    def __init__(self) -> None:
        self.next: Node | None = None


class Clock:
    """A clock and a count of blocks of memory that stand still until they are set."""

    now = 100.0
    blocks = 1_000_000  # of memory

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Iterator[Clock]:
    """Freeze what survives full collections within the test, by this clock."""
    clock, before = Clock(), list(gc.callbacks)
    search_survivors_seldom(clock, lambda: clock.blocks)
    yield clock
    gc.callbacks[:] = before


def test_collector_is_paused_within_the_block_even_if_it_fails() -> None:
    looked = []
    with suppress(UnusableError), gc_paused():
        looked.append(gc.isenabled())
        raise UnusableError("a file that cannot be made")
    assert [*looked, gc.isenabled()] == [False, True]


def test_survivors_of_a_full_collection_are_not_searched_again_before_an_hour(
    clock: Clock,
) -> None:
    survivor = Node()
    before = gc.get_freeze_count()
    gc.collect()
    assert gc.get_freeze_count() > before
    survivor.next = survivor
    dropped = ref(survivor)
    del survivor
    clock.now += SECONDS_BETWEEN_FULL_SEARCHES
    gc.collect()
    assert dropped() is not None
    clock.now += 1
    gc.collect()
    assert dropped() is None


def test_everything_is_searched_after_the_memory_has_grown(clock: Clock) -> None:
    survivor = Node()
    gc.collect()
    survivor.next = survivor
    dropped = ref(survivor)
    del survivor
    clock.blocks += 1_050_000
    gc.collect()
    assert dropped() is not None
    clock.blocks += 1
    gc.collect()
    assert dropped() is None


def test_new_garbage_is_found_by_each_full_collection(clock: Clock) -> None:
    gc.collect()
    garbage = Node()
    garbage.next = garbage
    dropped = ref(garbage)
    del garbage
    gc.collect()
    assert dropped() is None
