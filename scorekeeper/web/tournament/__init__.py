"""The pages of a tournament: of its director, its entrants, and the hall."""

from typing import Final

from scorekeeper.web.tournament import (
    direct,
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
    direct, drawing, entrants, more, new, page, printing, publishing, settings, standings,
    table_desk,
)  # fmt: skip
