"""The names of people on a page that everybody can read: initials, or in full."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Final

from scorekeeper.clubs.values import Member

MAX_INITIALS: Final = 4
NO_LETTER: Final = "–"


def initials(name: str) -> str:
    """Return the initials of a name, with a point after each; a dash if it has no letters.

    >>> initials("Anna Maria de Rossi"), initials("leo"), initials("<b>Ugo</b>"), initials("🂡")
    ('A. M. D. R.', 'L.', 'B.', '–')
    """
    firsts = list(filter(None, map(_first_letter, name.split())))[:MAX_INITIALS]
    return " ".join(f"{first}." for first in firsts) or NO_LETTER


def _first_letter(word: str) -> str:
    """Return the first letter or digit of a word as a capital, with its marks; empty if none."""
    for place, char in enumerate(word):
        if char.isalnum():
            marks = takewhile(lambda mark: unicodedata.category(mark).startswith("M"),
                              word[place + 1 :])  # fmt: skip
            capital = char.upper()
            return (capital if len(capital) == 1 else char) + "".join(marks)
    return ""


def public_names(members: Iterable[Member], *, in_full: bool) -> Mapping[str, str]:
    """Return the public name of each member and guest, by id.

    Guests have not joined the club: they have initials, even where members are named in full.
    Equal names are numbered in the order in which their people joined.
    """
    shown = {
        member.id: member.name if in_full and not member.guest else initials(member.name)
        for member in members
    }
    total, counted = Counter(shown.values()), Counter[str]()
    names = {}
    for member_id, name in shown.items():
        counted[name] += 1
        names[member_id] = f"{name} {counted[name]}" if total[name] > 1 else name
    return names
