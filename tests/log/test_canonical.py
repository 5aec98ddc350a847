"""The canonical form: RFC 8785 for what a log can hold, and what has no such form."""

import json
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.base.errors import UnusableError
from scorekeeper.log.canonical import (
    _TWO_MARKS,
    MAX_DEPTH,
    MAX_MARKS,
    decode,
    encode,
    is_too_deep,
    normalize,
    to_nfc,
)
from tests.patterns import ended_after

LARGEST = 2**53 - 1

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12).map(
    lambda text: unicodedata.normalize("NFC", text)
)
KEYS = st.text("abcdefghijklmnopqrstuvwxyz_-0123456789AB", min_size=1, max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


# --------------------------------------------------------------------------------- writing


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ({}, "{}"),
        ([], "[]"),
        ([1, True, False, None], "[1,true,false,null]"),
        ({"b": 1, "a": 2, "B": 3, "10": 4, "9": 5}, '{"10":4,"9":5,"B":3,"a":2,"b":1}'),
        ({"z": {"y": [{"x": 0}]}}, '{"z":{"y":[{"x":0}]}}'),
        (LARGEST, "9007199254740991"),
        (-LARGEST, "-9007199254740991"),
        # as RFC 8785, 3.2.2.2 has it
        ('€$\u000f\nA\'B"\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\"/"'),
        ("\b\t\n\f\r", '"\\b\\t\\n\\f\\r"'),
        ("\x00\x1f\x7f", '"\\u0000\\u001f\x7f"'),
        ("\u2028\u2029é🂡/", '"\u2028\u2029é🂡/"'),
    ],
)
def test_canonical_form_of_a_value(value: Any, form: str) -> None:
    assert encode(value) == form.encode()


@given(VALUES)
def test_decode_reverses_encode(value: Any) -> None:
    form = encode(value)
    assert decode(form) == value
    assert encode(decode(form)) == form
    assert b"\n" not in form


@given(VALUES)
def test_any_spelling_has_the_same_canonical_form(value: Any) -> None:
    loose = json.dumps(value, ensure_ascii=True, indent=2, sort_keys=False)
    assert encode(decode(loose.encode())) == encode(value)


@given(VALUES)
def test_texts_are_normalized_to_nfc(value: Any) -> None:
    apart = unicodedata.normalize("NFD", json.dumps(value, ensure_ascii=False))
    again = normalize(decode(apart.encode()))
    assert again == normalize(again)
    assert encode(again) == unicodedata.normalize("NFC", encode(again).decode()).encode()


# --------------------------------------------------------------------------------- refusing


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "not JSON: expecting value at column 1"),
        (b"{", "not JSON: expecting property name"),
        (b"{}}", "not JSON: extra data at column 3"),
        (b"{} {}", "not JSON: extra data"),
        (b"{'a':1}", "not JSON"),
        (b'{"a":1,}', "not JSON"),
        (b"[01]", "not JSON"),
        (b"[+1]", "not JSON"),
        (b"[.5]", "not JSON"),
        (b'"tab\there"', "not JSON: invalid control character at column 5"),
        (b'"open', "not JSON: unterminated string starting at column 1"),
        (b'"nul\x00"', "not JSON: invalid control character"),
        (b'"\\x41"', "not JSON"),
        (b'{"a":1,"a":1}', "field a: the key is there twice"),
        (b'{"x":[{"a":1,"b":2,"a":3}]}', "field a: the key is there twice"),
        (b'{"a":1,"\\u0061":1}', "field a: the key is there twice"),
        (b"[1.0]", 'expected a whole number, got "1.0"'),
        (b"[1e3]", 'expected a whole number, got "1e3"'),
        (b"[1e999]", 'expected a whole number, got "1e999"'),
        (b"[-0.0]", 'expected a whole number, got "-0.0"'),
        (b"[NaN]", 'expected a whole number, got "NaN"'),
        (b"[-Infinity]", 'expected a whole number, got "-Infinity"'),
        (b"[9007199254740992]", "a number beyond ±9007199254740991"),
        (b"[-9007199254740992]", "a number beyond ±9007199254740991"),
        (b"[9223372036854775808]", "a number beyond"),
        (b"[" + b"9" * 10_000 + b"]", "a number beyond"),
        (b'"\\ud800"', "a lone surrogate is in a text"),
        (b'"\\udc00\\ud800"', "a lone surrogate is in a text"),
        (b'{"\\ud83c":1}', "a lone surrogate is in a text"),
        (b'"\xff"', "not UTF-8 (byte 2 of the line)"),
        (b'"\xed\xa0\x80"', "not UTF-8 (byte 2 of the line)"),
        (b'"\xc0\xaf"', "not UTF-8 (byte 2 of the line)"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"\xef\xbb\xbf{}", "not JSON"),
    ],
)
def test_line_without_a_canonical_form_is_refused(line: bytes, why: str) -> None:
    with pytest.raises(UnusableError) as refused:
        decode(line)
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("before", "inner", "after"),
    [("[", "1", "]"), ('{"a":', "{}", "}"), ('{"a":[', '"]\\"}"', "]}"), ("[", '"\\\\"', "]")],
)
@pytest.mark.parametrize("beyond", [False, True])
def test_the_depth_is_counted_outside_of_texts(
    before: str, inner: str, after: str, beyond: bool
) -> None:
    times = (MAX_DEPTH - inner.count("{}")) // (len(after)) + beyond
    line = (before * times + inner + after * times).encode()
    assert is_too_deep(line) == beyond
    if beyond:
        with pytest.raises(UnusableError, match="nested too deeply"):
            decode(line)
    else:
        decode(line)


@pytest.mark.parametrize("text", ["[" * 5000, '\\"[' * 5000, '{"a":[' * 900])
def test_brackets_in_a_text_are_not_nesting(text: str) -> None:
    assert decode(encode([text])) == [text]


@pytest.mark.parametrize("end", ["", "]" * 5000, '"', "\\", "x", "]" * 99 + "1e999"])
@pytest.mark.parametrize("deep", [MAX_DEPTH + 1, 990, 5000, 200_000])
def test_the_depth_is_tested_before_anything_else(deep: int, end: str) -> None:
    """Whatever depth the interpreter's own reader gets to."""
    with pytest.raises(UnusableError, match="nested too deeply"):
        decode(b"[" * deep + end.encode())


def test_surrogate_pair_is_one_character() -> None:
    assert decode(b'"\\ud83c\\udca1"') == "🂡"


def test_minus_zero_is_zero() -> None:
    assert encode(decode(b"[-0]")) == b"[0]"


def test_keys_that_are_equal_in_nfc_are_refused() -> None:
    twice = decode('{"e\u0301":1,"\u00e9":2}'.encode())
    with pytest.raises(UnusableError, match="the key is there twice"):
        normalize(twice)


# ------------------------------------------------------------------------- marks on a letter

MARKS = "\u0301\u0316"  # of two classes, and not in their order
NFC = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(
    st.lists(NFC | st.sampled_from([MARKS, "\u0f73", "\u0f71", "e\u0301", "\u0344"]), max_size=9)
)
def test_text_is_normalized_to_nfc(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert to_nfc(text) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize("marks", [MARKS, "\u0f73", "\u0315\u0301"])
def test_too_many_unsorted_marks_are_refused(marks: str) -> None:
    most = "e" + MARKS * (MAX_MARKS // 2)
    assert to_nfc(most) == unicodedata.normalize("NFC", most)
    with pytest.raises(
        UnusableError, match=r"data\.text\.1: more than 30 marks stand on one letter"
    ):
        normalize({"data": {"text": ["", "e" + marks * 500_000]}})


def test_sorted_marks_are_unlimited() -> None:
    """So what was sealed once stays as it is."""
    text = "x" + "\u0316" * 1000 + "\u0301" * 1000
    assert to_nfc(text) is text


@pytest.mark.parametrize(
    "text", ["\u0301" * 500_000, "e\u0301" * 500_000, MARKS * 500_000, "\u0f73" * 300_000,
             "\u0344" * 500_000, "\u1100\u1161" * 300_000, "\uac00\u11a8" * 300_000],
    ids=range(7),
)  # fmt: skip
def test_nfc_check_of_a_long_text_is_fast(text: str) -> None:
    """As the verifier that stands alone asks it, of a line of the longest."""
    with ended_after(1):
        is_normal = unicodedata.is_normalized("NFC", text)
    assert is_normal == (len(set(text)) == 1 and text[0] == "\u0301")


def test_table_has_every_letter_that_is_two_marks() -> None:
    letters = (chr(code) for code in range(0x110000) if not unicodedata.combining(chr(code)))
    hidden = {
        letter
        for letter in letters
        if any(map(unicodedata.combining, unicodedata.normalize("NFD", letter)[:1]))
    }
    assert hidden == set(_TWO_MARKS)
