"""Files of a session to download: its log, tables, a sheet to print, all in one archive."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Final

from flask import Response, g

from scorekeeper.answers import jobs
from scorekeeper.api.decorators import SESSION, conditional, opened, takes_long
from scorekeeper.api.document import VERSION, Blueprint, Decorator, Endpoint, refuses, text_header
from scorekeeper.api.event_schemas import ReaderSchema, TableReaderSchema
from scorekeeper.base.errors import NotInstalledError
from scorekeeper.exports.filenames import content_disposition, session_filename
from scorekeeper.http.access import ANY
from scorekeeper.http.answering import compute_from_session, with_version
from scorekeeper.http.extensions import service
from scorekeeper.http.preferences import reader_of
from scorekeeper.languages.reader import PROGRAM, Reader
from scorekeeper.store import Position

blueprint = Blueprint("exports", __name__, description="Files of a session to download.")

NDJSON: Final = "application/x-ndjson"
CSV: Final = "text/csv"
CALENDAR: Final = "text/calendar"
PLAIN: Final = "text/plain"
PNG: Final = "image/png"
PDF: Final = "application/pdf"
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ZIP: Final = "application/zip"
# The version, and behind it the reader's language and format, unless the reader is a program.
VARIANT: Final = {
    "ETag": text_header("the version, and the format for its reader", r'^"[0-9]+(-[^"]+)?"$'),
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

    An event that lies face down at the table has `data` null, except for the host. Such a log
    cannot be verified or imported: download it again once the hand is over.
    """
    stream = service().events(session_id, holder=g.holder)
    body = b"".join(line + b"\n" for line in stream.lines)
    name = file_name(session_id, reader_of({}), "", "jsonl")
    return download(body, NDJSON, name, Position(stream.version, stream.head))


def file_route(
    name: str,
    media: str,
    description: str,
    asks: type[ReaderSchema] = ReaderSchema,
    refused: Sequence[str] = (),
) -> Decorator:
    """Return a decorator that serves a view's file of a session under this name.

    ``media`` is the content type, ``asks`` the schema of the query, and ``refused`` has the codes
    of further problems. The view gets the reader.
    """
    schema = TEXT if media.startswith("text/") else BYTES
    route = blueprint.route(f"/sessions/<session:session>/{name}", parameters=[SESSION])
    response = blueprint.response(
        200, schema, content_type=media, description=description, headers=VARIANT
    )

    def decorate(view: Endpoint) -> Endpoint:
        asked = blueprint.query(asks)(for_reader(conditional(view)))
        documented = refuses("malformed", *refused)(opened(*ANY)(asked))
        return route(response(takes_long(documented)))

    return decorate


def for_reader(view: Callable[..., Response]) -> Callable[..., Response]:
    """Wrap a view so that it gets the reader whom the query describes.

    The language is named in the answer, and ``g.variant`` is set to the reader's part of the ETag.
    """

    @wraps(view)
    def wrapped(asked: Mapping[str, str], **more: object) -> Response:
        reader = reader_of(asked)
        g.variant = "" if reader == PROGRAM else f"-{reader}"
        answer = view(reader, **more)
        answer.vary.update(("Accept-Language", "Cookie"))
        answer.headers["Content-Language"] = reader.language
        return answer

    return wrapped


@file_route("results.csv", CSV, "One row for each side of each hand.", TableReaderSchema)
def get_results(reader: Reader, session_id: str) -> Response:
    """Export the results of the hands, as a table."""
    return file_response(session_id, reader, "results", f"{CSV}; charset=utf-8", "results.csv")


@file_route("lines.csv", CSV, "One row for each line of a score.", TableReaderSchema)
def get_lines(reader: Reader, session_id: str) -> Response:
    """Export every line of every score, with its clause and its events, as a table."""
    return file_response(session_id, reader, "lines", f"{CSV}; charset=utf-8", "lines.csv")


@file_route("payments.csv", CSV, "One row for each payment.", TableReaderSchema)
def get_payments(reader: Reader, session_id: str) -> Response:
    """Export the payments between players, by match, and for the evening if it has stakes.

    The payments of the evening replace those of its matches in that currency.
    """
    return file_response(session_id, reader, "payments", f"{CSV}; charset=utf-8", "payments.csv")


@file_route("results.xlsx", XLSX, "A workbook.")
def get_workbook(reader: Reader, session_id: str) -> Response:
    """Export the score sheet, the tables, the findings and the options, as a workbook."""
    return file_response(session_id, reader, "xlsx", XLSX, "results.xlsx")


@file_route("sheet.pdf", PDF, "The score sheet.")
def get_sheet(reader: Reader, session_id: str) -> Response:
    """Export the score sheet on A4 pages, to be printed."""
    return file_response(session_id, reader, "pdf", PDF, "sheet.pdf")


@file_route("bundle.zip", ZIP, "An archive of all of it.", TableReaderSchema)
def get_bundle(reader: Reader, session_id: str) -> Response:
    """Export the log, the tables, the report, the workbook, the sheet and the verifier in one."""
    return file_response(session_id, reader, "zip", ZIP, "bundle.zip")


@file_route("evening.ics", CALENDAR, "The evening, for a calendar.", refused=["unusable"])
def get_calendar(reader: Reader, session_id: str) -> Response:
    """Export the evening as an entry of a calendar, from its first hand to its last.

    A session without known times, such as an imported log that was written by hand, is refused.
    """
    return file_response(session_id, reader, "ics", f"{CALENDAR}; charset=utf-8", "evening.ics")


@file_route("text", PLAIN, "The evening in a few lines.")
def get_text(reader: Reader, session_id: str) -> Response:
    """Export the winners, the totals and the payments as a text for a chat.

    It contains no link to the session: the host makes a key to view for that.
    """
    return file_response(session_id, reader, "text", f"{PLAIN}; charset=utf-8", "text.txt")


@file_route("picture.png", PNG, "The evening as a picture.")
def get_picture(reader: Reader, session_id: str) -> Response:
    """Export the same as a picture for a chat, 1,080 pixels wide."""
    return file_response(session_id, reader, "png", PNG, "picture.png")


def file_response(session_id: str, reader: Reader, form: str, media: str, name: str) -> Response:
    """Return a file of a session in one form of the exports; no lock is held meanwhile.

    Players pass files on, so even the host's shows only hands that count. Only an archive, which
    contains the log, shows everything in the log.
    """
    holder = g.holder if form == "zip" else replace(g.holder, at_table=True)
    body, position = compute_from_session(
        session_id, holder, jobs.export_session, session_id, form, reader
    )
    what, _, kind = name.partition(".")
    return download(body, media, file_name(session_id, reader, f"-{what}", kind), position)


def file_name(session_id: str, reader: Reader, what: str, kind: str) -> str:
    """Return a file name: the session's dated title, then ``what``, and ``kind`` as its ending."""
    try:
        named = service().see(
            session_id, lambda session: session_filename(session, reader, session_id)
        )
    except NotInstalledError:
        named = session_id
    return f"{named}{what}.{kind}"


def download(body: bytes, media: str, name: str, position: Position) -> Response:
    """Return a file to download, with its name and the version of the session."""
    answer = with_version(Response(body, content_type=media), position)
    answer.headers["Content-Disposition"] = content_disposition(name)
    return answer
