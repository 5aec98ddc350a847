"""How wide the columns of a workbook are to be, and how many lines a text takes in one."""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

WIDEST: Final = 48  # characters of a column
NARROWEST: Final = 8
BORDER: Final = 2  # characters of a column that stay free
BLANK: Final = 0.5  # of a character
BROAD: Final = "WM@%mw"  # in the letters of any spreadsheet
BROADER: Final = 0.75  # of a character


def widths(rows: Sequence[Sequence[object]]) -> Iterator[int]:
    """How wide each column is to be; what stands alone in its row may run on to the right."""
    cells = [row for row in rows if len(row) > 1]
    for along in range(max(map(len, cells), default=0)):
        longest = max(measured(str(row[along])) for row in cells if along < len(row))
        yield max(NARROWEST, min(WIDEST, int(longest) + 1 + BORDER))


def measured(text: str) -> float:
    """How many figures a text is as wide as: a letter of East Asia as two, a blank as half.

    >>> measured("3 + 4"), measured("日本"), measured("WW")
    (4.0, 4.0, 3.5)
    """
    wide = 0 if text.isascii() else sum(unicodedata.east_asian_width(one) in "WF" for one in text)
    broad = sum(map(text.count, BROAD))
    return len(text) + wide + BROADER * broad - (1 - BLANK) * text.count(" ")


def lines_of(text: str, width: float) -> int:
    """How many lines a text takes that is broken between its words.

    >>> lines_of("three aces", 20), lines_of("three aces", 8), lines_of("a" * 17, 8)
    (1, 2, 3)
    """
    if measured(text) <= width:
        return 1
    lines, left = 0, 0.0
    for word in text.split():
        wide = measured(word)
        if wide > left:
            lines, left = lines + 1, width
        while wide > left:
            lines, wide = lines + 1, wide - width
        left -= wide + BLANK
    return lines
