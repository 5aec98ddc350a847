"""Displayed names of players; equal or similar names are made distinguishable."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, wraps
from typing import Any, Final, TypeVarTuple
from unicodedata import category, east_asian_width

from scorekeeper.events.names import fold_name

MAX_BUTTON_LETTERS: Final = 12  # of a name
MAX_CACHED_WIDTHS: Final = 1024  # cached tables of names for a width; cached widths of texts
ELLIPSIS: Final = "\N{HORIZONTAL ELLIPSIS}"
JOINER: Final = "\N{ZERO WIDTH JOINER}"
# Widths of letters, in em: rather more than in the sans serif fonts of phones.
NARROW: Final = frozenset("fijlrtI.,:;'’!|()[] ")
BROAD: Final = frozenset("mwMW@%&—…")
NARROW_EM, USUAL_EM, CAPITAL_EM, BROAD_EM, OF_TWO_EM = 0.36, 0.6, 0.74, 0.98, 1.1
# Maximum width of a name, in em, by the number of sides beside one another above a table, on the
# smallest of phones.
ROOM: Final = {1: 18.0, 2: 9.0, 3: 5.7, 4: 4.1, 5: 3.8, 6: 6.5, 7: 4.8}
# The same above the columns of a sheet, where a name may take three lines, and of a sheet's dealer.
OVER_COLUMNS: Final = {1: 18.0, 2: 14.0, 3: 12.0, 4: 9.0, 5: 8.0, 6: 7.0}
OVER_MANY, ON_A_ROW = 6.0, 8.0


Arguments = TypeVarTuple("Arguments")
Naming = Callable[[Mapping[str, str], *Arguments], dict[str, str]]


def cache_by_names(function: Naming[*Arguments]) -> Naming[*Arguments]:
    """Cache, for the process, the results of a function of names by player and other arguments.

    The function may depend on nothing else, such as the language. Each call returns a new dict.
    """

    @lru_cache(MAX_CACHED_WIDTHS)
    def named(names: tuple[tuple[str, str], ...], *room: Any) -> dict[str, str]:
        return function(dict(names), *room)

    @wraps(function)
    def cached(names: Mapping[str, str], *room: *Arguments) -> dict[str, str]:
        return dict(named(tuple(names.items()), *room))

    return cached


@cache_by_names
def distinct_names(names: Mapping[str, str]) -> dict[str, str]:
    """Return names by player; those with the same beginning have their place before them.

    >>> distinct_names({"ann": "Ann", "leo": "Leo", "ann-2": "Ann"})
    {'ann': '1. Ann', 'leo': 'Leo', 'ann-2': '3. Ann'}
    """
    shared = Counter(_same(name)[:MAX_BUTTON_LETTERS] for name in names.values())
    return {
        player: f"{place}. {name}" if shared[_same(name)[:MAX_BUTTON_LETTERS]] > 1 else name
        for place, (player, name) in enumerate(names.items(), start=1)
    }


@cache_by_names
def short_names(names: Mapping[str, str], room: float) -> dict[str, str]:
    """Return names by player that are at most ``room`` wide, in em, and all different.

    A name that is too wide is cut, without the number before it. If two would be cut to the same,
    the words that they share become initials or are left out; if that is not enough, their numbers
    or their places stand before them.

    >>> list(short_names({"a": "Maria Grazia", "b": "Maria Giovanna", "c": "Leo"}, 5).values())
    ['M. Grazia', 'M. Giov…', 'Leo']
    >>> list(short_names({"a": "1. Maria Grazia Rossi", "b": "2. Maria Grazia Verdi"}, 5).values())
    ['…Rossi', '…Verdi']
    """
    whole = {player: " ".join(name.split()) for player, name in names.items()}
    bare = {player: _bare(name) for player, name in whole.items()}
    names_cut = {
        player: name if text_width(name) <= room else _cut(bare[player], room)
        for player, name in whole.items()
    }
    for alike in list(_alike(names_cut)):
        names_cut |= _abbreviate_alike({player: bare[player] for player in alike}, room)
    numbered = {
        player: _cut(bare[player], room, name[: len(name) - len(bare[player])] or f"{place}. ")
        for place, (player, name) in enumerate(whole.items(), start=1)
    }
    names_cut |= {player: numbered[player] for alike in list(_alike(names_cut)) for player in alike}
    return _number_all(whole, room) if any(_alike(names_cut)) else names_cut


def _bare(name: str) -> str:
    """Return a name without the number that `distinct_names` put before it."""
    number, _, rest = name.partition(". ")
    return rest if number.isdecimal() and rest else name


def _abbreviate_alike(names: Mapping[str, str], room: float) -> dict[str, str]:
    """Return shorter forms of names that begin with the same words.

    The shared words become initials, or are left out if that is too wide.
    """
    words = _shared([name.split(" ") for name in names.values()])
    initials = {player: _initials(name, words) for player, name in names.items()}
    rests = {player: ELLIPSIS + " ".join(name.split(" ")[words:]) for player, name in names.items()}
    for candidate in (initials, rests) if words else ():
        if all(text_width(name) <= room for name in candidate.values()):
            return candidate
    return {player: _cut(name, room) for player, name in initials.items()}


def _number_all(names: Mapping[str, str], room: float) -> dict[str, str]:
    """Return all names with their places before them, each cut to `room` em."""
    return {
        player: _cut(name, room, f"{place}. ")
        for place, (player, name) in enumerate(names.items(), start=1)
    }


def names_over_columns(columns: Mapping[str, str]) -> dict[str, str]:
    """Return the names of sides, each short enough to stand above its column."""
    return short_names(columns, OVER_COLUMNS.get(len(columns), OVER_MANY))


def name_on_a_row(name: str, names: Mapping[str, str]) -> str:
    """Return a player's displayed name, short enough to stand beside a hand's number."""
    names_cut = short_names(names, ON_A_ROW)
    return next((names_cut[player] for player, whole in names.items() if whole == name), name)


@lru_cache(MAX_CACHED_WIDTHS)
def text_width(text: str) -> float:
    """Return the approximate width of a text, in em."""
    return sum(max(map(_width, letter)) for letter in _letters(text))


def _width(letter: str) -> float:
    """Return the approximate width of a character, in em."""
    kind = category(letter)
    if letter in NARROW:
        return NARROW_EM
    if letter in BROAD:
        return BROAD_EM
    if kind in ("So", "Sk", "Lo", "Cn", "Co") or east_asian_width(letter) in "WF":
        return OF_TWO_EM
    return USUAL_EM if letter.islower() or letter.isdigit() else CAPITAL_EM


def _cut(name: str, room: float, before: str = "") -> str:
    """Return `before` and the name, cut to `room` em with an ellipsis if needed.

    `before` always stays.
    """
    if text_width(before + name) <= room:
        return before + name
    left = room - text_width(before + ELLIPSIS)
    beginning = ""
    for letter in _letters(name):
        left -= text_width(letter)
        if left < 0:
            break
        beginning += letter
    return f"{before}{beginning.rstrip()}{ELLIPSIS}"


def _letters(name: str) -> Iterator[str]:
    """Yield the letters of a name, each with its combining characters."""
    cluster = ""
    for letter in name:
        combines = category(letter).startswith("M") or letter == JOINER
        if cluster and not combines and not cluster.endswith(JOINER):
            yield cluster
            cluster = ""
        cluster += letter
    if cluster:
        yield cluster


def _initials(name: str, words: int) -> str:
    """Return a name with initials for its first `words` words."""
    all_words = name.split(" ")
    return " ".join([f"{next(_letters(word))}." for word in all_words[:words]] + all_words[words:])


def _shared(names: list[list[str]]) -> int:
    """Return the number of words that all names begin with, without the last word of each."""
    return next(
        (index for index, words in enumerate(zip(*names, strict=False)) if len(set(words)) > 1),
        min(map(len, names)) - 1,
    )


def _alike(names: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield the groups of players whose names count as equal."""
    players_by_name: dict[str, list[str]] = {}
    for player, name in names.items():
        players_by_name.setdefault(fold_name(name), []).append(player)
    return (players for players in players_by_name.values() if len(players) > 1)


def _same(name: str) -> str:
    """Return a name without case and repeated spaces, as buttons show it."""
    return " ".join(name.split()).casefold()
