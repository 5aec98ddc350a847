"""Paper to print on: an A4 page, texts cut or broken to the room they have, a QR code.

Whatever a text holds, it is printed: what the first font lacks comes from the others, which are
loaded with the first text that needs them; a character that none has is a box, and one that only
turns the line around is left out. Letters that are written from right to left are shaped and run
so, within a line that runs from left to right.
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

from scorekeeper.exports.filenames import in_its_own_direction
from scorekeeper.languages.catalogues import DEFAULT, N_
from scorekeeper.languages.catalogues import gettext as _

FONTS: Final = Path(__file__).parent / "fonts"
FILES: Final = {"": "DejaVuSans.ttf", "B": "DejaVuSans-Bold.ttf"}
# What has the letters of East Asia, and pictures, both cut down to what the first font lacks.
FALLBACKS: Final = {"east": "DroidSansFallback.ttf", "pictures": "Symbola.ttf"}
LEFTWARDS: Final = {"R", "AL", "AN"}  # the directions of letters that are shaped
FONT: Final = "sheet"
PAGES: Final = "\ue000" * 2  # stands for the number of pages; no text has it, as no font does
BOX: Final = "□"
BOXES: Final = N_("□ is a letter that cannot be printed here; the log has it.")
BLANKS: Final = re.compile(r"[^\S\u00a0\u202f]+")  # at which a line may be broken
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
LINE: Final = 1.2  # heights of letters that a line is high
BASE: Final = 0.9  # of them, that letters stand below its top

Style = Literal["", "B"]

# It tells of every table of every font that it makes smaller.
logging.getLogger("fontTools").setLevel(logging.WARNING)


class Paper(FPDF):
    """A document of A4 pages; lengths are millimetres, sizes of letters points.

    In place of ``another``, of the same texts, it takes its fonts over: to read them takes long.
    """

    def __init__(
        self,
        title: str,
        made: datetime,
        foot: str,
        language: str = DEFAULT,
        another: "Paper | None" = None,
    ) -> None:
        super().__init__(format="A4")
        self._foot = foot
        self.foot_size = 7.0
        self.has_boxes = False  # whether a letter was printed that no font has
        self._glyphs = {}
        self.fallbacks: list[str] = []
        self._instead: dict[str, str] = {}
        # What was found out of texts, which mostly come again: by style, and by size.
        self._shown: dict[tuple[str, Style], str] = {}
        self._plain_texts: dict[tuple[str, str], bool] = {}
        self._wide_texts: dict[tuple[str, str, float], float] = {}
        if another:
            self.fonts.update(another.fonts)
            self._fall_back_on(*another.fallbacks)
        for style, file in FILES.items():
            if not another:
                self.add_font(FONT, style, FONTS / file)
            self._glyphs[style] = frozenset(cast("TTFFont", self.fonts[FONT + style]).cmap)
        self.set_auto_page_break(auto=False)
        self.set_margins(LEFT, TOP, LEFT)
        self.c_margin = 0
        self.set_line_width(HAIR)
        self.alias_nb_pages(PAGES)
        self.set_creation_date(made)
        self.set_lang(language)
        self.set_title(self.shown(title, ""))
        self.add_page()

    def footer(self) -> None:
        self.write_at(LEFT, FOOT, 150, self._foot, self.foot_size)
        number = _("Page %(number)s of %(all)s", number=self.page_no(), all=PAGES)
        self.set_font(FONT, "", self.foot_size)
        self._put(RIGHT - 30, FOOT, 30, number, Align.R)

    # ------------------------------------------------------------------------------------ texts

    def shown(self, text: str, style: Style) -> str:
        """A text as it can be printed."""
        for name, instead in self._instead.items():
            text = text.replace(name, instead)
        known = text, style
        if known not in self._shown:
            self._shown[known] = "".join(
                char if self._prints(ord(char), style) else BOX
                for char in unicodedata.normalize("NFC", BLANKS.sub(" ", text).strip())
                if unicodedata.category(char) not in SHAPELESS and ord(char) not in VARIANTS
            )
        shown = self._shown[known]
        self.has_boxes |= BOX in shown and BOX not in text
        return shown

    def name_instead(self, names: Mapping[str, str]) -> None:
        """Print the ids of players whose names no font can write; ``names`` are by their ids."""
        before = self.has_boxes
        shown = {name: self.shown(name, "") for name in names.values()}
        self.has_boxes = before  # for a name that would have any the id is printed
        self._instead = {
            name: key for key, name in names.items() if BOX in shown[name] or not shown[name]
        }

    def _prints(self, char: int, style: Style) -> bool:
        if char in self._glyphs[style]:
            return True
        found = next((name for name in FALLBACKS if char in glyphs_of(FALLBACKS[name])), None)
        if found is not None and found not in self.fallbacks:
            self.add_font(found, "", FONTS / FALLBACKS[found])
            self._fall_back_on(found)
        return found is not None

    def _fall_back_on(self, *names: str) -> None:
        self.fallbacks += names
        self.set_fallback_fonts(self.fallbacks, exact_match=False)

    def write_at(
        self, x: float, y: float, width: float, text: str, size: float = 8.5,
        style: Style = "", align: Align = Align.L,
    ) -> None:  # fmt: skip
        """Write one line, cut to the width."""
        text = self.shown(text, style)
        self.set_font(FONT, style, size)
        self._put(x, y, width, cut(text, width, self._wide), align)

    def width_of(self, text: str, size: float, style: Style = "") -> float:
        """How wide a text is, in letters of a size."""
        text = self.shown(text, style)
        self.set_font(FONT, style, size)
        return self._wide(text)

    def write_number(
        self, x: float, y: float, width: float, text: str, size: float = 8.5, style: Style = ""
    ) -> None:
        """Write a number to the right of its room: it is never cut, but printed smaller."""
        wide = self.width_of(text, size, style)
        if wide > width:
            self.set_font(FONT, style, max(SMALLEST, size * width / wide))
        self._put(x, y, width, text, Align.R)

    def broken(
        self, text: str, width: float, size: float, most: int, style: Style = ""
    ) -> list[str]:
        """A text in at most a given number of lines, the last of them cut where it is longer."""
        self.set_font(FONT, style, size)
        return broken(self.shown(text, style), width, most, self._wide)

    def _put(self, x: float, y: float, width: float, text: str, align: Align) -> None:
        if self._plain(text):
            start = x + width - self._wide(text) if align is Align.R else x
            self.text(start, y + BASE * self.font_size, text)
            return
        self._shape(text)
        self.set_xy(x, y)
        self.current_font_is_set_on_page = False  # a cell may have ended in another, and not say
        self.cell(width, self.font_size * LINE, in_its_own_direction(text), align=align)

    def _plain(self, text: str) -> bool:
        """Whether the font that is set has all letters, and nothing needs to be shaped."""
        known = text, self.font_style
        if known not in self._plain_texts:
            glyphs = self._glyphs[cast("Style", self.font_style)]
            self._plain_texts[known] = all(
                ord(char) in glyphs and unicodedata.bidirectional(char) not in LEFTWARDS
                for char in text
            )
        return self._plain_texts[known]

    def _wide(self, text: str) -> float:
        """How wide a text is in the letters that are set."""
        if self._plain(text):
            known = text, self.font_style, self.font_size_pt
            if known not in self._wide_texts:
                font = cast("TTFFont", self.current_font)
                wide = font.get_text_width(text, self.font_size_pt, None)[1]
                self._wide_texts[known] = wide / self.k
            return self._wide_texts[known]
        self._shape(text)
        return self.get_string_width(in_its_own_direction(text))

    def _shape(self, text: str) -> None:
        """Let what is measured or printed next be shaped, where it needs that: it takes long."""
        shapes = any(unicodedata.bidirectional(char) in LEFTWARDS for char in text)
        self.set_text_shaping(shapes, direction="ltr")

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


@cache
def glyphs_of(file: str) -> frozenset[int]:
    """The characters that a font can print."""
    with OpenTypeFont(FONTS / file, lazy=True) as font:
        font.setGlyphOrder([""] * font["maxp"].numGlyphs)  # to make up their names takes long
        return frozenset(font.getBestCmap())


def broken(text: str, width: float, most: int, wide: Callable[[str], float]) -> list[str]:
    """A text in at most that many lines, by how ``wide`` a part of it is; the last is cut."""
    lines: list[str] = []
    words = [word for word in text.split(" ") if word]
    while words and len(lines) < most - 1:
        line = words.pop(0)
        while words and wide(f"{line} {words[0]}") <= width:
            line += f" {words.pop(0)}"
        fits = _fitting(line, width, wide)
        if fits < len(line):  # a word that is wider than the line goes on in the next
            words.insert(0, line[fits:])
        lines.append(line[:fits])
    return [*lines, cut(" ".join(words), width, wide)] if words else lines


def _fitting(text: str, width: float, wide: Callable[[str], float]) -> int:
    """How many characters of a text fit, one at least."""
    if wide(text) <= width:
        return len(text)
    return max(1, longest(len(text), lambda n: wide(text[:n]) <= width))


def cut(text: str, width: float, wide: Callable[[str], float]) -> str:
    """A text, or as much of it as fits with three dots behind it."""
    if wide(text) <= width:
        return text
    fits = longest(len(text), lambda n: wide(text[:n] + "…") <= width)
    return text[:fits].rstrip() + "…"


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
