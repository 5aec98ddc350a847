"""A picture of a published table, for the preview of a link in a chat."""

from io import BytesIO
from typing import Final

from scorekeeper.base.language import speaking
from scorekeeper.clubs.published import PublishedRowView, PublishedStandingsView
from scorekeeper.clubs.season_words import FIGURE, format_decimal
from scorekeeper.exports.chat import Placing
from scorekeeper.exports.paper import wrap_text
from scorekeeper.exports.picture import (
    PNG_COMPRESSION,
    SIDE,
    SMALL,
    SOFT,
    TITLE,
    WIDTH,
    Canvas,
    drawable_text,
    drawn_width,
)
from scorekeeper.games import GAMES
from scorekeeper.languages.catalogues import get_language, ngettext
from scorekeeper.languages.catalogues import gettext as _

MAX_ROWS: Final = 8


def draw_season(table: PublishedStandingsView, language: str) -> bytes:
    """Return the picture of a published table as PNG: its first places, in a language."""
    with speaking(get_language(language)):
        sheet = Canvas(0)
        _draw_table(sheet, table, language)  # measures the height
        sheet = Canvas(sheet.y + SIDE)
        _draw_table(sheet, table, language)
    file = BytesIO()
    sheet.image.save(file, "PNG", compress_level=PNG_COMPRESSION)
    return file.getvalue()


def _draw_table(sheet: Canvas, table: PublishedStandingsView, language: str) -> None:
    """Draw the name of the club, the season, and the first places."""
    season, ranking = table.season, str(table.season.ranking["by"])
    title = drawable_text(season.name or _("All evenings"))
    for line in wrap_text(title, WIDTH - 2 * SIDE, 2, lambda part: drawn_width(part, TITLE, "B")):
        sheet.line(line, TITLE, "B")
    sheet.line(drawable_text(table.club), SMALL, colour=SOFT)
    games = ", ".join(GAMES[game].local_name if game in GAMES else game for game in season.games)
    sheet.heading(games or _("No evening counts here yet."))
    sheet.words(
        ngettext("%(num)d evening", "%(num)d evenings", table.evenings), SMALL,
        right=WIDTH - SIDE, colour=SOFT,
    )  # fmt: skip
    sheet.line(_(FIGURE[ranking]), SMALL, colour=SOFT)
    ranked = [row for row in table.rows if row.place]
    for row in ranked[:MAX_ROWS]:
        sheet.place(_place(row, language))
    left = len(ranked) - MAX_ROWS
    if left > 0:
        sheet.space(12)
        sheet.line(ngettext("… and %(num)d more", "… and %(num)d more", left), SMALL, colour=SOFT)


def _place(row: PublishedRowView, language: str) -> Placing:
    """Return a line of the table as it is drawn."""
    figure = format_decimal(row.shown, language) + "*" * row.provisional
    return Placing(row.place or 0, drawable_text(row.name), figure, won=row.place == 1)
