"""Widths of the columns of a workbook, and the number of lines of a text in a column."""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

# Widths in characters.
MAX_WIDTH: Final = 48  # of a column
MIN_WIDTH: Final = 8  # of a column
FREE_WIDTH: Final = 2  # of a column, beside its text
BLANK_WIDTH: Final = 0.5
BROAD_LETTERS: Final = "WM@%mw"  # letters that are broader in the fonts of all spreadsheets
EXTRA_WIDTH: Final = 0.75  # of such a letter


def measure_columns(rows: Sequence[Sequence[object]]) -> Iterator[int]:
    """Yield the width of each column, in characters.

    Rows with a single cell do not count: their text may overflow to the right.
    """
    cells = [row for row in rows if len(row) > 1]
    for column in range(max(map(len, cells), default=0)):
        longest = max(width_in_digits(str(row[column])) for row in cells if column < len(row))
        yield max(MIN_WIDTH, min(MAX_WIDTH, int(longest) + 1 + FREE_WIDTH))


def width_in_digits(text: str) -> float:
    """Return the width of a text in digits: East Asian letters count two, blanks half.

    >>> width_in_digits("3 + 4"), width_in_digits("日本"), width_in_digits("WW")
    (4.0, 4.0, 3.5)
    """
    wide = 0 if text.isascii() else sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    broad = sum(map(text.count, BROAD_LETTERS))
    return len(text) + wide + EXTRA_WIDTH * broad - (1 - BLANK_WIDTH) * text.count(" ")


def count_lines(text: str, width: float) -> int:
    """Return the number of lines of a text that is wrapped between words.

    >>> count_lines("three aces", 20), count_lines("three aces", 8), count_lines("a" * 17, 8)
    (1, 2, 3)
    """
    if width_in_digits(text) <= width:
        return 1
    lines, left = 0, 0.0
    for word in text.split():
        wide = width_in_digits(word)
        if wide > left:
            lines, left = lines + 1, width
        while wide > left:
            lines, wide = lines + 1, wide - width
        left -= wide + BLANK_WIDTH
    return lines
