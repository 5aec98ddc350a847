"""The tests of the game: the promises that Scorekeeper's own games keep, asked of Tressette.

They run from a checkout of Scorekeeper, whose helpers they use. Where the package is not
installed, they find it as if it were.
"""

import atexit
import os
import shutil
import sys
import tempfile
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

from tests.installing import GROUP, metadata_of

PACKAGE = Path(__file__).parents[1]
PROJECT = tomllib.loads((PACKAGE / "pyproject.toml").read_text("utf-8"))["project"]
GAMES = PROJECT["entry-points"][GROUP]

if not entry_points(group=GROUP, name="tressette"):  # before anybody asks which games there are
    FOUND = Path(tempfile.mkdtemp(prefix="tressette-"))
    atexit.register(shutil.rmtree, FOUND)
    sys.path += [str(metadata_of(FOUND, PROJECT["name"], GAMES)), str(PACKAGE)]
    paths = [os.environ.get("PYTHONPATH", ""), *sys.path[-2:]]  # for the processes begun by tests
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))

import tests.players  # noqa: E402
from scorekeeper.games import GAMES as THERE  # noqa: E402
from tests.samples import SAMPLES, samples_in  # noqa: E402

if "tressette" not in THERE:
    raise RuntimeError("the games are known already: run these tests in a process of their own")

# The simulated players and walkers know this game alone.
tests.players.__path__.append(str(PACKAGE / "tests" / "players"))
SAMPLES.clear()
SAMPLES.update(samples_in(PACKAGE / "golden"))

from tests.api.conftest import on_memory  # noqa: E402
from tests.conftest import (  # noqa: E402
    browser,
    compiled_once,
    pytest_collection_modifyitems,
    pytest_runtest_setup,
)

__all__ = [
    "browser",
    "compiled_once",
    "on_memory",
    "pytest_collection_modifyitems",
    "pytest_runtest_setup",
]
