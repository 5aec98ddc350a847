"""``create_app``: connects the store, the service, the API and the pages."""

from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from flask import Flask, Response, request, url_for
from flask.json.provider import DefaultJSONProvider
from flask.typing import ResponseReturnValue
from flask_compress import Compress, DictCache
from jinja2 import StrictUndefined
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix

from scorekeeper import api, web
from scorekeeper.answers.answers import Answers
from scorekeeper.answers.helper import helpers
from scorekeeper.base.errors import ScorekeeperError
from scorekeeper.base.pacing import WaitLimits
from scorekeeper.base.paths import resource
from scorekeeper.config import Settings, read_settings
from scorekeeper.demo.demos import DEMO_CAPACITY, Demos, StoreServices
from scorekeeper.games import GAMES
from scorekeeper.http import csrf, headers, health, monitoring, problems, public_pages, turns
from scorekeeper.http.bodies import MAX_LOG_BYTES, BoundedRequest, drop_routing_error
from scorekeeper.http.rates import SECONDS_PER_MINUTE, Rates
from scorekeeper.live.event_streams import Streams
from scorekeeper.live.notifier import Notifier
from scorekeeper.live.slots import StreamSlots
from scorekeeper.operation import metrics
from scorekeeper.operation.reach import public_address
from scorekeeper.service import Clubs, Holder, Quorum, Service, Tournaments
from scorekeeper.service.shared import SharedCache
from scorekeeper.store import Store, open_store
from scorekeeper.streams.room import LogCapacity
from scorekeeper.streams.stream_service import Notify, RateCheck
from scorekeeper.web.frame import refusals
from scorekeeper.web.frame.templates import TemplateCache

# Text is compressed, except event streams: compression would buffer their events.
COMPRESSED_TYPES: Final = [
    "text/html", "text/css", "text/csv", "text/javascript", "text/x-python", "text/calendar",
    "image/svg+xml", "application/json", "application/problem+json", "application/x-ndjson",
    "application/manifest+json",
]  # fmt: skip

MIN_COMPRESSED_BYTES: Final = 500  # a shorter answer gains little
STYLE_LEVEL: Final = 10  # of Brotli: a twentieth of a second, and 6 % fewer bytes than 5


class App(Flask):
    """A Flask application whose views are plain functions, which saves a check at each request."""

    request_class = BoundedRequest

    def dispatch_request(self) -> ResponseReturnValue:
        """Answer a request, and count its computing as a whole.

        A game that fails in it is reported as a game that is missing.
        """
        with self.extensions["service"].limits.paced(), GAMES.failures_as_not_installed():
            return super().dispatch_request()

    def ensure_sync(self, func: Callable[..., object]) -> Callable[..., object]:
        return func


def create_app(settings: Settings | None = None, store: Store | None = None) -> Flask:
    """Return the application. It does not connect to the database yet.

    Without ``settings`` they are read from the environment; without ``store`` the one that the
    settings name is opened.
    """
    settings = settings or read_settings()
    store = metrics.with_metrics(store or open_configured_store(settings))
    app = App("scorekeeper", template_folder=str(resource("templates")))
    _set_flask_config(app, settings)
    request_turns = turns.RequestTurns(max_long_waits=settings.threads_for_late)
    _join_services(app, store, settings, WaitLimits(request_turns))
    _configure_output(app, settings.data_dir)
    _compress_answers(app)
    monitoring.init_app(app, with_metrics=settings.metrics)
    health.init_app(app, store)
    csrf.init_app(app)
    public_pages.init_app(app)
    headers.init_app(app)
    turns.init_app(app, request_turns)
    api.init_app(app)
    web.init_app(app)
    app.teardown_request(drop_routing_error)
    app.register_error_handler(ScorekeeperError, answer_error)
    app.register_error_handler(HTTPException, answer_http_error)
    if settings.proxies:
        n = settings.proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=n, x_proto=n, x_host=n)  # type: ignore[method-assign]
    return app


def _set_flask_config(app: Flask, settings: Settings) -> None:
    """Set the configuration of the Flask app from the settings."""
    app.config.update(
        MAX_CONTENT_LENGTH=MAX_LOG_BYTES,
        MAX_FORM_MEMORY_SIZE=MAX_LOG_BYTES,  # a log may be pasted
        TRUSTED_HOSTS=settings.hosts,  # None is any: at a table it is reached by an address
        PUBLIC_URL=settings.public_url,
        SECURITY_CONTACT=settings.security_contact,
        PROXIES=settings.proxies,
        ADDRESS=lambda: public_address(settings),  # may change while the service runs
        SESSION_COOKIE_SECURE=settings.secure,
        CONNECTIONS_AN_ADDRESS=None if settings.proxies else settings.connections_an_address,
        SESSIONS_AN_HOUR=settings.sessions_an_hour,
        FAILED_KEYS_AN_HOUR=settings.failed_keys_an_hour,
        COMPUTATIONS_AN_HOUR=settings.computations_an_hour,
        IMPORTED_AN_HOUR=settings.imported_megabytes_an_hour << 20,
    )


def _join_services(app: Flask, store: Store, settings: Settings, limits: WaitLimits) -> None:
    """Create the services that the views use, with their limits, as extensions of the app."""
    rates, shared = Rates(), SharedCache()
    slots = StreamSlots(settings.most_streams)

    def make_services(
        store: Store, room: LogCapacity, also: Callable[[Notify], Notify] = lambda notify: notify
    ) -> StoreServices:
        notifier = Notifier(store)
        notify, admit = also(notifier.notify), make_rate_check(rates, settings)
        quorum = Quorum(settings.correction_minutes, settings.correction_quorum)
        service = Service(
            store, notify, quorum=quorum, admit=admit, room=room, shared=shared, limits=limits
        )
        clubs = Clubs(service, notifier.notify, admit, room)
        return StoreServices(service, clubs, notifier, Streams(notifier, slots))

    room = LogCapacity(settings.session_events, settings.session_megabytes << 20)
    real, admit = make_services(store, room), make_rate_check(rates, settings)
    demos = Demos(settings, lambda store, also: make_services(store, DEMO_CAPACITY, also))
    app.extensions.update(
        rates=rates,
        **real._asdict(),
        demos=demos if settings.demo_tables else None,
        answers=Answers(
            helpers(),
            settings.answer_seconds,
            settings.answer_megabytes << 20,
            settings.threads // 4,
            shared,
        ),
        tournaments=Tournaments(real.service, real.notifier.notify, admit, room),
    )


def open_configured_store(settings: Settings) -> Store:
    """Open the store that the settings name."""
    return open_store(
        settings.store_url,
        seconds=settings.database_seconds,
        threads=settings.threads_for_database,
    )


def make_rate_check(rates: Rates, settings: Settings) -> RateCheck:
    """Return a function that refuses events recorded too often, by key and then by session.

    The key comes first, so that a flood with one key does not use up the rate of its session.
    """

    def admit(session_id: str, holder: Holder, events: int) -> None:
        limits = [("events in session", session_id, settings.session_events_a_minute)]
        if holder.key is not None:
            limits.insert(0, ("events by key", holder.key.id, settings.key_events_a_minute))
        for kind, subject, most in limits:
            rates.refuse(kind, subject, most, SECONDS_PER_MINUTE, events)

    return admit


def _configure_output(app: Flask, data_dir: Path) -> None:
    """Keep the order of JSON members, which is that of seats, and drop blank lines of templates."""
    provider = app.json
    if isinstance(provider, DefaultJSONProvider):
        provider.sort_keys, provider.ensure_ascii, provider.compact = False, False, True
    blanks = {"trim_blocks": True, "lstrip_blocks": True}
    others = {"undefined": StrictUndefined, "bytecode_cache": TemplateCache(data_dir)}
    app.jinja_options = {**app.jinja_options, **blanks, **others}


def _compress_answers(app: Flask) -> None:
    """Compress text answers.

    An ETag names the version of a session and not its bytes, so it stays. An answer that contains a
    key is not compressed, because the compressed length reveals something about its content.
    """
    app.config.update(
        COMPRESS_MIMETYPES=COMPRESSED_TYPES,
        COMPRESS_ALGORITHM=["br", "gzip"],
        COMPRESS_ALGORITHM_STREAMING=["br", "gzip"],
        COMPRESS_EVALUATE_CONDITIONAL_REQUEST=False,
        COMPRESS_BR_LEVEL=5,  # a tenth fewer bytes than 4, for a tenth of a millisecond a page
        COMPRESS_MIN_SIZE=MIN_COMPRESSED_BYTES,
        COMPRESS_REGISTER=False,
    )
    compress, compress_style = Compress(app), _make_style_compressor(app)

    @app.after_request
    def compress_answer(answer: Response) -> Response:
        if not _is_compressible(answer) or answer.cache_control.no_store:
            return answer
        etag, sent = answer.headers.get("ETag"), answer.response
        compressor = compress_style if answer.mimetype == "text/css" else compress
        answer = compressor.after_request(answer)
        if hasattr(sent, "close"):
            answer.call_on_close(sent.close)  # closes the file, which the compressor reads now
        if etag is not None:
            answer.headers["ETag"] = etag
        return answer


def _make_style_compressor(app: Flask) -> Any:
    """Return a compressor of style sheets: it compresses each version once, therefore further."""
    compressor: Any = Compress(app)
    compressor.app = SimpleNamespace(config={**app.config, "COMPRESS_BR_LEVEL": STYLE_LEVEL})
    compressor.cache = DictCache()
    compressor.cache_key = lambda asked: url_for(asked.endpoint, **asked.view_args)
    return compressor


def _is_compressible(answer: Response) -> bool:
    """Return whether an answer is successful, and long or of unknown length."""
    if answer.status_code not in (HTTPStatus.OK, HTTPStatus.CREATED):
        return False
    length = answer.headers.get("Content-Length", type=int)
    return length is None or length >= MIN_COMPRESSED_BYTES


def is_for_programs() -> bool:
    """Return whether the request is for the API or a health check, and not for a page."""
    return request.path.startswith("/api/") or request.path in health.PATHS


def answer_error(error: ScorekeeperError) -> Response:
    """Return the response to an error of this project: a problem document or a page."""
    if turns.is_postponed():
        return Response(status=HTTPStatus.SERVICE_UNAVAILABLE)
    return problems.error_answer(error) if is_for_programs() else refusals.error_page(error)


def answer_http_error(error: HTTPException) -> Response:
    """Return the response to an error of Flask: a problem document or a page."""
    return (
        problems.http_error_answer(error) if is_for_programs() else refusals.http_error_page(error)
    )
