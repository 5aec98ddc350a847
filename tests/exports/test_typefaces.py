"""Documents share a parsed font, and each is as if it had parsed the font itself."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final, cast

import pytest
from fpdf import FPDF
from fpdf.fonts import TTFFont

from scorekeeper.exports import paper
from scorekeeper.exports.paper import Paper
from scorekeeper.exports.typefaces import add_typeface

TEXTS: Final = ("è", "Mara è ½ ★", "è ⚑ שלום عليكم Привет")


def document(*texts: str) -> bytes:
    page = Paper("A title", datetime(2026, 1, 1, tzinfo=UTC), "a foot")
    for place, text in enumerate(texts):
        page.write_at(20, 20 + 10 * place, 100, text, style="B")
        page.write_at(20, 25 + 10 * place, 100, text)
    return bytes(page.output())


def parse_font(page: FPDF, name: str, style: str, file: Path) -> None:
    page.add_font(name, style, file)


def test_document_is_the_same_as_with_fonts_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = [document(text) for text in TEXTS]
    assert [document(text) for text in TEXTS] == shared
    monkeypatch.setattr(paper, "add_typeface", parse_font)
    assert [document(text) for text in TEXTS] == shared


def test_second_document_does_not_parse_the_font_again(monkeypatch: pytest.MonkeyPatch) -> None:
    document("Mara")
    monkeypatch.setattr(TTFFont, "__init__", None)
    assert document("Leo")


def test_documents_do_not_share_their_glyphs() -> None:
    fonts = []
    for _ in range(2):
        page = FPDF()
        add_typeface(page, "sheet", "", paper.FONTS / paper.FILES[""])
        fonts.append(cast("TTFFont", page.fonts["sheet"]).ttfont["glyf"])
    one, other = fonts
    del one.glyphs["A"]
    one.glyphs["B"].data = b""
    assert "A" in other.glyphs
    assert other.glyphs["B"].data
