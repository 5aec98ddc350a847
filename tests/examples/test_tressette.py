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

pytestmark = [pytest.mark.soak] if SOAK else []

CHECKOUT = Path(__file__).parents[2]
TESTS = "examples/tressette/tests"


def test_the_example_passes_its_own_tests(request: pytest.FixtureRequest) -> None:
    """Those that are asked for here: all, or perhaps none in a browser."""
    which: str = request.config.getoption("-m")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", which, TESTS],
        cwd=CHECKOUT, capture_output=True, text=True, check=False,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
