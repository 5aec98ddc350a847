"""What is refused, as a page."""

from http import HTTPStatus

from flask import Response, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from scorekeeper.api.problems import PROBLEMS, code_of, detail_of, more_headers
from scorekeeper.errors import ScorekeeperError


def of_error(error: ScorekeeperError) -> Response:
    """The page for what this project refuses."""
    problem = PROBLEMS[error.code]
    page = _page(problem.status, problem.title, str(error), error.code)
    page.headers.update(more_headers(error))
    return page


def of_http(error: HTTPException) -> Response:
    """The page for a request that never got as far; redirections go on as they are."""
    status = error.code or 500
    code = code_of(status)
    title = PROBLEMS[code].title if code in PROBLEMS else error.name
    if status == HTTPStatus.BAD_REQUEST and error is request.routing_exception:
        # Nothing can be made of the host that was asked, so a page could have no links.
        return Response(
            f"{title}: {detail_of(error)}\n", status, content_type="text/plain; charset=utf-8"
        )
    page = _page(status, title, detail_of(error), code)
    for name, value in error.get_headers():
        if name.lower() not in ("content-type", "content-length"):
            page.headers.add(name, value)
    return page


def _page(status: int, title: str, said: str, code: str) -> Response:
    page = render_template("error.html", status=int(status), title=title, said=said, code=code)
    return make_response(page, int(status))
