"""The pages of a tournament: of its director, its entrants, and the hall."""

from typing import Final

from scorekeeper.web.tournament import (
    direct,
    draw_otherwise,
    drawing,
    entrants,
    more,
    new,
    page,
    printing,
    publishing,
    settings,
    standings,
    table_desk,
)

PAGES: Final = (
    direct, draw_otherwise, drawing, entrants, more, new, page, printing, publishing, settings,
    standings, table_desk,
)  # fmt: skip
