"""The hands of many sessions in one table, with one row for each hand."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from scorekeeper.base.language import speaking
from scorekeeper.base.parts import as_cell
from scorekeeper.exports.csv import CsvCell, make_hand_cells, make_session_cells, write_csv
from scorekeeper.exports.evening import Evening, MatchInExport
from scorekeeper.exports.in_words import replace_codes
from scorekeeper.exports.text_workbook import TextWorkbook
from scorekeeper.exports.xlsx import TITLES, CellFormats, write_table
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.reader import Reader
from scorekeeper.report.sheet import HandRow

COLUMNS: Final = (
    "date", "session", "title", "match", "game", "hand", "dealer", "status", "level", "winner",
    "confirmed", "disputed", "unresolved", "reason",
)  # fmt: skip
SIDE_COLUMNS: Final = ("side", "score", "total")  # each followed by the number of the side

TableRow = Mapping[str, CsvCell]


def hand_rows(evening: Evening) -> Iterator[TableRow]:
    """Yield the rows of a session, as mappings from the names of columns.

    The sides are in the order of the match: ``side_1``, ``score_1`` (the points of the hand) and
    ``total_1`` (the total of the match, or of its game, after it); then ``side_2`` and so on.
    """
    about = make_session_cells(evening)
    for match, played in zip(evening.report.matches, evening.matches, strict=True):
        for row, gist in zip(played.sheet.rows, played.gists, strict=True):
            yield {
                **about, "match": match.match, "game": match.game, "reason": gist,
                **make_hand_cells(played, row), **_side_cells(played, row),
            }  # fmt: skip


def hand_rows_in_words(evening: Evening) -> Iterator[TableRow]:
    """Yield the same rows with values in words, in the language of the reader."""
    rows = list(hand_rows(evening))
    with speaking(evening.reader.translated_language):
        translated = replace_codes(evening, COLUMNS, [tuple(map(row.get, COLUMNS)) for row in rows])
        for row, cells in zip(rows, translated, strict=True):
            yield {**row, **dict(zip(COLUMNS, cells, strict=True))}


def _side_cells(played: MatchInExport, row: HandRow) -> dict[str, CsvCell]:
    """Return the name, points and total of each side, in numbered columns."""
    cells: dict[str, CsvCell] = {}
    for number, (side, name) in enumerate(played.sheet.columns.items(), start=1):
        cell = row.cells[side]
        values = (name, *(None if n is None else as_cell(n) for n in (cell.points, cell.total)))
        names = (f"{column}_{number}" for column in SIDE_COLUMNS)
        cells |= dict(zip(names, values, strict=True))
    return cells


def columns_of_rows(rows: Sequence[TableRow]) -> tuple[str, ...]:
    """Return the columns that these rows need, as many as the most sides of a match."""
    sides = max((sum(name.startswith("side_") for name in row) for row in rows), default=0)
    return (*COLUMNS, *(f"{name}_{n}" for n in range(1, sides + 1) for name in SIDE_COLUMNS))


def hands_csv(rows: Sequence[TableRow], reader: Reader) -> bytes:
    """Return the table as CSV, in the number format of the reader."""
    columns = columns_of_rows(rows)
    return write_csv(columns, (tuple(map(row.get, columns)) for row in rows), reader)


def hands_workbook(rows: Sequence[TableRow], reader: Reader) -> bytes:
    """Return the table as a workbook of one sheet, in the reader's language."""
    columns = columns_of_rows(rows)
    with speaking(reader.translated_language), TextWorkbook() as book:
        titles = {column: _column_title(column) for column in columns}
        cells = (tuple(map(row.get, columns)) for row in rows)
        write_table(book.add_worksheet(_("Hands")), columns, cells, CellFormats.of(book), titles)
    return book.file.getvalue()


def _column_title(column: str) -> str:
    """Return the translated title of a column, with the number of its side, if any."""
    name, _between, number = column.partition("_")
    return f"{_(TITLES.get(name, name))} {number}".strip()


class TableFormat(NamedTuple):
    """A file format: functions for the rows of each session, and for the file of all rows."""

    rows: Callable[[Evening], Iterator[TableRow]]
    file: Callable[[Sequence[TableRow], Reader], bytes]


FORMATS: Final[Mapping[str, TableFormat]] = {
    "csv": TableFormat(hand_rows, hands_csv),
    "xlsx": TableFormat(hand_rows_in_words, hands_workbook),
}
