"""A plugin of pytest (``-p``): run the chosen tests, and end the process if one takes too long.

The environment names a file with the node ids of the tests in their order, and their seconds.
"""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

EXTRA_SECONDS: Final = 30  # of a test, beyond 20 times its usual time

SECONDS: Final[dict[str, float]] = json.loads(Path(os.environ["MUTANTS_CHOSEN"]).read_text())
FILES: Final = list(dict.fromkeys(test.partition("::")[0] for test in SECONDS))
PLACE: Final = {test: (FILES.index(test.partition("::")[0]), n) for n, test in enumerate(SECONDS)}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the chosen tests, file by file."""
    chosen = [item for item in items if item.nodeid in PLACE]
    items[:] = sorted(chosen, key=lambda item: PLACE[item.nodeid])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Set an alarm without a handler, which ends the process if a fault makes the test hang."""
    signal.setitimer(signal.ITIMER_REAL, EXTRA_SECONDS + 20 * SECONDS[item.nodeid])
    result = yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    return result
