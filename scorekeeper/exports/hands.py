"""The hands of many evenings in one table: one row a hand, with its date and its session."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from scorekeeper.base.language import speaking
from scorekeeper.exports.book import Book
from scorekeeper.exports.csv import CsvCell, written
from scorekeeper.exports.evening import Evening, Played
from scorekeeper.exports.in_words import in_words
from scorekeeper.exports.xlsx import TITLES, CellFormats, table
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.reader import Reader
from scorekeeper.report.sheet import HandRow

COLUMNS: Final = (
    "date", "session", "title", "match", "game", "hand", "dealer", "status", "level", "winner",
    "confirmed", "disputed", "unresolved", "reason",
)  # fmt: skip
OF_A_SIDE: Final = ("side", "score", "total")  # each with the number of the side behind it

TableRow = Mapping[str, CsvCell]


def hand_rows(evening: Evening) -> Iterator[TableRow]:
    """The rows of an evening, by the names of their columns.

    The sides of a match stand beside one another in its order: ``side_1``, ``score_1``, the points
    of the hand, and ``total_1``, that of the match or of its game after it; then ``side_2``.
    """
    at = evening.began and evening.reader.to_local_time(evening.began)
    about: dict[str, CsvCell] = {
        "date": at.date().isoformat() if at else None, "session": evening.id,
        "title": evening.about["title"],
    }  # fmt: skip
    for told, played in zip(evening.report["matches"], evening.matches, strict=True):
        for row, gist in zip(played.sheet.rows, played.gists, strict=True):
            yield {
                **about, "match": told["match"], "game": told["game"], "reason": gist,
                **_of_hand(played, row), **_of_sides(played, row),
            }  # fmt: skip


def hand_rows_in_words(evening: Evening) -> Iterator[TableRow]:
    """The same rows, whose values are called what the reader calls them."""
    rows = list(hand_rows(evening))
    with speaking(evening.reader.translated_language):
        said = in_words(evening, COLUMNS, [tuple(map(row.get, COLUMNS)) for row in rows])
        for row, cells in zip(rows, said, strict=True):
            yield {**row, **dict(zip(COLUMNS, cells, strict=True))}


def _of_hand(played: Played, row: HandRow) -> dict[str, CsvCell]:
    return {
        "hand": row.hand, "dealer": row.dealer, "status": row.status, "level": row.level,
        "winner": row.winner, "confirmed": ", ".join(row.signed), "disputed": int(row.disputed),
        "unresolved": int(row.hand in played.unresolved),
    }  # fmt: skip


def _of_sides(played: Played, row: HandRow) -> dict[str, CsvCell]:
    found: dict[str, CsvCell] = {}
    for number, (side, name) in enumerate(played.sheet.columns.items(), start=1):
        cell = row.cells[side]
        figures = (name, cell.points, cell.total)
        found |= {f"{what}_{number}": one for what, one in zip(OF_A_SIDE, figures, strict=True)}
    return found


def columns_of(rows: Sequence[TableRow]) -> tuple[str, ...]:
    """The columns that these rows need: those of the match with the most sides."""
    most = max((sum(name.startswith("side_") for name in row) for row in rows), default=0)
    return (*COLUMNS, *(f"{what}_{n}" for n in range(1, most + 1) for what in OF_A_SIDE))


def hands_csv(rows: Sequence[TableRow], reader: Reader) -> bytes:
    """The table as CSV, parted as the reader asked for."""
    columns = columns_of(rows)
    return written(columns, (tuple(map(row.get, columns)) for row in rows), reader)


def hands_workbook(rows: Sequence[TableRow], reader: Reader) -> bytes:
    """The table as a workbook of one sheet, in the reader's language."""
    columns = columns_of(rows)
    with speaking(reader.translated_language), Book() as book:
        titles = {one: _title(one) for one in columns}
        cells = (tuple(map(row.get, columns)) for row in rows)
        table(book.add_worksheet(_("Hands")), columns, cells, CellFormats.of(book), titles)
    return book.made.getvalue()


def _title(column: str) -> str:
    name, _between, number = column.partition("_")
    return f"{_(TITLES.get(name, name))} {number}".strip()


class Format(NamedTuple):
    """How a table is made: the rows of each evening, and of all of them the file."""

    rows: Callable[[Evening], Iterator[TableRow]]
    file: Callable[[Sequence[TableRow], Reader], bytes]


FORMATS: Final[Mapping[str, Format]] = {
    "csv": Format(hand_rows, hands_csv),
    "xlsx": Format(hand_rows_in_words, hands_workbook),
}
