"""The tests of Tarot, by the same measure as those of Scorekeeper's own games.

They run in a checkout of Scorekeeper and use its helpers. If the package is not installed, they
register it as an installed one.
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

if not entry_points(group=GROUP, name="tarot"):  # before scorekeeper.games is imported
    METADATA = Path(tempfile.mkdtemp(prefix="tarot-"))
    atexit.register(shutil.rmtree, METADATA)
    sys.path += [str(metadata_of(METADATA, PROJECT["name"], GAMES)), str(PACKAGE)]
    paths = [os.environ.get("PYTHONPATH", ""), *sys.path[-2:]]  # for child processes of tests
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))

import tests.players  # noqa: E402
from scorekeeper.games import GAMES as INSTALLED  # noqa: E402
from tests.samples import SAMPLES, samples_in  # noqa: E402

if "tarot" not in INSTALLED:
    raise RuntimeError("the games are loaded already: run these tests in a process of their own")

# The simulated players and walkers know only this game.
tests.players.__path__.append(str(PACKAGE / "tests" / "players"))
SAMPLES.clear()
SAMPLES.update(samples_in(PACKAGE / "golden"))

from tests.api.conftest import on_memory  # noqa: E402
from tests.conftest import (  # noqa: E402
    browser,
    pytest_collection_modifyitems,
    pytest_itemcollected,
    pytest_runtest_setup,
    share_compiled_links,
)

__all__ = [
    "browser",
    "on_memory",
    "pytest_collection_modifyitems",
    "pytest_itemcollected",
    "pytest_runtest_setup",
    "share_compiled_links",
]
