"""Verified and published tables of draws."""

import json
from pathlib import Path
from typing import Any

DESIGNS: dict[str, Any] = json.loads(Path(__file__).with_name("designs.json").read_text("utf-8"))


def list_balanced() -> list[str]:
    """Return the names of the tables in which individuals meet at most once."""
    return [name for name in DESIGNS if "individual" not in name and "Berger" not in name]
