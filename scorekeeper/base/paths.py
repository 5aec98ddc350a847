"""The paths of files beside the package, in a checkout or in an installed wheel."""

from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parents[1]
CHECKOUT: Final = PACKAGE.parent


def resource(name: str) -> Path:
    """Return the path of a file or folder at the top of the project, also in a wheel."""
    if (CHECKOUT / "pyproject.toml").exists():
        return CHECKOUT / name
    return PACKAGE / "_bundled" / name
