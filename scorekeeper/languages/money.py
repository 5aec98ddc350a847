"""Format and parse amounts of money. Amounts are integers in minor units (cents)."""

import re
from copy import copy
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Final

from babel import Locale
from babel.numbers import NumberPattern

from scorekeeper.base.currencies import MINOR_DIGITS
from scorekeeper.base.parts import ExactPoints, format_points

MINUS: Final = "\N{MINUS SIGN}"

MAX_TYPED_LENGTH: Final = 14  # characters: ten millions with a decimal sign and decimals
MAX_DIGITS: Final = 60  # of an amount: the largest stake times all of the largest penalties
_TYPED_AMOUNT: Final = re.compile(r"(\d+)(?:[.,](\d+))?", re.ASCII)
_CODE_BEFORE: Final = re.compile(r"^[A-Z]+(?=\d)")  # a code without a sign of its own


def with_minus_sign(figure: ExactPoints) -> str:
    """Return an exact figure with a typographic minus sign."""
    return f"{MINUS}{format_points(-figure)}" if figure < 0 else format_points(figure)


def format_amount(amount: int, currency: str, language: str = "en", *, sign: bool = False) -> str:
    """Format an amount in minor units for a language; with ``sign``, also with a plus sign.

    >>> format_amount(160, "EUR"), format_amount(5, "USD", sign=True)
    ('€1.60', '+$0.05')
    """
    digits = MINOR_DIGITS[currency]
    with localcontext(prec=MAX_DIGITS):
        formatted = _pattern(language, digits).apply(
            to_major_units(abs(amount), currency),
            language,
            currency=currency,
            currency_digits=False,
        )
    formatted = _CODE_BEFORE.sub("\\g<0>\N{NO-BREAK SPACE}", formatted)
    return f"{MINUS if amount < 0 else '+' if sign and amount else ''}{formatted}"


def to_major_units(amount: int, currency: str) -> Decimal:
    """Convert an amount from minor units to units of its currency.

    >>> to_major_units(160, "EUR"), to_major_units(-5, "JPY")
    (Decimal('1.60'), Decimal('-5'))
    """
    with localcontext(prec=MAX_DIGITS):
        return Decimal(amount).scaleb(-MINOR_DIGITS[currency])


@lru_cache
def _pattern(language: str, digits: int) -> NumberPattern:
    """Return the number pattern of a language for amounts with this many decimals."""
    pattern: NumberPattern = copy(Locale.parse(language, sep="-").currency_formats["standard"])
    pattern.frac_prec = digits, digits
    return pattern


def parse_amount(text: str, currency: str) -> int | None:
    """Parse an amount typed with a decimal point or comma into minor units; None if it is none.

    >>> parse_amount("0,10", "EUR"), parse_amount("5", "JPY")
    (10, 5)
    >>> parse_amount("0.5", "JPY"), parse_amount("-1", "EUR")
    (None, None)
    """
    parts = _TYPED_AMOUNT.fullmatch(text.strip()) if len(text) <= MAX_TYPED_LENGTH else None
    digits = MINOR_DIGITS[currency]
    if parts is None or len(parts[2] or "") > digits:
        return None
    return int(parts[1] + (parts[2] or "").ljust(digits, "0"))


def format_for_input(amount: int, currency: str) -> str:
    """Format an amount in minor units for a form field, so that `parse_amount` reads it back.

    >>> format_for_input(10, "EUR"), format_for_input(100, "EUR"), format_for_input(5, "JPY")
    ('0.10', '1', '5')
    """
    value = Decimal(amount).scaleb(-MINOR_DIGITS[currency])
    return str(int(value)) if value == int(value) else str(value)
