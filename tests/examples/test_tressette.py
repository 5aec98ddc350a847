"""The example of an installed game passes its tests, and those of Scorekeeper ignore it.

The tests run in a child process that finds the example as an installed package; in this process
the games are loaded already.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import SOAK
from tests.installing import metadata_of

pytestmark = [pytest.mark.soak] if SOAK else []

CHECKOUT = Path(__file__).parents[2]
TESTS = "examples/tressette/tests"


def run_tests(*arguments: str, **variables: str) -> None:
    """Run pytest in a child process, and assert that the tests pass."""
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")
    }
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=CHECKOUT, capture_output=True, text=True, check=False, env=inherited | variables,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_example_passes_its_own_tests(request: pytest.FixtureRequest) -> None:
    """With the same marker expression as this run."""
    run_tests("-m", request.config.getoption("-m"), TESTS)


def test_tests_of_scorekeeper_ignore_installed_games(tmp_path: Path) -> None:
    games = {"tressette": "scorekeeper_tressette:VERSIONS"}
    there = f"{metadata_of(tmp_path, 'tressette', games)}{os.pathsep}examples/tressette"
    listed = "tests/test_docs.py::test_every_game_is_listed"
    run_tests("-k", "every", "tests/test_near_misses.py", listed, PYTHONPATH=there)
