"""JSON in exactly one form, in which it is hashed, stored and exported.

The canonical form is that of RFC 8785 for what a log can hold: objects, lists, texts, whole
numbers, true, false and null. Texts are in the NFC of Unicode 14.0; keys are unique; there are no
lone surrogates, no fractions, and no number beyond ±(2^53-1).
"""

import json
import unicodedata
from collections import Counter
from itertools import accumulate
from typing import Any, Final

from scorekeeper.base.errors import Cause, UnusableError, expected, printable
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.unicode_14 import change_assigned
from scorekeeper.events.fields import MAX_EXACT_NUMBER

MAX_DIGITS: Final = len(str(MAX_EXACT_NUMBER))

MAX_DEPTH: Final = 100  # nested lists and objects; the deepest event has a tenth of it
TOO_DEEP: Final = Cause(
    f"nested too deeply: more than {MAX_DEPTH} lists and objects in one another", "too_deep"
)
_BRACKETS: Final = b"[]{}"
_ALL_BUT_BRACKETS: Final = bytes(set(range(256)) - set(_BRACKETS))
_STEP: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}

MAX_MARKS: Final = 30  # on one letter, when they have to be sorted (Unicode's stream-safe text)
_ONE_MARK: Final = bytes([0, *[1] * 255])  # for any class of mark
# Letters that are nothing but two marks, when they are taken apart.
_TWO_MARKS: Final = {mark: unicodedata.normalize("NFD", mark) for mark in "\u0f73\u0f75\u0f81"}

# Keys are sorted by code point. RFC 8785 sorts by UTF-16 code unit, which is the same for ASCII,
# and every key that a log can hold is ASCII: the names of fields, options, players and sides.
_encode = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), sort_keys=True, check_circular=False
).encode


def encode(value: object) -> bytes:
    """Return the canonical bytes of a value.

    >>> encode({"b": 1, "a": ["é", True]}).decode()
    '{"a":["é",true],"b":1}'
    """
    return _encode(value).encode("utf-8")


def decode(line: bytes) -> Any:
    """Return the value of one line of JSON, with unchanged texts.

    Accepts any spacing and order of keys; refuses a value without a canonical form. The depth is
    tested first, because the depth that the interpreter's own reader accepts differs between
    versions.

    Raises `UnusableError` if the line is not JSON, or has no canonical form.
    """
    if is_too_deep(line):
        raise UnusableError(TOO_DEEP)
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = error.start + 1
        words = f"not UTF-8 (byte {byte} of the line)"
        raise UnusableError(Cause(words, "not_utf8", byte=byte)) from None
    try:
        value = _decoder.decode(text)
    except json.JSONDecodeError as error:
        column = min(error.pos, len(text.rstrip("\r\n"))) + 1
        what = error.msg.lower().removesuffix(" at")
        words = f"not JSON: {what} at column {column}"
        raise UnusableError(Cause(words, "not_json", column=column)) from None
    except UnusableError as error:
        error.field = error.field or _find_refused_number(text)
        raise
    if "\\u" in text and has_lone_surrogates(value):
        raise UnusableError(Cause("a lone surrogate is in a text", "odd_character"))
    return value


def normalize(value: object) -> Any:
    """Return the same JSON value with every text, and every key, in NFC.

    Raises `UnusableError` with the field of a text that has too many marks on a letter, and if two
    keys of an object become equal.
    """
    if isinstance(value, str):
        return to_nfc(value)
    if isinstance(value, list):
        return [_normalize_member(place, item) for place, item in enumerate(value)]
    if isinstance(value, dict):
        return _refuse_repeated_keys(
            [(to_nfc(key), _normalize_member(key, item)) for key, item in value.items()]
        )
    return value


def _normalize_member(name: str | int, value: object) -> Any:
    """Return a member of a list or object in NFC; an error gets its name in the path."""
    try:
        return normalize(value)
    except UnusableError as error:
        error.field = f"{printable(str(name))}.{error.field}".removesuffix(".")
        raise


def to_nfc(text: str) -> str:
    """Return a text in the NFC of Unicode 14.0, whatever the running Python's tables are.

    Each longest run of code points that Unicode 14.0 assigns is normalised by itself; every other
    code point stays. Raises ``UnusableError`` if more than ``MAX_MARKS`` marks on one letter have
    to be put in order: the time that ``unicodedata`` takes grows with the square of their number.
    """
    return text if text.isascii() else change_assigned(text, _normalize_assigned)


def _normalize_assigned(text: str) -> str:
    """Return a text of assigned code points in NFC. Raises as `refuse_many_marks`."""
    if unicodedata.is_normalized("NFC", text):
        return text
    refuse_many_marks(text)
    return unicodedata.normalize("NFC", text)


def refuse_many_marks(text: str) -> None:
    """Raise `UnusableError` if more than ``MAX_MARKS`` marks stand on one letter of a text."""
    if text.isascii():
        return
    apart = text
    for letter, marks in _TWO_MARKS.items():
        apart = apart.replace(letter, marks)
    marked = bytes(map(unicodedata.combining, apart)).translate(_ONE_MARK)
    if b"\1" * (MAX_MARKS + 1) in marked:
        words = f"more than {MAX_MARKS} marks stand on one letter"
        raise UnusableError(Cause(words, "too_many_marks", most=MAX_MARKS))


def normalize_line(line: bytes, value: object) -> Any:
    """Return the decoded value of a line with every text in NFC.

    The same object is returned if nothing in the line can change. Raises as `normalize`.
    """
    return value if line.isascii() and b"\\u" not in line else normalize(value)


def is_too_deep(line: bytes) -> bool:
    """Return whether a line of JSON nests more than ``MAX_DEPTH`` lists and objects.

    Also works on bytes that are not JSON: an unterminated text reaches to the end of the line.

    >>> is_too_deep(b"[" * 101), is_too_deep(b'["' + b"[" * 101 + b'"]')
    (True, False)
    """
    if line.count(b"[") + line.count(b"{") <= MAX_DEPTH:
        return False
    unescaped = line.replace(b"\\\\", b"").replace(b'\\"', b"")
    outside_texts = b"".join(unescaped.split(b'"')[::2])
    brackets = outside_texts.translate(None, _ALL_BUT_BRACKETS)
    return max(accumulate(map(_STEP.__getitem__, brackets)), default=0) > MAX_DEPTH


def has_lone_surrogates(value: object) -> bool:
    """Return whether a text in the value has half of a surrogate pair."""
    try:
        _encode(value).encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _refuse_repeated_keys(pairs: list[tuple[str, Any]]) -> JsonObject:
    """Return a JSON object of these members. Raises `UnusableError` if a key is repeated."""
    unique = dict(pairs)
    if len(unique) != len(pairs):
        times = Counter(key for key, _ in pairs)
        twice = next(key for key in times if times[key] > 1)
        raise UnusableError(Cause("the key is there twice", "key_twice"), field=printable(twice))
    return unique


def _parse_whole(digits: str) -> int:
    """Return a whole number in JSON. Raises `UnusableError` if it is beyond ±(2^53-1)."""
    # A number of fewer digits needs no comparing; one of many more is not even made.
    if len(digits) >= MAX_DIGITS and (
        len(digits) > MAX_DIGITS + 1 or abs(int(digits)) > MAX_EXACT_NUMBER
    ):
        raise UnusableError(
            Cause(f"a number beyond ±{MAX_EXACT_NUMBER}", "number_too_large", most=MAX_EXACT_NUMBER)
        )
    return int(digits)


def _refuse_number(digits: str) -> None:
    """Raise `UnusableError` for a number that is no whole one, such as ``1.5`` or ``NaN``."""
    raise UnusableError(expected("a whole number", printable(digits), "no_number"))


_decoder = json.JSONDecoder(
    object_pairs_hook=_refuse_repeated_keys,
    parse_int=_parse_whole,
    parse_float=_refuse_number,
    parse_constant=_refuse_number,
)

_REFUSED: Final = object()


def _find_refused_number(text: str) -> str:
    """Return the path of the first number in a JSON text that has no canonical form."""
    try:
        value = _marking_decoder.decode(text)
    except json.JSONDecodeError:
        return ""
    places: list[tuple[Any, Any]] = [(None, value)]  # with their paths, as linked lists
    while places:
        path, value = places.pop()
        if value is _REFUSED:
            return _join_path(path)
        parts = (
            value.items()
            if type(value) is dict
            else enumerate(value)
            if type(value) is list
            else ()
        )
        places += reversed([((path, name), part) for name, part in parts])
    return ""


def _join_path(path: tuple[Any, Any] | None) -> str:
    """Return the dotted path for a linked list of names, the innermost first."""
    names: list[str] = []
    while path is not None:
        path, name = path
        names.append(printable(str(name)))
    return ".".join(reversed(names))


def _parse_or_mark(digits: str) -> Any:
    """Return a whole number in JSON, or the mark ``_REFUSED`` if it is too large."""
    try:
        return _parse_whole(digits)
    except UnusableError:
        return _REFUSED


_marking_decoder = json.JSONDecoder(
    parse_int=_parse_or_mark,
    parse_float=lambda _: _REFUSED,
    parse_constant=lambda _: _REFUSED,
)
