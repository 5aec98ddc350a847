"""The service worker, with which a phone opens its last table without a network."""

from flask import Blueprint, Response, current_app

blueprint = Blueprint("offline", __name__)


@blueprint.get("/sw.js")
def worker() -> Response:
    """Return the service worker, at the root so that its scope includes the pages of tables."""
    answer = current_app.send_static_file("sw.js")
    answer.headers["Cache-Control"] = "no-cache"
    return answer
