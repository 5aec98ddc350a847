"""``/club/<club_id>/records``: what nobody in the club has surpassed, each where it was reached."""

from functools import partial
from typing import Any

from flask import Blueprint, render_template, request
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound

from scorekeeper.clubs.books import EVER, Books
from scorekeeper.clubs.plain_figures import records
from scorekeeper.clubs.season_words import RECORD
from scorekeeper.http.extensions import clubs
from scorekeeper.web.club.evening_lines import titles
from scorekeeper.web.club.rule_sets import rule_sets, with_rules
from scorekeeper.web.club.season_table import choices
from scorekeeper.web.club.visitor import visitor_of

blueprint = Blueprint("club_records", __name__, url_prefix="/club/<club_id>/records")


@blueprint.get("")
def page(club_id: str) -> str:
    """Show the records of all evenings, or of the season of the query."""
    visitor, season = visitor_of(club_id), request.args.get("season", EVER)
    found = clubs().see(club_id, partial(told, season), ("records on pages", season))
    if found is None:
        raise NotFound(_("There is no such season in this club."))
    return render_template("club/records.html", at=visitor, EVER=EVER, RECORD=RECORD, **found)


def told(season_id: str, books: Books) -> dict[str, Any] | None:
    """The records, the seasons, and the titles of the evenings; None for no such season."""
    season = books.season(season_id)
    if season is None:
        return None
    found = records(books.played(None if season.id == EVER else season), books.names)
    return {
        "of_club": found["club"], "of_games": with_rules(found["games"], rule_sets(books)),
        "season": season, "seasons": choices(books),
        "titles": titles(books), "tag": books.tag,
    }  # fmt: skip
