"""The standings and the seating of a tournament as CSV, as workbooks and as JSON.

Tables for programs have the same columns in every language. Points are decimal numbers, and a
third is rounded to four places; the JSON has the exact figures.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from scorekeeper.base.language import speaking
from scorekeeper.base.parts import as_cell
from scorekeeper.base.views import DeclaredView, to_json_values
from scorekeeper.exports.csv import CsvCell, write_csv
from scorekeeper.exports.season_tables import cells_with_words
from scorekeeper.exports.text_workbook import TextWorkbook
from scorekeeper.exports.tournament import SeatingView, TournamentFile
from scorekeeper.exports.tournament_words import (
    TIE_WORDS,
    describe_progress,
    describe_protests,
    describe_row,
    format_tie_figure,
    list_notes,
    list_round_numbers,
    to_decimal,
)
from scorekeeper.exports.xlsx import CellFormats, write_table
from scorekeeper.languages.catalogues import N_
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.log.writing import as_json
from scorekeeper.tournaments.standings_views import StandingRowView, TournamentStandingsView

STANDING_COLUMNS: Final = (
    "place", "shared", "entrant", "name", "group", "points", "provisional", "round", "kind",
    "table", "table_place", "score", "round_points", "counted", "hands", "note", "carried",
    "decided_by", "before", "own", "theirs", "withdrawn_from",
)  # fmt: skip
SEATING_COLUMNS: Final = ("round", "table", "seat", "player", "name", "entrant", "entrant_name")
ROUNDS_SHEET: Final = (
    "place", "name", "round", "kind", "table", "table_place", "score", "hands", "round_points",
    "counted", "note",
)  # fmt: skip
SEATING_SHEET: Final = ("round", "table", "seat", "name", "entrant_name")
TITLES: Final = {
    "place": N_("Position"), "shared": N_("Shared"), "name": N_("Name"), "group": N_("Group"),
    "points": N_("Points"), "provisional": N_("Provisional"), "round": N_("Round"),
    "kind": N_("Result"), "table": N_("Table"), "table_place": N_("Place at the table"),
    "score": N_("Score"), "hands": N_("Hands"), "round_points": N_("Points of the round"),
    "counted": N_("Counts"), "note": N_("Reason"), "seat": N_("Seat"),
    "entrant_name": N_("Entrant"), "why": N_("What decided"), "carried": N_("Carried over"),
}  # fmt: skip
KIND_WORDS: Final = {
    "table": N_("played"), "bye": N_("sat out"), "missed": N_("missed"),
    "assigned": N_("ruled by the director"), "open": N_("playing"),
}  # fmt: skip
NO_ROUND: Final[tuple[CsvCell, ...]] = (None,) * 9


# ---------------------------------------------------------------------------------- standings


def standings_json(file: TournamentFile) -> bytes:
    """Return the standings as the API has them."""
    return _encode(file.standings)


def _encode(view: DeclaredView) -> bytes:
    """Return the JSON of a view."""
    return as_json(to_json_values(view))


def standings_csv(file: TournamentFile) -> bytes:
    """Return a table with one row for each entrant and round; columns are not translated."""
    return write_csv(STANDING_COLUMNS, list_standing_rows(file.standings), file.reader)


def list_standing_rows(table: TournamentStandingsView) -> Iterator[tuple[CsvCell, ...]]:
    """Yield a row for each entrant and round, with a cell for each of `STANDING_COLUMNS`.

    An entrant who has not played yet has one row.
    """
    for row in table.rows:
        for of_round in list(_list_round_cells(row)) or [NO_ROUND]:
            yield (
                row.place, int(row.shared), row.entrant, row.name, row.group,
                to_decimal(row.points), int(row.provisional), *of_round, *_list_tie_cells(row),
            )  # fmt: skip


def _list_round_cells(row: StandingRowView) -> Iterator[tuple[CsvCell, ...]]:
    """Yield the cells of each round of an entrant."""
    for played in row.rounds:
        yield (
            played.round, played.kind, played.table, played.place,
            None if played.score is None else as_cell(played.score),
            to_decimal(played.points), int(played.counted), played.hands, played.note,
        )  # fmt: skip


def _list_tie_cells(row: StandingRowView) -> tuple[CsvCell, ...]:
    """Return the cells about earlier stages, what decided a tie, and a withdrawal."""
    decision = row.decision
    tie: tuple[CsvCell, ...] = (None,) * 4
    if decision is not None:
        tie = (decision.rule, decision.before, _tie_cell(decision.own), _tie_cell(decision.theirs))
    return to_decimal(row.carried), *tie, row.withdrawn_from


def _tie_cell(figure: object) -> CsvCell:
    """Return the figure of a tie-break as a number; how often each place as a text."""
    return format_tie_figure(figure) if isinstance(figure, list) else to_decimal(figure)


def standings_workbook(file: TournamentFile) -> bytes:
    """Return a workbook: standings with their rounds, the results of the rounds, and notes."""
    table = file.standings
    with speaking(file.reader.translated_language), TextWorkbook() as book:
        _set_properties(book, file)
        formats = CellFormats.of(book)
        numbers = list_round_numbers(table)
        columns = ("place", "shared", "name", "group", "points",
                   *map(_round_column, numbers), "carried", "why", "provisional")  # fmt: skip
        titles = TITLES | {_round_column(n): _("Round %(number)s", number=n) for n in numbers}
        rows = [_sheet_row(file, row, numbers) for row in table.rows]
        cells = cells_with_words(columns, rows)
        write_table(book.add_worksheet(_("Standings")), columns, cells, formats, titles)
        results = cells_with_words(ROUNDS_SHEET, _list_result_rows(table))
        write_table(book.add_worksheet(_("Rounds")), ROUNDS_SHEET, results, formats, TITLES)
        about = [("", line) for line in _list_about(file)]
        write_table(book.add_worksheet(_("Tournament")), ("what", "meaning"), about, formats)
    return book.file.getvalue()


def _set_properties(book: TextWorkbook, file: TournamentFile) -> None:
    """Set the title and the time of a workbook."""
    book.set_properties({"title": file.title, "created": file.latest.replace(tzinfo=None)})


def _round_column(number: int) -> str:
    """Return the name of the column of a round."""
    return f"round_{number}"


def _sheet_row(file: TournamentFile, row: StandingRowView, numbers: Sequence[int]) -> list[CsvCell]:
    """Return the cells of an entrant's line in the sheet of standings."""
    points = {played.round: to_decimal(played.points) for played in row.rounds}
    return [
        row.place, row.shared, row.name, row.group, to_decimal(row.points),
        *map(points.get, numbers), to_decimal(row.carried),
        "; ".join(describe_row(row, file.names)), row.provisional,
    ]  # fmt: skip


def _list_result_rows(table: TournamentStandingsView) -> Iterator[list[CsvCell]]:
    """Yield the rows of the sheet of rounds."""
    for row in table.rows:
        for played in row.rounds:
            yield [
                row.place, row.name, played.round, _(KIND_WORDS[played.kind]), played.table,
                played.place, None if played.score is None else as_cell(played.score),
                played.hands, to_decimal(played.points), played.counted, played.note,
            ]  # fmt: skip


def _list_about(file: TournamentFile) -> Iterator[str]:
    """Yield the lines about the tournament: game, rules of ties, notes and the version."""
    yield " · ".join((file.title, file.game, describe_progress(file)))
    decisions = (row.decision for row in file.standings.rows)
    rules = dict.fromkeys(_(TIE_WORDS[decision.rule]) for decision in decisions if decision)
    if rules:
        yield _("Ties were decided by: %(ties)s.", ties=", ".join(rules))
    yield from list_notes(file.standings, file.names)
    yield from filter(None, (describe_protests(file),))
    if file.tag:
        yield f"{_('Version')} {file.tag}"


# ------------------------------------------------------------------------------------ seating


def seating_json(file: TournamentFile) -> bytes:
    """Return the seating of a round. Raises `UnusableError` if no round is published yet."""
    return _encode(file.seating)


def seating_csv(file: TournamentFile) -> bytes:
    """Return a table with one row for each player of a round, and for each who sits out.

    The latter have neither a table nor a seat. Raises `UnusableError` if no round is published yet.
    """
    return write_csv(SEATING_COLUMNS, _list_seating_rows(file, file.seating), file.reader)


def _list_seating_rows(file: TournamentFile, seating: SeatingView) -> Iterator[tuple[CsvCell, ...]]:
    """Yield the rows of a seating, with a cell for each of `SEATING_COLUMNS`."""
    for table in seating.tables:
        for seat in table.seats:
            yield (seating.round, table.table, seat.seat, seat.player, seat.name, seat.entrant,
                   file.names[seat.entrant])  # fmt: skip
    for entrant in seating.byes:
        yield seating.round, None, None, None, None, entrant, file.names[entrant]


def seating_workbook(file: TournamentFile) -> bytes:
    """Return a workbook of the seating of a round.

    Raises `UnusableError` if no round is published yet.
    """
    with speaking(file.reader.translated_language), TextWorkbook() as book:
        _set_properties(book, file)
        own = [SEATING_COLUMNS.index(name) for name in SEATING_SHEET]
        rows = ([row[n] for n in own] for row in _list_seating_rows(file, file.seating))
        page = book.add_worksheet(_("Seating"))
        write_table(page, SEATING_SHEET, rows, CellFormats.of(book), TITLES)
    return book.file.getvalue()
