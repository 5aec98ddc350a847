"""Fonts for PDF documents, parsed once per process.

Parsing a font takes longer than drawing a page with it. A document removes the glyphs that it does
not use from its fonts, so each document gets a copy, which shares what a document only reads.

Parsed fonts stay in memory: about 2 MB for one with 6,000 glyphs.
"""

from copy import copy
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from fontTools.ttLib import TTFont as OpenTypeFont
from fpdf import FPDF
from fpdf.fonts import SubsetMap, TTFFont

# The tables that take long to parse. A document parses the others again.
SHARED: Final = ("cmap", "glyf", "hmtx")


class GlyphsToReduce(dict[str, Any]):
    """The glyphs of a shared font, copied when they are read, because a document changes them."""

    def __getitem__(self, name: str) -> Any:
        return copy(super().__getitem__(name))


def add_typeface(document: FPDF, name: str, style: str, file: Path) -> None:
    """Add a font to a document, as ``FPDF.add_font`` does."""
    parsed = _parse_font(file, f"{name}{style}", style)
    font = copy(parsed)
    font.i = len(document.fonts) + 1
    font.cw = copy(parsed.cw)
    font.missing_glyphs = []
    font.ttfont = _make_reducible(_read_font(file), parsed.ttfont)
    font.subset = SubsetMap(font)
    document.fonts[font.fontkey] = font


@cache
def _parse_font(file: Path, key: str, style: str) -> TTFFont:
    """Return a font whose character map is parsed and whose file is closed; cached."""
    font = TTFFont(FPDF(), file, key, style)
    font.ttfont["cmap"].ensureDecompiled()
    font.ttfont.close()
    return font


@cache
def _read_font(file: Path) -> bytes:
    """Return the bytes of a font file; cached."""
    return file.read_bytes()


def _make_reducible(content: bytes, parsed: OpenTypeFont) -> OpenTypeFont:
    """Return a font from which glyphs can be removed while ``parsed`` stays as it is."""
    font = OpenTypeFont(BytesIO(content), recalcTimestamp=False, lazy=True)
    font.setGlyphOrder(list(parsed.getGlyphOrder()))
    for table in SHARED:
        font[table] = copy(parsed[table])
    font["cmap"].tables = [copy(table) for table in parsed["cmap"].tables]
    font["glyf"].glyphs = GlyphsToReduce(parsed["glyf"].glyphs)
    return font
