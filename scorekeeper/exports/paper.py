"""A4 pages as PDF: texts that are truncated or wrapped to a width, and QR codes.

Every text can be printed. A character that is missing in the main font comes from a fallback font,
loaded when it is first needed; a character in no font becomes a box, and bidirectional controls
are removed. Right-to-left scripts are shaped, within lines that run from left to right.
"""

import logging
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal, cast

import segno
from fontTools.ttLib import TTFont as OpenTypeFont
from fpdf import FPDF
from fpdf.enums import Align
from fpdf.fonts import TTFFont

from scorekeeper.exports.filenames import keep_own_direction
from scorekeeper.exports.typefaces import add_typeface
from scorekeeper.languages.catalogues import DEFAULT, N_
from scorekeeper.languages.catalogues import gettext as _

FONTS: Final = Path(__file__).parent / "fonts"
FILES: Final = {"": "DejaVuSans.ttf", "B": "DejaVuSans-Bold.ttf"}
# East Asian letters and pictographs; reduced to the characters that the main font lacks.
FALLBACKS: Final = {"east": "DroidSansFallback.ttf", "pictures": "Symbola.ttf"}
RIGHT_TO_LEFT: Final = {"R", "AL", "AN"}  # bidirectional classes of letters that need shaping
FONT: Final = "sheet"
PAGES: Final = "\ue000" * 2  # placeholder for the number of pages; in no font, so in no text
BOX: Final = "□"
BOXES: Final = N_("□ is a letter that cannot be printed here; the log has it.")
BLANKS: Final = re.compile(r"[^\S\u00a0\u202f]+")  # where a line may be wrapped
# Millimetres.
LEFT: Final = 15
RIGHT: Final = 195
TOP: Final = 12
BOTTOM: Final = 281
HAIR: Final = 0.15
FOOT: Final = 286
# Categories of invisible characters: controls, bidirectional controls, surrogates.
SHAPELESS: Final = {"Cc", "Cf", "Cs"}
VARIANTS: Final = range(0xFE00, 0xFE10)  # variation selectors, which are invisible
SMALLEST: Final = 4.0  # points
LINE: Final = 1.2  # line height, as a factor of the font size
BASE: Final = 0.9  # distance from the top of a line to the base line, as the same factor

Style = Literal["", "B"]

# fontTools logs every table of every font that it reduces.
logging.getLogger("fontTools").setLevel(logging.WARNING)


class Paper(FPDF):
    """A document of A4 pages; lengths are in millimetres, font sizes in points.

    Fallback fonts take long to read, so a second document with the same texts takes its fonts from
    ``another``.
    """

    def __init__(
        self,
        title: str,
        created: datetime,
        foot: str,
        language: str = DEFAULT,
        another: "Paper | None" = None,
    ) -> None:
        super().__init__(format="A4")
        self._foot = foot
        self.foot_size = 7.0
        self.has_boxes = False  # whether a character in no font was printed
        self._glyphs = {}
        self.fallbacks: list[str] = []
        self._replacements: dict[str, str] = {}
        # Caches by text, style and size: most texts are repeated.
        self._printable: dict[tuple[str, Style], str] = {}
        self._simple_texts: dict[tuple[str, str], bool] = {}
        self._text_widths: dict[tuple[str, str, float], float] = {}
        if another:
            self.fonts.update(another.fonts)
            self._fall_back_on(*another.fallbacks)
        for style, file in FILES.items():
            if not another:
                add_typeface(self, FONT, style, FONTS / file)
            self._glyphs[style] = frozenset(cast("TTFFont", self.fonts[FONT + style]).cmap)
        self.set_auto_page_break(auto=False)
        self.set_margins(LEFT, TOP, LEFT)
        self.c_margin = 0
        self.set_line_width(HAIR)
        self.alias_nb_pages(PAGES)
        self.set_creation_date(created)
        self.set_lang(language)
        self.set_title(self.printable(title, ""))
        self.add_page()

    def footer(self) -> None:
        """Print the foot of each page, with its number; the PDF library calls it."""
        self.write_at(LEFT, FOOT, 150, self._foot, self.foot_size)
        number = _("Page %(number)s of %(all)s", number=self.page_no(), all=PAGES)
        self.set_font(FONT, "", self.foot_size)
        self._put(RIGHT - 30, FOOT, 30, number, Align.R)

    # ------------------------------------------------------------------------------------ texts

    def printable(self, text: str, style: Style) -> str:
        """Return a text as it can be printed.

        Characters in no font become boxes, and names that cannot be printed become ids.
        """
        for name, replacement in self._replacements.items():
            text = text.replace(name, replacement)
        key = text, style
        if key not in self._printable:
            self._printable[key] = "".join(
                char if self._has_glyph(ord(char), style) else BOX
                for char in unicodedata.normalize("NFC", BLANKS.sub(" ", text).strip())
                if unicodedata.category(char) not in SHAPELESS and ord(char) not in VARIANTS
            )
        result = self._printable[key]
        self.has_boxes |= BOX in result and BOX not in text
        return result

    def use_ids_for_unprintable(self, names: Mapping[str, str]) -> None:
        """Print ids in place of names that cannot be printed; ``names`` is a mapping by id."""
        before = self.has_boxes
        printable = {name: self.printable(name, "") for name in names.values()}
        self.has_boxes = before  # these names are replaced, so no box is printed
        self._replacements = {
            name: key
            for key, name in names.items()
            if BOX in printable[name] or not printable[name]
        }

    def _has_glyph(self, char: int, style: Style) -> bool:
        """Return whether any font has a character, and load the fallback font that it needs."""
        if char in self._glyphs[style]:
            return True
        font = next((name for name in FALLBACKS if char in font_characters(FALLBACKS[name])), None)
        if font is not None and font not in self.fallbacks:
            self.add_font(font, "", FONTS / FALLBACKS[font])
            self._fall_back_on(font)
        return font is not None

    def _fall_back_on(self, *names: str) -> None:
        """Use these loaded fonts for characters that the main font lacks."""
        self.fallbacks += names
        self.set_fallback_fonts(self.fallbacks, exact_match=False)

    def write_at(
        self, x: float, y: float, width: float, text: str, size: float = 8.5,
        style: Style = "", align: Align = Align.L,
    ) -> None:  # fmt: skip
        """Write one line of text at `x` and `y`, truncated to `width`."""
        text = self.printable(text, style)
        self.set_font(FONT, style, size)
        self._put(x, y, width, truncate(text, width, self._measure), align)

    def width_of(self, text: str, size: float, style: Style = "") -> float:
        """Return the width of a text in this size and style."""
        text = self.printable(text, style)
        self.set_font(FONT, style, size)
        return self._measure(text)

    def write_number(
        self, x: float, y: float, width: float, text: str, size: float = 8.5, style: Style = ""
    ) -> None:
        """Write a number, aligned to the right; if too wide, in a smaller size."""
        text_width = self.width_of(text, size, style)
        if text_width > width:
            self.set_font(FONT, style, max(SMALLEST, size * width / text_width))
        self._put(x, y, width, text, Align.R)

    def wrap(
        self, text: str, width: float, size: float, max_lines: int, style: Style = ""
    ) -> list[str]:
        """Wrap a text to at most ``max_lines`` lines; the last one is truncated."""
        self.set_font(FONT, style, size)
        return wrap_text(self.printable(text, style), width, max_lines, self._measure)

    def _put(self, x: float, y: float, width: float, text: str, align: Align) -> None:
        """Print a line at a position, with shaping for scripts that need it."""
        if self._is_simple(text):
            start = x + width - self._measure(text) if align is Align.R else x
            self.text(start, y + BASE * self.font_size, text)
            return
        self._shape(text)
        self.set_xy(x, y)
        self.current_font_is_set_on_page = False  # a cell may have ended in another font silently
        self.cell(width, self.font_size * LINE, keep_own_direction(text), align=align)

    def _is_simple(self, text: str) -> bool:
        """Return whether the current font has all letters and none needs shaping."""
        key = text, self.font_style
        if key not in self._simple_texts:
            glyphs = self._glyphs[cast("Style", self.font_style)]
            self._simple_texts[key] = all(
                ord(char) in glyphs and unicodedata.bidirectional(char) not in RIGHT_TO_LEFT
                for char in text
            )
        return self._simple_texts[key]

    def _measure(self, text: str) -> float:
        """Return the width of a text in the current font, in millimetres."""
        if self._is_simple(text):
            key = text, self.font_style, self.font_size_pt
            if key not in self._text_widths:
                font = cast("TTFFont", self.current_font)
                points = font.get_text_width(text, self.font_size_pt, None)[1]
                self._text_widths[key] = points / self.k
            return self._text_widths[key]
        self._shape(text)
        return self.get_string_width(keep_own_direction(text))

    def _shape(self, text: str) -> None:
        """Turn shaping on for a text that needs it, else off, because shaping is slow."""
        shapes = any(unicodedata.bidirectional(char) in RIGHT_TO_LEFT for char in text)
        self.set_text_shaping(shapes, direction="ltr")

    # ----------------------------------------------------------------------------------- shapes

    def rule(self, y: float, width: float = HAIR) -> None:
        """Draw a horizontal line across the page at `y`."""
        self.set_line_width(width)
        self.line(LEFT, y, RIGHT, y)

    def qr(self, text: str, x: float, y: float, size: float) -> None:
        """Draw a QR code of a text, without a quiet zone."""
        rows = list(segno.make(text, error="m", micro=False).matrix)
        module = size / len(rows) * self.k
        left, top = x * self.k, (self.h - y) * self.k
        runs = [
            f"{left + start * module:.3f} {top - (down + 1) * module:.3f} "
            f"{length * module:.3f} {module:.3f} re"
            for down, row in enumerate(rows)
            for start, length in dark_runs(row)
        ]
        self._out("\n".join((*runs, "f")))  # one path: a call for each run takes long


@cache
def font_characters(file: str) -> frozenset[int]:
    """Return the code points of the characters in a font."""
    with OpenTypeFont(FONTS / file, lazy=True) as font:
        font.setGlyphOrder([""] * font["maxp"].numGlyphs)  # generating their names takes long
        return frozenset(font.getBestCmap())


def wrap_text(
    text: str, width: float, max_lines: int, text_width: Callable[[str], float]
) -> list[str]:
    """Wrap a text to at most ``max_lines`` lines, with a function that measures a text.

    The last line is truncated.
    """
    lines: list[str] = []
    words = [word for word in text.split(" ") if word]
    while words and len(lines) < max_lines - 1:
        line = words.pop(0)
        while words and text_width(f"{line} {words[0]}") <= width:
            line += f" {words.pop(0)}"
        fits = _fitting(line, width, text_width)
        if fits < len(line):  # a word that is wider than a line continues in the next line
            words.insert(0, line[fits:])
        lines.append(line[:fits])
    return [*lines, truncate(" ".join(words), width, text_width)] if words else lines


def _fitting(text: str, width: float, text_width: Callable[[str], float]) -> int:
    """Return the number of characters of a text that fit, at least one."""
    if text_width(text) <= width:
        return len(text)
    return max(1, largest_fitting(len(text), lambda n: text_width(text[:n]) <= width))


def truncate(text: str, width: float, text_width: Callable[[str], float]) -> str:
    """Return a text, or as much of it as fits with an ellipsis."""
    if text_width(text) <= width:
        return text
    fits = largest_fitting(len(text), lambda n: text_width(text[:n] + "…") <= width)
    return text[:fits].rstrip() + "…"


def largest_fitting(most: int, fits: Callable[[int], bool]) -> int:
    """Return the greatest number up to ``most`` that fits, by bisection.

    >>> largest_fitting(9, lambda number: number * number < 20)
    4
    """
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if fits(middle) else (least, middle - 1)
    return least


def dark_runs(row: Any) -> Iterator[tuple[int, int]]:
    """Yield the start and length of each run of dark modules in a row.

    >>> list(dark_runs([1, 1, 0, 1]))
    [(0, 2), (3, 1)]
    """
    place = 0
    for dark, modules in groupby(row, bool):
        length = len(list(modules))
        if dark:
            yield place, length
        place += length
