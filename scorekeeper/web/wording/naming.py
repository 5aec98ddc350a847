"""Displayed names of players: different for each; the browser fits them into small spaces."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache, wraps
from itertools import accumulate
from operator import and_, eq
from typing import Final
from unicodedata import category, east_asian_width

from markupsafe import Markup

from scorekeeper.events.names import fold_name

MAX_CACHED_NAMES: Final = 1024  # tables of names, fitted names, and widths of texts
# Names with a shorter shared beginning differ before an ellipsis at the end.
MIN_SHARED_LETTERS: Final = 4
JOINER: Final = "\N{ZERO WIDTH JOINER}"
# The joiner, and the tones of skin of emoji.
COMBINING: Final = frozenset({JOINER, *map(chr, range(0x1F3FB, 0x1F400))})
# Approximate widths of letters, in em: rather more than in the sans serif fonts of phones.
NARROW: Final = frozenset("fijlrtI.,:;'’!|()[] ")
BROAD: Final = frozenset("mwMW@%&—…")
NARROW_EM, USUAL_EM, CAPITAL_EM, BROAD_EM, OF_TWO_EM = 0.36, 0.6, 0.74, 0.98, 1.1

Naming = Callable[[Mapping[str, str]], dict[str, str]]


def cache_by_names(function: Naming) -> Naming:
    """Cache, for the process, the results of a function of names by player.

    The function may depend on nothing else, such as the language. Each call returns a new dict.
    """

    @lru_cache(MAX_CACHED_NAMES)
    def named(names: tuple[tuple[str, str], ...]) -> dict[str, str]:
        return function(dict(names))

    @wraps(function)
    def cached(names: Mapping[str, str]) -> dict[str, str]:
        return dict(named(tuple(names.items())))

    return cached


@cache_by_names
def distinct_names(names: Mapping[str, str]) -> dict[str, str]:
    """Return names by player; names that look alike are followed by the player's place.

    Only logs from elsewhere contain such names.

    >>> distinct_names({"ann": "Ann", "leo": "Leo", "ann-2": "Ann"})
    {'ann': 'Ann (1)', 'leo': 'Leo', 'ann-2': 'Ann (3)'}
    """
    keys = Counter(map(fold_name, names.values()))
    return {
        player: f"{name} ({place})" if keys[fold_name(name)] > 1 else name
        for place, (player, name) in enumerate(names.items(), start=1)
    }


def fit_names(names: Mapping[str, str]) -> dict[str, Markup]:
    """Return the HTML of names by player, as `fit_name` makes it of each."""
    every = tuple(names.values())
    return {player: fit_name(name, every) for player, name in names.items()}


def fit_name(name: str, names: Collection[str]) -> Markup:
    """Return the HTML of one of the names at a table, which the browser cuts if it is too wide.

    The end is cut. If another name has the same beginning, the shared beginning is cut, and the
    name's own letters stay; screen readers then read the whole name from a text of its own.

    >>> print(fit_name("Leo", ["Leo", "Ann"]))
    <bdi class="fit">Leo</bdi>
    """
    return _fit(name, tuple(names))


@lru_cache(MAX_CACHED_NAMES)
def _fit(name: str, names: tuple[str, ...]) -> Markup:
    shared, own = split_name(name, names)
    if not shared:
        return Markup('<bdi class="fit">{}</bdi>').format(name)
    return Markup(
        '<bdi class="fit apart"><span class="sr">{}</span>'
        '<span aria-hidden="true">{}</span><span aria-hidden="true">{}</span></bdi>'
    ).format(name, shared, own)


def split_name(name: str, names: Collection[str]) -> tuple[str, str]:
    """Return the beginning that a name shares with another, and its own letters after it.

    The beginning is empty if it is short, or if nothing comes after it.

    >>> split_name("Alessandra", ["Alessandro", "Alessandra", "Leo"])
    ('Alessandr', 'a')
    >>> split_name("Mara", ["Mara", "Marco"])
    ('', 'Mara')
    """
    letters = list(letters_of(name))
    shared = count_shared(name, names)
    if not MIN_SHARED_LETTERS <= shared < len(letters):
        return "", name
    return "".join(letters[:shared]), "".join(letters[shared:])


def count_shared(name: str, names: Iterable[str]) -> int:
    """Return the number of letters, whatever their case, that any other name begins with, too."""
    letters = _folded_letters(name)
    others = (_folded_letters(other) for other in names if other != name)
    return max((sum(accumulate(map(eq, letters, other), and_)) for other in others), default=0)


def _folded_letters(name: str) -> list[str]:
    """Return the letters of a name, without their case."""
    return [letter.casefold() for letter in letters_of(name)]


@lru_cache(MAX_CACHED_NAMES)
def width_in_em(text: str) -> float:
    """Return the approximate width of a text, in em."""
    return sum(max(map(_width, letter)) for letter in letters_of(text))


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


def letters_of(name: str) -> Iterator[str]:
    """Yield the letters of a name, each with its combining characters."""
    cluster = ""
    for letter in name:
        combines = category(letter).startswith("M") or letter in COMBINING
        if cluster and not combines and not cluster.endswith(JOINER):
            yield cluster
            cluster = ""
        cluster += letter
    if cluster:
        yield cluster
