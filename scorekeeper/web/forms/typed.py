"""Typed lines, numbers and amounts of money, with the messages about those that are not valid."""

import re
from collections.abc import Collection
from datetime import date
from typing import Final

from flask_babel import gettext as _

from scorekeeper.base.currencies import MINOR_DIGITS
from scorekeeper.base.errors import UnusableError
from scorekeeper.base.parts import encode_exact, in_points, parse_parts
from scorekeeper.events.fields import AMOUNT, MAX_NAME_CHARACTERS, MAX_TEXT_CHARACTERS, Day
from scorekeeper.events.names import fold_name, is_visible
from scorekeeper.languages.money import format_for_input, parse_amount
from scorekeeper.log import canonical
from scorekeeper.log.codec import read_value
from scorekeeper.web.wording.filters import format_money

MINUS: Final = "\N{MINUS SIGN}"
_NUMBER: Final = re.compile(rf"[-+{MINUS}]?[0-9]{{1,16}}")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class FieldError(ValueError):
    """The submitted text is not a value of the field; the message is for its sender."""


def parse_whole(text: str, parts: int = 1) -> int | str:
    """Return a typed number; other text as it is, for the codec to reject.

    In ``parts`` of a point, points are typed, and their number of parts is returned.
    """
    if parts > 1:
        number = parse_parts(text, parts)
        return canonical.to_nfc(text) if number is None else number
    return int(text.replace(MINUS, "-")) if _NUMBER.fullmatch(text) else canonical.to_nfc(text)


def parse_points(text: str, parts: int) -> int | str:
    """Return typed points as JSON has them; other text as it is, for the codec to reject."""
    number = parse_whole(text, parts)
    return encode_exact(in_points(number, parts)) if isinstance(number, int) else number


def clean_line(typed: str) -> str:
    """Return typed text as one line in NFC, stripped and cut to the usable length.

    It is empty if no character of it is visible.
    """
    text = canonical.to_nfc(_CONTROL.sub(" ", typed[:MAX_TEXT_CHARACTERS])).strip()
    return text if is_visible(text) else ""


def line_error(text: str, most: int, missing: str = "") -> str:
    """Return the error about a line: it has more than `most` letters, or is empty and `missing`."""
    if len(text) > most:
        return str(_("This is longer than %(most)s letters.", most=most))
    return "" if text else str(missing)


def name_error(name: str, others: Collection[str], missing: str = "") -> str:
    """Return the error about a name beside those of `others`; `missing` if it is empty."""
    error = line_error(name, MAX_NAME_CHARACTERS, missing)
    taken = bool(name) and fold_name(name) in map(fold_name, filter(None, others))
    return error or (str(_("Somebody else has this name; add a letter.")) if taken else "")


def parse_day(typed: str) -> date | None:
    """Return a typed ISO day; None if there is no such day."""
    try:
        return date.fromisoformat(read_value(Day(), typed))
    except UnusableError:
        return None


def currency_error(code: str) -> str:
    """Return the error about the code of a currency; empty if there is such a currency."""
    known = code in MINOR_DIGITS
    return "" if known else str(_("The three letters of a currency, such as EUR or CHF."))


def read_amount(typed: str, currency: str, example: int, least: int = 0) -> int:
    """Return a typed amount of money in minor units, `least` or more.

    Raises `FieldError`, with an `example` in minor units, if it is not valid or too high.
    """
    amount = parse_amount(typed.strip(), currency)
    if amount is None or amount < least:
        example_typed = format_for_input(example, currency)
        raise FieldError(_("An amount such as %(amount)s.", amount=example_typed))
    if amount > AMOUNT.high:
        raise FieldError(_("At most %(amount)s.", amount=format_money(AMOUNT.high, currency)))
    return amount
