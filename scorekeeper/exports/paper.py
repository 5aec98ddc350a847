"""Paper to print on: an A4 page, texts cut or broken to the room they have, a QR code.

Whatever a text holds, it is printed: a character that the font lacks is a box, and one that
only turns the line around is left out.
"""

import logging
import unicodedata
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal, cast

import segno
from fpdf import FPDF
from fpdf.enums import Align
from fpdf.fonts import TTFFont

FONTS: Final = Path(__file__).parent / "fonts"
FILES: Final = {"": "DejaVuSans.ttf", "B": "DejaVuSans-Bold.ttf"}
FONT: Final = "sheet"
PAGES: Final = "\ue000" * 2  # stands for the number of pages; no text has it, as no font does
BOX: Final = "□"
# Millimetres.
LEFT: Final = 15
RIGHT: Final = 195
TOP: Final = 12
BOTTOM: Final = 281
HAIR: Final = 0.15
FOOT: Final = 286
# What has no shape of its own: controls, halves of characters, and the turns of a line.
SHAPELESS: Final = {"Cc", "Cf", "Cs"}
VARIANTS: Final = range(0xFE00, 0xFE10)  # they only choose between two looks of what is before
SMALLEST: Final = 4.0  # points

Style = Literal["", "B"]

# It tells of every table of every font that it makes smaller.
logging.getLogger("fontTools").setLevel(logging.WARNING)


class Paper(FPDF):
    """A document of A4 pages; lengths are millimetres, sizes of letters points."""

    def __init__(self, title: str, made: datetime, foot: str) -> None:
        super().__init__(format="A4")
        self._foot = foot
        self._glyphs = {}
        for style, file in FILES.items():
            self.add_font(FONT, style, FONTS / file)
            self._glyphs[style] = frozenset(cast("TTFFont", self.fonts[FONT + style]).cmap)
        self.set_auto_page_break(auto=False)
        self.set_margins(LEFT, TOP, LEFT)
        self.c_margin = 0
        self.set_line_width(HAIR)
        self.alias_nb_pages(PAGES)
        self.set_creation_date(made)
        self.set_lang("en")
        self.set_title(self.shown(title, ""))
        self.add_page()

    def footer(self) -> None:
        self.write_at(LEFT, FOOT, 150, self._foot, size=6.5)
        number = f"Page {self.page_no()} of {PAGES}"
        self.set_font(FONT, "", 6.5)
        self.set_xy(RIGHT - 30, FOOT)
        self.cell(30, 3, number, align=Align.R)

    # ------------------------------------------------------------------------------------ texts

    def shown(self, text: str, style: Style) -> str:
        """A text as it can be printed."""
        glyphs = self._glyphs[style]
        return "".join(
            char if ord(char) in glyphs else BOX
            for char in unicodedata.normalize("NFC", " ".join(text.split()))
            if unicodedata.category(char) not in SHAPELESS and ord(char) not in VARIANTS
        )

    def write_at(
        self, x: float, y: float, width: float, text: str, size: float = 8.5,
        style: Style = "", align: Align = Align.L,
    ) -> None:  # fmt: skip
        """Write one line, cut to the width."""
        text = self.shown(text, style)
        self.set_font(FONT, style, size)
        self._put(x, y, width, self._cut(text, width), align)

    def write_number(
        self, x: float, y: float, width: float, text: str, size: float = 8.5, style: Style = ""
    ) -> None:
        """Write a number to the right of its room: it is never cut, but printed smaller."""
        self.set_font(FONT, style, size)
        wide = self.get_string_width(text)
        if wide > width:
            self.set_font(FONT, style, max(SMALLEST, size * width / wide))
        self._put(x, y, width, text, Align.R)

    def broken(
        self, text: str, width: float, size: float, most: int, style: Style = ""
    ) -> list[str]:
        """A text in at most so many lines, the last of them cut where it is longer."""
        self.set_font(FONT, style, size)
        lines: list[str] = []
        words = self.shown(text, style).split()
        while words and len(lines) < most - 1:
            line = words.pop(0)
            while words and self.get_string_width(f"{line} {words[0]}") <= width:
                line += f" {words.pop(0)}"
            lines.append(self._cut(line, width))
        return [*lines, self._cut(" ".join(words), width)] if words else lines

    def _put(self, x: float, y: float, width: float, text: str, align: Align) -> None:
        self.set_xy(x, y)
        self.cell(width, self.font_size * 1.2, text, align=align)

    def _cut(self, text: str, width: float) -> str:
        if self.get_string_width(text) <= width:
            return text
        fits = longest(len(text), lambda n: self.get_string_width(text[:n] + "…") <= width)
        return text[:fits].rstrip() + "…"

    # ----------------------------------------------------------------------------------- shapes

    def rule(self, y: float, width: float = HAIR) -> None:
        """Draw a line across the page."""
        self.set_line_width(width)
        self.line(LEFT, y, RIGHT, y)

    def qr(self, text: str, x: float, y: float, size: float) -> None:
        """Draw a QR code of a text; the white around it is the page's."""
        rows = list(segno.make(text, error="m", micro=False).matrix)
        module = size / len(rows)
        for down, row in enumerate(rows):
            for start, length in runs(row):
                self.rect(x + start * module, y + down * module, length * module, module, style="F")


def longest(most: int, fits: Callable[[int], bool]) -> int:
    """The greatest number up to ``most`` that fits, where whatever is smaller does, too.

    >>> longest(9, lambda number: number * number < 20)
    4
    """
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if fits(middle) else (least, middle - 1)
    return least


def runs(row: Any) -> Iterator[tuple[int, int]]:
    """Where the dark modules of a row begin, and how many stand side by side.

    >>> list(runs([1, 1, 0, 1]))
    [(0, 2), (3, 1)]
    """
    place = 0
    for dark, modules in groupby(row, bool):
        length = len(list(modules))
        if dark:
            yield place, length
        place += length
