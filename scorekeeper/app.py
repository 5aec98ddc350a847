"""``create_app``: the one place where the store, the service, the API and the pages are joined."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from flask import Flask, Response, request
from flask.json.provider import DefaultJSONProvider
from flask.typing import ResponseReturnValue
from flask_compress import Compress
from jinja2 import StrictUndefined
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix

from scorekeeper import api, web
from scorekeeper.answers.answers import Answers
from scorekeeper.answers.helper import helper
from scorekeeper.base.errors import ScorekeeperError
from scorekeeper.base.pacing import WaitLimits
from scorekeeper.base.paths import resource
from scorekeeper.config import Settings, read_settings
from scorekeeper.games import GAMES
from scorekeeper.http import csrf, headers, health, monitoring, problems, turns
from scorekeeper.http.bodies import LARGEST, BoundedRequest
from scorekeeper.http.rates import A_MINUTE, Rates
from scorekeeper.live.event_streams import Streams
from scorekeeper.live.notifier import Notifier
from scorekeeper.operation import metrics
from scorekeeper.operation.reach import public_address
from scorekeeper.service import Clubs, Holder, Quorum, Service
from scorekeeper.service.room import Room
from scorekeeper.service.service import Admit
from scorekeeper.service.shared import Shared
from scorekeeper.store import Store, open_store
from scorekeeper.web.frame import refusals
from scorekeeper.web.frame.templates import COMPILED

# What is compressed for browsers that can read that: text, but no event stream, which never ends.
COMPRESSED: Final = [
    "text/html", "text/css", "text/csv", "text/javascript", "text/x-python", "text/calendar",
    "image/svg+xml", "application/json", "application/problem+json", "application/x-ndjson",
    "application/manifest+json",
]  # fmt: skip

SHORTEST: Final = 500  # bytes; less is hardly sent in fewer


class App(Flask):
    """A Flask of plain functions: it need not find out of each, at each request, if it is async."""

    request_class = BoundedRequest

    def dispatch_request(self) -> ResponseReturnValue:
        """Answer a request; a game that fails in it is reported as a game that is missing."""
        with GAMES.missing_where_they_fail():
            return super().dispatch_request()

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        return func


def create_app(settings: Settings | None = None, store: Store | None = None) -> Flask:
    """The application, on the store that the settings name unless one is given.

    Settings that are not given are read from the environment. Connects to nothing yet.
    """
    settings = settings or read_settings()
    store = metrics.with_metrics(store or opened(settings))
    app = App("scorekeeper", template_folder=str(resource("templates")))
    _configure(app, settings)
    _join_services(app, store, settings)
    _write_as_it_is(app)
    _compress(app)
    monitoring.init_app(app, told=settings.metrics)
    health.init_app(app, store)
    csrf.init_app(app)
    headers.init_app(app)
    turns.init_app(app, late=settings.threads_for_late)
    api.init_app(app)
    web.init_app(app)
    app.register_error_handler(ScorekeeperError, refuse)
    app.register_error_handler(HTTPException, refuse_http)
    if settings.proxies:
        n = settings.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=n, x_proto=n, x_host=n)  # type: ignore[method-assign]
    return app


def _configure(app: Flask, settings: Settings) -> None:
    app.config.update(
        MAX_CONTENT_LENGTH=LARGEST,
        MAX_FORM_MEMORY_SIZE=LARGEST,  # a log may be pasted
        TRUSTED_HOSTS=settings.hosts,  # None is any: at a table it is reached by an address
        PUBLIC_URL=settings.public_url,
        PROXIES=settings.proxies,
        ADDRESS=lambda: public_address(settings),  # which may change while the service runs
        SESSION_COOKIE_SECURE=settings.secure,
        CONNECTIONS_AN_ADDRESS=None if settings.proxies else settings.connections_an_address,
        SESSIONS_AN_HOUR=settings.sessions_an_hour,
        FAILED_KEYS_AN_HOUR=settings.failed_keys_an_hour,
        COMPUTATIONS_AN_HOUR=settings.computations_an_hour,
        IMPORTED_AN_HOUR=settings.imported_megabytes_an_hour << 20,
    )


def _join_services(app: Flask, store: Store, settings: Settings) -> None:
    """What the views use, as extensions of the application: on one store, within one's means."""
    rates, notifier, shared = Rates(), Notifier(store), Shared()
    room = Room(settings.session_events, settings.session_megabytes << 20)
    admit = admitting(rates, settings)
    quorum = Quorum(settings.correction_minutes, settings.correction_quorum)
    limits = WaitLimits(settings.threads_for_late, before_wait=turns.give_up_own_turn)
    service = Service(
        store, notifier.notify, quorum=quorum, admit=admit, room=room, shared=shared, limits=limits
    )
    app.extensions.update(
        rates=rates,
        notifier=notifier,
        streams=Streams(notifier, settings.most_streams),
        answers=Answers(
            helper(),
            settings.answer_seconds,
            settings.answer_megabytes << 20,
            settings.threads // 4,
            shared,
        ),
        service=service,
        clubs=Clubs(service, notifier.notify, admit, room),
    )


def opened(settings: Settings) -> Store:
    """The store that the settings name."""
    return open_store(
        settings.store_url,
        seconds=settings.database_seconds,
        threads=settings.threads_for_database,
    )


def admitting(rates: Rates, settings: Settings) -> Admit:
    """Who may record how much: by key first, so that one flood keeps no others, then by session."""

    def admit(session_id: str, holder: Holder, events: int) -> None:
        if holder.key is not None:
            rates.refuse("events by key", holder.key.id, settings.key_events_a_minute, A_MINUTE,
                         events)  # fmt: skip
        rates.refuse("events in session", session_id, settings.session_events_a_minute, A_MINUTE,
                     events)  # fmt: skip

    return admit


def _write_as_it_is(app: Flask) -> None:
    """Let JSON keep its order (sides are in that of the seats), templates leave no blank lines."""
    provider = app.json
    if isinstance(provider, DefaultJSONProvider):
        provider.sort_keys, provider.ensure_ascii, provider.compact = False, False, True
    blanks = {"trim_blocks": True, "lstrip_blocks": True}
    others = {"undefined": StrictUndefined, "bytecode_cache": COMPILED}
    app.jinja_options = {**app.jinja_options, **blanks, **others}


def _compress(app: Flask) -> None:
    """Send text in fewer bytes.

    An ETag stays what it was: it tells the version of a session, in whatever bytes. What holds a
    key is sent as it is, since the length of what is compressed tells of what is in it.
    """
    app.config.update(
        COMPRESS_MIMETYPES=COMPRESSED,
        COMPRESS_ALGORITHM=["br", "gzip"],
        COMPRESS_ALGORITHM_STREAMING=["br", "gzip"],
        COMPRESS_EVALUATE_CONDITIONAL_REQUEST=False,
        COMPRESS_BR_LEVEL=5,  # a tenth fewer bytes than 4, for a tenth of a millisecond a page
        COMPRESS_MIN_SIZE=SHORTEST,
        COMPRESS_REGISTER=False,
    )
    compress = Compress(app)

    @app.after_request
    def compressed(answer: Response) -> Response:
        if not _is_worth_it(answer) or answer.cache_control.no_store:
            return answer
        etag, sent = answer.headers.get("ETag"), answer.response
        answer = compress.after_request(answer)
        if hasattr(sent, "close"):
            answer.call_on_close(sent.close)  # a file, which is read through something else now
        if etag is not None:
            answer.headers["ETag"] = etag
        return answer


def _is_worth_it(answer: Response) -> bool:
    """Whether an answer is a whole one of some length, or of one that nobody knows."""
    if answer.status_code not in (HTTPStatus.OK, HTTPStatus.CREATED):
        return False
    length = answer.headers.get("Content-Length", type=int)
    return length is None or length >= SHORTEST


def for_programs() -> bool:
    """Whether the request comes from a program, and is not for a page."""
    return request.path.startswith("/api/") or request.path in health.PATHS


def refuse(error: ScorekeeperError) -> Response:
    """The answer to what this project refuses, wherever it was found."""
    return problems.of_error(error) if for_programs() else refusals.of_error(error)


def refuse_http(error: HTTPException) -> Response:
    """The answer to a request that HTTP itself refuses, or that failed."""
    return problems.of_http(error) if for_programs() else refusals.of_http(error)
