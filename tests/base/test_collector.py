"""Garbage collection is paused while a file is made, and seldom searches what stays."""

import gc
from collections.abc import Iterator
from contextlib import suppress
from weakref import ref

import pytest

from scorekeeper.base.collector import (
    MAX_GROWTH,
    SECONDS_BETWEEN_FULL_SEARCHES,
    SurvivorSearch,
    gc_paused,
)
from scorekeeper.base.errors import UnusableError


class Node:
    """An object that can refer to itself."""

    def __init__(self) -> None:
        self.next: Node | None = None


class Process:
    """A clock, blocks of memory, and used time, which stand still until they are set."""

    now = 100.0
    blocks = 1_000_000  # of memory
    used = 50.0  # seconds of the processor


@pytest.fixture
def process() -> Process:
    return Process()


@pytest.fixture
def search(process: Process) -> Iterator[SurvivorSearch]:
    """Freeze what survives full collections within the test, in this process."""
    before = list(gc.callbacks)
    search = SurvivorSearch(lambda: process.now, lambda: process.blocks, lambda: process.used)
    search.begin()
    yield search
    gc.callbacks[:] = before


def test_collector_is_paused_within_the_block_even_if_it_fails() -> None:
    looked = []
    with suppress(UnusableError), gc_paused():
        looked.append(gc.isenabled())
        raise UnusableError("a file that cannot be made")
    assert [*looked, gc.isenabled()] == [False, True]


def frozen_garbage() -> "ref[Node]":
    """Return a reference to an object that became garbage after it had survived a collection."""
    survivor = Node()
    gc.collect()
    survivor.next = survivor
    return ref(survivor)


def test_survivors_are_not_searched_again_before_an_hour(
    search: SurvivorSearch, process: Process
) -> None:
    dropped = frozen_garbage()
    process.now += SECONDS_BETWEEN_FULL_SEARCHES
    search.look()
    assert dropped() is not None
    process.now += 1
    search.look()
    assert dropped() is None


def test_everything_is_searched_after_the_memory_has_grown(
    search: SurvivorSearch, process: Process
) -> None:
    dropped = frozen_garbage()
    process.blocks += 1_050_000
    search.look()
    assert dropped() is not None
    process.blocks += 1
    search.look()
    assert dropped() is None


def test_process_that_works_is_not_stopped_by_a_search(
    search: SurvivorSearch, process: Process
) -> None:
    dropped = frozen_garbage()
    process.blocks *= 3
    process.now, process.used = process.now + 1, process.used + 0.1
    search.look()
    gc.collect()
    assert dropped() is not None
    process.now, process.used = process.now + 1, process.used + 0.01
    search.look()
    assert dropped() is None


def test_process_that_is_never_idle_searches_after_it_has_grown_much(
    search: SurvivorSearch, process: Process
) -> None:
    dropped = frozen_garbage()
    process.blocks = process.blocks * MAX_GROWTH + 50_001
    process.used += 1
    search.look()
    assert dropped() is not None
    gc.collect()
    assert dropped() is None
    again = frozen_garbage()
    gc.collect()
    assert again() is not None


def test_new_garbage_is_found_by_each_full_collection(search: SurvivorSearch) -> None:
    gc.collect()
    garbage = Node()
    garbage.next = garbage
    dropped = ref(garbage)
    del garbage
    gc.collect()
    assert dropped() is None
