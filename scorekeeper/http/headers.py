"""The headers that every answer has."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit, urlunsplit

from flask import Flask, Response

from scorekeeper.base.origins import is_origin

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

# A public page runs no script and sends no form. Pages of other sites may frame it if the club
# allows their origins.
PUBLIC_POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors {}"
)
# The screen of a hall follows its tournament by a script.
HALL_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
# A page fetches nothing from other sites, and runs scripts only from files.
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
SECONDS_PER_YEAR: Final = 365 * 24 * 3600  # seconds
STRICT: Final = ("Strict-Transport-Security", f"max-age={SECONDS_PER_YEAR}")
# Headers of ours that an answer may have set itself.
OWN: Final = frozenset({"cache-control", "content-security-policy"})
PRIVATE_CACHE: Final = ("Cache-Control", "private, no-cache")


def init_app(app: Flask) -> None:
    """Add the headers to every answer of the application."""
    app.after_request(strip_origin)
    app.wsgi_app = HeadersMiddleware(app.wsgi_app)  # type: ignore[method-assign]


def common_headers(*, secure: bool) -> dict[str, str]:
    """Return the headers of every answer, including those that the server itself sends.

    ``secure`` is whether the request came by https; then they include Strict-Transport-Security.
    """
    return dict((*HEADERS.items(), *([STRICT] if secure else ()), PRIVATE_CACHE))


class HeadersMiddleware:
    """WSGI middleware that adds the common headers to every answer."""

    def __init__(self, app: "WSGIApplication") -> None:
        self._app = app

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Answer the request with the common headers; those that it has of ``OWN`` stay."""

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            more = common_headers(secure=environ["wsgi.url_scheme"] == "https")
            own = OWN.intersection(name.lower() for name, _ in headers)
            added = ((name, value) for name, value in more.items() if name.lower() not in own)
            return start_response(status, [*headers, *added], exc_info)

        return self._app(environ, start)


def strip_origin(answer: Response) -> Response:
    """Reduce the Location of a redirect to a path: a request's Host header is not trusted."""
    if "Location" not in answer.headers:
        return answer
    target = urlsplit(answer.headers["Location"])
    if target.scheme or target.netloc:
        path = f"/{target.path.lstrip('/')}"
        answer.headers["Location"] = urlunsplit(("", "", path, target.query, target.fragment))
    return answer


def allow_frames(answer: Response, parents: str) -> Response:
    """Let pages of these origins, separated by spaces, show a public page in a frame.

    Whatever else is among them is left out, since it could change the policy.
    """
    origins = " ".join(filter(is_origin, parents.split(" ")))
    answer.headers["Content-Security-Policy"] = PUBLIC_POLICY.format(origins or "'none'")
    return answer


def no_store(answer: Response) -> Response:
    """Forbid browsers and proxies to store an answer: it may contain a key or a seat."""
    answer.headers["Cache-Control"] = "no-store"
    return answer
