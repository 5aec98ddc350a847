"""What browsers are told with every answer."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit, urlunsplit

from flask import Flask, Response

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

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
STRICT: Final = ("Strict-Transport-Security", f"max-age={A_YEAR}")
UNSHARED: Final = ("Cache-Control", "private, no-cache")


def init_app(app: Flask) -> None:
    """Put the headers on all that the application answers."""
    app.after_request(stay_here)
    app.wsgi_app = Guarded(app.wsgi_app)  # type: ignore[method-assign]


def always(*, secure: bool) -> dict[str, str]:
    """What browsers are told with every answer, also with those of the server itself."""
    return dict((*HEADERS.items(), *([STRICT] if secure else ()), UNSHARED))


class Guarded:
    """Puts what is ``always`` told on every answer."""

    def __init__(self, app: "WSGIApplication") -> None:
        self._app = app

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            more = always(secure=environ["wsgi.url_scheme"] == "https")
            if any(name.lower() == "cache-control" for name, _ in headers):
                del more[UNSHARED[0]]
            return start_response(status, [*headers, *more.items()], exc_info)

        return self._app(environ, start)


def stay_here(answer: Response) -> Response:
    """Send nobody to where a request says that we are: a way to a page of ours is a path."""
    if "Location" not in answer.headers:
        return answer
    where = urlsplit(answer.headers["Location"])
    if where.scheme or where.netloc:
        path = f"/{where.path.lstrip('/')}"
        answer.headers["Location"] = urlunsplit(("", "", path, where.query, where.fragment))
    return answer


def unkept(answer: Response) -> Response:
    """Let nobody keep an answer: it may hold a key, or say who sits where."""
    answer.headers["Cache-Control"] = "no-store"
    return answer
