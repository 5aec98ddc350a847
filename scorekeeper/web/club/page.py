"""``/club/<club_id>``: the season's table first, then the last evenings."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from flask import Blueprint, render_template, request
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound

from scorekeeper.clubs.books import EVER, Books
from scorekeeper.clubs.season_words import CERTAINTY, FIGURE, TIE, explained
from scorekeeper.http.extensions import clubs
from scorekeeper.web.club.evening_lines import EveningLine, day, evening_lines, game_name, month
from scorekeeper.web.club.season_table import SeasonChoice, choices, season_table
from scorekeeper.web.club.visitor import figure, visitor_of, written

blueprint = Blueprint("club", __name__, url_prefix="/club/<club_id>")

LAST: Final = 5  # evenings on the first page; the others have their own
WORDS: Final = {"FIGURE": FIGURE, "TIE": TIE, "CERTAINTY": CERTAINTY, "EVER": EVER}
# What templates of clubs may ask for.
GLOBALS: Final = {
    "club_day": day, "club_month": month, "club_figure": written, "game_name": game_name,
    "CLUB": WORDS,
}  # fmt: skip
FILTERS: Final = {"club_number": figure}


@blueprint.get("")
def page(club_id: str) -> str:
    """Show a season's table, that of the query or the latest, and the last evenings."""
    visitor = visitor_of(club_id)
    season = request.args.get("season")
    shown = season_table(club_id, season, visitor.me)
    if shown is None:
        raise NotFound(_("There is no such season in this club."))
    around = clubs().see(club_id, around_of, "around the table on pages")
    notes = list(explained(shown.told["season"], len(shown.told["left_out"])))
    return render_template("club/page.html", at=visitor, standing=shown, around=around, notes=notes)


class Surroundings(NamedTuple):
    """What stands around the table: the seasons, the last evenings, and how many there are.

    ``corrected`` are those that were corrected on a later day, the last correction first.
    ``undated`` are how many have no known day; ``unread`` cannot be read here. ``tag`` is
    another one whenever any of it changes.
    """

    seasons: Sequence[SeasonChoice]
    evenings: Sequence[EveningLine]
    corrected: Sequence[EveningLine]
    many: int
    undated: int
    unread: int
    tag: str


def around_of(books: Books) -> Surroundings:
    """What stands around the table of a club."""
    lines = evening_lines(books)
    undated = sum(not one.day for one in lines)
    corrected = [one for one in lines if one.corrected]
    corrected.sort(key=lambda one: one.corrected, reverse=True)
    return Surroundings(choices(books), lines[:LAST], corrected, len(lines), undated,
                  len(books.unread), books.tag)  # fmt: skip
