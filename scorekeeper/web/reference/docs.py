"""The description of the API as a page, rendered from the OpenAPI document itself."""

from typing import Any

from flask import Blueprint, Response, current_app, redirect, render_template, url_for

from scorekeeper.api.document import ProblemApi
from scorekeeper.api.problems import PROBLEMS

blueprint = Blueprint("docs", __name__)


@blueprint.get("/api/docs")
def page() -> str:
    """Print the API."""
    return render_template("docs/api.html", spec=document(), problems=PROBLEMS)


@blueprint.get("/api")
def to_page() -> Response:
    """Go to the page."""
    return redirect(url_for("docs.page"))  # type: ignore[return-value]  # werkzeug's own class


def document() -> dict[str, Any]:
    """The OpenAPI document of the application."""
    api: ProblemApi = current_app.extensions["flask-smorest"]["apis"][""]["ext_obj"]
    return api.document()
