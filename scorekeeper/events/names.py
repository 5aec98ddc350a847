"""Test that names and titles are visible, and whether two names look alike.

Logs with an invisible name, or with names that look alike, stay readable; new events with one are
refused.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from typing import Final

from scorekeeper.base.unicode_14 import change_assigned, is_assigned
from scorekeeper.events.fields import RESERVED_IDS, Declared, Kind, Many, Nested, Words, parts_of

# Controls, halves of characters, spaces, and marks that need a letter to stand on.
SHAPELESS: Final = frozenset({"Cc", "Cf", "Cs", "Mn", "Me", "Zl", "Zp", "Zs"})
BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # fillers, which are letters by category


def is_visible(text: str) -> bool:
    """Return whether a text has a character that can be seen.

    A code point that Unicode 14.0 does not assign counts as visible: phones send newer emoji.

    >>> is_visible("Zoë"), is_visible("\u200b\u2060"), is_visible("\u3164")
    (True, False, False)
    """
    return any(
        not is_assigned(char) or (char not in BLANK and unicodedata.category(char) not in SHAPELESS)
        for char in change_assigned(text, partial(unicodedata.normalize, "NFC"))
    )


# Characters without a width, beside controls and spaces: joiners and selectors of variants.
WITHOUT_WIDTH: Final = BLANK | {
    "\u034f", *map(chr, range(0x180B, 0x1810)), *map(chr, range(0xFE00, 0xFE10)),
    *map(chr, range(0xE0100, 0xE01F0)),
}  # fmt: skip
WITHOUT_INK: Final = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})
_NOT_IN_IDS: Final = re.compile(r"[^a-z0-9]+")
LONGEST_ID: Final = 32
MAX_CACHED_NAMES: Final = 4096  # a new name is compared with all others


@lru_cache(MAX_CACHED_NAMES)
def fold_name(name: str) -> str:
    """Return a key that is equal for names that look or sound alike.

    It ignores case, white space, characters without a width, and compatibility forms (NFKC).

    >>> fold_name("Marco") == fold_name("ma\u200brc\N{FULLWIDTH LATIN SMALL LETTER O} ")
    True
    """
    return "".join(
        char
        for char in change_assigned(name, _fold_forms)
        if not is_assigned(char)
        or (char not in WITHOUT_WIDTH and unicodedata.category(char) not in WITHOUT_INK)
    )


def _fold_forms(text: str) -> str:
    """Return a text without case and compatibility forms."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def invisible_texts(declared: Declared, path_prefix: str = "") -> Iterator[str]:
    """Yield the path of each name or title of an event that has no visible character.

    A path is made of keys and indexes, such as ``players.0.name``; ``path_prefix`` precedes it.
    """
    for part in parts_of(type(declared)):
        yield from _invisible_within(
            part.kind, getattr(declared, part.name), f"{path_prefix}{part.log_name}"
        )


def _invisible_within(kind: Kind, value: object, path: str) -> Iterator[str]:
    """Yield the paths of invisible names and titles in one value, which is found at ``path``."""
    match kind, value:
        case Words(name=True), str() if not is_visible(value):
            yield path
        case Many(of=of), tuple():
            for place, item in enumerate(value):
                yield from _invisible_within(of, item, f"{path}.{place}")
        case Nested(), Declared():
            yield from invisible_texts(value, f"{path}.")


def player_ids(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Return a new id for each name, made of its letters where possible.

    Ids in `taken` and reserved ids are not used.
    """
    used = {*taken, *RESERVED_IDS}
    ids: dict[str, str] = {}
    for name in names:
        ids[name] = _new_id(name, used)
        used.add(ids[name])
    return ids


def _new_id(name: str, used: set[str]) -> str:
    """Return an id from the letters of a name, with a number if that id is in `used`."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    stem = _NOT_IN_IDS.sub("-", plain).strip("-")[: LONGEST_ID - 4].strip("-") or "player"
    candidates = (stem if n == 1 else f"{stem}-{n}" for n in range(1, len(used) + 2))
    return next(id_ for id_ in candidates if id_ not in used)
