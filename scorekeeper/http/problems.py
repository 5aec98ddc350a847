"""Problem documents (RFC 9457) for refusals: one table from codes to HTTP."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from flask import Response, json, request
from werkzeug.exceptions import HTTPException

from scorekeeper.base.errors import (
    BusyError,
    ConfirmedHandError,
    IrregularError,
    MissingKeyError,
    NoStreamCapacityError,
    NotReadyError,
    RateLimitError,
    ScorekeeperError,
    StaleVersionError,
    StorageUnavailableError,
    UnusableError,
)
from scorekeeper.base.views import DeclaredView, declare, to_json_values
from scorekeeper.http.answering import tag
from scorekeeper.report.views import HASH, FindingView

RETRY_AFTER_SECONDS: Final = 1  # when something is temporarily unavailable
PROBLEM_JSON: Final = "application/problem+json"


class Problem(NamedTuple):
    """A kind of problem: its status, title, and default detail."""

    status: HTTPStatus
    title: str
    detail: str = ""


# By code. A code never changes. Each code of the tree in ``errors.py`` is listed.
PROBLEMS: Final[Mapping[str, Problem]] = {
    "malformed": Problem(HTTPStatus.BAD_REQUEST, "The request is malformed"),
    "not_found": Problem(
        HTTPStatus.NOT_FOUND, "There is nothing here", "There is nothing at this address."
    ),
    "method_not_allowed": Problem(
        HTTPStatus.METHOD_NOT_ALLOWED, "Another method is needed",
        "This address is not for this method. The header Allow lists the methods that it is for.",
    ),
    "too_large": Problem(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "What was sent is too large", "expected at most 8 MiB"
    ),
    "unsupported_media_type": Problem(
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Another content type is needed"
    ),
    "unusable": Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "What was sent cannot be used"),
    "irregular": Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "It breaks a rule"),
    "no_quorum": Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "More signatures are needed"),
    "confirmed": Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "Every side has accepted the hand"),
    "no_key": Problem(HTTPStatus.UNAUTHORIZED, "A key is needed"),
    "forbidden": Problem(HTTPStatus.FORBIDDEN, "The key does not open this"),
    "cross_site": Problem(HTTPStatus.FORBIDDEN, "Another site asked for it"),
    "too_often": Problem(HTTPStatus.TOO_MANY_REQUESTS, "Too many tries"),
    "session_full": Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "The session is full"),
    "precondition_required": Problem(
        HTTPStatus.PRECONDITION_REQUIRED, "The request must say which version it knows"
    ),
    "not_a_sealed_log": Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "The log is not sealed"),
    "unknown_session": Problem(HTTPStatus.NOT_FOUND, "There is no such session"),
    "unknown_club": Problem(HTTPStatus.NOT_FOUND, "There is no such club"),
    "unknown_tournament": Problem(HTTPStatus.NOT_FOUND, "There is no such tournament"),
    "deleted": Problem(HTTPStatus.GONE, "The operator deleted it"),
    "unknown_key": Problem(HTTPStatus.NOT_FOUND, "There is no such key"),
    "seat_taken": Problem(HTTPStatus.CONFLICT, "This seat is taken"),
    "last_key": Problem(HTTPStatus.CONFLICT, "It is the host’s last key"),
    "stale_version": Problem(HTTPStatus.PRECONDITION_FAILED, "The evening has gone on"),
    "idempotency_key_reused": Problem(
        HTTPStatus.UNPROCESSABLE_ENTITY, "The key was used with another body"
    ),
    "unusable_backup": Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "The backup cannot be restored"),
    "storage_unavailable": Problem(HTTPStatus.SERVICE_UNAVAILABLE, "The storage is not available"),
    "no_room": Problem(HTTPStatus.SERVICE_UNAVAILABLE, "Too many are watching"),
    "busy": Problem(HTTPStatus.SERVICE_UNAVAILABLE, "The server is busy"),
    "over_budget": Problem(
        HTTPStatus.UNPROCESSABLE_ENTITY, "It would take too long to work out"
    ),
    "not_ready": Problem(HTTPStatus.SERVICE_UNAVAILABLE, "The service is not ready"),
    "error": Problem(
        HTTPStatus.INTERNAL_SERVER_ERROR, "Something went wrong on the server",
        "It was our fault, and it is noted. Try again in a moment.",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ProblemView(DeclaredView):
    """A refusal and its reason (RFC 9457)."""

    type: str = declare("the address at which this kind of problem is explained")
    title: str = declare("the kind of problem")
    status: int = declare("the HTTP status")
    code: str = declare(f"the kind of problem, for programs: {', '.join(PROBLEMS)}, …")
    detail: str = declare("the expected and the actual value, or another explanation")
    line: int | None = declare("the line of the log at fault, from 1", optional=True)
    field: str | None = declare("the field or parameter at fault", optional=True)
    findings: Sequence[FindingView] | None = declare(
        "the findings that would be added, if the events break a rule", optional=True
    )
    match: int | None = declare("the number of the match of the confirmed hand", optional=True)
    hand: int | None = declare("the number of the confirmed hand in its match", optional=True)
    version: int | None = declare("the present version of the session", optional=True)
    head: str | None = declare("the present head", pattern=HASH, optional=True)


# For an HTTP error that is none of ours: the first code that has its status.
CODES: Final = {problem.status: code for code, problem in reversed(list(PROBLEMS.items()))}


def error_answer(error: ScorekeeperError) -> Response:
    """Return the problem document of an error of this project."""
    match error:
        case UnusableError():
            return _answer(error.code, error.reason, line=error.line, field=error.field or None)
        case IrregularError():
            return _answer(error.code, str(error), findings=error.findings)
        case ConfirmedHandError():
            return _answer(error.code, str(error), match=error.match, hand=error.hand)
        case StaleVersionError():
            answer = _answer(error.code, str(error), version=error.version, head=error.head)
            answer.headers["ETag"] = f'"{tag(error.version)}"'
        case _:
            answer = _answer(error.code, str(error))
    answer.headers.update(error_headers(error))
    return answer


def error_headers(error: ScorekeeperError) -> dict[str, str]:
    """Return the HTTP headers for an error, such as Retry-After, in the API and on pages."""
    match error:
        case RateLimitError() | BusyError():
            return {"Retry-After": str(error.seconds)}
        case StorageUnavailableError() | NoStreamCapacityError() | NotReadyError():
            return {"Retry-After": str(RETRY_AFTER_SECONDS)}
        case MissingKeyError():
            return {"WWW-Authenticate": "Bearer"}
        case _:
            return {}


def http_error_answer(error: HTTPException) -> Response:
    """Return the problem document of an HTTP error of Flask, with the error's headers."""
    status = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
    field, detail = _at_fault(error)
    code = code_of(status)
    title = "" if code in PROBLEMS else error.name
    answer = _answer(code, detail, status=status, title=title, field=field)
    for name, value in error.get_headers():
        if name.lower() not in ("content-type", "content-length"):
            answer.headers.add(name, value)
    return answer


def code_of(status: int) -> str:
    """Return the problem code for an HTTP status; ``error`` if the status is unknown."""
    try:
        known = HTTPStatus(status)
    except ValueError:
        return "error"
    return str(CODES.get(known, known.name.lower()))


def detail_of(error: HTTPException) -> str:
    """Return the detail of an error: its own description, else the default of its kind."""
    description = error.description or error.name
    problem = PROBLEMS.get(code_of(error.code or 500))
    if problem and problem.detail and description == type(error).description:
        return problem.detail
    return description


def _at_fault(error: HTTPException) -> tuple[str | None, str]:
    """Return the parameter that validation refused, or None, and the detail of the error."""
    messages = getattr(error, "data", {}).get("messages")
    if not messages:
        return None, detail_of(error)
    ((field, reasons),) = list(next(iter(messages.values())).items())[:1]
    return field, reasons[0]


def _answer(code: str, detail: str, *, status: int = 0, title: str = "", **facts: Any) -> Response:
    """Return a problem document for a code, with ``facts`` as further members.

    Status and title are those of the code unless they are given.
    """
    known = PROBLEMS.get(code)
    status = status or (known.status if known else HTTPStatus.INTERNAL_SERVER_ERROR)
    problem = ProblemView(
        f"{request.script_root}/api/docs#problem-{code}",
        title or (known.title if known else code),
        int(status),
        code,
        detail,
        **facts,
    )
    body = json.dumps(to_json_values(problem))
    return Response(body, status=status, content_type=PROBLEM_JSON)
