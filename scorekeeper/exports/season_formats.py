"""The export formats of a season, by name. JSON is the table itself, and needs no export."""

from collections.abc import Callable, Mapping
from typing import Final

from scorekeeper.exports.season import SeasonFile
from scorekeeper.exports.season_calendar import season_calendar
from scorekeeper.exports.season_chat import season_text
from scorekeeper.exports.season_paper import season_paper
from scorekeeper.exports.season_tables import season_csv, season_workbook

# Each is in the language of the reader.
SEASON_FORMATS: Final[Mapping[str, Callable[[SeasonFile], bytes]]] = {
    "csv": season_csv,
    "xlsx": season_workbook,
    "pdf": season_paper,
    "ics": season_calendar,
    "text": season_text,
}
