"""The navigation bars: of the whole site, of a session, of a club and of a tournament."""

from dataclasses import dataclass
from typing import Any, Final

from flask import Flask, current_app, g, request, url_for
from flask_babel import lazy_gettext as _l

from scorekeeper.http.access import club_of_evening
from scorekeeper.service.tournament_rights import ASSISTANT, DIRECTOR
from scorekeeper.web.frame.ring import format_seat_counts

MAIN: Final = (
    ("new.form", _l("New table")),
    ("code.enter", _l("Join")),
    ("score.form", _l("Score a log")),
    ("rules.index", _l("Rule books")),
    ("prefs.page", _l("Preferences")),
)
OF_A_SESSION: Final = (
    ("table.page", _l("Table")),
    ("results.page", _l("Results")),
    ("auditing.page", _l("Audit")),
    ("export.page", _l("Export")),
    ("settings.page", _l("Settings")),
)
OF_A_READER: Final = tuple(
    entry for entry in OF_A_SESSION if entry[0] in ("results.page", "auditing.page")
)
THE_CLUB: Final = (("club.page", _l("Club")),)
BACK_TO_A_CLUB: Final = (("club.page", _l("To the club")),)
OF_A_CLUB: Final = (
    ("club.page", _l("Season")),
    ("club_evenings.page", _l("Evenings")),
    ("club_records.page", _l("Records")),
    ("club_money.page", _l("Money")),
    ("club_export.page", _l("Export")),
    ("club_settings.page", _l("Settings")),
)
OF_A_TOURNAMENT: Final = (
    ("tournament.page", _l("Now")),
    ("tournament_standings.page", _l("Standings")),
    ("tournament_print.page", _l("Paper")),
)
OF_ITS_ASSISTANTS: Final = (
    ("tournament_direct.page", _l("Director")),
    *OF_A_TOURNAMENT,
)
OF_ITS_DIRECTORS: Final = (
    ("tournament_direct.page", _l("Director")),
    ("tournament_entrants.page", _l("Entrants")),
    *OF_A_TOURNAMENT,
    ("tournament_settings.page", _l("Settings")),
)
OF_ROLE: Final = {DIRECTOR: OF_ITS_DIRECTORS, ASSISTANT: OF_ITS_ASSISTANTS}


@dataclass(frozen=True, slots=True)
class NavLink:
    """A link in a bar; ``current`` if it leads to the page that is shown."""

    href: str
    words: Any
    current: bool
    section: str


def init_app(app: Flask) -> None:
    """Make the bars available to templates."""
    app.jinja_env.globals.update(
        main_links=main_links,
        session_links=session_links,
        club_links=club_links,
        tournament_links=tournament_links,
        spread=format_seat_counts,
    )


def main_links() -> list[NavLink]:
    """Return the bar at the top of every page."""
    return _links(MAIN)


def session_links(session_id: str) -> list[NavLink]:
    """Return the bar of a session's pages; a reader through a club gets those they may read.

    Others who may read a club of this evening get a link to it at the end.
    """
    club = g.get("through_club")
    if club is None:
        links = _links(OF_A_SESSION, session_id=session_id)
        own_club = club_of_evening(session_id)
        return links + (_links(THE_CLUB, club_id=own_club) if own_club else [])
    return _links(BACK_TO_A_CLUB, club_id=club) + _links(OF_A_READER, session_id=session_id)


def club_links(club_id: str) -> list[NavLink]:
    """Return the bar of a club's pages."""
    return _links(OF_A_CLUB, club_id=club_id)


def tournament_links(tournament_id: str, role: str) -> list[NavLink]:
    """Return the bar of a tournament's pages for a visitor of this role."""
    return _links(OF_ROLE.get(role, OF_A_TOURNAMENT), tournament_id=tournament_id)


def _links(pages: tuple[tuple[str, Any], ...], **values: Any) -> list[NavLink]:
    """Return the links of a bar for pages that this app has.

    `values` are the parameters of the address.
    """
    return [
        NavLink(url_for(name, **values), words, _section() == section_of(name), section_of(name))
        for name, words in pages
        if name in current_app.view_functions
    ]


def section_of(endpoint: str) -> str:
    """Return the blueprint's name in an endpoint such as `table.page`."""
    return endpoint.partition(".")[0]


def _section() -> str:
    """Return the blueprint's name of the requested page; empty if there is none."""
    return section_of(request.endpoint or "")
