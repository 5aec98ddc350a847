"""A plugin of pytest (``-p``): store the lines that each test runs, and its duration."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from coverage import Coverage

NOTES: Final = os.environ.get("MUTANTS_NOTES", "")  # the folder of the results


class LineRecorder:
    """Stores the lines of each test, and the processor seconds of those that pass."""

    def __init__(self) -> None:
        file = f"{NOTES}/lines.{os.getpid()}"
        self.coverage = Coverage(data_file=file, source=["scorekeeper"], config_file=False)
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        start = sum(os.times()[:4])  # of this process and of its ended children
        result = yield
        self.seconds[item.nodeid] = sum(os.times()[:4]) - start
        self.coverage.switch_context("")
        if sys.gettrace() is None:
            pytest.exit(f"{item.nodeid} removed the tracer: later tests cannot be recorded")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.coverage.stop()
        self.coverage.save()
        passed = {test: took for test, took in self.seconds.items() if test not in self.failed}
        Path(f"{NOTES}/seconds.{os.getpid()}").write_text(json.dumps(passed))


def pytest_configure(config: pytest.Config) -> None:
    """Register the recorder in the processes that run tests."""
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(LineRecorder())
