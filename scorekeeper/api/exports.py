"""What can be taken away of a session: its log, tables, a sheet to print, all in one archive."""

from collections.abc import Callable
from typing import Any, Final

from flask import Response, g

from scorekeeper.answers import jobs
from scorekeeper.api.decorators import SESSION, conditional, opened, takes_long
from scorekeeper.api.document import VERSION, Blueprint
from scorekeeper.http.access import ANY
from scorekeeper.http.answering import made_of, marked
from scorekeeper.http.extensions import service
from scorekeeper.store import Position

blueprint = Blueprint("exports", __name__, description="What can be taken away of a session.")

NDJSON: Final = "application/x-ndjson"
CSV: Final = "text/csv"
CALENDAR: Final = "text/calendar"
PDF: Final = "application/pdf"
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ZIP: Final = "application/zip"
TEXT: Final = {"type": "string"}
BYTES: Final = {"type": "string", "format": "binary"}


@blueprint.route("/sessions/<session:session>/log.jsonl", parameters=[SESSION])
@blueprint.response(200, TEXT, content_type=NDJSON, description="The sealed log.", headers=VERSION)
@opened(*ANY)
@conditional
def get_log(session: str) -> Response:
    """Export the log, byte for byte as it is stored: the one export that loses nothing.

    What lies face down at the table has `data` null for everybody but the host. Such a log cannot
    be verified, nor imported: take it again once the hand is over.
    """
    stream = service().events(session, holder=g.holder)
    body = b"".join(line + b"\n" for line in stream.lines)
    return download(body, NDJSON, f"{session}.jsonl", Position(stream.version, stream.head))


def made_as(name: str, media: str, description: str) -> Callable[[Any], Any]:
    """Let a view answer with a file of this name, which takes long to make."""
    schema = TEXT if media.startswith("text/") else BYTES
    route = blueprint.route(f"/sessions/<session:session>/{name}", parameters=[SESSION])
    response = blueprint.response(
        200, schema, content_type=media, description=description, headers=VERSION
    )
    return lambda view: route(response(takes_long(opened(*ANY)(conditional(view)))))


@made_as("results.csv", CSV, "One row for each side of each hand.")
def get_results(session: str) -> Response:
    """Export the results of the hands, as a table."""
    return made(session, "results", f"{CSV}; charset=utf-8", "results.csv")


@made_as("lines.csv", CSV, "One row for each line of a score.")
def get_lines(session: str) -> Response:
    """Export every line of every score, with its clause and its events, as a table."""
    return made(session, "lines", f"{CSV}; charset=utf-8", "lines.csv")


@made_as("results.xlsx", XLSX, "A workbook.")
def get_workbook(session: str) -> Response:
    """Export the score sheet, the tables, the findings and the options, as a workbook."""
    return made(session, "xlsx", XLSX, "results.xlsx")


@made_as("sheet.pdf", PDF, "The score sheet.")
def get_sheet(session: str) -> Response:
    """Export the score sheet on A4 pages, to be printed."""
    return made(session, "pdf", PDF, "sheet.pdf")


@made_as("bundle.zip", ZIP, "An archive of all of it.")
def get_bundle(session: str) -> Response:
    """Export the log, the tables, the report, the workbook, the sheet and the verifier in one."""
    return made(session, "zip", ZIP, "bundle.zip")


@made_as("evening.ics", CALENDAR, "The evening, for a calendar.")
def get_calendar(session: str) -> Response:
    """Export the evening as an entry of a calendar."""
    return made(session, "ics", f"{CALENDAR}; charset=utf-8", "evening.ics")


def made(session: str, form: str, media: str, name: str) -> Response:
    """A file in one of the forms of the exports; others record on while it is made."""
    body, position = made_of(session, g.holder, jobs.taken, session, form)
    return download(body, media, f"{session}-{name}", position)


def download(body: bytes, media: str, name: str, position: Position) -> Response:
    """A file to be kept, true of a version of a session."""
    answer = marked(Response(body, content_type=media), position)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
