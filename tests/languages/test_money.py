"""Formatting and parsing of amounts of money."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.base.currencies import MINOR_DIGITS
from scorekeeper.languages.money import format_amount, format_for_input, parse_amount

NBSP, NARROW = "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"


@given(st.integers(0, 10**9), st.sampled_from(sorted(MINOR_DIGITS)))
def test_amount_in_a_form_field_is_read_back(amount: int, currency: str) -> None:
    assert parse_amount(format_for_input(amount, currency), currency) == amount
    assert parse_amount(format_for_input(amount, currency).replace(".", ","), currency) == amount


@pytest.mark.parametrize(
    "text", ["", "-1", "+1", "1e3", "0.001", "1.000,00", "1,", ".5", "٣", "x", "1" * 15, "1 0"]
)
def test_text_that_is_not_an_amount_is_refused(text: str) -> None:
    assert parse_amount(text, "EUR") is None


@pytest.mark.parametrize(
    ("language", "amount", "currency", "expected"),
    [
        ("en", 123456789, "EUR", "+€1,234,567.89"),
        ("it", 123456789, "EUR", f"+1.234.567,89{NBSP}€"),
        ("fr", 123456789, "EUR", f"+1{NARROW}234{NARROW}567,89{NBSP}€"),
        ("en", -16000, "JPY", "\N{MINUS SIGN}¥16,000"),
        ("en", 5, "KWD", f"+KWD{NBSP}0.005"),
        ("it", 0, "CHF", f"0,00{NBSP}CHF"),
    ],
)
def test_amount_is_formatted_for_the_language(
    language: str, amount: int, currency: str, expected: str
) -> None:
    assert format_amount(amount, currency, language, sign=True) == expected


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_no_digit_of_a_large_amount_is_lost(language: str) -> None:
    amount = 10**30 + 7
    digits = "".join(filter(str.isdecimal, format_amount(amount, "EUR", language)))
    assert int(digits) == amount
