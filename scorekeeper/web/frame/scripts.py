"""Groups of scripts that work together on a page, each served as one file."""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Response, abort, current_app, request, url_for

from scorekeeper.web.frame.statics import FOR_GOOD

blueprint = Blueprint("scripts", __name__)

# The files of each group, in the order in which they run. One request is cheaper for a phone than
# several small ones.
JOINED: Final = {
    "table": (
        "twice.js", "announce.js", "speech.js", "ear.js", "clock.js", "closed.js", "strip.js",
        "outbox.js", "waiting.js", "conflict.js", "live.js", "phone.js", "table.js",
    ),
    "follow": ("listening.js", "follow.js"),
    "club": ("listening.js", "club.js"),
    "direct": ("listening.js", "club.js", "direct.js"),
    "seat": ("listening.js", "seat.js"),
}  # fmt: skip


@blueprint.get("/static/joined/<group>.js")
def joined(group: str) -> Response:
    """Return the scripts of a group, joined."""
    if group not in JOINED:
        abort(404)
    content = _group_content(group)
    answer = Response(content, content_type="text/javascript; charset=utf-8")
    answer.headers["Cache-Control"] = FOR_GOOD if request.args.get("v") else "no-cache"
    answer.set_etag(_fingerprint(content))
    answer.make_conditional(request)
    return answer


@blueprint.app_context_processor
def scripts_for_templates() -> dict[str, Any]:
    """Return the template function that gives the address of a group of scripts."""
    return {"scripts": script_group_url}


def script_group_url(group: str) -> str:
    """Return the address of a group of scripts, with its present version."""
    return url_for("scripts.joined", group=group, v=_fingerprint(_group_content(group)))


def _group_content(group: str) -> bytes:
    """Return the present files of a group, joined."""
    folder = Path(current_app.static_folder or "")
    return _join_files(
        tuple((folder / name, (folder / name).stat().st_mtime_ns) for name in JOINED[group])
    )


@cache
def _join_files(files: tuple[tuple[Path, int], ...]) -> bytes:
    """Return the files as one; the modification times make a running server see an edit."""
    return b"\n".join(path.read_bytes() for path, _ in files)


@cache
def _fingerprint(content: bytes) -> str:
    """Return the first 12 hex digits of the SHA-256 of a content."""
    return sha256(content).hexdigest()[:12]
