"""The files of a tournament, by name: the API, the command line and the pages share them.

The functions that write them are imported when they are called: their libraries are slow to import.
Slips are not among them, because they need addresses with keys (``scorekeeper.exports.slips``).
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Final, NamedTuple

from scorekeeper.exports.tournament import TournamentFile

CSV: Final = "text/csv"
JSON: Final = "application/json"
PDF: Final = "application/pdf"
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class TournamentFormat(NamedTuple):
    """A file of a tournament: its content type, and its module and function of this package."""

    media: str
    module: str
    function: str


# Each is in the language of the reader.
TOURNAMENT_FORMATS: Final[Mapping[str, TournamentFormat]] = {
    "standings.csv": TournamentFormat(CSV, "tournament_tables", "standings_csv"),
    "standings.xlsx": TournamentFormat(XLSX, "tournament_tables", "standings_workbook"),
    "standings.json": TournamentFormat(JSON, "tournament_tables", "standings_json"),
    "standings.pdf": TournamentFormat(PDF, "tournament_paper", "standings_paper"),
    "standings.html": TournamentFormat("text/html", "tournament_page", "standings_page"),
    "standings.png": TournamentFormat("image/png", "tournament_picture", "standings_picture"),
    "standings.txt": TournamentFormat("text/plain", "tournament_chat", "standings_text"),
    "standings.ics": TournamentFormat("text/calendar", "tournament_calendar",
                                      "tournament_calendar"),
    "seating.csv": TournamentFormat(CSV, "tournament_tables", "seating_csv"),
    "seating.xlsx": TournamentFormat(XLSX, "tournament_tables", "seating_workbook"),
    "seating.json": TournamentFormat(JSON, "tournament_tables", "seating_json"),
    "seating.pdf": TournamentFormat(PDF, "seating_paper", "seating_paper"),
    "road_cards.pdf": TournamentFormat(PDF, "seating_paper", "road_cards"),
    "score_sheets.pdf": TournamentFormat(PDF, "score_sheet_paper", "score_sheets"),
    "cross_table.pdf": TournamentFormat(PDF, "tournament_paper", "cross_table"),
    "prizes.pdf": TournamentFormat(PDF, "tournament_paper", "prize_list"),
}  # fmt: skip


def export_tournament_file(file: TournamentFile, name: str) -> bytes:
    """Return one of the files of a tournament. Raises `UnusableError` if it cannot be made."""
    chosen = TOURNAMENT_FORMATS[name]
    module = import_module(f"scorekeeper.exports.{chosen.module}")
    written: bytes = getattr(module, chosen.function)(file)
    return written
