"""A season as a CSV table with one row for each member and evening, or as a workbook."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Final

from scorekeeper.base.language import speaking
from scorekeeper.clubs.season_words import FIGURE
from scorekeeper.clubs.standings import EVENING_COLUMNS, list_evening_rows, to_cell
from scorekeeper.exports.csv import CsvCell, write_csv
from scorekeeper.exports.season import SeasonFile, season_notes
from scorekeeper.exports.text_workbook import TextWorkbook
from scorekeeper.exports.xlsx import TITLES, CellFormats, write_table
from scorekeeper.languages.catalogues import N_
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.report.option_words import describe_value

TABLE: Final = (
    "place", "shared", "name", "figure", "evenings", "matches", "hands", "won", "provisional",
    "left", "guest",
)  # fmt: skip
COLUMNS: Final = TITLES | {
    "place": N_("Position"), "shared": N_("Shared"), "name": N_("Name"),
    "figure": N_("Figure"), "evenings": N_("Evenings"),
    "matches": N_("Matches"), "hands": N_("Hands"), "won": N_("Wins"),
    "provisional": N_("Provisional"), "member": N_("Member"),
    "evening": N_("Evening"), "evening_figure": N_("Figure of the evening"),
    "counted": N_("Counts"), "evening_matches": N_("Matches of the evening"),
    "evening_hands": N_("Hands of the evening"), "evening_won": N_("Won that evening"),
    "left": N_("Has left"), "guest": N_("Guest"),
}  # fmt: skip
IDS: Final = ("member", "evening")  # columns for programs, not in the workbook
FLAGS: Final = ("shared", "provisional", "counted", "left", "guest")


def season_csv(season: SeasonFile) -> bytes:
    """Return a table with one row for each member and evening; columns are not translated."""
    return write_csv(EVENING_COLUMNS, list_evening_rows(season.table, season.days), season.reader)


def season_workbook(season: SeasonFile) -> bytes:
    """Return the workbook of a season: standings, the evenings of each member, and notes."""
    with speaking(season.reader.translated_language), TextWorkbook() as book:
        book.set_properties({"title": season.title, "created": season.latest.replace(tzinfo=None)})
        formats = CellFormats.of(book)
        rows = [
            (
                row.place, row.shared, row.name, Decimal(row.shown), row.evenings, row.matches,
                row.hands, to_cell(row.won), row.provisional, row.left, row.guest,
            )
            for row in (*season.table.rows, *season.table.guests)
        ]  # fmt: skip
        titles = COLUMNS | {"figure": FIGURE[season.ranking]}
        standings = book.add_worksheet(_("Standings"))
        write_table(standings, TABLE, cells_with_words(TABLE, rows), formats, titles)
        own = [n for n, name in enumerate(EVENING_COLUMNS) if name not in IDS]
        names = [EVENING_COLUMNS[n] for n in own]
        evenings = list_evening_rows(season.table, season.days)
        cells = cells_with_words(names, ([row[n] for n in own] for row in evenings))
        write_table(book.add_worksheet(_("Evenings")), names, cells, formats, COLUMNS)
        about = [("", line) for line in season_notes(season)]
        if season.tag:
            about.append((_("Version"), season.tag))
        write_table(book.add_worksheet(_("Season")), ("what", "meaning"), about, formats, COLUMNS)
    return book.file.getvalue()


def cells_with_words(
    columns: Sequence[str], rows: Iterable[Sequence[CsvCell]]
) -> Iterator[list[CsvCell]]:
    """Yield the rows with words for flags; each has the cells of these columns."""
    for row in rows:
        yield [
            describe_value(bool(cell)) if name in FLAGS else cell
            for name, cell in zip(columns, row, strict=True)
        ]
