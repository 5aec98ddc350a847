"""A part of pytest (``-p``): runs the chosen tests, and ends the process where one takes too long.

The environment names a file with the node ids of the tests in their order, and what each took.
"""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

PATIENCE: Final = 30  # seconds that a test may take beyond twenty times what it took

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
    """Let the alarm, which nobody hears, end a process that is caught in a fault."""
    signal.setitimer(signal.ITIMER_REAL, PATIENCE + 20 * SECONDS[item.nodeid])
    result = yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    return result
