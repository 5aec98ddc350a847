"""The pinned table of Unicode, against that of a Python that has the same one."""

import random
import unicodedata

import pytest

from scorekeeper.base import unicode_14
from scorekeeper.base.unicode_14 import change_assigned, is_assigned
from scorekeeper.exports import verifier
from scorekeeper.log.canonical import to_nfc
from tests.conftest import SOAK

TEXTS = 200_000 if SOAK else 5_000
HAS_THE_SAME_TABLE = unicodedata.unidata_version == "14.0.0"  # as Python 3.11 has
ODD_CHARACTERS = (
    "e\u0301\u0316\u0345\u0344\u0f71\u0f73\u1100\u1161\u11a8\uac00\U00010efd\u0378🂡\U0001fae8"
)

needs_the_same_table = pytest.mark.skipif(
    not HAS_THE_SAME_TABLE, reason=f"this Python has Unicode {unicodedata.unidata_version}"
)


@needs_the_same_table
def test_table_equals_unicode_14() -> None:
    characters = map(chr, range(0x110000))
    assert all(
        is_assigned(character) == (unicodedata.category(character) != "Cn")
        for character in characters
    )


def test_verifier_has_the_same_table() -> None:
    assert verifier.RUN_LENGTHS == unicode_14.RUN_LENGTHS
    assert verifier.BOUNDS == unicode_14._BOUNDS


def test_assigned_characters_stay_assigned() -> None:
    """What Unicode 14.0 assigns, every later version assigns."""
    characters = map(chr, range(0x110000))
    assert all(
        unicodedata.category(character) != "Cn"
        for character in characters
        if is_assigned(character)
    )


@needs_the_same_table
def test_normal_form_equals_that_of_python_3_11() -> None:
    rng = random.Random(14)  # noqa: S311
    for _ in range(TEXTS):
        text = "".join(any_character(rng) for _ in range(rng.randrange(1, 9)))
        assert to_nfc(text) == unicodedata.normalize("NFC", text), ascii(text)


def any_character(rng: random.Random) -> str:
    """Return a character that is likely to change its neighbours, or one of them all."""
    if rng.randrange(3):
        return rng.choice(ODD_CHARACTERS)
    code = rng.randrange(rng.choice((0x2000, 0x10000, 0x110000)))
    return "x" if 0xD800 <= code < 0xE000 else chr(code)


def test_each_run_of_assigned_characters_is_normalized_separately() -> None:
    assert change_assigned("ab\U00010efdc", str.upper) == "AB\U00010efdC"
    assert change_assigned("a€", str.upper) == "A€"
    assert change_assigned("", str.upper) == ""
