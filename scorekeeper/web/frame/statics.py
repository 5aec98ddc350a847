"""Static files under addresses that change with their contents, so that browsers cache them."""

import hashlib
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, current_app, request, url_for

MAX_CACHED_PATHS: Final = 64  # cached addresses, and paths
FOR_GOOD: Final = "public, max-age=31536000, immutable"  # for addresses with a version


def init_app(app: Flask) -> None:
    """Add a version to the addresses of static files, and let browsers cache these for a year."""
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
def _file_fingerprint(path: Path, changed: int) -> str:
    """Return the first 12 hex digits of a file's SHA-256.

    `changed` is part of the cache key only.
    """
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def _allow_caching(response: Response) -> Response:
    """Let browsers keep a static file for a year if its address has a version."""
    if request.endpoint == "static" and request.args.get("v") and response.status_code == 200:
        response.headers["Cache-Control"] = FOR_GOOD
    return response
