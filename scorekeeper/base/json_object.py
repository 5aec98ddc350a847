"""The type of JSON objects."""

from collections.abc import Mapping
from typing import Any

JsonObject = Mapping[str, Any]
