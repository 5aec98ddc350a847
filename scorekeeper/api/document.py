"""The OpenAPI document: flask-smorest, with problem documents for its errors."""

from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from threading import Lock
from typing import Any, Final

import flask_smorest
from flask import Flask, Response, json, request
from flask_smorest import Api
from marshmallow import RAISE, Schema

from scorekeeper import __version__
from scorekeeper.api.event_schemas import event_schemas
from scorekeeper.api.view_schemas import schema_of
from scorekeeper.base.json_object import JsonObject
from scorekeeper.http.bodies import JSON
from scorekeeper.http.problems import PROBLEM_JSON, PROBLEMS, ProblemView

DESCRIPTION: Final = (
    "Keeps and audits the score of games played with real cards. A log of events is replayed "
    "through the rules of its game; every point comes with its clause and its proof.\n\n"
    "Every refusal is a problem document (RFC 9457), whose `code` never changes. Clients ignore "
    "unknown members of an answer: later versions may add some.\n\n"
    "A request is checked in this order: the key, the body, and then `If-Match`."
)


def text_header(doc: str, pattern: str = "") -> JsonObject:
    """Return OpenAPI's description of a required text header; ``pattern`` limits its value."""
    schema = {"type": "string", "pattern": pattern} if pattern else {"type": "string"}
    return {"description": doc, "required": True, "schema": schema}


VERSION: Final = {
    "ETag": text_header("the version, and whether its data is masked", '^"[0-9]+(-masked)?"$')
}
SECONDS: Final = {
    "Retry-After": text_header("seconds after which the client may ask again", "^[0-9]+$")
}
SECURITY: Final[list[dict[str, list[str]]]] = [{"bearer": []}, {"cookie": []}]
SCHEMES: Final = {
    "bearer": {
        "type": "http", "scheme": "bearer",
        "description": "a capability key: the host of a session gets all of them as it is opened",
    },
    "cookie": {
        "type": "apiKey", "in": "cookie", "name": "phone",
        "description": "the secret of a phone, which holds the key for which a link was exchanged "
        "at `/join`; before the name stands `__Host-` where the service has https",
    },
}  # fmt: skip
# The headers of a problem, by its status.
HEADERS: Final[Mapping[int, JsonObject]] = {
    401: {"WWW-Authenticate": text_header("how to show a key", "^Bearer$")},
    412: VERSION,
    429: SECONDS,
    503: SECONDS,
}
Endpoint = Callable[..., Any]  # flask accepts many kinds of answers
Decorator = Callable[[Endpoint], Endpoint]


class Blueprint(flask_smorest.Blueprint):
    """A blueprint whose views are documented under their function names."""

    def route(self, rule: str, **options: object) -> Decorator:
        """Return a decorator that serves a view at a path, with its name as operation id."""
        routed = super().route(rule, **options)
        return lambda view: routed(self.doc(operationId=view.__name__)(view))

    def query(self, schema: type[Schema]) -> Decorator:
        """Return a decorator that passes the query, read by a schema, as the first argument.

        An unknown parameter is an error: a misspelt one would otherwise be ignored silently.
        """
        reading: Decorator = self.arguments(
            schema, location="query", error_status_code=400, unknown=RAISE
        )
        return reading

    @staticmethod
    def doc(**what: object) -> Decorator:
        """Return a decorator that documents a view without a wrapper, which would cost time."""

        def decorate(view: Any) -> Any:
            documented = flask_smorest.Blueprint.doc(**what)(view)
            view._apidoc = documented._apidoc  # noqa: SLF001  # where flask-smorest keeps it
            return view

        return decorate

    def register_views_in_doc(self, api: "ProblemApi", *what: object, **more: object) -> None:
        """Postpone the documentation of the views until the document is requested."""
        api.unwritten.append(partial(super().register_views_in_doc, api, *what, **more))


class ProblemApi(Api):
    """An API whose refusals are problem documents, and whose errors the app handles.

    The document is written when it is first requested, because that takes as long as the rest of
    the start.
    """

    ERROR_SCHEMA = schema_of(ProblemView)

    def __init__(self, app: Flask) -> None:
        self.unwritten: deque[Callable[[], None]] = deque()
        self._writing = Lock()
        self._document: dict[str, object] = {}
        self._bytes = b""  # of the same
        super().__init__(app)

    def document(self) -> JsonObject:
        """Return the OpenAPI document, written at the first call; callers must not change it."""
        with self._writing:
            if self.unwritten:
                while self.unwritten:
                    self.unwritten.popleft()()
                self._document = self.spec.to_dict()
                self._bytes = json.dumps(self._document, indent=2).encode()
            return self._document

    def _openapi_json(self) -> Response:
        """Return the OpenAPI document, or 304 if the client has it."""
        self.document()
        answer = Response(self._bytes, content_type=JSON)
        answer.add_etag()
        answer.make_conditional(request)
        return answer

    def _register_error_handlers(self) -> None:
        """Register none: the app handles errors for the API and the pages."""

    def _register_responses(self) -> None:
        """Postpone the common responses until the document is requested."""
        self.unwritten.append(self._write_components)

    def _write_components(self) -> None:
        """Write the components that the calls refer to: responses, schemes and events."""
        self.DEFAULT_RESPONSE_CONTENT_TYPE = PROBLEM_JSON
        super()._register_responses()
        del self.DEFAULT_RESPONSE_CONTENT_TYPE  # that of the class again
        for name, scheme in SCHEMES.items():
            self.spec.components.security_scheme(name, scheme)
        for name, schema in event_schemas().items():
            self.spec.components.schema(name, schema)

    def _register_pagination_header(self) -> None:
        """Register none: no call uses pagination headers."""


def new_api(app: Flask, prefix: str) -> Api:
    """Return an API without calls, whose document is served at ``prefix/openapi.json``."""
    app.config.update(
        API_TITLE="Scorekeeper",
        API_VERSION=__version__,
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX=prefix,
        API_SPEC_OPTIONS={"info": {"description": DESCRIPTION}, "servers": [{"url": "/"}]},
    )
    api = ProblemApi(app)
    app.extensions["openapi"] = api.document
    return api


def documented(view: object) -> JsonObject:
    """Return the documentation that was attached to a view so far."""
    declared: dict[str, object] = getattr(view, "_apidoc", {}).get("manual_doc", {})
    return declared


def refuses(*codes: str) -> Decorator:
    """Return a decorator that documents further problems, by code, of a view."""

    def decorate(view: Endpoint) -> Endpoint:
        known = dict.fromkeys((*codes, *documented(view).get("x-problems", ())))
        statuses = sorted({PROBLEMS[code].status for code in known})
        answers = {
            int(status): _problem_response(
                status, [c for c in known if PROBLEMS[c].status == status]
            )
            for status in statuses
        }
        return Blueprint.doc(responses=answers, **{"x-problems": list(known)})(view)

    return decorate


def _problem_response(status: int, codes: list[str]) -> JsonObject:
    """Return OpenAPI's description of the problem answers with one status."""
    answer = {
        "description": "; ".join(f"{PROBLEMS[code].title} (`{code}`)" for code in codes),
        "content": {PROBLEM_JSON: {"schema": schema_of(ProblemView)}},
    }
    return {**answer, "headers": HEADERS[status]} if status in HEADERS else answer


def asks(*parameters: JsonObject) -> Decorator:
    """Return a decorator that documents further headers that a view reads."""

    def decorate(view: Endpoint) -> Endpoint:
        known = getattr(view, "_apidoc", {}).get("arguments", {}).get("parameters", [])
        return Blueprint.doc(parameters=[*known, *parameters])(view)

    return decorate


def leads_to(status: int, **links: Mapping[str, str]) -> Decorator:
    """Return a decorator that documents links from an answer to other calls.

    ``links`` has, by operation id, where the parameters of a call are found in the answer.
    """
    operations = {
        name: {"operationId": name, "parameters": dict(needs)} for name, needs in links.items()
    }
    return Blueprint.doc(responses={status: {"links": operations}})
