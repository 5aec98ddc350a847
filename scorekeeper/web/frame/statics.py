"""Static files under addresses that change with their contents, so that browsers cache them.

Style sheets are sent without their comments and indentation.
"""

import hashlib
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, current_app, request, url_for

from scorekeeper.web.frame.styles import strip_style

MAX_CACHED_PATHS: Final = 64  # cached addresses, and paths
FOR_GOOD: Final = "public, max-age=31536000, immutable"  # for addresses with a version


def init_app(app: Flask) -> None:
    """Add a version to the addresses of static files, and let browsers cache these for a year."""
    app.view_functions["static"] = _send_static
    app.url_defaults(_with_version)
    app.after_request(_allow_caching)


def static_url(name: str) -> str:
    """Return the address of a static file that every table page needs."""
    return _cached_url(request.root_path, name, _modification_ns(name))


@lru_cache(MAX_CACHED_PATHS)
def _cached_url(root: str, name: str, changed: int) -> str:
    """Return the address of a static file; `root` and `changed` are part of the cache key only."""
    return url_for("static", filename=name)


def _with_version(endpoint: str, values: dict[str, Any]) -> None:
    """Add the file's version to the values of a static address."""
    if endpoint == "static" and "v" not in values:
        values["v"] = _file_fingerprint(
            _static_path(values["filename"]), _modification_ns(values["filename"])
        )


def _static_path(name: str) -> Path:
    """Return the path of a static file."""
    return _within(current_app.static_folder or "", name)


_within: Final = lru_cache(MAX_CACHED_PATHS)(Path)


def _modification_ns(name: str) -> int:
    """Return a file's modification time in ns, so that a running server sees an edit."""
    return _static_path(name).stat().st_mtime_ns


@cache
def _style_names(folder: Path) -> frozenset[str]:
    """Return the names of the style sheets in a folder."""
    return frozenset(path.name for path in folder.glob("*.css"))


def _send_static(filename: str) -> Response:
    """Return a static file; a style sheet as it is sent to browsers."""
    if filename not in _style_names(_static_path("")):
        return current_app.send_static_file(filename)
    path, changed = _static_path(filename), _modification_ns(filename)
    answer = Response(_sent_style(path, changed), content_type="text/css; charset=utf-8")
    answer.headers["Cache-Control"] = "no-cache"
    answer.set_etag(_file_fingerprint(path, changed))
    answer.make_conditional(request, accept_ranges=True, complete_length=answer.content_length)
    return answer


@cache
def _sent_style(path: Path, changed: int) -> bytes:
    """Return a style sheet as it is sent; `changed` is part of the cache key only."""
    return strip_style(path.read_text(encoding="utf-8")).encode()


@cache
def _file_fingerprint(path: Path, changed: int) -> str:
    """Return the first 12 hex digits of the SHA-256 of a file as it is sent.

    `changed` is part of the cache key only.
    """
    is_style = path.name in _style_names(path.parent)
    content = _sent_style(path, changed) if is_style else path.read_bytes()
    return hashlib.sha256(content).hexdigest()[:12]


def _allow_caching(response: Response) -> Response:
    """Let browsers keep a static file for a year if its address has a version."""
    if request.endpoint == "static" and request.args.get("v") and response.status_code == 200:
        response.headers["Cache-Control"] = FOR_GOOD
    return response
