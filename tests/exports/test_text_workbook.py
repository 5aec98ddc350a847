"""``text_workbook``: rows are read back as they were written."""

from collections.abc import Sequence
from decimal import Decimal
from io import BytesIO
from re import sub
from zipfile import ZipFile

import pytest
from openpyxl import load_workbook
from openpyxl.worksheet.worksheet import Worksheet
from xlsxwriter import Workbook

from scorekeeper.exports import text_workbook
from scorekeeper.exports.csv import CsvCell
from scorekeeper.exports.text_workbook import FormattedCell, TextWorkbook, cell_text


def workbook_of(*rows: Sequence[FormattedCell]) -> bytes:
    """Return a workbook of one sheet with these rows."""
    with TextWorkbook() as book:
        page = book.add_worksheet("One")
        for row in rows:
            page.add_row(row)
    data: bytes = book.file.getvalue()
    return data


def read(data: bytes) -> Worksheet:
    """Return its sheet, as another library reads it."""
    return load_workbook(BytesIO(data))["One"]


def test_texts_and_numbers_are_read_back() -> None:
    cells: list[FormattedCell] = [
        (value, None) for value in ("a", None, -3, "", Decimal("1.50"), "a")
    ]
    page = read(workbook_of(cells, [], [("b", None)]))
    assert [[cell.value for cell in row] for row in page.iter_rows()] == [
        ["a", None, -3, None, 1.5, "a"], [None] * 6, ["b", *[None] * 5],
    ]  # fmt: skip
    assert page.dimensions == "A1:F3"


def test_cells_have_formats_and_rows_have_heights() -> None:
    with TextWorkbook() as book:
        bold = book.add_format({"bold": True})
        page = book.add_worksheet("One")
        page.add_row([("a", bold), (1, bold), (2, None)], height=30)
        page.add_row([("a", None)])
    back = read(book.file.getvalue())
    assert [back[cell].font.b for cell in ("A1", "B1", "C1", "A2")] == [True, True, False, False]
    assert [back.row_dimensions[row].height for row in (1, 2)] == [30, None]


def test_the_columns_after_z_have_two_letters() -> None:
    page = read(workbook_of([(number, None) for number in range(1, 53)]))
    assert (page["AA1"].value, page["AZ1"].value) == (27, 52)


@pytest.mark.parametrize("text", ["<r>Mara</r>", "<r>a&b</r>", "<r></r>", "<r><t>Mara</t></r>"])
def test_text_that_looks_like_markup_is_escaped(text: str) -> None:
    """Xlsxwriter writes such a text unescaped, as rich text."""
    assert read(workbook_of([(text, None)]))["A1"].value == text


def test_long_text_is_truncated_to_the_size_of_a_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_workbook, "MAX_CELL_UNITS", 5)
    assert [cell_text(text) for text in ("Maria", "Maria Rosaria", "🎉🎉🎉")] == [
        "Maria",
        "Maria",
        "🎉🎉",
    ]


def test_rows_beyond_the_maximum_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_workbook, "MAX_ROWS", 2)
    assert read(workbook_of(*[[(number, None)] for number in range(4)])).max_row == 2


def test_shared_texts_are_counted() -> None:
    with ZipFile(BytesIO(workbook_of([("a", None), ("b", None)], [("a", None)]))) as archive:
        assert b'count="3" uniqueCount="2"' in archive.read("xl/sharedStrings.xml")


def test_files_equal_those_of_xlsxwriter() -> None:
    """The module uses private methods of xlsxwriter, which may change in a new version."""
    rows: list[list[CsvCell]] = [["a", -3, None, Decimal("1.50")], [], [None, "a", "b & c", ""]]
    with TextWorkbook() as text_book:
        bold = text_book.add_format({"bold": True})
        page = text_book.add_worksheet("One")
        for row in rows:
            page.add_row([(cell, bold if cell == "a" else None) for cell in row])
    plain_file = BytesIO()
    with Workbook(plain_file, {"in_memory": True}) as plain_book:
        bold = plain_book.add_format({"bold": True})
        sheet = plain_book.add_worksheet("One")
        for row_number, row in enumerate(rows):
            for column, cell in enumerate(row):
                if cell is not None and cell != "":
                    sheet.write(row_number, column, cell, bold if cell == "a" else None)
    with ZipFile(BytesIO(text_book.file.getvalue())) as one, ZipFile(plain_file) as other:
        assert one.namelist() == other.namelist()
        for name in ("xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml"):
            parts = (sub(' spans="[0-9:]*"', "", book.read(name).decode()) for book in (one, other))
            assert next(parts) == next(parts), name
