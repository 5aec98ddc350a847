"""Names as pages bear them: two who are called the same, or nearly, can be told apart."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, wraps
from typing import Any, Final, TypeVarTuple
from unicodedata import category, east_asian_width

SEEN: Final = 12  # letters of a name that a small button shows
KEPT: Final = 1024  # tables, as they are named in so much room; texts, as wide as they are
ELLIPSIS: Final = "\N{HORIZONTAL ELLIPSIS}"
JOINER: Final = "\N{ZERO WIDTH JOINER}"
# How wide letters are, in em: rather more than in the sans serif letters of phones.
NARROW: Final = frozenset("fijlrtI.,:;'’!|()[] ")
BROAD: Final = frozenset("mwMW@%&—…")
NARROW_EM, USUAL_EM, CAPITAL_EM, BROAD_EM, OF_TWO_EM = 0.36, 0.6, 0.74, 0.98, 1.1
# How wide a name may be, in em, where that many sides stand beside one another above a table,
# on the smallest of phones.
ROOM: Final = {1: 18.0, 2: 9.0, 3: 5.7, 4: 4.1, 5: 3.8, 6: 6.5, 7: 4.8}
# The same above the columns of a sheet, where a name may take three lines; and of a dealer in it.
OVER_COLUMNS: Final = {1: 18.0, 2: 14.0, 3: 12.0, 4: 9.0, 5: 8.0, 6: 7.0}
OVER_MANY, ON_A_ROW = 6.0, 8.0


Given = TypeVarTuple("Given")
Naming = Callable[[Mapping[str, str], *Given], dict[str, str]]


def remembered(name: Naming[*Given]) -> Naming[*Given]:
    """A way to name players that is worked out once for the same names: a page asks it often."""

    @lru_cache(KEPT)
    def named(names: tuple[tuple[str, str], ...], *room: Any) -> dict[str, str]:
        return name(dict(names), *room)

    @wraps(name)
    def found(names: Mapping[str, str], *room: *Given) -> dict[str, str]:
        return dict(named(tuple(names.items()), *room))

    return found


@remembered
def distinct(names: Mapping[str, str]) -> dict[str, str]:
    """Names by player; who shares the beginning of his with another bears his place before it.

    >>> distinct({"ann": "Ann", "leo": "Leo", "ann-2": "Ann"})
    {'ann': '1. Ann', 'leo': 'Leo', 'ann-2': '3. Ann'}
    """
    shared = Counter(_same(name)[:SEEN] for name in names.values())
    return {
        player: f"{place}. {name}" if shared[_same(name)[:SEEN]] > 1 else name
        for place, (player, name) in enumerate(names.items(), start=1)
    }


@remembered
def short(names: Mapping[str, str], room: float) -> dict[str, str]:
    """Names by player that are no wider than ``room``, in em, and each otherwise.

    What is too wide is cut, without the number that it may bear. Where two would be cut to the
    same, the words that they share become initials, or are left out; where that does not help,
    their numbers, or else their places, stand before them.

    >>> list(short({"a": "Maria Grazia", "b": "Maria Giovanna", "c": "Leo"}, 5).values())
    ['M. Grazia', 'M. Giov…', 'Leo']
    >>> list(short({"a": "1. Maria Grazia Rossi", "b": "2. Maria Grazia Verdi"}, 5).values())
    ['…Rossi', '…Verdi']
    """
    whole = {player: " ".join(name.split()) for player, name in names.items()}
    bare = {player: _bare(name) for player, name in whole.items()}
    found = {
        player: name if width(name) <= room else _cut(bare[player], room)
        for player, name in whole.items()
    }
    for alike in list(_alike(found)):
        found |= _apart({player: bare[player] for player in alike}, room)
    numbered = {
        player: _cut(bare[player], room, name[: len(name) - len(bare[player])] or f"{place}. ")
        for place, (player, name) in enumerate(whole.items(), start=1)
    }
    found |= {one: numbered[one] for alike in list(_alike(found)) for one in alike}
    return _placed(whole, room) if any(_alike(found)) else found


def _bare(name: str) -> str:
    """A name without the number that it bears where another begins like it."""
    number, _, rest = name.partition(". ")
    return rest if number.isdecimal() and rest else name


def _apart(names: Mapping[str, str], room: float) -> dict[str, str]:
    """Names that begin alike, with initials for the words that they share, or without those."""
    words = _shared([name.split(" ") for name in names.values()])
    initials = {player: _initials(name, words) for player, name in names.items()}
    rests = {player: ELLIPSIS + " ".join(name.split(" ")[words:]) for player, name in names.items()}
    for some in (initials, rests) if words else ():
        if all(width(name) <= room for name in some.values()):
            return some
    return {player: _cut(name, room) for player, name in initials.items()}


def _placed(names: Mapping[str, str], room: float) -> dict[str, str]:
    """Names with their places before them."""
    return {
        player: _cut(name, room, f"{place}. ")
        for place, (player, name) in enumerate(names.items(), start=1)
    }


def over_columns(columns: Mapping[str, str]) -> dict[str, str]:
    """What sides are called above their columns."""
    return short(columns, OVER_COLUMNS.get(len(columns), OVER_MANY))


def on_a_row(name: str, names: Mapping[str, str]) -> str:
    """What one of those who bear these names is called beside the number of a hand."""
    called = short(names, ON_A_ROW)
    return next((called[one] for one, whole in names.items() if whole == name), name)


@lru_cache(KEPT)
def width(text: str) -> float:
    """About how wide a text is, in em."""
    return sum(max(map(_width, letter)) for letter in _letters(text))


def _width(letter: str) -> float:
    kind = category(letter)
    if letter in NARROW:
        return NARROW_EM
    if letter in BROAD:
        return BROAD_EM
    if kind in ("So", "Sk", "Lo", "Cn", "Co") or east_asian_width(letter) in "WF":
        return OF_TWO_EM
    return USUAL_EM if letter.islower() or letter.isdigit() else CAPITAL_EM


def _cut(name: str, room: float, before: str = "") -> str:
    """A name that is whole where it fits, else its beginning; what stands before it stays."""
    if width(before + name) <= room:
        return before + name
    left = room - width(before + ELLIPSIS)
    kept = ""
    for letter in _letters(name):
        left -= width(letter)
        if left < 0:
            break
        kept += letter
    return f"{before}{kept.rstrip()}{ELLIPSIS}"


def _letters(name: str) -> Iterator[str]:
    """The letters of a name, each with all that is drawn with it."""
    found = ""
    for letter in name:
        drawn_with_it = category(letter).startswith("M") or letter == JOINER
        if found and not drawn_with_it and not found.endswith(JOINER):
            yield found
            found = ""
        found += letter
    if found:
        yield found


def _initials(name: str, words: int) -> str:
    """A name whose first words are initials."""
    said = name.split(" ")
    return " ".join([f"{next(_letters(one))}." for one in said[:words]] + said[words:])


def _shared(names: list[list[str]]) -> int:
    """How many words all names begin with, the last word of each left out."""
    return next(
        (at for at, words in enumerate(zip(*names, strict=False)) if len(set(words)) > 1),
        min(map(len, names)) - 1,
    )


def _alike(names: Mapping[str, str]) -> Iterator[list[str]]:
    """The players of whom one reads the same."""
    of: dict[str, list[str]] = {}
    for player, name in names.items():
        of.setdefault(_same(name), []).append(player)
    return (players for players in of.values() if len(players) > 1)


def _same(name: str) -> str:
    """What is the same in names that read the same."""
    return " ".join(name.split()).casefold()
