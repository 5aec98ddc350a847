"""Monitoring of requests: a line in the log, metrics, and an id that the client gets, too."""

import secrets
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from flask import Flask, Response, g, request
from werkzeug.wsgi import ClosingIterator

from scorekeeper.http.headers import no_store
from scorekeeper.http.turns import is_postponed
from scorekeeper.operation import metrics, server_log

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

REQUEST_ID_HEADER: Final = "X-Request-ID"
REQUEST_ID_KEY: Final = "scorekeeper.request_id"  # in the environment of a request
EVENT_STREAM: Final = "text/event-stream"
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def init_app(app: Flask, *, with_metrics: bool) -> None:
    """Log and count all requests, and serve the metrics at ``/metrics`` if ``with_metrics``.

    Call it before other packages: Flask calls the first ``after_request`` function last, so that
    this one sees the final answer.
    """
    app.wsgi_app = RequestIdMiddleware(app.wsgi_app)  # type: ignore[method-assign]
    app.before_request(start_timer)
    app.after_request(record_request)
    if with_metrics:
        app.add_url_rule("/metrics", "metrics", metrics_answer)


class RequestIdMiddleware:
    """WSGI middleware that gives each request an id, which every log line about it contains."""

    def __init__(self, app: "WSGIApplication") -> None:
        self._app = app

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Give the request an id, and remove it from the log context when the answer is closed."""
        environ[REQUEST_ID_KEY] = secrets.token_hex(8)
        server_log.bind_request_id(environ[REQUEST_ID_KEY])
        try:
            answer = self._app(environ, start_response)
        except BaseException:
            server_log.unbind_request_id()
            raise
        return ClosingIterator(answer, server_log.unbind_request_id)


def start_timer() -> None:
    """Store the time at which the request began, in ``g.began``."""
    g.began = time.perf_counter()


def record_request(response: Response) -> Response:
    """Log and count a request when its answer begins, and send the client its id.

    An open stream is counted until it ends, and a postponed request when it begins again.
    """
    if is_postponed():
        return response
    response.headers[REQUEST_ID_HEADER] = request.environ[REQUEST_ID_KEY]
    facts = method_label(), route_template(), response.status_code, elapsed_seconds()
    server_log.log_request(*facts)
    metrics.count_request(*facts)
    if response.mimetype == EVENT_STREAM:
        metrics.STREAMS.inc()
        response.call_on_close(metrics.STREAMS.dec)
    return response


def metrics_answer() -> Response:
    """Return the answer at ``/metrics``: those of all processes in the format of Prometheus."""
    return no_store(Response(metrics.render_metrics(), content_type=metrics.CONTENT_TYPE))


def elapsed_seconds() -> float:
    """Return the seconds since `start_timer`."""
    return time.perf_counter() - float(g.began)


def route_template() -> str:
    """Return the template of the request's route, such as ``/rules/<game>``; empty for none."""
    rule = request.url_rule
    return rule.rule if rule else ""


def method_label() -> str:
    """Return the request's method for metrics, ``other`` for one that is not in ``METHODS``."""
    method = request.method
    return method if method in METHODS else "other"
