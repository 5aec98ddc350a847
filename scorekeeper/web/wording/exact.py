"""Exact points as text: whole numbers, and what is left over as a fraction."""

from fractions import Fraction
from typing import Final

from scorekeeper.languages.money import MINUS, with_minus_sign

# Fractions that have a character of their own.
VULGAR: Final = {
    Fraction(1, 2): "½", Fraction(1, 3): "⅓", Fraction(2, 3): "⅔", Fraction(1, 4): "¼",
    Fraction(3, 4): "¾", Fraction(1, 5): "⅕", Fraction(2, 5): "⅖", Fraction(3, 5): "⅗",
    Fraction(4, 5): "⅘", Fraction(1, 6): "⅙", Fraction(5, 6): "⅚", Fraction(1, 8): "⅛",
    Fraction(3, 8): "⅜", Fraction(5, 8): "⅝", Fraction(7, 8): "⅞",
}  # fmt: skip
NARROW_SPACE: Final = "\u202f"


def format_exact(points: Fraction | int | str) -> str:
    """Return exact points as text; a text such as "7/2" is how a log has them.

    >>> format_exact("7/2"), format_exact(4), format_exact(Fraction(1, 3))
    ('3½', '4', '⅓')
    """
    exact = Fraction(points)
    whole, rest = divmod(abs(exact), 1)
    sign = MINUS if exact < 0 else ""
    if not rest:
        return with_minus_sign(int(exact))
    text = VULGAR.get(rest) or f"{NARROW_SPACE if whole else ''}{rest}"
    return f"{sign}{whole or ''}{text}"
