"""``/club/<club_id>/export``: the files of a season, and their purposes."""

from typing import Final

from flask import Blueprint, render_template, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.exceptions import NotFound

from scorekeeper.base.json_object import JsonObject
from scorekeeper.clubs.snapshot import ALL_EVENINGS
from scorekeeper.http.extensions import clubs
from scorekeeper.http.headers import no_store
from scorekeeper.http.preferences import request_language, request_zone
from scorekeeper.languages.reader import COMMA, spreadsheet_separators
from scorekeeper.store import KeyRequest
from scorekeeper.web.club.season_table import season_choices
from scorekeeper.web.club.visitor import Visitor, see_club, visitor_of
from scorekeeper.web.frame.form_keys import form_attempt
from scorekeeper.web.keeping.export import File
from scorekeeper.web.phone.links import absolute_url

blueprint = Blueprint("club_export", __name__, url_prefix="/club/<club_id>/export")
blueprint.after_request(no_store)

# By endpoint: the kind of file, its name, and its purpose.
FILES: Final = (
    ("club_figures.get_season_paper", "PDF", _l("The table, to print"),
     _l("On one A4 page, for the wall.")),
    ("club_figures.get_season_text", "TXT", _l("For a chat"), _l("The table in a few lines.")),
    ("club_figures.get_season_workbook", "XLSX", _l("Workbook"),
     _l("For a spreadsheet, with all tables.")),
    ("club_figures.get_season_table", "CSV", _l("Table of the season"),
     _l("One row for each member and evening.")),
    ("club_figures.get_club_calendar", "ICS", _l("For the calendar"),
     _l("The evenings, and who won.")),
    ("clubs.get_standings", "JSON", _l("The table, for programs"),
     _l("Each figure, and how it comes about.")),
    ("clubs.get_club_log", "JSONL", _l("The log of the club"),
     _l("Members, seasons and evenings as they were recorded. The evenings have their own logs.")),
)  # fmt: skip
IN_LANGUAGES: Final = ("PDF", "TXT", "XLSX", "CSV", "ICS")
OF_THE_CLUB: Final = ("JSONL",)


@blueprint.get("")
def page(club_id: str) -> str:
    """List the files of a season, by default the latest."""
    return render_files(visitor_of(club_id))


@blueprint.post("")
def calendar(club_id: str) -> str:
    """Create a key for viewing, and show the calendar address that contains it."""
    visitor = visitor_of(club_id, "host")
    new = clubs().add_key(club_id, KeyRequest("view"), attempt=form_attempt())
    address = url_for("club_figures.get_club_calendar", club=club_id, key=new.secret,
                    language=request_language())  # fmt: skip
    return render_files(visitor, absolute_url(address))


def render_files(visitor: Visitor, feed: str = "") -> str:
    """Return the HTML page with the files of a season.

    `feed` is the address of a new calendar feed, if any.
    """
    season_id = request.args.get("season")
    season, seasons = see_club(
        visitor.club_id,
        lambda snapshot: (snapshot.find_season(season_id), season_choices(snapshot)),
    )
    if season is None:
        raise NotFound(_("There is no such season in this club."))
    files = [
        File(url_for(name, **file_query(visitor.club_id, season.id, kind)), kind, words, use)
        for name, kind, words, use in FILES
    ]
    return render_template(
        "club/export.html", at=visitor, season=season, seasons=seasons, files=files, feed=feed,
        ALL_EVENINGS=ALL_EVENINGS,
    )  # fmt: skip


def file_query(club_id: str, season_id: str, kind: str) -> JsonObject:
    """Return the query of a file's address: season, language, time zone and separators.

    `kind` is the type of file, such as CSV.
    """
    arguments: dict[str, object] = {"club": club_id}
    if kind not in OF_THE_CLUB:
        arguments["season"] = season_id
    if kind in IN_LANGUAGES:
        arguments |= {"language": request_language(), "zone": request_zone()}
    separator, decimal = spreadsheet_separators(request_language())
    if kind == "CSV" and separator != COMMA:
        arguments |= {"separator": separator, "decimal": decimal}
    return arguments
