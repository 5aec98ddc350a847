"""The description of the API as a page, rendered from the OpenAPI document itself."""

from flask import Blueprint, Response, redirect, render_template, url_for

from scorekeeper.http.extensions import openapi
from scorekeeper.http.problems import PROBLEMS

blueprint = Blueprint("docs", __name__)


@blueprint.get("/api/docs")
def page() -> str:
    """Show the API."""
    return render_template("docs/api.html", spec=openapi(), problems=PROBLEMS)


@blueprint.get("/api")
def to_page() -> Response:
    """Redirect to the page."""
    return redirect(url_for("docs.page"))  # type: ignore[return-value]  # werkzeug's own class
