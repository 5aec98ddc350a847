"""Pages for refused requests."""

from datetime import date
from http import HTTPStatus
from typing import Final

from flask import Response, make_response, render_template, request
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.exceptions import HTTPException

from scorekeeper.base.errors import (
    Cause,
    DeletedStreamError,
    ForbiddenError,
    InvalidKeyError,
    MissingKeyError,
    NotInstalledError,
    ScorekeeperError,
    UnknownSessionError,
)
from scorekeeper.base.json_object import JsonObject
from scorekeeper.http.access import own_key
from scorekeeper.http.extensions import is_demo_request, service
from scorekeeper.http.problems import PROBLEMS, code_of, detail_of, error_headers
from scorekeeper.log import canonical
from scorekeeper.log.writing import as_json
from scorekeeper.store.keyring import is_club
from scorekeeper.web.wording.days import format_reader_day
from scorekeeper.web.wording.refused import message_for_players
from scorekeeper.web.wording.words import translate_text

MOST_EVENTS: Final = 100  # on one page of a session that cannot be scored here
LONGEST_DATA: Final = 1000  # characters shown of an event's data
LONGEST_SEQ: Final = 16  # digits

# Messages for players, where the error's own message is for programs or operators.
MESSAGES: Final = {
    "cross_site": _l("Another page asked for it. Open this table again, and try once more."),
    "busy": _l("The server has too much to work out just now. Try again in a moment."),
    "forbidden": _l("This phone has a key to something else. Ask for the right link."),
    "no_key": _l("This phone has no key to the table. Ask the host for a link or a code."),
    "key_gone": _l(
        "The link that this phone used was taken back, or has expired. Ask the host for a new "
        "link, at a tournament the director, and open it on this phone. What it recorded stays."
    ),
    "no_room": _l("Too many phones are watching. Try again in a moment."),
    "over_budget": _l("This would take too long to work out. Ask for less at a time."),
    "seat_taken": _l(
        "This seat was taken just now, on another phone. With the code you can take another seat "
        "or look on. If the seat is yours, ask the host to free it, or for a new link. At a "
        "tournament, ask the director."
    ),
    "session_full": _l(
        "This evening is full. You can still correct and close it; open a new table to play on."
    ),
    "stale_version": _l("Somebody recorded something meanwhile. Look at the table, and try again."),
    "storage_unavailable": _l("Nothing could be saved just now. Try again in a moment."),
    "too_large": _l("A log may have 8 MB at most."),
    "too_often": _l("Too many tries; wait a little."),
    "unknown_session": _l("There is no such table here. Ask the host for the link."),
    "unknown_club": _l("There is no such club here. Ask its host for the link."),
    "unknown_tournament": _l("There is no such tournament here. Ask its director for the link."),
    "no_key_to_club": _l(
        "This phone has no key to the club. Ask the club’s host for a link or a code."
    ),
    "not_of_the_club": _l("Only the host of the club can do this. Ask the host."),
    "no_key_to_tournament": _l(
        "This phone has no key to the tournament. Ask its director for a link or a code."
    ),
    "not_of_the_tournament": _l("Only the director of the tournament can do this. Ask them."),
    "game_failed": _l(
        "Choose another game. Ask the people who run Scorekeeper to get this one fixed."
    ),
    "demo_over": _l(
        "A demo vanishes after a few hours, and belongs to the phone that began it. The first page "
        "begins another one."
    ),
    "member_taken": _l(
        "Another phone already speaks for this member. Take its link back first, on the member’s "
        "page."
    ),
}


# Headings of pages, where they are more specific than the problem's title.
TITLES: Final = {
    "deleted": _l("Deleted by the operator"),
    "no_key": _l("This phone is not at the table"),
    "key_gone": _l("This phone’s key opens nothing any more"),
    "link": _l("This link opens nothing"),
    "no_key_to_club": _l("This phone is not in the club"),
    "not_of_the_club": _l("This is for the host"),
    "no_key_to_tournament": _l("This phone is not in the tournament"),
    "not_of_the_tournament": _l("This is for the director"),
    "game_failed": _l("This game has a fault"),
    "demo_over": _l("This demo is over"),
}


def error_page(error: ScorekeeperError) -> Response:
    """Return the page that explains an error of this project, with its status.

    For a session whose game is missing, it is the page with the recorded events. Of a demo it
    reveals not whether that exists.
    """
    if isinstance(error, NotInstalledError) and _requested_session():
        return _unscorable_session_page(error)
    if isinstance(error, UnknownSessionError | MissingKeyError) and is_demo_request():
        title, message = str(TITLES["demo_over"]), str(MESSAGES["demo_over"])
        return _render_error(HTTPStatus.GONE, title, message, DeletedStreamError.code)
    problem = PROBLEMS[error.code]
    kind = _error_kind(error)
    title = str(TITLES.get(kind, problem.title))
    page = _render_error(problem.status, title, _message_for_players(error, kind), error.code)
    page.headers.update(error_headers(error))
    if kind == "key_gone":  # the browser should not keep the pages that it has shown
        page.headers["Clear-Site-Data"] = '"cache"'
    return page


def _unscorable_session_page(error: NotInstalledError) -> Response:
    """Return a page with the recorded events, for a session that cannot be scored here.

    `after` in the query is the seq before the first shown event.
    """
    cursor = request.args.get("after", "")
    after = int(cursor) if cursor.isdecimal() and len(cursor) <= LONGEST_SEQ else 0
    batch = service().events(_requested_session(), after, MOST_EVENTS)
    if not batch.lines:
        after, batch = 0, service().events(_requested_session(), 0, MOST_EVENTS)
    title = TITLES["game_failed"] if _has_failed(error) else _l("This game is not installed")
    page = render_template(
        "not_installed.html", title=title, said=message_for_players(error),
        reason=error.reason, session_id=_requested_session(), events=map(_event_row, batch.lines),
        after=after, last=after + len(batch.lines), of=batch.version, most=MOST_EVENTS,
    )  # fmt: skip
    read_only = request.method not in ("GET", "HEAD")
    return make_response(page, PROBLEMS[error.code].status if read_only else HTTPStatus.OK)


def _has_failed(error: ScorekeeperError) -> bool:
    """Return whether a game is installed but fails; else it is not installed."""
    reason = error.reason if isinstance(error, NotInstalledError) else None
    return isinstance(reason, Cause) and reason.why == "game_failed"


def _event_row(line: bytes) -> JsonObject:
    """Return a stored line as type, time and data in JSON, with long data cut."""
    event = canonical.decode(line)
    data = as_json(event["data"]).decode() if event["data"] is not None else None
    if data and len(data) > LONGEST_DATA:
        data = f"{data[:LONGEST_DATA]} …"
    return {**event, "data": data}


def http_error_page(error: HTTPException) -> Response:
    """Return the page for a request that failed before its view; redirections are passed on."""
    status = error.code or 500
    code = code_of(status)
    title = PROBLEMS[code].title if code in PROBLEMS else error.name
    if status == HTTPStatus.BAD_REQUEST and error is request.routing_exception:
        # The request's host is invalid, so a page could have no links.
        return Response(
            f"{title}: {detail_of(error)}\n", status, content_type="text/plain; charset=utf-8"
        )
    page = _render_error(status, title, str(MESSAGES.get(code, detail_of(error))), code)
    for name, value in error.get_headers():
        if name.lower() not in ("content-type", "content-length"):
            page.headers.add(name, value)
    return page


def _error_kind(error: ScorekeeperError) -> str:
    """Return the kind of an error as players see it: a missing key may be a bad or revoked link."""
    club, tournament = bool(_requested_club()), _requests_tournament()
    if (club or tournament) and isinstance(error, ForbiddenError):
        return "not_of_the_club" if club else "not_of_the_tournament"
    if _has_failed(error):
        return "game_failed"
    if not isinstance(error, MissingKeyError):
        return error.code
    if club or tournament:
        kind = "no_key_to_club" if club else "no_key_to_tournament"
        return "key_gone" if isinstance(error, InvalidKeyError) else kind
    session_id = _requested_session()
    if not session_id:
        return "link"
    return "key_gone" if isinstance(error, InvalidKeyError) else "no_key"


def _requested_session() -> str:
    """Return the session of the requested page; empty if it has none."""
    return str((request.view_args or {}).get("session_id", ""))


def _requests_tournament() -> bool:
    """Return whether the requested page is one of a tournament."""
    return "tournament_id" in (request.view_args or {})


def _club_to_link(code: str) -> str:
    """Return the club of the requested page, if this phone may know of it; else empty."""
    club_id = _requested_club()
    if code in ("no_key", "unknown_club", "deleted") or (
        request.url_rule is None and not own_key(club_id)
    ):
        return ""
    return club_id


def _requested_club() -> str:
    """Return the club in the address, or of the form for a new table; empty if none.

    A form that the view has not read is not read for it: a request without a turn must cost little,
    and what was refused may be the form itself.
    """
    prefix, _, rest = request.path[1:].partition("/")
    named = rest.partition("/")[0] if prefix == "club" else ""
    if request.blueprint == "new":
        sent = request.values if "form" in request.__dict__ else request.args
        named = sent.get("club", "")
    return named if is_club(named) else ""


def _message_for_players(error: ScorekeeperError, kind: str) -> str:
    """Return the message for players.

    It names the day of a deletion. Otherwise it is the error's own if that is a sentence, else that
    of its kind.
    """
    if isinstance(error, DeletedStreamError):
        day = format_reader_day(date.fromisoformat(error.at[: len("2026-11-21")]), short=True)
        return str(_("It was deleted on %(day)s, and nothing of it is left here.", day=day))
    message = str(error)
    return message if message[:1].isupper() else str(MESSAGES.get(kind, message))


def _render_error(status: int, title: str, message: str, code: str) -> Response:
    """Return the error page with a status, about the session or club of the request.

    ``title`` and ``message`` are texts of the catalogue, which this translates. ``code`` identifies
    the problem.
    """
    page = render_template(
        "error.html",
        status=int(status),
        title=translate_text(title),
        said=translate_text(message),
        code=code,
        session_id=_requested_session(),
        club_id=_club_to_link(code),
    )
    return make_response(page, int(status))
