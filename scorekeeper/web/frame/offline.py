"""What lets a phone open its last table without a network: the service worker."""

from flask import Blueprint, Response, current_app

blueprint = Blueprint("offline", __name__)


@blueprint.get("/sw.js")
def worker() -> Response:
    """The service worker, at the root so that it may speak for the pages of the table."""
    answer = current_app.send_static_file("sw.js")
    answer.headers["Cache-Control"] = "no-cache"
    return answer
