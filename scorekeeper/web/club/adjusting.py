"""``…/settings/member/<member>/points``: the host adds points to a member or deducts some."""

from typing import Final

from flask import Blueprint, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from scorekeeper.base.errors import UnusableError
from scorekeeper.clubs.events import PointsAdjusted
from scorekeeper.http.headers import no_store
from scorekeeper.service import NewEvent
from scorekeeper.web.club.settings import render_member
from scorekeeper.web.club.visitor import record_in_club, visitor_of
from scorekeeper.web.forms.typed import clean_line, line_error, parse_whole
from scorekeeper.web.wording.refused import message_for_players

blueprint = Blueprint(
    "club_adjusting", __name__, url_prefix="/club/<club_id>/settings/member/<member>/points"
)
blueprint.after_request(no_store)

MAX_ADJUSTMENT_POINTS: Final = 1_000_000
MAX_REASON_CHARACTERS: Final = 200


@blueprint.post("")
def adjust(club_id: str, member: str) -> Response | tuple[str, int]:
    """Add points to a member or deduct some, with a reason; a form with errors is shown again."""
    visitor, form = visitor_of(club_id, "host"), request.form
    points, reason = parse_points(form.get("points", "")), clean_line(form.get("reason", ""))
    wrong = {} if points else {"points": str(_("A number such as 5 or -5."))}
    if error := line_error(reason, MAX_REASON_CHARACTERS, _("Say why in a few words.")):
        wrong["reason"] = error
    if not wrong:
        data = {"season": form.get("season", ""), "member": member, "points": points,
                "reason": reason}  # fmt: skip
        try:
            record_in_club(visitor, NewEvent(PointsAdjusted.TYPE, data))
        except UnusableError as refused:
            wrong["points"] = message_for_players(refused)
    if wrong:
        return render_member(visitor, member, wrong=wrong), 422
    return to(url_for("club_member.page", club_id=club_id, member=member,
                      season=form["season"], _anchor="made"), 303)  # fmt: skip


def parse_points(typed: str) -> int:
    """Return a whole number with or without its sign; 0 for other text.

    >>> [parse_points(typed) for typed in ("+5", " -12 ", "\N{MINUS SIGN}3", "5.5", "9" * 99)]
    [5, -12, -3, 0, 0]
    """
    value = parse_whole(typed.strip())
    return value if isinstance(value, int) and abs(value) <= MAX_ADJUSTMENT_POINTS else 0
