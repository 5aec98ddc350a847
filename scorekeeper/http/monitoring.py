"""What is seen of each request: a line in the log, a place in the figures, an id in both ends."""

import secrets
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from flask import Flask, Response, g, request
from werkzeug.wsgi import ClosingIterator

from scorekeeper.http.headers import unkept
from scorekeeper.operation import metrics, server_log

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

HEADER: Final = "X-Request-ID"
ID: Final = "scorekeeper.request_id"  # in the environment of a request
EVENT_STREAM: Final = "text/event-stream"
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def init_app(app: Flask, *, told: bool) -> None:
    """Log and count all requests, and tell the figures at ``/metrics`` if they are to be told.

    To be called before other rooms: what comes first here sees the answer last.
    """
    app.wsgi_app = Named(app.wsgi_app)  # type: ignore[method-assign]
    app.before_request(begin)
    app.after_request(tell)
    if told:
        app.add_url_rule("/metrics", "metrics", figures)


class Named:
    """Gives each request an id, which stands in all that is logged until its answer has ended."""

    def __init__(self, app: "WSGIApplication") -> None:
        self._app = app

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        environ[ID] = secrets.token_hex(8)
        server_log.bind_request_id(environ[ID])
        try:
            answer = self._app(environ, start_response)
        except BaseException:
            server_log.unbind_request_id()
            raise
        return ClosingIterator(answer, server_log.unbind_request_id)


def begin() -> None:
    """Note when the request came."""
    g.began = time.perf_counter()


def tell(response: Response) -> Response:
    """Log and count a request whose answer begins, and tell the client its id.

    A stream is counted until it ends.
    """
    response.headers[HEADER] = request.environ[ID]
    facts = method(), route(), response.status_code, seconds()
    server_log.log_request(*facts)
    metrics.count_request(*facts)
    if response.mimetype == EVENT_STREAM:
        metrics.STREAMS.inc()
        response.call_on_close(metrics.STREAMS.dec)
    return response


def figures() -> Response:
    """The figures of all processes, as Prometheus reads them."""
    return unkept(Response(metrics.render_metrics(), content_type=metrics.CONTENT_TYPE))


def seconds() -> float:
    """How long the request has taken so far."""
    return time.perf_counter() - float(g.began)


def route() -> str:
    """The template of the route that was asked for, such as ``/rules/<game>``; empty for none."""
    rule = request.url_rule
    return rule.rule if rule else ""


def method() -> str:
    """The method of the request, or ``other``: a client may make up as many as it likes."""
    method = request.method
    return method if method in METHODS else "other"
