"""``/verify``: whether a log is intact, and whether it contains a remembered head."""

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, render_template, request
from flask_babel import gettext as _

from scorekeeper.answers import jobs
from scorekeeper.base.errors import NotALogError
from scorekeeper.http.answering import compute_from_log
from scorekeeper.log.reading import Verdict
from scorekeeper.web.reference.score import Posted, posted_log

blueprint = Blueprint("verify", __name__, url_prefix="/verify")

LONGEST_HEAD: Final = 1000  # typed characters, with separators between the 64 digits
BETWEEN: Final = re.compile(r"[\s·-]")
HEAD: Final = re.compile(r"[0-9a-f]{64}")
VERSION: Final = re.compile(r"[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Memory:
    """A remembered position of a log: its number of events, and its last hash."""

    version: str
    head: str

    @property
    def given(self) -> bool:
        """Whether a version or a head was entered."""
        return bool(self.version or self.head)

    @property
    def wrong(self) -> str:
        """The error in the entered values; empty if they are valid, or if none were entered."""
        if not self.given:
            return ""
        if not VERSION.fullmatch(self.version):
            return str(_("Type how many events there were, as a number."))
        if not HEAD.fullmatch(self.head):
            return str(_("The fingerprint has 64 figures and letters from a to f."))
        return ""

    def stands_in(self, log: bytes) -> bool:
        """Return whether an intact log has this hash at that event."""
        lines = log.split(b"\n")
        place = int(self.version) - 1
        if not 0 <= place < len(lines) or not lines[place]:
            return False
        return bool(json.loads(lines[place])["hash"] == self.head)


@blueprint.get("")
def form() -> str:
    """Ask for a log."""
    return render_template("verify/form.html", memory=read_memory(request.args), wrong={})


@blueprint.post("")
def verify() -> str | tuple[str, int]:
    """Show whether the posted log is intact."""
    posted, memory = posted_log(), read_memory(request.form)
    wrong = {}
    if not posted.log.strip():
        wrong["log"] = _("No file or text received. Choose a file, or paste a log.")
    if memory.wrong:
        wrong["memory"] = memory.wrong
    if wrong:
        return render_template("verify/form.html", memory=memory, wrong=wrong), 422
    return render_verdict(posted, memory)


def render_verdict(posted: Posted, memory: Memory) -> str | tuple[str, int]:
    """Return the page with the verdict on a log; with status 422 if it is no log."""
    try:
        verdict: Verdict | None = Verdict(
            **json.loads(compute_from_log(jobs.verify_log, posted.log))
        )
    except NotALogError:
        verdict = None
    remembered = None
    if verdict is not None and verdict.ok and memory.given:
        remembered = memory.stands_in(posted.log)
    page = render_template(
        "verify/verdict.html", name=posted.name, verdict=verdict, memory=memory,
        remembered=remembered, line=first_bad_line(posted.log, verdict),
    )  # fmt: skip
    return page if verdict is not None else (page, 422)


def first_bad_line(log: bytes, verdict: Verdict | None) -> str:
    """Return the text of the first line that does not verify, cut to 500 characters, else empty."""
    if verdict is None or verdict.first_bad_line is None:
        return ""
    lines = log.decode("utf-8", "replace").split("\n")
    place = verdict.first_bad_line - 1
    return lines[place][:500] if place < len(lines) else ""


def read_memory(form: Any) -> Memory:
    """Return the remembered version and head in a form; separators in the head are removed."""
    head = form.get("head", "")[:LONGEST_HEAD]
    return Memory(form.get("version", "").strip(), BETWEEN.sub("", head).lower())
