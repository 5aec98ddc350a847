"""The example of a game in a package of its own keeps all promises, beside the games there are.

Its tests run in a process of their own, in which it is found as an installed package is: in this
one the games are known already.
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


def passes(*arguments: str, **settings: str) -> None:
    """That tests pass in a process of their own."""
    ours = {name: it for name, it in os.environ.items() if not name.startswith("PYTEST_")}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=CHECKOUT, capture_output=True, text=True, check=False, env=ours | settings,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_example_passes_its_own_tests(request: pytest.FixtureRequest) -> None:
    """Those that are asked for here: all, or perhaps none in a browser."""
    passes("-m", request.config.getoption("-m"), TESTS)


def test_our_own_tests_do_not_look_at_an_installed_game(tmp_path: Path) -> None:
    games = {"tressette": "scorekeeper_tressette:VERSIONS"}
    there = f"{metadata_of(tmp_path, 'tressette', games)}{os.pathsep}examples/tressette"
    listed = "tests/test_docs.py::test_every_game_is_listed"
    passes("-k", "every", "tests/test_near_misses.py", listed, PYTHONPATH=there)
