"""A picture of the standings of a tournament for a chat: the first places."""

from io import BytesIO
from typing import Final

from scorekeeper.base.language import speaking
from scorekeeper.exports.chat import Placing
from scorekeeper.exports.paper import wrap_text
from scorekeeper.exports.picture import (
    GREEN,
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
from scorekeeper.exports.tournament import TournamentFile
from scorekeeper.exports.tournament_words import describe_day, describe_progress, format_exact
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.catalogues import ngettext
from scorekeeper.tournaments.standings_views import StandingRowView

MAX_PLACES: Final = 16  # fit on the screen of a phone


def standings_picture(file: TournamentFile) -> bytes:
    """Return the picture of the standings as PNG: the first places."""
    with speaking(file.reader.translated_language):
        sheet = Canvas(0)
        _draw_standings(sheet, file)  # measures the height
        sheet = Canvas(sheet.y + SIDE)
        _draw_standings(sheet, file)
    picture = BytesIO()
    sheet.image.save(picture, "PNG", compress_level=PNG_COMPRESSION)
    return picture.getvalue()


def _draw_standings(sheet: Canvas, file: TournamentFile) -> None:
    """Draw the name of the tournament, the stage, and the first places."""
    title = drawable_text(file.about.name) or file.about.id
    for line in wrap_text(title, WIDTH - 2 * SIDE, 2, lambda part: drawn_width(part, TITLE, "B")):
        sheet.line(line, TITLE, "B")
    day = ", ".join(filter(None, (describe_day(file), drawable_text(file.about.place))))
    if day:
        sheet.line(day, SMALL, colour=SOFT)
    sheet.heading(file.game)
    width = sheet.words(_("Points"), SMALL, right=WIDTH - SIDE, colour=SOFT)
    stage = drawable_text(file.standings.name)
    of_stage = ", ".join(filter(None, (stage, describe_progress(file))))
    sheet.words(of_stage, SMALL, x=SIDE, right=WIDTH - SIDE - width - 24, colour=GREEN)
    sheet.space(SMALL + 18)
    rows = file.standings.rows if file.standings.after_round else ()
    for row in rows[:MAX_PLACES]:
        sheet.place(_place(row))
    left = len(rows) - MAX_PLACES
    sheet.space(12)
    if left > 0:
        sheet.line(ngettext("… and %(num)d more", "… and %(num)d more", left), SMALL, colour=SOFT)
    if any(row.provisional for row in rows):
        sheet.mark(_("It may still change."))


def _place(row: StandingRowView) -> Placing:
    """Return a line of the standings as it is drawn; an unreadable name becomes the id."""
    figure = f"{format_exact(row.points)}{'*' * row.provisional}"
    return Placing(row.place, drawable_text(row.name) or row.entrant, figure, won=row.place == 1)
