"""Packages that Python takes for installed ones because of their metadata, without an installer."""

from collections.abc import Mapping
from pathlib import Path

GROUP = "scorekeeper.games"


def metadata_of(folder: Path, name: str, games: Mapping[str, str]) -> Path:
    """Write the metadata of an installed package that declares games by entry points.

    A process with the folder on ``sys.path`` finds the package as an installed one.
    """
    info = folder / f"{name.replace('-', '_')}-1.0.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0.0\n")
    lines = [f"{point} = {value}\n" for point, value in games.items()]
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{''.join(lines)}")
    return folder
