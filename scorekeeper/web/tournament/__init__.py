"""The pages of a tournament: of its director, its entrants, and the hall."""

from typing import Final

from scorekeeper.web.tournament import (
    direct,
    drawing,
    entrants,
    more,
    new,
    page,
    publishing,
    settings,
    table_desk,
)

PAGES: Final = (direct, drawing, entrants, more, new, page, publishing, settings, table_desk)
from scorekeeper.web.tournament import page, printing, publishing, standings

PAGES: Final = (page, standings, printing, publishing)
