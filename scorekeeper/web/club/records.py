"""``/club/<club_id>/records``: the records of a club, each with its evening."""

from functools import partial
from typing import Any

from flask import Blueprint, render_template, request
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound

from scorekeeper.clubs.records import view_records
from scorekeeper.clubs.season_words import RECORD
from scorekeeper.clubs.snapshot import ALL_EVENINGS, ClubSnapshot
from scorekeeper.http.extensions import clubs
from scorekeeper.web.club.evening_lines import titles_by_evening
from scorekeeper.web.club.rule_sets import number_rule_sets, pair_with_rule_sets
from scorekeeper.web.club.season_table import season_choices
from scorekeeper.web.club.visitor import visitor_of

blueprint = Blueprint("club_records", __name__, url_prefix="/club/<club_id>/records")


@blueprint.get("")
def page(club_id: str) -> str:
    """Show the records of all evenings, or of a season."""
    visitor, season = visitor_of(club_id), request.args.get("season", ALL_EVENINGS)
    content = clubs().see(club_id, partial(records_content, season), ("records on pages", season))
    if content is None:
        raise NotFound(_("There is no such season in this club."))
    return render_template(
        "club/records.html", at=visitor, ALL_EVENINGS=ALL_EVENINGS, RECORD=RECORD, **content
    )


def records_content(season_id: str, snapshot: ClubSnapshot) -> dict[str, Any] | None:
    """Return the template values of the records page; None for an unknown season."""
    season = snapshot.find_season(season_id)
    if season is None:
        return None
    figures = view_records(
        snapshot.list_played(None if season.id == ALL_EVENINGS else season), snapshot.names
    )
    return {
        "of_club": figures.club,
        "of_games": pair_with_rule_sets(figures.games, number_rule_sets(snapshot)),
        "season": season,
        "seasons": season_choices(snapshot),
        "titles": titles_by_evening(snapshot),
    }
