"""``/t/<session_id>/settings/names``: other names, and another title, place or day of play.

A host changes everything, a seat the name of its own player, also after the evening is closed. The
form holds the values that it showed, so that only what its sender changed is recorded.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.wrappers import Response

from scorekeeper.events.common import PlayerRenamed, SessionDescribed
from scorekeeper.events.event import Place
from scorekeeper.http.access import holder_of
from scorekeeper.http.extensions import clubs, service
from scorekeeper.http.headers import no_store
from scorekeeper.http.preferences import request_zone
from scorekeeper.report.narration import describe_event
from scorekeeper.report.span import find_day
from scorekeeper.service import Holder, NewEvent
from scorekeeper.service.followers import following_clubs
from scorekeeper.service.permissions import refuse_role
from scorekeeper.session.session import Session
from scorekeeper.web.forms.typed import clean_line, line_error, name_error, parse_day
from scorekeeper.web.frame.form_keys import recorded_before
from scorekeeper.web.keeping.settings import record_of_form, session_state
from scorekeeper.web.opening.draft import LONGEST_TITLE
from scorekeeper.web.wording.days import format_reader_day

blueprint = Blueprint("names", __name__, url_prefix="/t/<session_id>/settings/names")
blueprint.after_request(no_store)

MAX_CHANGES_SHOWN: Final = 1_000  # events that the page looks at for the changes just recorded
NAME: Final = "name."  # prefix of the form fields with names, before the player's id
WAS: Final = "was-"  # prefix of the hidden fields with the values that the form showed
DATE: Final = "date"
# The errors of empty fields, which nothing can empty.
MISSING: Final = {
    "title": _l("Type a title."),
    "place": _l("Type a place. It can be changed, and not removed."),
    DATE: _l("Choose a day."),
}


@dataclass(slots=True)
class Line:
    """A field of the form: the value that the log has now, the typed one, and an error.

    ``shown`` is the value that the form showed. It and the typed one are clean lines, so that the
    odd spaces of an old log are no change.
    """

    name: str
    label: str
    now: str
    typed: str
    shown: str
    wrong: str = ""

    @property
    def changed(self) -> bool:
        """Whether the sender of the form wants another value than the one it showed."""
        return self.typed not in (self.shown, clean_line(self.now))

    @property
    def changed_meanwhile(self) -> bool:
        """Whether the log has another value than the one that the form showed."""
        return self.shown != clean_line(self.now)

    @property
    def now_in_words(self) -> str:
        """The present value as the page shows it; empty if there is none."""
        return show_day(self.now) if self.name == DATE and self.now else self.now


@blueprint.get("")
def page(session_id: str) -> str:
    """Show the present names, title, place and day, with fields to change them."""
    holder = holder_of(session_id)
    refuse_role(holder, "host", "seat")
    return render_lines(session_id, holder, list_lines(session_id, holder))


@blueprint.post("")
def change(session_id: str) -> Response | tuple[str, int]:
    """Record what the sender changed, and show the page with the old and new values."""
    holder = holder_of(session_id)
    refuse_role(holder, "host", "seat")
    lines = list_lines(session_id, holder)
    if not recorded_before(session_id):
        check_lines(session_id, lines)
        if any(line.wrong for line in lines):
            return render_lines(session_id, holder, lines), 422
        if not any(line.changed for line in lines):
            unchanged = str(_("You have not changed anything."))
            return render_lines(session_id, holder, lines, wrong=unchanged), 422
    events = list(events_of_form(lines))
    recorded = record_of_form(session_id, holder, *events)
    since = recorded.version - len(events)
    return to(url_for("names.page", session_id=session_id, since=since), 303)


# ------------------------------------------------------------------------------------ the form


def list_lines(session_id: str, holder: Holder) -> list[Line]:
    """Return the fields that a holder may change, filled in as by the form in the request."""
    values = service().see(session_id, lambda session: list(list_values(session, holder)))
    return [
        Line(
            name, label, now,
            clean_line(request.form.get(name, now)),
            clean_line(request.form.get(f"{WAS}{name}", now)),
        )
        for name, label, now in values
    ]  # fmt: skip


def list_values(session: Session, holder: Holder) -> Iterator[tuple[str, str, str]]:
    """Yield the form name, label and present value of each field that a holder may change."""
    record = session.structure
    if holder.role == "host" and record.opened is not None:
        day = find_day(session).in_zone(ZoneInfo(request_zone()))
        yield "title", str(_("Title")), record.opened.title
        yield "place", str(_("Place")), record.opened.place or ""
        yield DATE, str(_("Day of play")), day
    for player, name in record.players.items():
        if holder.role == "host" or player == holder.player:
            yield f"{NAME}{player}", name, name


def check_lines(session_id: str, lines: list[Line]) -> None:
    """Set the errors of the fields that were changed.

    A field that somebody else changed since the form was shown is shown again first.
    """
    names = service().see(session_id, lambda session: dict(session.structure.players))
    names |= {line.name.removeprefix(NAME): line.typed for line in lines if is_name(line)}
    for line in lines:
        if not line.changed:
            continue
        if line.changed_meanwhile:
            line.wrong = str(_("Meanwhile somebody has changed this. Check it, and save again."))
        elif is_name(line):
            others = [name for player, name in names.items() if f"{NAME}{player}" != line.name]
            line.wrong = name_error(line.typed, others, missing=_("Type a name."))
        elif line.name == DATE and line.typed:
            line.wrong = "" if parse_day(line.typed) else str(_("Choose a day."))
        else:
            line.wrong = line_error(line.typed, LONGEST_TITLE, missing=str(MISSING[line.name]))


def is_name(line: Line) -> bool:
    """Return whether a field is the name of a player."""
    return line.name.startswith(NAME)


def events_of_form(lines: list[Line]) -> Iterator[NewEvent]:
    """Yield the events that record what the sender of a form changed."""
    changed = [line for line in lines if line.typed != line.shown]
    about = {line.name: line.typed for line in changed if not is_name(line)}
    if about:
        yield NewEvent(SessionDescribed.TYPE, about)
    for line in changed:
        if is_name(line):
            data = {"player": line.name.removeprefix(NAME), "name": line.typed}
            yield NewEvent(PlayerRenamed.TYPE, data)


# ------------------------------------------------------------------------------------ the page


def render_lines(session_id: str, holder: Holder, lines: list[Line], wrong: str = "") -> str:
    """Return the HTML page with these fields."""
    since = request.args.get("since", type=int)
    following = following_clubs(clubs(), session_id) if holder.role == "host" else ()
    return render_template(
        "settings/names.html", session_id=session_id, holder=holder, wrong=wrong,
        about=[line for line in lines if not is_name(line)],
        names=[line for line in lines if is_name(line)],
        now=service().see(session_id, session_state),
        changes=service().see(session_id, lambda session: list_changes(session, since)),
        clubs=[club.name for club in following if club.stop is None],
    )  # fmt: skip


def list_changes(session: Session, since: int | None) -> list[str]:
    """Return sentences about the names and descriptions recorded after a version; none for None."""
    recorded = session.corrections.recorded
    if since is None or since < 0:
        return []
    return [
        describe_event(session, seq)
        for seq in range(since + 1, min(session.events, since + MAX_CHANGES_SHOWN) + 1)
        if seq in recorded and recorded[seq].event.PLACE is Place.ABOUT
    ]


def show_day(day: str) -> str:
    """Return an ISO day as the reader writes it; text that is no day as it is."""
    parsed = parse_day(day)
    return format_reader_day(parsed) if parsed else day
