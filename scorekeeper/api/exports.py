"""What can be taken away of a session: its log, tables, a sheet to print, all in one archive."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps
from typing import Any, Final

from flask import Response, g

from scorekeeper.answers import jobs
from scorekeeper.api.decorators import SESSION, conditional, opened, takes_long
from scorekeeper.api.document import VERSION, Blueprint, refuses, text_header
from scorekeeper.api.event_schemas import ReaderSchema, TableReaderSchema
from scorekeeper.base.errors import NotInstalledError
from scorekeeper.exports.filenames import disposition, session_filename
from scorekeeper.http.access import ANY
from scorekeeper.http.answering import made_of, marked
from scorekeeper.http.extensions import service
from scorekeeper.http.preferences import reader_of
from scorekeeper.languages.reader import PROGRAM, Reader
from scorekeeper.store import Position

blueprint = Blueprint("exports", __name__, description="What can be taken away of a session.")

NDJSON: Final = "application/x-ndjson"
CSV: Final = "text/csv"
CALENDAR: Final = "text/calendar"
PLAIN: Final = "text/plain"
PNG: Final = "image/png"
PDF: Final = "application/pdf"
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ZIP: Final = "application/zip"
# The version, and behind it for whom the file is written, unless that is a program.
VARIANT: Final = {
    "ETag": text_header("the version, and for whom it is written", r'^"[0-9]+(-[^"]+)?"$'),
    "Content-Language": text_header("the language of its words"),
}  # fmt: skip
TEXT: Final = {"type": "string"}
BYTES: Final = {"type": "string", "format": "binary"}


@blueprint.route("/sessions/<session:session>/log.jsonl", parameters=[SESSION])
@blueprint.response(200, TEXT, content_type=NDJSON, description="The sealed log.", headers=VERSION)
@opened(*ANY)
@conditional
def get_log(session_id: str) -> Response:
    """Export the log, byte for byte as it is stored: the one export that loses nothing.

    What lies face down at the table has `data` null for everybody but the host. Such a log cannot
    be verified, nor imported: take it again once the hand is over.
    """
    stream = service().events(session_id, holder=g.holder)
    body = b"".join(line + b"\n" for line in stream.lines)
    name = file_name(session_id, reader_of({}), "", "jsonl")
    return download(body, NDJSON, name, Position(stream.version, stream.head))


def made_as(
    name: str, media: str, description: str, asks: type[ReaderSchema] = ReaderSchema
) -> Callable[[Any], Any]:
    """Let a view answer with a file of this name, which takes long to make, for a reader."""
    schema = TEXT if media.startswith("text/") else BYTES
    route = blueprint.route(f"/sessions/<session:session>/{name}", parameters=[SESSION])
    response = blueprint.response(
        200, schema, content_type=media, description=description, headers=VARIANT
    )

    def decorate(view: Any) -> Any:
        asked = blueprint.query(asks)(for_reader(conditional(view)))
        return route(response(takes_long(refuses("malformed")(opened(*ANY)(asked)))))

    return decorate


def for_reader(view: Callable[..., Response]) -> Callable[..., Response]:
    """Give a view whom it is written for, in place of the query, and tell so in its answer."""

    @wraps(view)
    def wrapped(asked: Mapping[str, str], **more: Any) -> Response:
        reader = reader_of(asked)
        g.variant = "" if reader == PROGRAM else f"-{reader}"
        answer = view(reader, **more)
        answer.vary.update(("Accept-Language", "Cookie"))
        answer.headers["Content-Language"] = reader.language
        return answer

    return wrapped


@made_as("results.csv", CSV, "One row for each side of each hand.", TableReaderSchema)
def get_results(reader: Reader, session_id: str) -> Response:
    """Export the results of the hands, as a table."""
    return made(session_id, reader, "results", f"{CSV}; charset=utf-8", "results.csv")


@made_as("lines.csv", CSV, "One row for each line of a score.", TableReaderSchema)
def get_lines(reader: Reader, session_id: str) -> Response:
    """Export every line of every score, with its clause and its events, as a table."""
    return made(session_id, reader, "lines", f"{CSV}; charset=utf-8", "lines.csv")


@made_as("payments.csv", CSV, "One row for each payment.", TableReaderSchema)
def get_payments(reader: Reader, session_id: str) -> Response:
    """Export who pays whom, match by match, and for the evening what is played for money.

    The payments of the evening stand for those of its matches in that currency.
    """
    return made(session_id, reader, "payments", f"{CSV}; charset=utf-8", "payments.csv")


@made_as("results.xlsx", XLSX, "A workbook.")
def get_workbook(reader: Reader, session_id: str) -> Response:
    """Export the score sheet, the tables, the findings and the options, as a workbook."""
    return made(session_id, reader, "xlsx", XLSX, "results.xlsx")


@made_as("sheet.pdf", PDF, "The score sheet.")
def get_sheet(reader: Reader, session_id: str) -> Response:
    """Export the score sheet on A4 pages, to be printed."""
    return made(session_id, reader, "pdf", PDF, "sheet.pdf")


@made_as("bundle.zip", ZIP, "An archive of all of it.", TableReaderSchema)
def get_bundle(reader: Reader, session_id: str) -> Response:
    """Export the log, the tables, the report, the workbook, the sheet and the verifier in one."""
    return made(session_id, reader, "zip", ZIP, "bundle.zip")


@refuses("unusable")
@made_as("evening.ics", CALENDAR, "The evening, for a calendar.")
def get_calendar(reader: Reader, session_id: str) -> Response:
    """Export the evening as an entry of a calendar, from its first hand to its last.

    One of which no time is known, such as an imported log that was written by hand, is refused.
    """
    return made(session_id, reader, "ics", f"{CALENDAR}; charset=utf-8", "evening.ics")


@made_as("text", PLAIN, "The evening in a few lines.")
def get_text(reader: Reader, session_id: str) -> Response:
    """Export who won, how it stands and who pays whom, as a text for a chat.

    It has no link to look on: whoever wants one makes a key to view.
    """
    return made(session_id, reader, "text", f"{PLAIN}; charset=utf-8", "text.txt")


@made_as("picture.png", PNG, "The evening as a picture.")
def get_picture(reader: Reader, session_id: str) -> Response:
    """Export the same as a picture for a chat, 1,080 pixels wide."""
    return made(session_id, reader, "png", PNG, "picture.png")


def made(session_id: str, reader: Reader, form: str, media: str, name: str) -> Response:
    """A file in one of the forms of the exports; others record on while it is made.

    It is handed on, so it shows what the table knows, also where the host asks for it. Only an
    archive, which has the log in it, shows all that the log does.
    """
    holder = g.holder if form == "zip" else replace(g.holder, at_table=True)
    body, position = made_of(session_id, holder, jobs.export_session, session_id, form, reader)
    what, _, kind = name.partition(".")
    return download(body, media, file_name(session_id, reader, f"-{what}", kind), position)


def file_name(session_id: str, reader: Reader, what: str, kind: str) -> str:
    """The dated title of a session, what a file is of it, and its ending."""
    try:
        named = service().see(session_id, lambda found: session_filename(found, reader, session_id))
    except NotInstalledError:
        named = session_id
    return f"{named}{what}.{kind}"


def download(body: bytes, media: str, name: str, position: Position) -> Response:
    """A file to be kept, true of a version of a session."""
    answer = marked(Response(body, content_type=media), position)
    answer.headers["Content-Disposition"] = disposition(name)
    return answer
