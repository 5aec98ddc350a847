"""``/t/<session_id>``: the page of a table, for holders of a key: its state and the next steps."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from flask import (
    Blueprint,
    Response,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
)
from flask import url_for as url

from scorekeeper.base.errors import (
    ConfirmedHandError,
    ForbiddenError,
    IrregularError,
    KeyReusedError,
    ScorekeeperError,
    StaleVersionError,
    UnusableError,
    why_of,
)
from scorekeeper.base.json_object import JsonObject
from scorekeeper.http.access import ANY
from scorekeeper.http.answering import MASKED_SUFFIX
from scorekeeper.http.extensions import service
from scorekeeper.http.preferences import request_language
from scorekeeper.play.prompts import Level
from scorekeeper.service import AppendRequest, Holder
from scorekeeper.service.permissions import refuse_role
from scorekeeper.service.shared import SharedCache
from scorekeeper.session.session import Session
from scorekeeper.store import keyring
from scorekeeper.streams.requests import UnderLock
from scorekeeper.web.entry import undoing
from scorekeeper.web.entry.appending import (
    ACCEPTED_ALREADY,
    append_sent,
    refuse_late,
    sits_elsewhere,
)
from scorekeeper.web.entry.board import build_board
from scorekeeper.web.entry.board_parts import Board, is_idle
from scorekeeper.web.entry.felt import felt_of
from scorekeeper.web.entry.history import build_hand_log as hand_log
from scorekeeper.web.entry.in_hall import see_table_in_hall
from scorekeeper.web.entry.moment import Moment, build_moment
from scorekeeper.web.entry.notice import Notice, build_notice
from scorekeeper.web.entry.spoken import say_score, say_since
from scorekeeper.web.forms.host_question import render_host_notice
from scorekeeper.web.forms.sent import SentForm, decode_form
from scorekeeper.web.frame.form_keys import new_key
from scorekeeper.web.phone.levels import keep_level, kept_level, requested_level
from scorekeeper.web.phone.viewer import viewer_of
from scorekeeper.web.review.review import cached_part

blueprint = Blueprint("table", __name__, url_prefix="/t")

VIEWS: Final = ("entry", "watch", "flat")
OK: Final = 200
NO_CONTENT: Final = 204
FORBIDDEN: Final = 403
STALE: Final = 412
REFUSED: Final = 422
STATUS: Final = {StaleVersionError: STALE, KeyReusedError: STALE, ForbiddenError: FORBIDDEN}
MINIMAL: Final = "return=minimal"
MOMENTS: Final = SharedCache(100, 1, weigh=lambda _: 1)  # cached for recently viewed tables
A_KEY: Final = new_key()  # placeholder in cached pages, replaced by a new key for each viewer
A_NOTICE: Final = new_key()  # placeholder for the notice about a new host

FormAct = Callable[[SentForm, Holder], AppendRequest]


@dataclass(frozen=True, slots=True)
class FormPlace:
    """The place of a form on the page: session id, view, content of the page, and notice."""

    id: str
    view: str
    board: Board
    notice: Notice | None


@blueprint.get("/<session_id>")
def page(session_id: str) -> Response:
    """Show the state of the table and the steps to record."""
    holder = viewer_of(session_id)
    refuse_role(holder, *ANY)
    if wants_fragment():
        part = cached_table_part(session_id, holder)
        answer = fragment_response(with_host_notice(part, session_id, holder))
    else:
        board = service().see(session_id, board_builder(session_id, holder))
        answer = table_response(session_id, holder, board, idle=is_idle(board, service().now()))
    level = requested_level()
    if level is not None:
        keep_level(answer, session_id, level)
    return answer


@blueprint.get("/<session_id>/log")
def log(session_id: str) -> Response:
    """Return the last hand as sentences; the page requests it when the log is opened."""
    holder = viewer_of(session_id)
    refuse_role(holder, *ANY)
    if wants_fragment():
        _end, fragment = cached_part(
            session_id, holder, "log", partial(render_log, session_id, holder)
        )
        return fragment_response(fragment)
    hand = service().see(session_id, partial(hand_log, holder=holder))
    return fragment_response(render_template("table/log_page.html", id=session_id, log=hand))


@blueprint.post("/<session_id>/record")
def record_form(session_id: str) -> Response:
    """Record the events of a form."""
    return record_and_respond(session_id, append_sent)


@blueprint.post("/<session_id>/undo")
def undo(session_id: str) -> Response:
    """Take back the events of the viewer's last form."""
    return record_and_respond(session_id, undoing.undo_request)


# --------------------------------------------------------------------------------- answering


def record_and_respond(session_id: str, act: FormAct) -> Response:
    """Record the form of the request and show the table, or why it was refused.

    `act` turns the decoded form into a request to append.
    """
    holder = viewer_of(session_id)
    refuse_role(holder, *(ANY if sits_elsewhere(holder) else ("host", "seat")))
    try:
        form = decode_form(request.form)
        refuse_late(form, holder)
        asked, look = act(form, holder), board_builder(session_id, holder)
        if not wants_fragment() or request.headers.get("Prefer") == MINIMAL:
            recorded = service().record(session_id, asked, holder)
            return recorded_without_page(session_id, recorded.version)
        recorded, (board, news) = service().record_and_see(
            session_id,
            asked,
            holder,
            lambda session: look_and_listen(session, look, shown_version(form.version), holder),
        )
    except (
        IrregularError,
        StaleVersionError,
        KeyReusedError,
        UnusableError,
        ConfirmedHandError,
        ForbiddenError,
    ) as error:
        if why_of(error) == ACCEPTED_ALREADY:
            return respond_accepted_already(session_id, holder)
        return respond_refused(session_id, holder, error)
    answer = table_response(session_id, holder, board, said=news)
    answer.set_etag(f"{recorded.version}{MASKED_SUFFIX}")  # pages show what the table knows
    return answer


def recorded_without_page(session_id: str, version: int) -> Response:
    """Return the new version as an ETag without a page, or redirect to the table.

    Entries that waited for the network are sent one after the other, without a viewer.
    """
    if wants_fragment():
        answer = make_response("", NO_CONTENT)
        answer.set_etag(f"{version}{MASKED_SUFFIX}")  # pages show what the table knows
        return answer
    back = request.args.get("view")
    view = back if back in VIEWS else None
    return make_response(redirect(url("table.page", session_id=session_id, view=view), 303))


def respond_accepted_already(session_id: str, holder: Holder) -> Response:
    """Return the table for a form that accepts a hand which is accepted already.

    It looks as if the form had just been recorded.
    """
    if not wants_fragment() or request.headers.get("Prefer") == MINIMAL:
        version = service().position(session_id, holder).version
        return recorded_without_page(session_id, version)
    look = board_builder(session_id, holder)
    board, version = service().see(session_id, lambda session: (look(session), session.events))
    answer = table_response(session_id, holder, board)
    answer.set_etag(f"{version}{MASKED_SUFFIX}")
    return answer


def respond_refused(session_id: str, holder: Holder, error: ScorekeeperError) -> Response:
    """Return the table as it stands with the notice about the refused form, and an error status."""
    look = board_builder(session_id, holder)
    board, notice = service().see(
        session_id,
        lambda session: (look(session), build_notice(session, session_id, holder, error)),
    )
    return table_response(session_id, holder, board, notice, STATUS.get(type(error), REFUSED))


def requested_view(holder: Holder) -> str:
    """Return the view that the query names: `entry`, `watch` or `flat`.

    The default is `entry`, and `watch` for those who cannot record.
    """
    asked = request.args.get("view")
    return asked if asked in VIEWS else "watch" if holder.role == "view" else "entry"


def board_builder(session_id: str, holder: Holder, key: str = "") -> UnderLock[Session, Board]:
    """Return a function that builds the viewer's page of a session.

    It uses the view and level that the request names.
    """
    level = requested_level() or kept_level(session_id)
    watching = requested_view(holder) == "watch"

    def look(session: Session) -> Board:
        moment = cached_moment(session, session_id, level)
        return build_board(session, holder, moment, watching=watching, key=key)

    return look


def cached_moment(session: Session, session_id: str, level: Level | None) -> Moment:
    """Return what all viewers with the same access share; cached by version, level and language."""
    key = session_id, session.events, session.head, session.hidden, level, request_language()
    moment: Moment | None = MOMENTS.get(key)
    if moment is None:
        moment = build_moment(session, level)
        MOMENTS.put(key, moment)
    return moment


def look_and_listen(
    session: Session, look: UnderLock[Session, Board], version: int | None, holder: Holder
) -> tuple[Board, str]:
    """Return the viewer's page, and what is said about the entries after a version."""
    board = look(session)
    return board, say_since(session, version, holder, board)


def shown_version(default: int | None = None) -> int | None:
    """Return the version that the phone shows, from the `X-Shown` header."""
    return request.headers.get("X-Shown", default, type=int)


def cached_table_part(session_id: str, holder: Holder) -> str:
    """Return the HTML of the changing part of the table, cached for viewers with equal access.

    Form keys in it are replaced by new ones.
    """
    look, view = board_builder(session_id, holder, A_KEY), requested_view(holder)
    level, shown = requested_level() or kept_level(session_id), shown_version()

    def make(session: Session) -> str:
        board, words = look_and_listen(session, look, shown, holder)
        return render_fragment(
            "state", template_values(session_id, holder, board, view, said=words)
        )

    _end, content = cached_part(session_id, holder, ("table", view, level, shown), make)
    return content.replace(A_KEY, new_key())


def render_log(session_id: str, holder: Holder, session: Session) -> str:
    """Return the HTML of the last hand as sentences, for a viewer."""
    return render_fragment("log", {"id": session_id, "log": hand_log(session, holder)})


def with_host_notice(content: str, session_id: str, holder: Holder) -> str:
    """Return a page with the notice about a new host, which depends on more than the version."""
    return content.replace(A_NOTICE, render_host_notice(session_id, holder))


def table_response(
    session_id: str,
    holder: Holder,
    board: Board,
    notice: Notice | None = None,
    status: int = OK,
    said: str = "",
    *,
    idle: bool = False,
) -> Response:
    """Return the table page for a board, or for a script only the changing part.

    `said` are the words about what was recorded. The page of an `idle` table offers to close it.
    """
    values = {
        **template_values(session_id, holder, board, requested_view(holder), notice, said),
        "idle": idle,
    }
    if wants_fragment():
        content = render_fragment("state", values)
    else:
        hall = see_table_in_hall(session_id, holder)
        content = render_template("table/state_page.html", **values, hall=hall)
    answer = fragment_response(with_host_notice(content, session_id, holder))
    answer.status_code = status
    return answer


def template_values(
    session_id: str,
    holder: Holder,
    board: Board,
    view: str,
    notice: Notice | None = None,
    said: str = "",
) -> JsonObject:
    """Return the template values of the table page."""
    return {
        "at": FormPlace(session_id, view, board, notice),
        "id": session_id,
        "board": board,
        "view": view,
        "writes": board.writes and view != "watch",
        "plays": board.plays and view != "watch",
        "felt": felt_of(board, view),
        "notice": notice,
        "said": said,
        "score": say_score(board) if board.game else "",
        "host_notice": A_NOTICE,
        "in_round": holder.key is not None and keyring.is_tournament(holder.key.stream_id),
    }


def render_fragment(name: str, facts: JsonObject) -> str:
    """Return a part of the table without the surrounding page."""
    return current_app.jinja_env.get_template(f"table/{name}.html").render(facts)


def fragment_response(content: str | bytes) -> Response:
    """Return a response with this content, which varies by the headers of scripts."""
    answer = make_response(content)
    answer.vary.update(("X-Fragment", "X-Shown"))
    return answer


def wants_fragment() -> bool:
    """Return whether a script requests a fragment, to replace a part of its page."""
    return request.headers.get("X-Fragment") == "1"
