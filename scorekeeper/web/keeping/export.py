"""``/t/<session_id>/export``: the files of a session, and their purposes."""

from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, current_app, render_template, url_for
from flask_babel import lazy_gettext as _l

from scorekeeper.exports.filenames import session_filename
from scorekeeper.http.access import ANY, holder_of
from scorekeeper.http.extensions import service
from scorekeeper.http.preferences import reader_of, request_language
from scorekeeper.languages.reader import COMMA, spreadsheet_separators
from scorekeeper.report.span import find_day, find_span
from scorekeeper.service.permissions import refuse_role
from scorekeeper.web.keeping.settings import session_state

blueprint = Blueprint("export", __name__, url_prefix="/t/<session_id>/export")

CALENDAR: Final = "ICS"  # only for a session with a known day

# By endpoint: the kind of file (empty for a page), its name, and its purpose.
FILES: Final = (
    ("exports.get_log", "JSONL", _l("The log"),
     _l("Everything that was recorded, byte for byte. Only this file loses nothing: you can "
        "verify it, score it again, and take it to another service.")),
    ("results.page", "", _l("Results, to print"), _l("Standings and every hand, on paper.")),
    ("chat.page", "", _l("Send to a chat"),
     _l("For a chat: who won, what the score is, who pays whom.")),
    ("exports.get_sheet", "PDF", _l("Score sheet"), _l("On A4 pages.")),
    ("exports.get_workbook", "XLSX", _l("Workbook"), _l("For a spreadsheet, with all tables.")),
    ("exports.get_results", "CSV", _l("Results of the hands"),
     _l("One row for each side of each hand.")),
    ("exports.get_lines", "CSV", _l("Lines of the scores"),
     _l("One row for each point and its reason.")),
    ("exports.get_payments", "CSV", _l("Payments"), _l("One row for each payment: who pays whom.")),
    ("sessions.get_session", "JSON", _l("The report"),
     _l("For programs: scores, findings and corrections.")),
    ("exports.get_calendar", CALENDAR, _l("For the calendar"),
     _l("The evening, and how it ended.")),
    ("exports.get_bundle", "ZIP", _l("All in one"), _l("For the archive.")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class File:
    """A file of the session."""

    href: str
    kind: str
    words: Any
    use: Any


@blueprint.get("")
def page(session_id: str) -> str:
    """List the files."""
    refuse_role(holder_of(session_id), *ANY)
    of_api: dict[str, Any] = {"session": session_id}
    of_page: dict[str, Any] = {"session_id": session_id}
    dated = service().see(
        session_id, lambda session: bool(find_span(session) or find_day(session).date)
    )
    separator, decimal = spreadsheet_separators(request_language())
    of_table = dict(of_api)
    if separator != COMMA:
        of_table |= {"separator": separator, "decimal": decimal}
    return render_template(
        "export/page.html", session_id=session_id, now=service().see(session_id, session_state),
        files=[
            File(
                url_for(name, **(of_table if kind == "CSV" else of_api if kind else of_page)),
                kind, words, use,
            )
            for name, kind, words, use in FILES
            if name in current_app.view_functions and (kind != CALENDAR or dated)
        ],
        end=service().end(session_id),
        log=service().see(
            session_id, lambda session: session_filename(session, reader_of({}), session_id)
        ),
    )  # fmt: skip
