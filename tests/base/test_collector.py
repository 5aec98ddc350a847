"""Garbage collection is paused while a file is made."""

import gc
from contextlib import suppress

from scorekeeper.base.collector import gc_paused
from scorekeeper.base.errors import UnusableError


def test_collector_is_paused_within_the_block_even_if_it_fails() -> None:
    looked = []
    with suppress(UnusableError), gc_paused():
        looked.append(gc.isenabled())
        raise UnusableError("a file that cannot be made")
    assert [*looked, gc.isenabled()] == [False, True]
