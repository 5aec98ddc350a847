"""The pages of a tournament: of its director, its entrants, and the hall."""

from typing import Final

from scorekeeper.web.tournament import page, publishing

PAGES: Final = (page, publishing)
