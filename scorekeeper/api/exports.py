"""What can be taken away of a session: its log, tables, a sheet to print, all in one archive."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from flask import Response, json

from scorekeeper.api.access import ANY, SESSION, opened, service
from scorekeeper.api.document import VERSION, Blueprint
from scorekeeper.api.reading import conditional, marked
from scorekeeper.exports import csv
from scorekeeper.exports.bundle import bundle
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.ics import calendar
from scorekeeper.exports.pdf import score_sheet
from scorekeeper.exports.xlsx import workbook
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
    """Export the log, byte for byte as it is stored: the one export that loses nothing."""
    stream = service().store.read(session)
    body = b"".join(line + b"\n" for line in stream.lines)
    return download(body, NDJSON, f"{session}.jsonl", Position(stream.version, stream.head))


@blueprint.route("/sessions/<session:session>/results.csv", parameters=[SESSION])
@blueprint.response(
    200, TEXT, content_type=CSV, description="One row for each side of each hand.", headers=VERSION
)
@opened(*ANY)
@conditional
def get_results(session: str) -> Response:
    """Export the results of the hands, as a table."""
    return table(session, csv.results, "results")


@blueprint.route("/sessions/<session:session>/lines.csv", parameters=[SESSION])
@blueprint.response(
    200, TEXT, content_type=CSV, description="One row for each line of a score.", headers=VERSION
)
@opened(*ANY)
@conditional
def get_lines(session: str) -> Response:
    """Export every line of every score, with its clause and its events, as a table."""
    return table(session, csv.lines, "lines")


@blueprint.route("/sessions/<session:session>/results.xlsx", parameters=[SESSION])
@blueprint.response(200, BYTES, content_type=XLSX, description="A workbook.", headers=VERSION)
@opened(*ANY)
@conditional
def get_workbook(session: str) -> Response:
    """Export the score sheet, the tables, the findings and the options, as a workbook."""
    evening = seen(session)
    return download(workbook(evening), XLSX, f"{session}-results.xlsx", evening.position)


@blueprint.route("/sessions/<session:session>/sheet.pdf", parameters=[SESSION])
@blueprint.response(200, BYTES, content_type=PDF, description="The score sheet.", headers=VERSION)
@opened(*ANY)
@conditional
def get_sheet(session: str) -> Response:
    """Export the score sheet on A4 pages, to be printed."""
    evening = seen(session)
    return download(score_sheet(evening), PDF, f"{session}-sheet.pdf", evening.position)


@blueprint.route("/sessions/<session:session>/bundle.zip", parameters=[SESSION])
@blueprint.response(
    200, BYTES, content_type=ZIP, description="An archive of all of it.", headers=VERSION
)
@opened(*ANY)
@conditional
def get_bundle(session: str) -> Response:
    """Export the log, the tables, the report, the workbook, the sheet and the verifier in one."""
    evening = seen(session)
    lines = service().store.read(session).lines[: evening.position.version]
    body = bundle(evening, b"".join(line + b"\n" for line in lines))
    return download(body, ZIP, f"{session}-bundle.zip", evening.position)


@blueprint.route("/sessions/<session:session>/evening.ics", parameters=[SESSION])
@blueprint.response(
    200, TEXT, content_type=CALENDAR, description="The evening, for a calendar.", headers=VERSION
)
@opened(*ANY)
@conditional
def get_calendar(session: str) -> Response:
    """Export the evening as an entry of a calendar."""
    evening = seen(session)
    media = f"{CALENDAR}; charset=utf-8"
    return download(calendar(evening), media, f"{session}-evening.ics", evening.position)


def seen(session: str) -> Evening:
    """The session as it stands now; the files are made of it while others record on."""
    return service().see(session, partial(Evening.of, session))


def table(session: str, make: Callable[[Mapping[str, Any]], bytes], name: str) -> Response:
    """A table made of the session's report."""
    report = service().report(session)
    body = make(json.loads(report.json))
    return download(body, f"{CSV}; charset=utf-8", f"{session}-{name}.csv", report.position)


def download(body: bytes, media: str, name: str, position: Position) -> Response:
    """A file to be kept, true of a version of a session."""
    answer = marked(Response(body, content_type=media), position)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
