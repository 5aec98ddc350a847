"""Every regular expression takes time in proportion to the length of its input."""

import ast
import re
import time
from collections.abc import Callable, Iterator
from itertools import islice, product
from types import ModuleType
from typing import Any, Final, NamedTuple

import pytest

from scorekeeper.http.bodies import MAX_LOG_BYTES, bytes_outside_texts
from scorekeeper.web.wording.filters import LEFTWARDS
from tests import patterns
from tests.conftest import SOAK
from tests.patterns import Pattern, Unread, ended_after
from tests.thinned import thinned

# The longest inputs of patterns, in characters or bytes.
BODY: Final = MAX_LOG_BYTES
DRAW: Final = 200_000  # one that is typed
LINE: Final = (1 << 20) + 1  # of a log
HEADER: Final = 16 * 1024  # twice the limit of gunicorn; an address is shorter
SHEET: Final = 100_000  # of a style sheet
TEXT: Final = 10_000  # of a field or an event, or stored in a person's own browser
OURS: Final = 1000  # texts of the program itself

MOST: Final = 0.05  # seconds for the longest input
SHORT: Final = 4000  # characters of generated inputs
EVERY: Final = 1 if SOAK else 2  # each such number of generated inputs is tried
MOST_OF_SHORT: Final = 0.01  # seconds: 20 times linear time, a third of quadratic time


class Worst(NamedTuple):
    """How a pattern is used, the length of its longest input, and the inputs with most work.

    Each of ``inputs`` is a beginning, a repeated text, and an end.
    """

    how: str
    longest: int
    inputs: tuple[tuple[str, str, str], ...]


def worst(how: str, longest: int, *repeated: str, begin: str = "", end: str = "\0") -> Worst:
    """Return inputs with each repeated text, with and without an end that does not match."""
    return Worst(
        how, longest, tuple((begin, text, ending) for text in repeated for ending in ("", end))
    )


TIME: Final = "2026-11-21T20:14:03.250Z"
ID: Final = "23456789abcd"
HASH: Final = "0123456789abcdef"

WORST: Final[dict[Pattern, Worst]] = {
    # what is said at a table
    "(?<![\\w.,])[+\\u2212-](?=\\d)": worst("sub", TEXT, "+", "-1"),
    # style sheets
    r"/\*.*?(?:\*/|\Z)": worst("sub", SHEET, "/*", "*/", "/**/", begin="/*"),
    (
        r"""(?P<literal>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|url\([^"'\s)]*|\\.)"""
        r"""|;\s*(?=\})|(?:\s|/\*.*?(?:\*/|\Z))+"""
    ): worst("sub", SHEET, "/*", "/**/", " ", '"', "'\\", "url(", "\\", "/* */ a", ";", "; "),
    # bodies, their members and the fields of forms
    "[0-9]{1,16}": worst("fullmatch", BODY, "7"),
    "[\\x20-\\x7e]{1,200}": worst("fullmatch", BODY, "a"),
    "[A-Za-z0-9_-]{1,64}": worst("fullmatch", BODY, "a"),
    "[A-FH-KM-Z][0-9]++": worst("fullmatch", BODY, "7", begin="A"),
    "[a-z][a-z0-9_]{0,63}": worst("fullmatch", BODY, "a"),
    "(?:(\\d{1,2})\\.)?(type|fixed|with|n|t)([0-9]{1,2})?(?::(.{1,80}))?": worst(
        "fullmatch", BODY, "1", "1.n:", "n:", "n2:", "t", "with", begin="12.with:"
    ),
    "([-+−]?)(?=[0-9])([0-9]{1,16}(?![0-9/]))?"  # noqa: RUF001
    "(?:[.,]([0-9]{0,16})| ?([0-9]{1,4})/([0-9]{1,2}))?": worst(
        "fullmatch", BODY, "7", "7/", "7.", " 7/", begin="-7"
    ),
    "[-+−]?[0-9]{1,16}": worst("fullmatch", BODY, "7", "-"),  # noqa: RUF001
    "[0-9]{1,15}": worst("fullmatch", BODY, "7"),
    "([0-9]{1,9}-[0-9]{1,9})?": worst("fullmatch", BODY, "7", "7-"),
    "[ -~]{0,200}": worst("fullmatch", BODY, "a"),
    "[0-9]{1,9}": worst("fullmatch", BODY, "7"),
    "^(?:demo)?o[23456789abcdefghjkmnpqrstuvwxyz]{11}$": worst("match", BODY, "o", "2", "demo"),
    "^/api/clubs/": worst("match", BODY, "/api/clubs/"),
    "^(?:demo)?i[23456789abcdefghjkmnpqrstuvwxyz]{11}$": worst("match", BODY, "i", "2", "demo"),
    "^/api/tournaments/": worst("match", BODY, "/api/tournaments/"),
    "[0-9a-f]{64}": worst("fullmatch", BODY, HASH),
    "[23456789abcdefghjkmnpqrstuvwxyz]{12}": worst("fullmatch", BODY, ID),
    "^(?:demo)?[23456789abcdefghjkmnpqrstuvwxyz]{12}$": worst("fullmatch", BODY, ID, "demo"),
    "^[23456789abcdefghjkmnpqrstuvwxyz]{26}$": worst("fullmatch", BODY, "2"),
    '^"[0-9a-f]+"$': worst("fullmatch", HEADER, "a", begin='"'),
    r"^\*$": worst("fullmatch", HEADER, "*"),
    "^[0-9a-f]{64}$": worst("fullmatch", BODY, HASH),
    "^\\d{4}-\\d\\d-\\d\\d$": worst("search", LINE, "2026-11-20", "2"),
    "^-?[0-9]{1,10}/[0-9]{1,4}$": worst("search", LINE, "7/2", "7"),
    "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$": worst("fullmatch", BODY, TIME, "2"),
    '^\\{"player":"(.+)"\\}$': worst("search", LINE, "a", '"', '"}', begin='{"player":"'),
    # what the command line prints
    "^(ERROR|WARNING|INFO|damaged|intact)\\b": worst("search", LINE, "ERROR", "a"),
    # lines of a log, and their values
    b'"hash"\\s*:': worst("search", LINE, '"hash"', '"hash" ', " ", '"', begin='"hash"'),
    "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z": worst("fullmatch", LINE, TIME, "2"),
    "[a-z0-9][a-z0-9_-]{0,31}": worst("fullmatch", LINE, "a", "-"),
    "[\\x00-\\x1f\\x7f-\\x9f]": worst("sub", TEXT, "a", "\1", "a\1"),
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]": worst("search", TEXT, "a", "\n"),
    "^((A|K|Q|N|J|10|[2-9])[SHDCB]|T([1-9]|1[0-9]|2[01])|FOOL)$": worst(
        "search", LINE, "A", "10", "T2", "FOOL"
    ),
    "\\S": worst("search", TEXT, " "),
    "^[A-Za-z0-9_-]{1,64}$": worst("search", LINE, "a"),
    "^[A-Za-z0-9_-]{100}$": worst("search", LINE, "a"),
    "^[a-z0-9][a-z0-9_-]{0,31}$": worst("search", LINE, "a"),
    "[a-z0-9]([a-z0-9_]{0,30}[a-z0-9])?": worst("fullmatch", LINE, "a", "_", "a_"),
    "^[a-z0-9]([a-z0-9_]{0,30}[a-z0-9])?$": worst("search", LINE, "a", "_", "a_"),
    "[a-z0-9]+": worst("findall", TEXT, "a", "a "),
    "__": worst("search", LINE, "_a"),
    # headers, addresses, cookies
    "(?!import$)[^/]+": worst("fullmatch", HEADER, "import", "a", end="/"),
    "[A-Za-z0-9_-]{32}": worst("fullmatch", HEADER, "a", "-", "aA"),
    '"(0|[1-9][0-9]{0,8})(-masked)?(-[a-z]{2}-[A-Za-z0-9_+/-]{1,64}-[,;][.,])?"': worst(
        "fullmatch", HEADER, "7", "-masked", "-it-a", "a", ",", '"', begin='"1-it-'
    ),
    '^"[0-9]+-[0-9a-f]+"$': worst("match", HEADER, "7", "a", begin='"1-'),
    '^"[0-9]+-[0-9a-f]+(-masked)?"$': worst("match", HEADER, "7", "a", "-masked", begin='"1-'),
    '^"(0|[1-9][0-9]{0,8})(-masked)?(-[a-z]{2}-[A-Za-z0-9_+/-]{1,64}-[,;][.,])?"$': worst(
        "search", HEADER, "7", "-masked", "-it-a", "a", ",", '"', begin='"1-it-'
    ),
    '^"[0-9]+(-masked)?"$': worst("search", HEADER, "7", "-masked", '"', begin='"'),
    '^"[0-9]+(-[^"]+)?"$': worst("search", HEADER, "7", "-", "-a", begin='"'),
    "^[0-9]+$": worst("search", HEADER, "7"),
    "^[ -~]+$": worst("search", HEADER, "a"),
    "^Bearer$": worst("search", HEADER, "Bearer"),
    "^/api/sessions/": worst("search", HEADER, "/api/sessions", "/"),
    "^no-store$": worst("search", HEADER, "no-store"),
    "(?:^|/join/)([A-Za-z0-9_-]{32})(?:[?#]|$)": worst("search", TEXT, "/join/", "a", "/join/a"),
    "/(?:t|tournament)/([0-9a-z]{12})(?:[/?#]|$)": worst(
        "search", TEXT, "/t/", "a", "/t/a", "t/", "/tournament/a", "/tournament"
    ),
    "https?://([a-z0-9._-]+|\\[[0-9a-f:.]+\\])(:[0-9]{1,5})?": worst(
        "fullmatch", HEADER, "a", ":1", ".", "a:", begin="https://"
    ),
    "([1-9][0-9]{0,15})\\.([0-9a-f]{64})": worst("fullmatch", HEADER, "1", "1.", HASH, begin="1."),
    "\\[([^\\[\\]]{1,64})\\](?::[0-9]{1,5})?|([0-9.]{7,15}):[0-9]{1,5}": worst(
        "fullmatch", HEADER, "[", "7", ".", "[a]:", ":", begin="["
    ),
    b"(?:\\[[0-9A-Za-z.:]+\\]|[0-9A-Za-z._~!$&'()*+,;=%-]*)(?::[0-9]*)?": worst(
        "fullmatch", HEADER, "a", "a:", ":", "[", "[a]", ":7", begin="["
    ),
    "postgres(ql(\\+psycopg)?)?://": worst("search", OURS, "postgres", "postgresql", ":/"),
    "[0-9]*(,[0-9]*)*": worst("fullmatch", OURS, "7", ",", "7,"),
    "[0-9]+": worst("fullmatch", OURS, "7"),
    ":(\\w+)": worst("findall", OURS, ":", "a", ":a", begin=":"),
    "\\s": worst("sub", HEADER, " ", "a "),
    "(?<![\\w-])(?=[\\w-]*[A-Z])(?=[\\w-]*[a-z])[\\w-]{32}(?![\\w-])": worst(
        "sub", 8 * HEADER, "a", "A", "aA", "a ", "aA ", "aA" * 16 + " ", "-", begin="a"
    ),
    # texts on pages and in files
    "(^(?=[\\s\\0\\u00ad\\u180e\\u200b-\\u200f\\u2060-\\u206f\\ufeff]*"
    "[=+\\-@\\t\\r\\n\\0＝＋－＠])"  # noqa: RUF001
    "|[,;|\\t\\r\\n](?=[=+\\-@\\t\\r\\n\\0＝＋－＠]))": worst(  # noqa: RUF001
        "sub", TEXT, "\t", ",=", ",", "=", " ", "\u200b"
    ),
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]": worst("search", TEXT, "a", "\u05d0"),
    "[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc]++"
    "(?:[\\s.'’-]+[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc]++)*+": worst(
        "sub", TEXT, "\u05d0", "\u05d0 ", " ", "\u05d0.", begin="\u05d0"
    ),
    "[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]": worst("sub", TEXT, "a", "\u200f"),
    '<symbol id="([\\w-]+)" viewBox="0 0 32 32"><path fill="currentColor"[^>]* d="([^"]+)"': worst(
        "findall",
        OURS,
        '<symbol id="',
        "a",
        ' d="',
        " d",
        begin='<symbol id="a" viewBox="0 0 32 32">',
    ),
    "(\\d+)(?:[.,](\\d+))?": worst("fullmatch", TEXT, "7", "7.", ","),
    "^[A-Z]+(?=\\d)": worst("sub", OURS, "A", "7"),
    "[^a-z0-9]+": worst("sub", TEXT, " ", "a ", "a"),
    "[^\\S\\u00a0\\u202f]+": worst("sub", TEXT, " ", "a ", "\u00a0", "\u00a0 "),
    "[\\s·-]": worst("sub", OURS, " ", "a-"),
    LEFTWARDS.pattern: worst("sub", TEXT, "א", "א ", " ", "א  ", begin="א"),
    "\\{(\\w+)\\}": worst("sub", OURS, "{", "{a", "a", "{a}", begin="{"),
    "\\[([^\\]]*)\\]": worst("sub", OURS, "[", "[a]", "a", begin="["),
    # fields of pages, in the browser of the person who types
    "[0-9]*": worst("fullmatch", TEXT, "7"),
    "[½⅓⅔¼¾]": worst("search", TEXT, "7", "½"),
    r"^([-+]?)(\d{0,16}(?:\.\d{0,16})?)(?: ?\b(\d{1,4})\/(\d{1,2}))?$": worst(
        "search", TEXT, "7", "7/", "7.", " 7"
    ),
    "[^-0-9]": worst("search", TEXT, "7", "-"),
    "minus|½|\\.": worst("search", OURS, "7", "minu"),
    r"[\-+−]?[0-9]+": worst("fullmatch", TEXT, "7", "-"),  # noqa: RUF001
    r"[\-+−]?-?[0-9]*": worst("fullmatch", TEXT, "7", "-"),  # noqa: RUF001
    # scripts of pages: names and values of fields, addresses, and whole pages
    'name="?as_played': worst("search", LINE, "name=", 'name="', 'name="as_'),
    "radio|checkbox": worst("search", TEXT, "radi", "check"),
    "\\d+": worst("search", TEXT, "7", "a"),
    'id="?table"?': worst("search", LINE, "id=", 'id="', 'id="tabl'),
    "^(card_played|trick_taken)$": worst("search", TEXT, "card_played", "trick_taken"),
    "^\\/t\\/(?!demo)[^/]+$": worst("search", HEADER, "a", "demo", begin="/t/", end="/"),
    "^(\\d+\\.)?(fixed|with)": worst("search", TEXT, "1", "1.", "with"),
    '"cards?":': worst("search", TEXT, '"card', '"cards"'),
    "^(\\d+\\.)?(with|n|t)": worst("search", TEXT, "1", "1."),
    "text|number": worst("search", TEXT, "tex", "numbe"),
    "[ \\n]+": worst("sub", TEXT, " ", "a ", "\n"),
    "[.,]": worst("search", TEXT, "5"),
    # a draw that is typed
    "[,;\\t]": worst("split", DRAW, ",", "a"),
    "[^\\d,;\\t:]{0,20}\\d{1,3}\\s{0,3}:": worst("match", DRAW, "a", "1", " ", "1 "),
}

# Patterns with quadratic or exponential time. The second was in the service.
BAD: Final[dict[str, Worst]] = {
    "(a+)+": worst("fullmatch", BODY, "a"),
    '"(?:[^"\\\\]+|\\\\.)*"': worst("sub", BODY, "a", begin='"'),
    "(?:a|a)*b": worst("search", BODY, "a"),
    "\\s*,": worst("sub", BODY, " "),
    "\\[([^\\]]*)\\]": worst("sub", BODY, "["),
    "(.*)x(.*)y": worst("search", BODY, "x"),
}


# ------------------------------------------------------------------------------------- asking


def matcher(pattern: Pattern, how: str) -> Callable[[Any], Any]:
    """Return the method with which a pattern is used."""
    compiled = re.compile(pattern, re.DOTALL if pattern in BAD else 0)
    if how == "sub":
        nothing: Any = b"" if isinstance(pattern, bytes) else ""
        return lambda text: compiled.sub(nothing, text)
    method: Callable[[Any], Any] = getattr(compiled, how)
    return method


def build_input(pattern: Pattern, begin: str, repeated: str, end: str, length: int) -> str | bytes:
    """Return an input of a length."""
    times = (length - len(begin) - len(end)) // len(repeated)
    text = begin + repeated * max(times, 1) + end
    return text.encode() if isinstance(pattern, bytes) else text


def seconds(ask: Callable[[Any], Any], text: str | bytes, most: float) -> float:
    """Return the time of a match; the shortest of four measurements if it exceeds ``most``."""
    took = 1e9
    for _ in range(4):
        began = time.thread_time()
        try:
            with ended_after(4 * most):
                ask(text)
        except TimeoutError:
            pass
        took = min(took, time.thread_time() - began)
        if took < most:
            break
    return took


def find_slow_input(pattern: Pattern, of: Worst) -> tuple[str, float] | None:
    """Return an input on which a pattern takes too long and its seconds, or None."""
    ask = matcher(pattern, of.how)
    short = min(SHORT, of.longest)
    for begin, repeated, end in (*of.inputs, *islice(generated_inputs(pattern), 0, None, EVERY)):
        took = seconds(ask, build_input(pattern, begin, repeated, end, short), MOST_OF_SHORT)
        if took > MOST_OF_SHORT:
            return f"{begin!r} {repeated!r} … {end!r}", took
    for begin, repeated, end in of.inputs:
        took = seconds(ask, build_input(pattern, begin, repeated, end, of.longest), MOST)
        if took > MOST:
            return f"{begin!r} {repeated!r} … {end!r}", took
    return None


def generated_inputs(pattern: Pattern) -> Iterator[tuple[str, str, str]]:
    """Yield inputs made of the characters of a pattern, and of a few others."""
    written = pattern.decode() if isinstance(pattern, bytes) else pattern
    written_chars = "".join(dict.fromkeys(char for char in written if char not in "()|^$?*+{}"))
    chars = list(dict.fromkeys(f'{written_chars[:10]}a0A -\n"\\'))
    for char in chars:
        yield from ((begin, char, "\0") for begin in ("", *chars))
    yield from (("", char + other, "\0") for char, other in product(chars, repeat=2))


# -------------------------------------------------------------------------------------- tests


@pytest.fixture(scope="module")
def places_of() -> patterns.Found:
    return patterns.every_pattern()


def test_every_pattern_is_listed_with_its_worst_inputs(places_of: patterns.Found) -> None:
    unlisted = {pattern: places for pattern, places in places_of.items() if pattern not in WORST}
    assert unlisted == {}, "give each its worst inputs, in WORST"
    assert WORST.keys() - places_of.keys() == set(), "they are no more"


@pytest.mark.parametrize("pattern", WORST, ids=range(len(WORST)))
def test_pattern_takes_linear_time(pattern: Pattern) -> None:
    assert find_slow_input(pattern, WORST[pattern]) is None


@pytest.mark.parametrize("pattern", thinned(BAD, 3))
@pytest.mark.parametrize("known", [True, False], ids=["by its inputs", "by any"])
def test_pattern_with_more_than_linear_time_is_found(pattern: str, known: bool) -> None:
    worst_inputs = BAD[pattern] if known else worst("search", BODY, "z")
    assert find_slow_input(pattern, worst_inputs) is not None


def test_bytes_outside_texts_are_counted_in_linear_time() -> None:
    pieces = ('"', '\\"', "\\\\", '\\\\"', "a", '"a', '"a\\"', "\\", '"a",', "[", " ")
    tried = list(product(("", '"', '{"log":"'), pieces))
    for begin, repeated in tried if SOAK else tried[::2]:  # each piece after one or two of these
        body = build_input(b"", begin, repeated, "", BODY)
        assert isinstance(body, bytes)
        assert seconds(bytes_outside_texts, body, 4 * MOST) < 4 * MOST, (begin, repeated)


@pytest.mark.parametrize(
    ("body", "beside"),
    [(b"[1,2]", 5), (b'"abc"', 2), (b'{"log":"a\\"b\\\\"}', 7), (b'["\\\\\\"",7]', 6),
     (b'"open', 1), (b'["a","b\\', 5), (b"", 0)],
)  # fmt: skip
def test_bytes_outside_texts(body: bytes, beside: int) -> None:
    assert bytes_outside_texts(body) == beside


# ----------------------------------------------------------------------------- the search itself


def in_python(source: str) -> list[str]:
    module = ModuleType("tried")
    exec(source, vars(module))  # noqa: S102  # written below
    return [ast.unparse(node) for node in patterns.in_tree(ast.parse(source), module)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import re\nA = re.compile('a+')", ["'a+'"]),
        ("import re as r\ndef f(t):\n    return r.sub(B, '', t)", ["B"]),
        ("from re import compile as c\nA = c('a')", ["'a'"]),
        ("from re import fullmatch\ndef f(t):\n    return fullmatch(f'{t}+', t)", ["f'{t}+'"]),
        ("S = {'type': 'string', 'pattern': '^a$'}", ["'^a$'"]),
        ("def f(**k): ...\nf(pattern='a', regex='b')", ["'a'", "'b'"]),
        ("class C:\n    regex = 'a'", ["'a'"]),
        ("import re\nre.escape('a')", []),
    ],
)  # fmt: skip
def test_patterns_are_found_in_python(source: str, expected: list[str]) -> None:
    assert in_python(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = /x+/g;", ["x+"]), ("a = b / c / d", []), ("f(/[/]\\/'/, `${/y/.test(z)}/no/`)",
         ["[/]\\/'", "y"]), ("// /no/\n/* /no/ */ '/no/'", []), ("return /x/", ["x"]),
        ("a[1] / 2; (b) / 3 / 4", []), ("x => /y/", ["y"]),
    ],
)  # fmt: skip
def test_patterns_are_found_in_scripts(source: str, expected: list[str]) -> None:
    assert list(patterns.in_script(source)) == expected


def test_pattern_that_is_made_at_run_time_raises() -> None:
    with pytest.raises(Unread):
        list(patterns.in_script("new RegExp(a)"))
