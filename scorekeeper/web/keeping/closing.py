"""Ending a match and closing the session, after a page that shows the consequences."""

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from werkzeug.wrappers import Response

from scorekeeper.base.errors import StaleVersionError
from scorekeeper.events.common import MatchEnded, SessionClosed
from scorekeeper.http.extensions import service
from scorekeeper.http.headers import no_store
from scorekeeper.report.report import view_report
from scorekeeper.report.sheet import is_played
from scorekeeper.report.views import MatchView
from scorekeeper.service import NewEvent
from scorekeeper.session.session import Session
from scorekeeper.web.forms.typed import clean_line
from scorekeeper.web.frame.form_keys import recorded_before
from scorekeeper.web.keeping.settings import record_by_host, redirect_to_settings, require_host

blueprint = Blueprint("closing", __name__, url_prefix="/t/<session_id>/settings")
blueprint.after_request(no_store)


@dataclass(frozen=True, slots=True)
class MatchTotal:
    """A match in one line: the game, and the total of each side."""

    number: int
    game: str
    finished: bool
    sides: list[tuple[list[str], int]]


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """The results of a session when it is closed, and what is still open.

    A match without a complete hand has no result.
    """

    title: str
    version: int
    closed: bool
    matches: list[MatchTotal]
    unfinished: int
    unconfirmed: int
    disputed: int


@blueprint.get("/close")
def ask(session_id: str) -> str:
    """Show the results, and ask whether to close the session."""
    require_host(session_id)
    summary = service().see(session_id, summarize_session)
    changed = "changed" in request.args
    return render_template("closing/ask.html", session_id=session_id, now=summary, changed=changed)


@blueprint.post("/close")
def close(session_id: str) -> Response:
    """Close the session, if nothing was recorded since the summary."""
    holder = require_host(session_id)
    closed = service().see(session_id, lambda session: session.structure.closed is not None)
    if closed and not recorded_before(session_id):
        return redirect_to_settings(session_id)
    try:
        record_by_host(
            session_id, holder, NewEvent(SessionClosed.TYPE, {}), after=form_version(request.form)
        )
    except StaleVersionError:
        return to(url_for("closing.ask", session_id=session_id, changed=1), 303)
    return redirect_to_settings(session_id, "closed")


@blueprint.post("/end")
def end(session_id: str) -> Response:
    """End the match, though its own rule does not end it."""
    holder = require_host(session_id)
    reason = clean_line(request.form.get("reason", ""))
    # A form that is sent again must not end the next match.
    if service().see(session_id, is_match_going_on) and not recorded_before(session_id):
        data = {"reason": reason} if reason else {}
        record_by_host(session_id, holder, NewEvent(MatchEnded.TYPE, data))
    return redirect_to_settings(session_id, "ended")


def is_match_going_on(session: Session) -> bool:
    """Return whether the session is open and its last match is not over."""
    matches = session.structure.matches
    return session.structure.closed is None and bool(matches) and not matches[-1].over


def form_version(form: Any) -> int:
    """Return the version number in a form; 0, which no session has, if it is malformed."""
    typed = form.get("version", "")
    return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 10 else 0


def summarize_session(session: Session) -> SessionSummary:
    """Return the results of a session, and the numbers of hands that are still open in any way."""
    report = view_report(session)
    hands = [hand for match in report.matches for hand in match.hands]
    return SessionSummary(
        title=report.session.title,
        version=session.events,
        closed=report.session.closed,
        matches=[_match_total(session, match) for match in report.matches if is_played(match)],
        unfinished=sum(hand.status in ("open", "incomplete") for hand in hands),
        unconfirmed=sum(hand.status == "complete" and not hand.confirmed for hand in hands),
        disputed=sum(hand.disputed for hand in hands),
    )


def _match_total(session: Session, match: MatchView) -> MatchTotal:
    """Return a reported match in one line: its game, and the total of each side."""
    names = session.structure.players
    record = session.structure.matches[match.match - 1]
    return MatchTotal(
        match.match,
        record.game.name,
        match.status == "finished",
        [
            ([names[player] for player in members], match.totals[side])
            for side, members in match.sides.items()
        ],
    )
