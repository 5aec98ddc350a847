"""Score a posted log and show its sheet; nothing is stored."""

import io
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from flask import Blueprint, current_app, render_template, request

from scorekeeper.base.errors import UnusableError
from scorekeeper.http.bodies import MAX_LOG_BYTES, refuse_cut
from scorekeeper.http.limits import refuse_many_logs
from scorekeeper.session.session import Session
from scorekeeper.web.review.scored_log import build_scored_log
from scorekeeper.web.wording.refused import message_for_log

blueprint = Blueprint("score", __name__, url_prefix="/score")

SHOWN_AROUND: Final = 2  # lines before and after the bad line
LONGEST_SHOWN: Final = 2000  # characters of a line
LONGEST_AGAIN: Final = 256 << 10  # bytes that are repeated in the form, to be fixed


@dataclass(frozen=True, slots=True)
class Posted:
    """A posted log: its bytes, and the name of the file, empty if it was pasted."""

    log: bytes
    name: str = ""


@blueprint.get("")
def form() -> str:
    """Ask for a log."""
    return render_template("score/form.html", missing=False, text="")


@blueprint.post("")
def sheet() -> str | tuple[str, int]:
    """Score the posted log."""
    posted = posted_log()
    if not posted.log.strip():
        return render_template("score/form.html", missing=True, text=""), 422
    return score_or_explain(posted)


@blueprint.get("/example")
def example() -> str | tuple[str, int]:
    """Score the log of an evening in which nothing is wrong."""
    return score_included_log("example.jsonl")


@blueprint.get("/mistake")
def mistake() -> str | tuple[str, int]:
    """Score the log of an evening with a mistake, a dispute and a correction."""
    return score_included_log("mistake.jsonl")


def score_included_log(name: str) -> str | tuple[str, int]:
    """Return the score sheet of a log that comes with the program."""
    path = Path(current_app.static_folder or "") / name
    return score_or_explain(Posted(path.read_bytes(), name))


def posted_log() -> Posted:
    """Return the uploaded file of the request, or else its pasted text as a log."""
    refuse_cut(request.get_data())
    file = request.files.get("log")
    if file is not None and file.filename:
        with closing(file):
            return Posted(file.stream.read(), file.filename)
    # A form sends lines with CR LF, and pasted text may lack the last line feed.
    pasted = request.form.get("text", "").replace("\r\n", "\n").replace("\r", "\n")
    return Posted((pasted if pasted.endswith("\n") else pasted + "\n").encode())


def score_or_explain(posted: Posted) -> str | tuple[str, int]:
    """Return the score sheet of a log; or the page with its error, and status 422."""
    refuse_many_logs()
    try:
        session = Session.read(io.BytesIO(posted.log), MAX_LOG_BYTES)
    except UnusableError as error:
        return render_unusable(posted, error), 422
    return render_template("score/sheet.html", result=build_scored_log(session), name=posted.name)


# ---------------------------------------------------------------------------------- unusable


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of a log near the bad one; ``before``, ``marked`` and ``after`` are its parts."""

    number: int
    before: str
    marked: str
    after: str
    at_fault: bool
    cut: bool


def render_unusable(posted: Posted, error: UnusableError) -> str:
    """Return the page that shows the error of a log and the lines around it."""
    lines = posted.log.decode("utf-8", "replace").removesuffix("\n").split("\n")
    at = (error.line or 1) - 1
    shown = [
        _shown_line(number, line, error.field if number == at else "", at_fault=number == at)
        for number, line in enumerate(lines[: at + SHOWN_AROUND + 1])
        if number >= at - SHOWN_AROUND
    ]
    return render_template(
        "score/unusable.html",
        error=error,
        why=message_for_log(error),
        lines=shown,
        name=posted.name,
        text=_text_to_fix(posted),
    )


def _shown_line(number: int, line: str, field: str, *, at_fault: bool) -> ShownLine:
    """Return a line of a log with the name of `field` marked in it, cut if it is long.

    `number` counts lines from 0; `field` is empty for lines without an error.
    """
    visible = line[:LONGEST_SHOWN].translate(VISIBLE)
    start, end = _span_of(visible, field)
    return ShownLine(
        number + 1, visible[:start], visible[start:end], visible[end:], at_fault,
        cut=len(line) > LONGEST_SHOWN,
    )  # fmt: skip


# Control characters, by the symbols that represent them.
VISIBLE: Final = {code: 0x2400 + code for code in range(0x20) if code != 0x09} | {0x7F: 0x2421}


def _span_of(line: str, field: str) -> tuple[int, int]:
    """Return the span of the last name of a field's path in a line; an empty one if not found."""
    for name in reversed(field.split(".")):
        start = line.find(f'"{name}"') if name and not name.isdigit() else -1
        if start >= 0:
            return start, start + len(name) + 2
    return 0, 0


def _text_to_fix(posted: Posted) -> str:
    """Return the log as text, to be fixed in the form; empty if it is too long or not text."""
    if len(posted.log) > LONGEST_AGAIN:
        return ""
    try:
        text = posted.log.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    return "" if any(ord(char) in VISIBLE and char not in "\r\n" for char in text) else text
