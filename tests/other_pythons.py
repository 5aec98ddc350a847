"""Other versions of Python that this machine has."""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

OLDEST: Final = 11  # the minor version of Python 3 that the project needs
NEWEST: Final = 20
VERSIONS: Final = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"


@cache
def other_pythons() -> dict[int, str]:
    """Return the interpreters of other versions that start, by the minor version of Python 3."""
    pythons = {}
    for minor in range(OLDEST, NEWEST + 1):
        installed = sorted(VERSIONS.glob(f"3.{minor}.*/bin/python3.{minor}"))
        candidates = [*map(str, installed), shutil.which(f"python3.{minor}")]
        python = next(filter(starts, filter(None, candidates)), None)
        if python is not None and minor != sys.version_info.minor:
            pythons[minor] = python
    return pythons


def starts(python: str) -> bool:
    """Return whether an interpreter runs: a shim may stand for a version that is not chosen."""
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0
