"""The pages of a tournament: of its director, its entrants, and the hall."""

from typing import Final

from scorekeeper.web.tournament import (
    entrants,
    new,
    page,
    publishing,
)

PAGES: Final = (entrants, new, page, publishing)
