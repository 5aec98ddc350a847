"""The ways from page to page: of the whole site, and of one session."""

from dataclasses import dataclass
from typing import Any, Final

from flask import Flask, current_app, g, request, url_for
from flask_babel import lazy_gettext as _l

from scorekeeper.web.frame.ring import spread

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
    one for one in OF_A_SESSION if one[0] in ("results.page", "auditing.page")
)
BACK_TO_A_CLUB: Final = (("club.page", _l("To the club")),)
OF_A_CLUB: Final = (
    ("club.page", _l("Season")),
    ("club_evenings.page", _l("Evenings")),
    ("club_records.page", _l("Records")),
    ("club_money.page", _l("Money")),
    ("club_export.page", _l("Export")),
    ("club_settings.page", _l("Settings")),
)


@dataclass(frozen=True, slots=True)
class NavLink:
    """A link in a bar, and whether the page that is shown is the one it leads to."""

    href: str
    words: Any
    here: bool
    room: str


def init_app(app: Flask) -> None:
    """Let templates ask for the bars."""
    app.jinja_env.globals.update(
        main_ways=main_ways, session_ways=session_ways, club_ways=club_ways, spread=spread
    )


def main_ways() -> list[NavLink]:
    """The bar at the top of every page."""
    return _ways(MAIN)


def session_ways(session_id: str) -> list[NavLink]:
    """The bar of a session's pages; for whoever came through a club, those that he can read."""
    club = g.get("through_club")
    if club is None:
        return _ways(OF_A_SESSION, session_id=session_id)
    return _ways(BACK_TO_A_CLUB, club_id=club) + _ways(OF_A_READER, session_id=session_id)


def club_ways(club_id: str) -> list[NavLink]:
    """The bar of a club's pages."""
    return _ways(OF_A_CLUB, club_id=club_id)


def _ways(pages: tuple[tuple[str, Any], ...], **values: Any) -> list[NavLink]:
    return [
        NavLink(url_for(name, **values), words, _room() == room_of(name), room_of(name))
        for name, words in pages
        if name in current_app.view_functions
    ]


def room_of(endpoint: str) -> str:
    """The blueprint of an endpoint."""
    return endpoint.partition(".")[0]


def _room() -> str:
    return room_of(request.endpoint or "")
