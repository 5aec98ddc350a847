"""Figures in parts of a point: 81 halves are 40.5 points.

Events hold whole numbers of parts. Scores are exact points: an `int` if they are whole, else a
`Fraction`, which JSON has as a text such as ``81/2``. A player reads and types points.
"""

import re
from decimal import Decimal
from fractions import Fraction
from typing import Final

from scorekeeper.base.language import language

ExactPoints = int | Fraction

MOST_PARTS: Final = 60  # parts of a point that a game may count in
MAX_DIGITS: Final = 16  # before the decimal sign, and after it
POINT: Final = "."
MINUS: Final = "\N{MINUS SIGN}"
GLYPHS: Final = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4"}
_TYPED: Final = re.compile(
    rf"([-+{MINUS}]?)(?=[0-9])([0-9]{{1,{MAX_DIGITS}}}(?![0-9/]))?"
    rf"(?:[.,]([0-9]{{0,{MAX_DIGITS}}})| ?([0-9]{{1,4}})/([0-9]{{1,2}}))?"
)


def in_points(number: int, parts: int = 1) -> ExactPoints:
    """Return a number of parts as points: an `int` if it is whole, else a `Fraction`.

    >>> in_points(80, 2), in_points(81, 2)
    (40, Fraction(81, 2))
    """
    if parts == 1:
        return number
    return simplify(Fraction(number, parts))


def simplify(points: Fraction) -> ExactPoints:
    """Return the same points, as an `int` if they are whole."""
    return points.numerator if points.denominator == 1 else points


def to_parts(points: ExactPoints, parts: int) -> int:
    """Return exact points as a number of parts, of which they are a whole number.

    >>> to_parts(Fraction(81, 2), 2), to_parts(40, 2)
    (81, 80)
    """
    return points if parts == 1 and isinstance(points, int) else int(points * parts)


def encode_exact(figure: ExactPoints) -> int | str:
    """Return an exact figure as JSON: a whole number, or a text such as ``7/2``."""
    return figure.numerator if figure.denominator == 1 else str(figure)


def decode_exact(figure: int | str) -> ExactPoints:
    """Return the exact figure of which this is the JSON."""
    return Fraction(figure) if isinstance(figure, str) else figure


def format_points(points: ExactPoints, decimal: str | None = None) -> str:
    """Return points in digits, with the decimal sign of the current language if none is given.

    A fraction without a short decimal form is written after the whole number.

    >>> format_points(Fraction(81, 2)), format_points(Fraction(-41, 4)), format_points(7)
    ('40.5', '-10.25', '7')
    >>> format_points(Fraction(10, 3)), format_points(Fraction(-1, 3))
    ('3 1/3', '-1/3')
    """
    if points.denominator == 1:
        return str(points.numerator)
    whole, rest = divmod(abs(points.numerator), points.denominator)
    sign = "-" if points < 0 else ""
    thousandths = Fraction(rest * 1000, points.denominator)
    if thousandths.denominator == 1:
        digits = f"{thousandths.numerator:03d}".rstrip("0")
        return f"{sign}{whole}{decimal or language().word('decimal sign', POINT)}{digits}"
    return f"{sign}{f'{whole} ' if whole else ''}{rest}/{points.denominator}"


def format_signed(points: ExactPoints) -> str:
    """Return points in digits with their sign, a plus also before 0."""
    return ("+" if points >= 0 else "") + format_points(points)


def format_parts(number: int, parts: int, *, signed: bool = False) -> str:
    """Return a number of parts as points in digits; ``signed`` writes a plus before it."""
    points = in_points(number, parts)
    return format_signed(points) if signed else format_points(points)


def parse_parts(text: str, parts: int) -> int | None:
    """Return typed points as a number of parts; None if they are no whole number of parts.

    >>> [parse_parts(typed, 2) for typed in ("40.5", "40,5", "40½", "40 1/2", "-3", "½", "40.3")]
    [81, 81, 81, 81, -6, 1, None]
    """
    for glyph, fraction in GLYPHS.items():
        text = text.replace(glyph, f" {fraction}")
    match = _TYPED.fullmatch(text.strip())
    if match is None:
        return None
    sign, whole, decimals, above, below = match.groups()
    if below and not int(below):
        return None
    points = Fraction(int(whole or 0)) + (Fraction(int(above), int(below)) if below else 0)
    points += Fraction(int(decimals or 0), 10 ** len(decimals or ""))
    number = points * parts * (-1 if sign in ("-", MINUS) else 1)
    return number.numerator if number.denominator == 1 else None


def as_cell(points: ExactPoints) -> int | Decimal:
    """Return points as a number for the cell of a table, with at most three decimals.

    >>> as_cell(Fraction(81, 2)), as_cell(Fraction(1, 3)), as_cell(7)
    (Decimal('40.5'), Decimal('0.333'), 7)
    """
    if points.denominator == 1:
        return points.numerator
    return Decimal(points.numerator * 1000 // points.denominator).scaleb(-3).normalize()
