"""What is said to programs and read from them: the objects of JSON."""

from collections.abc import Mapping
from typing import Any

JsonObject = Mapping[str, Any]
