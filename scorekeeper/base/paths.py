"""Where the files beside the package are: in a checkout, or within an installed wheel."""

from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parents[1]
CHECKOUT: Final = PACKAGE.parent


def resource(name: str) -> Path:
    """The file or folder of that name at the top of the project."""
    if (CHECKOUT / "pyproject.toml").exists():
        return CHECKOUT / name
    return PACKAGE / "_bundled" / name
