"""JSON in one form only: what is hashed, stored and exported.

The canonical form is that of RFC 8785 for what a log can hold: objects, lists, texts, whole
numbers, true, false and null. Texts are in Unicode NFC; no key stands twice; there are no lone
surrogates, no fractions, and no number beyond ±(2^53-1).
"""

import json
import unicodedata
from collections import Counter
from typing import Any, Final

from scorekeeper.errors import Unusable, expected, printable
from scorekeeper.kinds import LARGEST

DIGITS: Final = len(str(LARGEST)) + 1  # with a sign

# Keys are sorted by code point. RFC 8785 sorts by UTF-16 code unit, which is the same for ASCII,
# and every key that a log can hold is ASCII: the names of fields, options, players and sides.
_encode = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), sort_keys=True, check_circular=False
).encode


def encode(value: Any) -> bytes:
    """The canonical bytes of a value.

    >>> encode({"b": 1, "a": ["é", True]}).decode()
    '{"a":["é",true],"b":1}'
    """
    return _encode(value).encode("utf-8")


def decode(line: bytes) -> Any:
    """The value of one line of JSON, its texts as they came; Unusable where it is not JSON.

    Accepts any spacing and order of keys; refuses what has no canonical form.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unusable(f"not UTF-8 (byte {error.start + 1} of the line)") from None
    try:
        value = _decoder.decode(text)
    except json.JSONDecodeError as error:
        column = min(error.pos, len(text.rstrip("\r\n"))) + 1
        what = error.msg.lower().removesuffix(" at")
        raise Unusable(f"not JSON: {what} at column {column}") from None
    except RecursionError:
        raise Unusable("nested too deeply") from None
    except Unusable as error:
        error.field = error.field or _field_of_number(text)
        raise
    if "\\u" in text and has_lone_surrogates(value):
        raise Unusable("a lone surrogate stands in a text")
    return value


def normalized(value: Any) -> Any:
    """The same value with every text in NFC."""
    if isinstance(value, str):
        return value if value.isascii() else unicodedata.normalize("NFC", value)
    if isinstance(value, list):
        return [normalized(one) for one in value]
    if isinstance(value, dict):
        return _no_key_twice([(normalized(key), normalized(one)) for key, one in value.items()])
    return value


def settled(line: bytes, value: Any) -> Any:
    """The value of a line with every text in NFC; the same object where nothing can change."""
    return value if line.isascii() and b"\\u" not in line else normalized(value)


def has_lone_surrogates(value: Any) -> bool:
    """Whether a text in the value holds half of a surrogate pair."""
    try:
        _encode(value).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        times = Counter(key for key, _ in pairs)
        twice = next(key for key in times if times[key] > 1)
        raise Unusable("the key stands twice", field=printable(twice))
    return found


def _whole(digits: str) -> int:
    if len(digits) > DIGITS or abs(number := int(digits)) > LARGEST:
        raise Unusable(f"a number beyond ±{LARGEST}")
    return number if digits != "-0" else 0


def _refuse_number(digits: str) -> None:
    raise Unusable(expected("a whole number", printable(digits)))


_decoder = json.JSONDecoder(
    object_pairs_hook=_no_key_twice,
    parse_int=_whole,
    parse_float=_refuse_number,
    parse_constant=_refuse_number,
)

_REFUSED: Final = object()


def _field_of_number(text: str) -> str:
    """The field of the first number in a JSON text that has no canonical form."""
    try:
        value = _marking_decoder.decode(text)
    except (json.JSONDecodeError, RecursionError):
        return ""
    places: list[tuple[Any, Any]] = [(None, value)]  # what leads there, linked: paths grow long
    while places:
        way, one = places.pop()
        if one is _REFUSED:
            return _path(way)
        parts = one.items() if type(one) is dict else enumerate(one) if type(one) is list else ()
        places += reversed([((way, name), part) for name, part in parts])
    return ""


def _path(way: tuple[Any, Any] | None) -> str:
    names: list[str] = []
    while way is not None:
        way, name = way
        names.append(printable(str(name)))
    return ".".join(reversed(names))


def _whole_or_refused(digits: str) -> Any:
    try:
        return _whole(digits)
    except Unusable:
        return _REFUSED


_marking_decoder = json.JSONDecoder(
    parse_int=_whole_or_refused,
    parse_float=lambda _: _REFUSED,
    parse_constant=lambda _: _REFUSED,
)
