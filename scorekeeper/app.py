"""``create_app``: the one place where the API and the pages are joined."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from flask import Flask, Response, jsonify, request
from flask.json.provider import DefaultJSONProvider
from jinja2 import StrictUndefined
from werkzeug.exceptions import HTTPException

from scorekeeper import api, web
from scorekeeper.api import problems
from scorekeeper.api.bodies import LARGEST, pass_over
from scorekeeper.errors import ScorekeeperError
from scorekeeper.resources import resource
from scorekeeper.web import refusals

# On every answer. Nothing is fetched from elsewhere, nothing in a page runs that is not a file.
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), screen-wake-lock=(self)",
    "X-Robots-Tag": "noindex",
}
A_YEAR: Final = 365 * 24 * 3600  # seconds

DEFAULTS: Final = {
    "MAX_CONTENT_LENGTH": LARGEST,
    "MAX_FORM_MEMORY_SIZE": LARGEST,  # a log may be pasted
    "TRUSTED_HOSTS": None,  # any: at a table the server is reached by an address
}


def create_app(config: Mapping[str, Any] | None = None) -> Flask:
    """The application.

    Settings come from ``DEFAULTS``, then from the environment (``SCOREKEEPER_TRUSTED_HOSTS``
    as JSON, and so on), then from ``config``.
    """
    app = Flask("scorekeeper", template_folder=str(resource("templates")))
    app.config.from_mapping(DEFAULTS)
    app.config.from_prefixed_env("SCOREKEEPER")
    app.config.update(config or {})
    _write_as_it_is(app)
    api.init_app(app)
    web.init_app(app)
    app.add_url_rule("/healthz", view_func=healthz)
    app.register_error_handler(ScorekeeperError, refuse)
    app.register_error_handler(HTTPException, refuse_http)
    app.after_request(secure)
    return app


def _write_as_it_is(app: Flask) -> None:
    """Let JSON keep its order (sides are in that of the seats), templates leave no blank lines."""
    provider = app.json
    if isinstance(provider, DefaultJSONProvider):
        provider.sort_keys, provider.ensure_ascii, provider.compact = False, False, True
    app.jinja_options = {"trim_blocks": True, "lstrip_blocks": True, "undefined": StrictUndefined}


def healthz() -> Response:
    """Whether the process is up."""
    return jsonify(status="ok")


def for_programs() -> bool:
    """Whether the request is one of the API, and not for a page."""
    return request.path.startswith("/api/")


def refuse(error: ScorekeeperError) -> Response:
    """The answer to what this project refuses, wherever it was found."""
    return problems.of_error(error) if for_programs() else refusals.of_error(error)


def refuse_http(error: HTTPException) -> Response:
    """The answer to a request that HTTP itself refuses, or that failed."""
    if error.code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        pass_over()
    return problems.of_http(error) if for_programs() else refusals.of_http(error)


def secure(response: Response) -> Response:
    """Put the headers of ``HEADERS`` on every answer."""
    response.headers.extend(HEADERS)
    if request.is_secure:
        response.headers["Strict-Transport-Security"] = f"max-age={A_YEAR}"
    if "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = "private, no-cache"
    return response
