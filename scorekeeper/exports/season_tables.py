"""A season as tables: one row for each evening of each member, or a workbook."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from scorekeeper.base.language import speaking
from scorekeeper.clubs.season_words import FIGURE
from scorekeeper.clubs.standings import EVENING_COLUMNS, evening_rows
from scorekeeper.exports.book import Book
from scorekeeper.exports.csv import written
from scorekeeper.exports.season import SeasonFile, season_notes
from scorekeeper.exports.xlsx import TITLES, CellFormats, table
from scorekeeper.languages.catalogues import N_
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.report.sheet import value_words

TABLE: Final = (
    "place", "shared", "name", "figure", "evenings", "matches", "hands", "won", "provisional",
)  # fmt: skip
COLUMNS: Final = TITLES | {
    "place": N_("Position"), "shared": N_("Shared"), "name": N_("Name"),
    "figure": N_("Figure"), "evenings": N_("Evenings"),
    "matches": N_("Matches"), "hands": N_("Hands"), "won": N_("Wins"),
    "provisional": N_("Provisional"), "member": N_("Member"),
    "evening": N_("Evening"), "evening_figure": N_("Figure of the evening"),
    "counted": N_("Counts"), "evening_matches": N_("Matches of the evening"),
    "evening_hands": N_("Hands of the evening"), "evening_won": N_("Won at the evening"),
}  # fmt: skip
IDS: Final = ("member", "evening")  # which are for programs
WHETHER: Final = ("shared", "provisional", "counted")


def season_csv(season: SeasonFile) -> bytes:
    """One row for each member and evening; columns are for programs, in every language the same."""
    return written(EVENING_COLUMNS, evening_rows(season.told, season.days), season.reader)


def season_workbook(season: SeasonFile) -> bytes:
    """The workbook of a season: the table, what brought each his figure, and how it is ranked."""
    with speaking(season.reader.translated_language), Book() as book:
        book.set_properties({"title": season.title, "created": season.latest.replace(tzinfo=None)})
        looks = CellFormats.of(book)
        rows = [{**row, "figure": Decimal(row["shown"])} for row in season.told["rows"]]
        titles = COLUMNS | {"figure": FIGURE[season.by]}
        table(book.add_worksheet(_("Standings")), TABLE, in_words(TABLE, rows), looks, titles)
        brought = [
            dict(zip(EVENING_COLUMNS, row, strict=True))
            for row in evening_rows(season.told, season.days)
        ]
        own = [name for name in EVENING_COLUMNS if name not in IDS]
        table(book.add_worksheet(_("Evenings")), own, in_words(own, brought), looks, COLUMNS)
        about = [("", line) for line in season_notes(season)]
        if season.tag:
            about.append((_("Version"), season.tag))
        table(book.add_worksheet(_("Season")), ("what", "meaning"), about, looks, COLUMNS)
    return book.made.getvalue()


def in_words(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterator[list[Any]]:
    """The cells of these columns; what is so or not is called what its reader calls it."""
    for row in rows:
        yield [value_words(bool(row[name])) if name in WHETHER else row[name] for name in columns]
