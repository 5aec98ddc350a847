"""``/api/sessions``: open or import a session, read its report, record events, list next ones."""

import re
import secrets
from hashlib import sha256
from typing import Final

from flask import Response, g, request
from werkzeug.exceptions import BadRequest, PreconditionRequired

from scorekeeper.answers import jobs
from scorekeeper.api.decorators import (
    SESSION,
    conditional,
    opened,
    takes,
    takes_json,
    takes_log,
    takes_long,
)
from scorekeeper.api.document import VERSION, Blueprint, asks, leads_to, refuses, text_header
from scorekeeper.api.event_schemas import OPENING, AfterSchema, AppendSchema, LevelSchema
from scorekeeper.api.session_views import OpenedView, PageView, RecordedView
from scorekeeper.api.view_schemas import schema_of
from scorekeeper.base.errors import UnusableError, expected, printable
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import to_json_values
from scorekeeper.http.access import ANY, bearer, phone_secret
from scorekeeper.http.answering import compute_from_log, json_answer, tag
from scorekeeper.http.bodies import JSON, MAX_LOG_BYTES, json_body, log_body
from scorekeeper.http.extensions import service
from scorekeeper.http.headers import no_store
from scorekeeper.http.limits import refuse_many_bytes, refuse_many_sessions
from scorekeeper.log.writing import as_json
from scorekeeper.report.incoming import IncomingLog
from scorekeeper.report.prompt_views import PromptView
from scorekeeper.report.views import ReportView
from scorekeeper.service import AppendRequest
from scorekeeper.service.responses import events
from scorekeeper.store import Attempt, Opened, Position

blueprint = Blueprint("sessions", __name__, description="Sessions, recorded while they are played.")

# Any tag of a version: of a report, of a masked one, or of a file in a language and a time zone.
_VERSION: Final = re.compile(
    r'"(0|[1-9][0-9]{0,8})(-masked)?(-[a-z]{2}-[A-Za-z0-9_+/-]{1,64}-[,;][.,])?"'
)
_IDEMPOTENCY_KEY: Final = re.compile(r"[\x20-\x7e]{1,200}")

IF_MATCH: Final = {
    "name": "If-Match", "in": "header", "required": True,
    "schema": {"type": "string", "pattern": f"^{_VERSION.pattern}$"},
    "description": "the version after which the events come, in quotes; any ETag of it is accepted",
}  # fmt: skip
IDEMPOTENCY_KEY: Final = {
    "name": "Idempotency-Key", "in": "header",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[ -~]+$"},
    "description": "new for each append; a repeated one returns the first answer again",
}  # fmt: skip
MIN_SECRET_KEY_LENGTH: Final = 20  # in characters: the keys in the answer follow from it
SECRET_KEY: Final = {
    "name": "Idempotency-Key", "in": "header",
    "schema": {"type": "string", "minLength": MIN_SECRET_KEY_LENGTH, "maxLength": 200,
               "pattern": "^[ -~]+$"},
    "description": "new for each request, and hard to guess, such as a random UUID: the keys in "
    "the answer follow from it; a repeated one returns the first answer again",
}  # fmt: skip
NEW: Final = {
    **VERSION,
    "Location": text_header("the address of its report", "^/api/sessions/"),
    "Cache-Control": text_header("forbids storing the answer, which contains keys", "^no-store$"),
}

# The calls that follow an answer, and where it contains the id of their session.
NEW_SESSION: Final = {"session": "$response.body#/id"}
THIS_SESSION: Final = {"session": "$request.path.session"}
READS: Final = ("get_session", "get_events", "get_next", "get_audit", "get_explanation", "get_log",
                "get_results", "get_lines", "get_workbook", "get_sheet", "get_bundle",
                "get_calendar", "watch", "list_keys", "add_key")  # fmt: skip
LINKS_OF_NEW_SESSION: Final[dict[str, dict[str, str]]] = {
    **dict.fromkeys(READS, NEW_SESSION),
    "append": {**NEW_SESSION, "If-Match": "$response.header.ETag"},
}
LINKS_OF_SESSION: Final[dict[str, dict[str, str]]] = {
    "get_session": THIS_SESSION,
    "get_next": THIS_SESSION,
    "append": {**THIS_SESSION, "If-Match": "$response.header.ETag"},
}


# ------------------------------------------------------------------------------------ opening


@blueprint.route("/sessions", methods=["POST"])
@blueprint.response(
    201,
    schema_of(OpenedView),
    description="The session, and its keys, shown only once.",
    headers=NEW,
)
@leads_to(201, **LINKS_OF_NEW_SESSION)
@refuses("too_often", "idempotency_key_reused", "storage_unavailable")
@asks(SECRET_KEY)
@takes_json(OPENING)
def open_session() -> Response:
    """Open a session.

    It has a key for its host, a key to view, and a key for each player. The server stores only
    hashes of them: a player who loses a key gets another from the host. A request that repeats
    `Idempotency-Key` and body opens no second session, and returns the first answer, with the same
    keys.
    """
    body = json_body()
    if type(body) is not dict:
        raise UnusableError(expected("an object with title and players", body))
    refuse_many_sessions()
    return opened_response(service().open(body, attempt_of(g.body)))


@blueprint.route("/sessions/import", methods=["POST"])
@blueprint.response(
    201,
    schema_of(OpenedView),
    description="The session, and its keys, shown only once.",
    headers=NEW,
)
@leads_to(201, **LINKS_OF_NEW_SESSION)
@refuses("malformed", "too_often", "session_full", "idempotency_key_reused", "storage_unavailable")
@takes_long
@asks(SECRET_KEY)
@takes_log
def import_session() -> Response:
    """Open a session with a log.

    A sealed log keeps its events byte for byte; a log that was written by hand is sealed. A log
    that is damaged or contains something impossible is refused, with the line. A request that
    repeats `Idempotency-Key` and log opens no second session, and returns the first answer.
    """
    log = log_body()
    attempt = attempt_of(log)
    refuse_many_sessions()
    refuse_many_bytes(len(log))
    # Concurrent repetitions of an attempt are validated once.
    key = attempt or secrets.token_bytes()
    validated = compute_from_log(jobs.validate_log, log, MAX_LOG_BYTES, service().now(), key=key)
    return opened_response(service().create_from_log(IncomingLog.parse(validated), attempt))


def opened_response(session: Opened) -> Response:
    """Return the answer about a new session: its position, and the secrets of its keys."""
    answer = json_answer(
        as_json(to_json_values(OpenedView.of(session))),
        Position(session.version, session.head),
        201,
    )
    answer.headers["Location"] = f"/api/sessions/{session.id}"
    return no_store(answer)


# ------------------------------------------------------------------------------------ reading


@blueprint.route("/sessions/<session:session>", parameters=[SESSION])
@blueprint.response(200, schema_of(ReportView), description="The report.", headers=VERSION)
@leads_to(200, **LINKS_OF_SESSION)
@opened(*ANY, by_club=True)
@conditional
def get_session(session_id: str) -> Response:
    """Return the report of a session: scores, line by line, and findings.

    With `If-None-Match` an unchanged report costs little. A key to a club that counts the session
    is accepted, too.
    """
    report = service().report(session_id, g.holder)
    return json_answer(report.json, report.position)


@blueprint.route("/sessions/<session:session>/events", parameters=[SESSION])
@blueprint.response(
    200, schema_of(PageView), description="The events, as they are stored.", headers=VERSION
)
@leads_to(200, **LINKS_OF_SESSION)
@refuses("malformed")
@opened(*ANY)
@blueprint.query(AfterSchema)
@conditional
def get_events(asked: JsonObject, session_id: str) -> Response:
    """Return the events after a known one, at most 1,000 in one answer.

    If there are more, `more` is true: ask again after the last of them. An event that lies face
    down at the table has `data` null, except for the host, until the game turns it up.
    """
    after, most = asked["after"], asked["limit"]
    stream = service().events(session_id, after, most, g.holder)
    more = b',"more":true' if stream.version > after + len(stream.lines) else b""
    body = b'{"version":%d,"head":"%b","events":%b%b}' % (
        stream.version, stream.head.encode(), events(stream.lines), more,
    )  # fmt: skip
    return json_answer(body, Position(stream.version, stream.head))


@blueprint.route("/sessions/<session:session>/next", parameters=[SESSION])
@blueprint.response(
    200, schema_of(PromptView)(many=True), description="The prompts.", headers=VERSION
)
@leads_to(200, **LINKS_OF_SESSION)
@refuses("malformed")
@opened(*ANY)
@blueprint.query(LevelSchema)
@conditional
def get_next(asked: JsonObject, session_id: str) -> Response:
    """Return the events that can be recorded next, the likeliest first.

    Each choice of a prompt is the complete data of an event of its type: it can be recorded
    unchanged, breaks no rule, and the hand can still be finished after it. Notes, penalties,
    disputes and corrections can be recorded too, but are not prompted.
    """
    prompted = service().prompts(session_id, asked.get("level"), g.holder)
    return json_answer(as_json(list(map(to_json_values, prompted.prompts))), prompted.position)


# ---------------------------------------------------------------------------------- recording


@blueprint.route("/sessions/<session:session>/events", methods=["POST"], parameters=[SESSION])
@blueprint.response(
    201,
    schema_of(RecordedView),
    description="The recorded events, and new findings.",
    headers=VERSION,
)
@leads_to(201, **LINKS_OF_SESSION)
@refuses(
    "session_full",
    "irregular",
    "no_quorum",
    "confirmed",
    "stale_version",
    "idempotency_key_reused",
    "precondition_required",
)
@opened("host", "seat", seen=True)
@asks(IF_MATCH, IDEMPOTENCY_KEY)
@takes(AppendSchema())
def append(body: JsonObject, session_id: str) -> Response:
    """Record events, all of them or none.

    An event that breaks a rule is refused as `irregular`, with the findings, so that the client
    can ask its user; with `as_played` it is recorded as it happened. The events are durable when
    the answer is sent.

    An event that would change the score, the status or the lines of a hand that every side has
    confirmed is refused as `confirmed` to every client. Corrections are accepted: those that
    enough players signed, and those of the host.

    A dispute is settled as `corrected` by a proposal that enough players signed, in one append
    with its corrections; otherwise it is refused as `no_quorum`. The host may rule alone, without
    a proposal, with `as_played`.
    """
    asked = AppendRequest(
        expected=expected_version(),
        events=body["events"],
        as_played=body.get("as_played", False),
        key=idempotency_key(),
        digest=sha256(g.body).digest(),
    )
    recorded = service().record(session_id, asked, g.holder)
    answer = Response(recorded.answer.body, recorded.answer.status, content_type=JSON)
    answer.headers["ETag"] = f'"{tag(recorded.version)}"'
    return answer


def expected_version() -> int:
    """Return the version in If-Match.

    Raises `PreconditionRequired` without that header, and `BadRequest` if it is not one version.
    """
    header = request.headers.get("If-Match")
    if header is None:
        raise PreconditionRequired('expected If-Match with the version that you know, such as "7"')
    matched = _VERSION.fullmatch(header.strip())
    if matched is None:
        what = 'If-Match to be one version in quotes, such as "7"'
        raise BadRequest(f"expected {what}, got {printable(header)}")
    return int(matched[1])


def attempt_of(body: bytes) -> Attempt | None:
    """Return the attempt of a request that makes keys, or None without an idempotency key.

    ``body`` is that of the request. The attempt belongs to the client: the same idempotency key of
    another client makes other keys. Raises `BadRequest` if the key is too short to be a secret.
    """
    key = idempotency_key()
    if key is None:
        return None
    if len(key) < MIN_SECRET_KEY_LENGTH:
        length = f"{MIN_SECRET_KEY_LENGTH} to 200 characters"
        what = f"Idempotency-Key to be {length} here, and hard to guess"
        raise BadRequest(f"expected {what}")
    sender = bearer() or phone_secret() or ""
    return Attempt(f"{request.path}\n{sender}\n{key}", sha256(body).digest())


def idempotency_key() -> str | None:
    """Return the idempotency key of the request, or None. Raises `BadRequest` if it is unusable."""
    key = request.headers.get("Idempotency-Key")
    if key is not None and not _IDEMPOTENCY_KEY.fullmatch(key):
        raise BadRequest("expected Idempotency-Key to be 1 to 200 printable ASCII characters")
    return key
