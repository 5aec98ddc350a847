"""Names as buttons bear them, so that two who are called the same can be told apart."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

SEEN: Final = 12  # letters of a name that a small button shows


def distinct(names: Mapping[str, str]) -> dict[str, str]:
    """Names by player; who shares the beginning of his with another bears his place before it.

    >>> distinct({"ann": "Ann", "leo": "Leo", "ann-2": "Ann"})
    {'ann': '1. Ann', 'leo': 'Leo', 'ann-2': '3. Ann'}
    """
    shared = Counter(_beginning(name) for name in names.values())
    return {
        player: f"{place}. {name}" if shared[_beginning(name)] > 1 else name
        for place, (player, name) in enumerate(names.items(), start=1)
    }


def _beginning(name: str) -> str:
    return " ".join(name.split()).casefold()[:SEEN]
