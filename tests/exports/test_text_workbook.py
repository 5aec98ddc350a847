"""``text_workbook``: rows that are written whole are read back as they were given."""

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


def write_csv(*rows: Sequence[FormattedCell]) -> bytes:
    """A workbook of one sheet with these rows."""
    with TextWorkbook() as made:
        page = made.add_worksheet("One")
        for row in rows:
            page.add_row(row)
    return made.made.getvalue()


def read(data: bytes) -> Worksheet:
    """Its sheet, as another library reads it."""
    return load_workbook(BytesIO(data))["One"]


def test_texts_and_figures_are_read_back_by_their_place() -> None:
    cells: list[FormattedCell] = [(one, None) for one in ("a", None, -3, "", Decimal("1.50"), "a")]
    page = read(write_csv(cells, [], [("b", None)]))
    assert [[cell.value for cell in row] for row in page.iter_rows()] == [
        ["a", None, -3, None, 1.5, "a"], [None] * 6, ["b", *[None] * 5],
    ]  # fmt: skip
    assert page.dimensions == "A1:F3"


def test_a_cell_has_its_look_and_a_row_its_height() -> None:
    with TextWorkbook() as made:
        bold = made.add_format({"bold": True})
        page = made.add_worksheet("One")
        page.add_row([("a", bold), (1, bold), (2, None)], height=30)
        page.add_row([("a", None)])
    back = read(made.made.getvalue())
    assert [back[cell].font.b for cell in ("A1", "B1", "C1", "A2")] == [True, True, False, False]
    assert [back.row_dimensions[row].height for row in (1, 2)] == [30, None]


def test_the_columns_after_z_have_two_letters() -> None:
    page = read(write_csv([(number, None) for number in range(1, 53)]))
    assert (page["AA1"].value, page["AZ1"].value) == (27, 52)


@pytest.mark.parametrize("text", ["<r>Mara</r>", "<r>a&b</r>", "<r></r>", "<r><t>Mara</t></r>"])
def test_no_text_is_taken_for_the_signs_of_the_file(text: str) -> None:
    """The library writes such a text as it stands, as if it were one in several looks."""
    assert read(write_csv([(text, None)]))["A1"].value == text


def test_a_long_text_is_cut_to_what_a_cell_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_workbook, "MAX_CELL_UNITS", 5)
    assert [cell_text(text) for text in ("Maria", "Maria Rosaria", "🎉🎉🎉")] == [
        "Maria",
        "Maria",
        "🎉🎉",
    ]


def test_rows_that_no_sheet_has_room_for_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_workbook, "MAX_ROWS", 2)
    assert read(write_csv(*[[(number, None)] for number in range(4)])).max_row == 2


def test_the_texts_are_counted_as_often_as_they_stand() -> None:
    with ZipFile(BytesIO(write_csv([("a", None), ("b", None)], [("a", None)]))) as archive:
        assert b'count="3" uniqueCount="2"' in archive.read("xl/sharedStrings.xml")


def test_the_parts_are_those_that_the_library_writes_cell_by_cell() -> None:
    """Some of what we use of it is private, and a new version may change it."""
    rows: list[list[CsvCell]] = [["a", -3, None, Decimal("1.50")], [], [None, "a", "b & c", ""]]
    with TextWorkbook() as ours:
        bold = ours.add_format({"bold": True})
        page = ours.add_worksheet("One")
        for row in rows:
            page.add_row([(cell, bold if cell == "a" else None) for cell in row])
    made = BytesIO()
    with Workbook(made, {"in_memory": True}) as theirs:
        bold = theirs.add_format({"bold": True})
        sheet = theirs.add_worksheet("One")
        for down, row in enumerate(rows):
            for along, cell in enumerate(row):
                if cell is not None and cell != "":
                    sheet.write(down, along, cell, bold if cell == "a" else None)
    with ZipFile(BytesIO(ours.made.getvalue())) as one, ZipFile(made) as other:
        assert one.namelist() == other.namelist()
        for name in ("xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml"):
            told = (sub(' spans="[0-9:]*"', "", book.read(name).decode()) for book in (one, other))
            assert next(told) == next(told), name
