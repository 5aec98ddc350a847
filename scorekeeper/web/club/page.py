"""``/club/<club_id>``: the season's table first, then the last evenings."""

from typing import Any, Final

from flask import Blueprint, render_template, request
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound

from scorekeeper.clubs.books import EVER, Books
from scorekeeper.clubs.words import CERTAINTY, FIGURE, TIE, explained
from scorekeeper.web.club.common import Visitor, figure, see, visitor_of, written
from scorekeeper.web.club.evening_lines import EveningLine, day, evening_lines, game_name, month
from scorekeeper.web.club.season_table import SeasonChoice, choices, season_table

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
    seasons, evenings, many, unread, tag = see(club_id, _around)
    return render_template(
        "club/page.html", at=visitor, standing=shown, seasons=seasons, evenings=evenings,
        many=many, unread=unread, tag=tag, notes=_notes(visitor, shown.told),
    )  # fmt: skip


def _around(
    books: Books,
) -> tuple[list[SeasonChoice], list[EveningLine], int, list[str], str]:
    lines = evening_lines(books)
    return choices(books), lines[:LAST], len(lines), list(books.unread), books.tag


def _notes(visitor: Visitor, told: Any) -> list[str]:
    """How the season ranks, in sentences."""
    return list(explained(told["season"], len(told["left_out"])))
