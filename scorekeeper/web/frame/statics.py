"""Static files under addresses that change with their contents, so that they can be kept."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask, Response, current_app, request


def init_app(app: Flask) -> None:
    """Put a version into the addresses of static files, and let these be kept for long."""
    app.url_defaults(_with_version)
    app.after_request(_keep)


def _with_version(endpoint: str, values: dict[str, Any]) -> None:
    if endpoint == "static" and "v" not in values:
        path = Path(current_app.static_folder or "") / str(values["filename"])
        values["v"] = _version(path, path.stat().st_mtime_ns)


@cache
def _version(path: Path, changed: int) -> str:
    """A fingerprint of a file; ``changed`` so that a running server sees an edit."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def _keep(response: Response) -> Response:
    if request.endpoint == "static" and request.args.get("v") and response.status_code == 200:
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response
