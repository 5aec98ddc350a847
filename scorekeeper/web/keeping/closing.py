"""Ending a match and closing the session, after a page that shows the consequences."""

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from werkzeug.wrappers import Response

from scorekeeper.base.errors import StaleVersionError, UnusableError, why_of
from scorekeeper.events.common import SessionClosed
from scorekeeper.http.extensions import service
from scorekeeper.http.headers import no_store
from scorekeeper.report.report import view_report
from scorekeeper.service import NewEvent
from scorekeeper.session.session import Session
from scorekeeper.web.forms.outcomes import MatchOutcome, list_outcomes
from scorekeeper.web.forms.stopping import (
    PLAYED_ON,
    OpenMatch,
    find_moment,
    find_open_match,
    refuse_played_on,
)
from scorekeeper.web.forms.typed import clean_line
from scorekeeper.web.frame.form_keys import recorded_before
from scorekeeper.web.keeping.settings import record_of_form, require_host

blueprint = Blueprint("closing", __name__, url_prefix="/t/<session_id>/settings")
blueprint.after_request(no_store)


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """The results of a session when it is closed, and what is still open.

    A match without a complete hand has no result.
    """

    title: str
    version: int
    closed: bool
    matches: list[MatchOutcome]
    open_match: OpenMatch | None
    unfinished: int
    unconfirmed: int
    disputed: int


@blueprint.get("/close")
def ask(session_id: str) -> str:
    """Show the results, and ask whether to close the session, and how its open match ends."""
    require_host(session_id)
    return render_close(session_id, changed="changed" in request.args)


@blueprint.post("/close")
def close(session_id: str) -> Response | tuple[str, int]:
    """Close the session, and end its open match, if nothing was recorded since the summary."""
    holder = require_host(session_id)
    summary = service().see(session_id, summarize_session)
    again = recorded_before(session_id)
    if summary.closed and not again:
        return redirect_to_results(session_id)
    answer, match = request.form.get("result", ""), summary.open_match
    if match is not None and not again and not match.takes(answer):
        return render_close(session_id, wrong=True), 422

    def build(session: Session) -> tuple[NewEvent, ...]:
        going_on = find_open_match(session)
        ends = () if going_on is None else (going_on.end(answer),)
        return (*ends, NewEvent(SessionClosed.TYPE, {}))

    try:
        record_of_form(session_id, holder, after=form_version(request.form), build=build)
    except StaleVersionError:
        return to(url_for("closing.ask", session_id=session_id, changed=1), 303)
    return redirect_to_results(session_id)


def render_close(session_id: str, *, changed: bool = False, wrong: bool = False) -> str:
    """Return the page that asks whether to close the session.

    ``wrong`` is whether the last answer does not say how the open match ends.
    """
    summary = service().see(session_id, summarize_session)
    return render_template(
        "closing/ask.html", session_id=session_id, now=summary, changed=changed, wrong=wrong
    )


@blueprint.get("/end")
def ask_end(session_id: str) -> str:
    """Ask how the open match ends, if there is one."""
    require_host(session_id)
    return render_end(session_id)


@blueprint.post("/end")
def end(session_id: str) -> Response | tuple[str, int]:
    """End the match, decided or not, though its own rule does not end it.

    Asks again if the table has played on since the form was shown.
    """
    holder = require_host(session_id)
    match = service().see(session_id, find_open_match)
    if recorded_before(session_id) or match is None:
        return redirect_to_table(session_id)
    answer, reason = request.form.get("result", ""), clean_line(request.form.get("reason", ""))
    if not match.takes(answer):
        return render_end(session_id, wrong=True, reason=reason), 422

    def build(session: Session) -> tuple[NewEvent, ...]:
        refuse_played_on(session, request.form.get("moment", ""))
        return (match.end(answer, reason),)

    try:
        record_of_form(session_id, holder, build=build)
    except UnusableError as error:
        if why_of(error) != PLAYED_ON:
            raise
        return render_end(session_id, changed=True, reason=reason), 409
    return redirect_to_table(session_id)


def render_end(
    session_id: str, *, changed: bool = False, wrong: bool = False, reason: str = ""
) -> str:
    """Return the page that asks how the open match ends.

    ``wrong`` is whether the last answer does not say how, and ``changed`` whether the table has
    played on since the question was shown.
    """
    moment, match = service().see(
        session_id, lambda session: (find_moment(session), find_open_match(session))
    )
    return render_template(
        "closing/end.html", session_id=session_id, match=match, moment=moment, changed=changed,
        wrong=wrong, reason=reason,
    )  # fmt: skip


def redirect_to_table(session_id: str) -> Response:
    """Return a redirection to the table, where the last form can be taken back."""
    return to(url_for("table.page", session_id=session_id), 303)


def redirect_to_results(session_id: str) -> Response:
    """Return a redirection to the results of the session."""
    return to(url_for("results.page", session_id=session_id), 303)


def form_version(form: Any) -> int:
    """Return the version number in a form; 0, which no session has, if it is malformed."""
    typed = form.get("version", "")
    return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 10 else 0


def summarize_session(session: Session) -> SessionSummary:
    """Return the results of a session, its open match, and the numbers of hands still open."""
    report = view_report(session)
    hands = [hand for match in report.matches for hand in match.hands]
    match = find_open_match(session)
    named = bool(match and match.unfinished)  # it has sentences of its own
    return SessionSummary(
        title=report.session.title,
        version=session.events,
        closed=report.session.closed,
        matches=list_outcomes(session),
        open_match=match,
        unfinished=sum(hand.status in ("open", "incomplete") for hand in hands) - named,
        unconfirmed=sum(hand.status == "complete" and not hand.confirmed for hand in hands),
        disputed=sum(hand.disputed for hand in hands),
    )
