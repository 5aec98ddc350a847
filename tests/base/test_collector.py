"""The collector rests while a file is made."""

import gc
from contextlib import suppress

from scorekeeper.base.collector import uncollected
from scorekeeper.base.errors import UnusableError


def test_the_collector_rests_while_a_file_is_made_and_then_goes_on() -> None:
    looked = []
    with suppress(UnusableError), uncollected():
        looked.append(gc.isenabled())
        raise UnusableError("a file that cannot be made")
    assert [*looked, gc.isenabled()] == [False, True]
