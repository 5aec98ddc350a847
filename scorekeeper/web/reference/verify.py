"""``/verify``: whether a log is intact, and whether it has what a phone remembers of it."""

import json
import re
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, render_template, request
from flask_babel import gettext as _

from scorekeeper.answers import jobs
from scorekeeper.base.errors import NotALogError
from scorekeeper.http.answering import made_of_log
from scorekeeper.log.reading import Verdict
from scorekeeper.web.reference.score import Posted, posted_log

blueprint = Blueprint("verify", __name__, url_prefix="/verify")

LONGEST_HEAD: Final = 1000  # characters, as somebody writes its 64
BETWEEN: Final = re.compile(r"[\s·-]")
HEAD: Final = re.compile(r"[0-9a-f]{64}")
VERSION: Final = re.compile(r"[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Memory:
    """What somebody remembers of a log: how many events it had, and its last hash then."""

    version: str
    head: str

    @property
    def given(self) -> bool:
        """Whether anything was said."""
        return bool(self.version or self.head)

    @property
    def wrong(self) -> str:
        """What is wrong with how it was written; empty where nothing is."""
        if not self.given:
            return ""
        if not VERSION.fullmatch(self.version):
            return str(_("Type how many events there were, as a number."))
        if not HEAD.fullmatch(self.head):
            return str(_("The fingerprint has 64 figures and letters from a to f."))
        return ""

    def stands_in(self, log: bytes) -> bool:
        """Whether an intact log had this hash at that event."""
        lines = log.split(b"\n")
        place = int(self.version) - 1
        if not 0 <= place < len(lines) or not lines[place]:
            return False
        return bool(json.loads(lines[place])["hash"] == self.head)


@blueprint.get("")
def form() -> str:
    """Ask for a log."""
    return render_template("verify/form.html", memory=memory_of(request.args), wrong={})


@blueprint.post("")
def verify() -> str | tuple[str, int]:
    """Say whether the log that was posted is intact."""
    posted, memory = posted_log(), memory_of(request.form)
    wrong = {}
    if not posted.log.strip():
        wrong["log"] = _("No file or text received. Choose a file, or paste a log.")
    if memory.wrong:
        wrong["memory"] = memory.wrong
    if wrong:
        return render_template("verify/form.html", memory=memory, wrong=wrong), 422
    return verdict_page(posted, memory)


def verdict_page(posted: Posted, memory: Memory) -> str | tuple[str, int]:
    """The verdict in words."""
    try:
        verdict: Verdict | None = Verdict(**json.loads(made_of_log(jobs.verify_log, posted.log)))
    except NotALogError:
        verdict = None
    remembered = None
    if verdict is not None and verdict.ok and memory.given:
        remembered = memory.stands_in(posted.log)
    page = render_template(
        "verify/verdict.html", name=posted.name, verdict=verdict, memory=memory,
        remembered=remembered, line=line_of(posted.log, verdict),
    )  # fmt: skip
    return page if verdict is not None else (page, 422)


def line_of(log: bytes, verdict: Verdict | None) -> str:
    """The first bad line, as far as it is worth showing."""
    if verdict is None or verdict.first_bad_line is None:
        return ""
    lines = log.decode("utf-8", "replace").split("\n")
    place = verdict.first_bad_line - 1
    return lines[place][:500] if place < len(lines) else ""


def memory_of(said: Any) -> Memory:
    """What a form says of what was remembered, written with or without blanks."""
    head = said.get("head", "")[:LONGEST_HEAD]
    return Memory(said.get("version", "").strip(), BETWEEN.sub("", head).lower())
