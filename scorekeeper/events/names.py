"""Names and titles that can be seen: what is only blanks and characters without a shape is none.

Logs that have such a name stay readable; no new one comes on record.
"""

import unicodedata
from collections.abc import Iterator
from typing import Any, Final

from scorekeeper.events.fields import Declared, Kind, Many, Nested, Words, parts

# Controls, halves of characters, spaces, and marks that need a letter to stand on.
SHAPELESS: Final = frozenset({"Cc", "Cf", "Cs", "Mn", "Me", "Zl", "Zp", "Zs"})
BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # fillers, which are letters by category


def visible(text: str) -> bool:
    """Whether a text has a character that can be seen.

    >>> visible("Zoë"), visible("\u200b\u2060"), visible("\u3164")
    (True, False, False)
    """
    return any(
        char not in BLANK and unicodedata.category(char) not in SHAPELESS
        for char in unicodedata.normalize("NFC", text)
    )


def invisible(declared: Declared, before: str = "") -> Iterator[str]:
    """The paths of the names and titles of an event that are invisible."""
    for one in parts(type(declared)):
        yield from _within(one.kind, getattr(declared, one.name), f"{before}{one.said or one.name}")


def _within(kind: Kind, value: Any, path: str) -> Iterator[str]:
    match kind, value:
        case Words(name=True), str() if not visible(value):
            yield path
        case Many(of=of), tuple():
            for place, one in enumerate(value):
                yield from _within(of, one, f"{path}.{place}")
        case Nested(), Declared():
            yield from invisible(value, f"{path}.")
