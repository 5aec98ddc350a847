"""``/club/<club_id>/evenings``: the evenings of a club, and the withdrawal of one."""

from typing import Final

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from scorekeeper.base.errors import UnusableError
from scorekeeper.clubs.events import EveningWithdrawn
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.http.extensions import clubs
from scorekeeper.service import NewEvent
from scorekeeper.web.club.evening_lines import (
    EveningLine,
    evening_lines,
    format_day,
    group_by_month,
)
from scorekeeper.web.club.visitor import page_of_list, record_in_club, see_club, visitor_of
from scorekeeper.web.forms.typed import clean_line, line_error
from scorekeeper.web.wording.refused import message_for_players

blueprint = Blueprint("club_evenings", __name__, url_prefix="/club/<club_id>/evenings")

MAX_REASON_CHARACTERS: Final = 400


@blueprint.get("")
def page(club_id: str) -> str:
    """Show the evenings, the last one first, and those that cannot be read."""
    visitor = visitor_of(club_id)
    lines = clubs().see(club_id, evening_lines, "evenings on pages")
    part = page_of_list(lines)
    unread, stopped, deleted = see_club(club_id, _list_unread)
    return render_template(
        "club/evenings.html",
        at=visitor,
        part=part,
        months=group_by_month(part.shown),
        unread=unread,
        deleted=deleted,
        stopped=stopped,
        many=len(lines),
        done=request.args.get("done", ""),
    )


@blueprint.get("/<session_id>/withdraw")
def ask(club_id: str, session_id: str) -> str:
    """Show the effect of withdrawing an evening, and ask for the reason."""
    return withdrawal_page(club_id, session_id)


@blueprint.post("/<session_id>/withdraw")
def withdraw(club_id: str, session_id: str) -> Response | tuple[str, int]:
    """Withdraw an evening from the club."""
    visitor, reason = visitor_of(club_id, "host"), clean_line(request.form.get("reason", ""))
    if wrong := line_error(reason, MAX_REASON_CHARACTERS, _("Say why in a few words.")):
        return withdrawal_page(club_id, session_id, wrong), 422
    try:
        record_in_club(
            visitor, NewEvent(EveningWithdrawn.TYPE, {"session": session_id, "reason": reason})
        )
    except UnusableError as error:
        return withdrawal_page(club_id, session_id, message_for_players(error)), 422
    return to(url_for(".page", club_id=club_id, done="withdrawn"), 303)


def withdrawal_page(club_id: str, session_id: str, wrong: str = "") -> str:
    """Return the page that asks why an evening is withdrawn.

    Raises `NotFound` if the evening does not count.
    """
    visitor = visitor_of(club_id, "host")
    entered, evening = see_club(club_id, lambda snapshot: _find_evening(snapshot, session_id))
    if not entered:
        raise NotFound(_("This evening does not count for the club."))
    return render_template(
        "club/withdraw.html", at=visitor, session_id=session_id, evening=evening, wrong=wrong,
        said=request.form.get("reason", ""),
    )  # fmt: skip


def _list_unread(snapshot: ClubSnapshot) -> tuple[dict[str, str], bool, dict[str, str]]:
    """Return why evenings cannot be read, whether some are not followed, and days of deletions."""
    days = {
        session_id: format_day(snapshot.find_day_of_deletion(session_id))
        for session_id in snapshot.unread
    }
    return dict(snapshot.unread), bool(snapshot.stopped), days


def _find_evening(snapshot: ClubSnapshot, session_id: str) -> tuple[bool, EveningLine | None]:
    """Return whether an evening counts for the club, and its row if it can be read."""
    lines = (row for row in evening_lines(snapshot) if row.session_id == session_id)
    state = snapshot.state
    return session_id in state.evenings or session_id in state.tournaments, next(lines, None)
