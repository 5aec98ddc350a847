"""What can be taken away of a session: its log, tables, a sheet to print, all in one archive."""

from typing import Final

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


@blueprint.route("/sessions/<session:session>/results.csv", parameters=[SESSION])
@blueprint.response(
    200, TEXT, content_type=CSV, description="One row for each side of each hand.", headers=VERSION
)
@takes_long
@opened(*ANY)
@conditional
def get_results(session: str) -> Response:
    """Export the results of the hands, as a table."""
    return made(session, "results", f"{CSV}; charset=utf-8", "results.csv")


@blueprint.route("/sessions/<session:session>/lines.csv", parameters=[SESSION])
@blueprint.response(
    200, TEXT, content_type=CSV, description="One row for each line of a score.", headers=VERSION
)
@takes_long
@opened(*ANY)
@conditional
def get_lines(session: str) -> Response:
    """Export every line of every score, with its clause and its events, as a table."""
    return made(session, "lines", f"{CSV}; charset=utf-8", "lines.csv")


@blueprint.route("/sessions/<session:session>/results.xlsx", parameters=[SESSION])
@blueprint.response(200, BYTES, content_type=XLSX, description="A workbook.", headers=VERSION)
@takes_long
@opened(*ANY)
@conditional
def get_workbook(session: str) -> Response:
    """Export the score sheet, the tables, the findings and the options, as a workbook."""
    return made(session, "xlsx", XLSX, "results.xlsx")


@blueprint.route("/sessions/<session:session>/sheet.pdf", parameters=[SESSION])
@blueprint.response(200, BYTES, content_type=PDF, description="The score sheet.", headers=VERSION)
@takes_long
@opened(*ANY)
@conditional
def get_sheet(session: str) -> Response:
    """Export the score sheet on A4 pages, to be printed."""
    return made(session, "pdf", PDF, "sheet.pdf")


@blueprint.route("/sessions/<session:session>/bundle.zip", parameters=[SESSION])
@blueprint.response(
    200, BYTES, content_type=ZIP, description="An archive of all of it.", headers=VERSION
)
@takes_long
@opened(*ANY)
@conditional
def get_bundle(session: str) -> Response:
    """Export the log, the tables, the report, the workbook, the sheet and the verifier in one."""
    return made(session, "zip", ZIP, "bundle.zip")


@blueprint.route("/sessions/<session:session>/evening.ics", parameters=[SESSION])
@blueprint.response(
    200, TEXT, content_type=CALENDAR, description="The evening, for a calendar.", headers=VERSION
)
@takes_long
@opened(*ANY)
@conditional
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
