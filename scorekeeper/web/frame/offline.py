"""What lets a phone go on without a network: the scripts of the table, and its service worker."""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Response, current_app, request, url_for

blueprint = Blueprint("offline", __name__)

# In the order in which they begin. They are one module, fetched as one file: each request costs a
# phone more than the bytes that it is for.
SCRIPTS: Final = (
    "announce.js", "clock.js", "closed.js", "strip.js", "outbox.js", "waiting.js", "conflict.js",
    "live.js", "phone.js", "table.js",
)  # fmt: skip
FOR_GOOD: Final = "public, max-age=31536000, immutable"


@blueprint.get("/sw.js")
def worker() -> Response:
    """The service worker, at the root so that it may speak for the pages of the table."""
    answer = current_app.send_static_file("sw.js")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@blueprint.get("/static/joined/table.js")
def scripts() -> Response:
    """The scripts of the table, joined."""
    answer = Response(_now(), content_type="text/javascript; charset=utf-8")
    answer.headers["Cache-Control"] = FOR_GOOD if request.args.get("v") else "no-cache"
    answer.set_etag(_fingerprint(_now()))
    answer.make_conditional(request)
    return answer


@blueprint.app_context_processor
def known() -> dict[str, Any]:
    """What templates may ask for: the address of the scripts, which changes with their contents."""
    return {"table_scripts": lambda: url_for("offline.scripts", v=_fingerprint(_now()))}


def _now() -> bytes:
    folder = Path(current_app.static_folder or "")
    return _joined(tuple((folder / name, (folder / name).stat().st_mtime_ns) for name in SCRIPTS))


@cache
def _joined(files: tuple[tuple[Path, int], ...]) -> bytes:
    """The files as one; with when they changed, so that a running server sees an edit."""
    return b"\n".join(path.read_bytes() for path, _ in files)


@cache
def _fingerprint(content: bytes) -> str:
    return sha256(content).hexdigest()[:12]
