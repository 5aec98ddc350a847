"""The table of a season as a short text for a chat."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.base.language import speaking
from scorekeeper.clubs.season_views import RowView
from scorekeeper.clubs.season_words import FIGURE, describe_lost_evenings
from scorekeeper.exports.chat import isolate
from scorekeeper.exports.season import SeasonFile, format_place, label_row
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.catalogues import ngettext

MAX_LINES: Final = 60  # lines of a text for a chat; the files have all


def season_text(season: SeasonFile) -> bytes:
    """Return the table as a short text for a chat."""
    with speaking(season.reader.translated_language):
        return ("\n".join(_lines(season)) + "\n").encode()


def _lines(season: SeasonFile) -> Iterator[str]:
    """Yield the lines of the text: title, ranking, and at most `MAX_LINES` rows."""
    yield " · ".join(filter(None, (isolate(season.title), season.games)))
    many = len(season.table.evenings)
    after = ngettext("after %(num)d evening", "after %(num)d evenings", many)
    yield f"{_(FIGURE[season.ranking])}, {after}"
    yield ""
    yield from (_line(season, row) for row in season.table.rows[:MAX_LINES])
    left = len(season.table.rows) - MAX_LINES
    if left > 0:
        yield ngettext("… and %(num)d more", "… and %(num)d more", left)
    if not season.table.rows:
        yield _("Nobody has played yet.")
    guests = season.table.guests
    if guests:
        yield ""
        yield _("Guests")
        yield from (_line(season, row) for row in guests[:MAX_LINES])
    if len(guests) > MAX_LINES:
        left = len(guests) - MAX_LINES
        yield ngettext("… and %(num)d more", "… and %(num)d more", left)
    if any(row.provisional for row in (*season.table.rows, *guests)):
        yield _("* may still change")
    yield from describe_lost_evenings(season.table)


def _line(season: SeasonFile, row: RowView) -> str:
    """Return a row of the table as a line: place, name and figure; `*` marks a provisional one."""
    return (
        f"{format_place(row)} {isolate(label_row(row))} {season.figure(row)}{'*' * row.provisional}"
    )
