"""``/club/<club_id>``: the table of a season, and the last evenings."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from flask import Blueprint, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound

from scorekeeper.clubs.season_words import CERTAINTY, FIGURE, TIE, describe_ranking
from scorekeeper.clubs.snapshot import ALL_EVENINGS, ClubSnapshot
from scorekeeper.http.access import own_key
from scorekeeper.http.extensions import clubs
from scorekeeper.store.keyring import is_tournament
from scorekeeper.web.club.evening_lines import (
    EveningLine,
    evening_lines,
    format_day,
    format_month,
    game_name,
)
from scorekeeper.web.club.season_table import SeasonChoice, build_season_table, season_choices
from scorekeeper.web.club.visitor import format_number, localize_figure, visitor_of

blueprint = Blueprint("club", __name__, url_prefix="/club/<club_id>")

MAX_UNDATED: Final = 20  # evenings without a day whose keys the page looks for
LAST: Final = 5  # evenings on the first page; the others are on their own pages
MAX_UNENDED: Final = 20  # matches that are listed: each needs a look at this phone's key
WORDS: Final = {"FIGURE": FIGURE, "TIE": TIE, "CERTAINTY": CERTAINTY, "ALL_EVENINGS": ALL_EVENINGS}


def address_of_evening(club_id: str, evening_id: str, **more: Any) -> str:
    """Return the address of an evening's results, or of a tournament's tables in the club."""
    if is_tournament(evening_id):
        return url_for("club_tournaments.tables", club_id=club_id, tournament_id=evening_id)
    return url_for("results.page", session_id=evening_id, **more)


# Values for the templates of clubs.
GLOBALS: Final = {
    "club_day": format_day,
    "club_month": format_month,
    "club_figure": localize_figure,
    "game_name": game_name,
    "CLUB": WORDS,
    "address_of_evening": address_of_evening,
}
FILTERS: Final = {"club_number": format_number}


@blueprint.get("")
def page(club_id: str) -> str:
    """Show the table of a season, by default the latest, and the last evenings."""
    visitor = visitor_of(club_id)
    season = request.args.get("season")
    shown = build_season_table(club_id, season, visitor.me)
    if shown is None:
        raise NotFound(_("There is no such season in this club."))
    around = clubs().see(club_id, surroundings_of, "around the table on pages")
    notes = list(describe_ranking(shown.season, len(shown.values.left_out)))
    to_date = list_datable(around.undated) if visitor.records else []
    unended = [] if shown.season.closed else shown.values.unended[:MAX_UNENDED]
    return render_template(
        "club/page.html", at=visitor, standing=shown, around=around, notes=notes, to_date=to_date,
        unended=[(match, around.going_on.get(match.session_id), _hosts(match.session_id))
                 for match in unended],
    )  # fmt: skip


def list_datable(undated: Iterable[EveningLine]) -> list[EveningLine]:
    """Return the evenings whose day this phone can set, as it holds their host's key."""
    return [row for row in islice(undated, MAX_UNDATED) if _hosts(row.session_id)]


def _hosts(session_id: str) -> bool:
    """Return whether this phone holds a host's key of a session."""
    key = own_key(session_id)
    return key is not None and key.role == "host"


class Surroundings(NamedTuple):
    """The content beside the table: the seasons, the last evenings, and the number of evenings.

    ``corrected`` are evenings that were corrected on a later day, the latest correction first.
    ``going_on`` are those that may still change, by the id of their session; tables are by theirs,
    each with the row of its tournament. ``tournaments`` is the number of tournaments. ``undated``
    are the evenings without a known day, ``unread`` is the number of those that cannot be read.
    ``tag`` changes whenever any of it does.
    """

    seasons: Sequence[SeasonChoice]
    evenings: Sequence[EveningLine]
    corrected: Sequence[EveningLine]
    going_on: Mapping[str, EveningLine]
    many: int
    undated: Sequence[EveningLine]
    unread: int
    tag: str
    tournaments: int


def surroundings_of(snapshot: ClubSnapshot) -> Surroundings:
    """Return the content beside the table of a club's first page."""
    lines = evening_lines(snapshot)
    undated = [row for row in lines if not row.day]
    corrected = [row for row in lines if row.corrected]
    corrected.sort(key=lambda row: row.corrected, reverse=True)
    going_on = {row.session_id: row for row in lines if row.open}
    going_on |= {
        attended.evening.session_id: going_on[attended.id]
        for attended in (snapshot.list_attended() if snapshot.state.tournaments else ())
        if attended.occasion is not None and attended.id in going_on
    }
    return Surroundings(season_choices(snapshot), lines[:LAST], corrected, going_on, len(lines),
                        undated, len(snapshot.unread), snapshot.tag,
                        len(snapshot.state.tournaments))  # fmt: skip
