"""What can be taken away of a session: its log, and tables for a spreadsheet."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Response, json

from scorekeeper.api.access import ANY, SESSION, opened, service
from scorekeeper.api.document import VERSION, Blueprint
from scorekeeper.api.reading import conditional, marked
from scorekeeper.exports import csv
from scorekeeper.store import Position

blueprint = Blueprint("exports", __name__, description="What can be taken away of a session.")

NDJSON: Final = "application/x-ndjson"
CSV: Final = "text/csv"
TEXT: Final = {"type": "string"}


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
