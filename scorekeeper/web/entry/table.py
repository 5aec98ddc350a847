"""``/t/<session_id>``: the table, for holders of a key to it: what stands, and what comes next."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

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
)
from scorekeeper.http.access import ANY
from scorekeeper.http.answering import MASKED
from scorekeeper.http.extensions import service
from scorekeeper.http.preferences import asked_language
from scorekeeper.play.prompts import Level
from scorekeeper.service import AppendRequest, Holder, Recorded
from scorekeeper.service.permissions import refuse_role
from scorekeeper.service.shared import Shared
from scorekeeper.session.session import Session
from scorekeeper.web.entry import undoing
from scorekeeper.web.entry.appending import (
    append_sent,
    is_for_another_hand,
    is_over,
    same_since,
)
from scorekeeper.web.entry.board import Board, board
from scorekeeper.web.entry.forms import Sent, sent
from scorekeeper.web.entry.history import log as hand_log
from scorekeeper.web.entry.history import since
from scorekeeper.web.entry.moment import Moment, moment_of
from scorekeeper.web.frame.form_keys import new_key
from scorekeeper.web.phone.levels import keep_level, kept_level, requested_level
from scorekeeper.web.phone.viewer import viewer_of
from scorekeeper.web.review.review import seen_by_many
from scorekeeper.web.wording.refused import in_words

blueprint = Blueprint("table", __name__, url_prefix="/t")

VIEWS: Final = ("entry", "watch", "flat")
OF_THE_MOMENT: Final = ("version", "key", "as_played")  # not kept when a form is sent again
OK: Final = 200
NO_CONTENT: Final = 204
FORBIDDEN: Final = 403
STALE: Final = 412
REFUSED: Final = 422
STATUS: Final = {StaleVersionError: STALE, KeyReusedError: STALE, ForbiddenError: FORBIDDEN}
MINIMAL: Final = "return=minimal"
MOMENTS: Final = Shared(100, 1, weigh=lambda _: 1)  # of tables that were looked at lately
A_KEY: Final = new_key()  # stands in what is kept where each who looks gets a key of his own

FormAct = Callable[[Sent, Holder], AppendRequest]


@dataclass(frozen=True, slots=True)
class Notice:
    """What became of a form that was not recorded, and what was in it.

    ``kind`` is irregular, stale or unusable; ``said`` are the findings, or what others recorded,
    which can be the ``same``; of a form for a hand that is ``over`` nothing can be recorded any
    more, and an Undo that is ``too_late`` takes nothing back. ``sent_to`` is where it goes again,
    and ``desk`` where to dispute a hand that it would have changed.
    """

    kind: str
    said: Sequence[str]
    kept: Sequence[tuple[str, str]]
    sent_to: str
    same: bool = False
    over: bool = False
    desk: str = ""
    too_late: bool = False

    def has(self, kind: str, name: str, value: str) -> bool:
        """Whether this stood in the form of that type of event."""
        return self._of(kind) and (name, value) in self.kept

    def typed(self, kind: str, name: str) -> str:
        """What was typed there."""
        if not self._of(kind):
            return ""
        return next((value for field, value in self.kept if field == name), "")

    def _of(self, kind: str) -> bool:
        return any(name.endswith("type") and value == kind for name, value in self.kept)


@dataclass(frozen=True, slots=True)
class FormPlace:
    """Where a form of the page stands."""

    id: str
    view: str
    board: Board
    notice: Notice | None


@blueprint.get("/<session_id>")
def page(session_id: str) -> Response:
    """Show how the table stands, and what can be recorded."""
    holder = viewer_of(session_id)
    refuse_role(holder, *ANY)
    if in_place():
        answer = part(looked_at(session_id, holder))
    else:
        answer = shown(session_id, service().see(session_id, looking(session_id, holder)))
    level = requested_level()
    if level is not None:
        keep_level(answer, session_id, level)
    return answer


@blueprint.get("/<session_id>/log")
def log(session_id: str) -> Response:
    """Show the last hand in words; the table asks for it where somebody opens it."""
    holder = viewer_of(session_id)
    refuse_role(holder, *ANY)
    if in_place():
        _end, made = seen_by_many(session_id, holder, "log", partial(told, session_id, holder))
        return part(made)
    found = service().see(session_id, partial(hand_log, holder=holder))
    return part(render_template("table/log_page.html", id=session_id, log=found))


@blueprint.post("/<session_id>/record")
def record_form(session_id: str) -> Response:
    """Record what a form says."""
    return done(session_id, append_sent)


@blueprint.post("/<session_id>/undo")
def undo(session_id: str) -> Response:
    """Take back what was last recorded."""
    return done(session_id, undoing.undo)


# --------------------------------------------------------------------------------- answering


def done(session_id: str, act: FormAct) -> Response:
    """Do what was asked, and show the table after it; or say why not, and ask."""
    holder = viewer_of(session_id)
    refuse_role(holder, "host", "seat")
    try:
        form = sent(request.form)
        asked, look = act(form, holder), looking(session_id, holder)
        if not in_place() or request.headers.get("Prefer") == MINIMAL:
            return noted(session_id, service().record(session_id, asked, holder))
        recorded, (found, news) = service().record_and_see(
            session_id, asked, holder, lambda session: (look(session), since(session, form.version))
        )
    except (
        IrregularError,
        StaleVersionError,
        KeyReusedError,
        UnusableError,
        ConfirmedHandError,
        ForbiddenError,
    ) as error:
        return refused(session_id, holder, error)
    answer = shown(session_id, found, said=news)
    answer.set_etag(f"{recorded.version}{MASKED}")  # pages show what the table knows
    return answer


def noted(session_id: str, recorded: Recorded) -> Response:
    """Where no answer is put in its place: the version that was made, or the way to the table.

    Entries that waited for the network are sent one after the other, and nobody looks.
    """
    if in_place():
        answer = make_response("", NO_CONTENT)
        answer.set_etag(f"{recorded.version}{MASKED}")  # pages show what the table knows
        return answer
    back = request.args.get("view")
    view = back if back in VIEWS else None
    return make_response(redirect(url("table.page", session_id=session_id, view=view), 303))


def refused(session_id: str, holder: Holder, error: ScorekeeperError) -> Response:
    """The table as it stands, with what became of the form."""
    look = looking(session_id, holder)
    found, notice = service().see(
        session_id, lambda session: (look(session), notice_of(session, session_id, holder, error))
    )
    return shown(session_id, found, notice, STATUS.get(type(error), REFUSED))


def notice_of(session: Session, session_id: str, holder: Holder, error: ScorekeeperError) -> Notice:
    """What became of the form that came."""
    kept = [(n, v) for n, v in request.form.items(multi=True) if n not in OF_THE_MOMENT]
    if isinstance(error, IrregularError):
        return Notice("irregular", [one["message"] for one in error.findings], kept, request.path)
    if isinstance(error, StaleVersionError | KeyReusedError):
        form = sent(request.form)
        same, over = same_since(session, form), is_over(session, form, holder)
        return Notice("stale", since(session, form.version), kept, request.path, same, over)
    if undoing.is_too_late(error):
        said = [in_words(error), *since(session, sent(request.form).version)]
        return Notice("unusable", said, kept, request.path, too_late=True)
    desk, over = desk_of(session_id, error), is_for_another_hand(error)
    return Notice("unusable", [in_words(error)], kept, request.path, over=over, desk=desk)


def desk_of(session_id: str, error: ScorekeeperError) -> str:
    """The address at which to dispute the hand that something would have changed, if one."""
    if not isinstance(error, ConfirmedHandError):
        return ""
    return url("dispute.page", session_id=session_id, match=error.match, hand=error.hand)


def view_asked() -> str:
    """The view in which the table is to be shown."""
    asked = request.args.get("view")
    return asked if asked in VIEWS else "entry"


def looking(session_id: str, holder: Holder, key: str = "") -> Callable[[Session], Board]:
    """How the page is made for whoever looks: at the level at which his phone records, if one."""
    level, watching = requested_level() or kept_level(session_id), view_asked() == "watch"

    def look(session: Session) -> Board:
        moment = moment_at(session, session_id, level)
        return board(session, holder, moment, watching=watching, key=key)

    return look


def moment_at(session: Session, session_id: str, level: Level | None) -> Moment:
    """What is the same for all who look at a table and may know as much of it."""
    key = session_id, session.events, session.head, session.hidden, level, asked_language()
    found: Moment | None = MOMENTS.get(key)
    if found is None:
        found = moment_of(session, level)
        MOMENTS.put(key, found)
    return found


def looked_at(session_id: str, holder: Holder) -> str:
    """What changes of the table: made once for all who only look on, and once for each seat.

    Only the keys by which what is sent twice is recorded once are new each time.
    """
    look, view = looking(session_id, holder, A_KEY), view_asked()
    level = requested_level() or kept_level(session_id)

    def make(session: Session) -> str:
        return drawn_in_place("state", facts_of(session_id, look(session), view))

    _end, made = seen_by_many(session_id, holder, ("table", view, level), make)
    return made.replace(A_KEY, new_key())


def told(session_id: str, holder: Holder, session: Session) -> str:
    """The last hand in words, for whoever looks."""
    return drawn_in_place("log", {"id": session_id, "log": hand_log(session, holder)})


def shown(
    session_id: str,
    found: Board,
    notice: Notice | None = None,
    status: int = OK,
    said: Sequence[str] = (),
) -> Response:
    """The table: the page, or where a script asks, what changes of it."""
    answer = rendered("state", **facts_of(session_id, found, view_asked(), notice, said))
    answer.status_code = status
    return answer


def facts_of(
    session_id: str,
    found: Board,
    view: str,
    notice: Notice | None = None,
    said: Sequence[str] = (),
) -> dict[str, Any]:
    """What the table is made of."""
    return {
        "at": FormPlace(session_id, view, found, notice),
        "id": session_id,
        "board": found,
        "view": view,
        "writes": found.writes and view != "watch",
        "notice": notice,
        "said": said,
    }


def rendered(name: str, **facts: Any) -> Response:
    """A part of the table: as a page, or where a script asks, by itself."""
    if in_place():
        return part(drawn_in_place(name, facts))
    return part(render_template(f"table/{name}_page.html", **facts))


def drawn_in_place(name: str, facts: Mapping[str, Any]) -> str:
    """A part of the table, which needs nothing of what every page shows around it."""
    return current_app.jinja_env.get_template(f"table/{name}.html").render(facts)


def part(made: str | bytes) -> Response:
    """The answer with a part of the table; a script is answered otherwise than a reader."""
    answer = make_response(made)
    answer.vary.add("X-Fragment")
    return answer


def in_place() -> bool:
    """Whether a script asks, which puts the answer in the place of what it has."""
    return request.headers.get("X-Fragment") == "1"
