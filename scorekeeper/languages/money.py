"""Amounts of money: whole minor units, as people write them and type them."""

import re
from copy import copy
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Final

from babel import Locale
from babel.numbers import NumberPattern

from scorekeeper.base.currencies import MINOR_DIGITS

MINUS: Final = "\N{MINUS SIGN}"
LONGEST: Final = 14  # of what is typed, ten millions with a point and digits after it
MOST_DIGITS: Final = 60  # of an amount: the largest stake by as many of the largest penalties
_TYPED: Final = re.compile(r"(\d+)(?:[.,](\d+))?", re.ASCII)
_CODE_BEFORE: Final = re.compile(r"^[A-Z]+(?=\d)")  # a code without a sign of its own


def written(amount: int, currency: str, language: str = "en", *, sign: bool = False) -> str:
    """An amount in minor units as it is written in a language; with ``sign`` also a plus.

    >>> written(160, "EUR"), written(5, "USD", sign=True)
    ('€1.60', '+$0.05')
    """
    digits = MINOR_DIGITS[currency]
    with localcontext(prec=MOST_DIGITS):
        said = _pattern(language, digits).apply(
            in_units(abs(amount), currency), language, currency=currency, currency_digits=False
        )
    said = _CODE_BEFORE.sub("\\g<0>\N{NO-BREAK SPACE}", said)
    return f"{MINUS if amount < 0 else '+' if sign and amount else ''}{said}"


def in_units(amount: int, currency: str) -> Decimal:
    """An amount in minor units as one in units of its currency.

    >>> in_units(160, "EUR"), in_units(-5, "JPY")
    (Decimal('1.60'), Decimal('-5'))
    """
    with localcontext(prec=MOST_DIGITS):
        return Decimal(amount).scaleb(-MINOR_DIGITS[currency])


@lru_cache
def _pattern(language: str, digits: int) -> NumberPattern:
    """How a language writes amounts, with the digits that the currency has."""
    pattern: NumberPattern = copy(Locale.parse(language, sep="-").currency_formats["standard"])
    pattern.frac_prec = digits, digits
    return pattern


def typed(text: str, currency: str) -> int | None:
    """The minor units of an amount that was typed, with a point or a comma; None for no amount.

    >>> typed("0,10", "EUR"), typed("5", "JPY"), typed("0.5", "JPY"), typed("-1", "EUR")
    (10, 5, None, None)
    """
    found = _TYPED.fullmatch(text.strip()) if len(text) <= LONGEST else None
    digits = MINOR_DIGITS[currency]
    if found is None or len(found[2] or "") > digits:
        return None
    return int(found[1] + (found[2] or "").ljust(digits, "0"))


def as_typed(amount: int, currency: str) -> str:
    """An amount in minor units as it can be typed: :func:`typed` reads it back.

    >>> as_typed(10, "EUR"), as_typed(100, "EUR"), as_typed(5, "JPY")
    ('0.10', '1', '5')
    """
    value = Decimal(amount).scaleb(-MINOR_DIGITS[currency])
    return str(int(value)) if value == int(value) else str(value)
