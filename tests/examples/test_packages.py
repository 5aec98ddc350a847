"""The examples of installed games pass their tests, and those of Scorekeeper ignore them.

The tests run in a child process that finds the example as an installed package; in this process
the games are loaded already.
"""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.conftest import SOAK
from tests.installing import GROUP, metadata_of

pytestmark = [pytest.mark.soak] if SOAK else []

CHECKOUT = Path(__file__).parents[2]
PROJECTS = sorted((CHECKOUT / "examples").glob("*/pyproject.toml"))


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


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.parent.name)
def test_the_example_passes_its_own_tests(request: pytest.FixtureRequest, project: Path) -> None:
    """With the same marker expression as this run."""
    run_tests("-m", request.config.getoption("-m"), str(project.parent / "tests"))


def test_tests_of_scorekeeper_ignore_installed_games(tmp_path: Path) -> None:
    declared = [tomllib.loads(path.read_text("utf-8"))["project"] for path in PROJECTS]
    for project in declared:
        metadata_of(tmp_path, project["name"], project["entry-points"][GROUP])
    there = os.pathsep.join([str(tmp_path), *(str(path.parent) for path in PROJECTS)])
    listed = "tests/test_docs.py::test_every_game_is_listed"
    run_tests("-k", "every", "tests/test_near_misses.py", listed, PYTHONPATH=there)
