"""``/t/<session_id>``: the table, for who holds a key to it: what stands, and what comes next."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from flask import (
    Blueprint,
    Response,
    make_response,
    redirect,
    render_template,
    request,
)
from flask import url_for as url

from scorekeeper.base.errors import (
    Confirmed,
    Forbidden,
    Irregular,
    KeyReused,
    ScorekeeperError,
    StaleVersion,
    Unusable,
)
from scorekeeper.http.access import ANY
from scorekeeper.http.extensions import service
from scorekeeper.play.prompts import Level
from scorekeeper.service import Holder, Recorded, Service
from scorekeeper.service.permissions import refuse_role
from scorekeeper.web.entry import actions
from scorekeeper.web.entry.board import Board, board
from scorekeeper.web.entry.forms import Sent, sent
from scorekeeper.web.entry.history import same_since, since
from scorekeeper.web.entry.labels import field_of
from scorekeeper.web.phone.levels import keep_level, kept_level, said_level
from scorekeeper.web.phone.looking import who_looks
from scorekeeper.web.wording.refused import in_words

blueprint = Blueprint("table", __name__, url_prefix="/t")
blueprint.add_app_template_filter(field_of, "field")

VIEWS: Final = ("entry", "watch", "flat")
OF_THE_MOMENT: Final = ("version", "key", "as_played")  # not kept when a form is sent again
OK: Final = 200
NO_CONTENT: Final = 204
FORBIDDEN: Final = 403
STALE: Final = 412
REFUSED: Final = 422

Act = Callable[[Service, str, Sent, Holder], Recorded]


@dataclass(frozen=True, slots=True)
class Notice:
    """What became of a form that was not recorded, and what was in it.

    ``kind`` is irregular, stale or unusable; ``said`` are the findings, or what others recorded,
    which can be the ``same``. ``desk`` is where to dispute a hand that it would have changed.
    """

    kind: str
    said: Sequence[str]
    kept: Sequence[tuple[str, str]]
    act: str
    same: bool = False
    desk: str = ""

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


@blueprint.get("/<session_id>")
def page(session_id: str) -> Response:
    """Show how the table stands, and what can be recorded."""
    holder = who_looks(session_id)
    refuse_role(holder, *ANY)
    answer = shown(session_id, holder)
    level = said_level()
    if level is not None:
        keep_level(answer, session_id, level)
    return answer


@blueprint.post("/<session_id>/record")
def record(session_id: str) -> Response:
    """Record what a form says."""
    return done(session_id, actions.record)


@blueprint.post("/<session_id>/undo")
def undo(session_id: str) -> Response:
    """Take back what was last recorded."""
    return done(session_id, actions.undo)


# --------------------------------------------------------------------------------- answering


def done(session_id: str, act: Act) -> Response:
    """Do what was asked, and show the table after it; or say why not, and ask."""
    holder = who_looks(session_id)
    refuse_role(holder, "host", "seat")
    form = request.form
    kept = [(n, v) for n, v in form.items(multi=True) if n not in OF_THE_MOMENT]
    try:
        asked = sent(form)
        recorded = act(service(), session_id, asked, holder)
    except Irregular as error:
        said = [finding["message"] for finding in error.findings]
        return shown(session_id, holder, Notice("irregular", said, kept, act.__name__), REFUSED)
    except (StaleVersion, KeyReused):
        news, same = service().see(
            session_id,
            lambda found: (
                since(found, asked.version), same_since(found, asked.version, asked.events),
            ),
        )  # fmt: skip
        notice = Notice("stale", news, kept, act.__name__, same)
        return shown(session_id, holder, notice, STALE)
    except (Unusable, Confirmed, Forbidden) as error:
        desk = desk_of(session_id, error)
        notice = Notice("unusable", [in_words(error)], kept, act.__name__, desk=desk)
        return shown(
            session_id, holder, notice, FORBIDDEN if isinstance(error, Forbidden) else REFUSED
        )
    if in_place():
        return marked(recorded, session_id, holder, asked.version)
    back = request.args.get("view")
    view = back if back in VIEWS else None
    return make_response(redirect(url("table.page", session_id=session_id, view=view), 303))


def desk_of(session_id: str, error: ScorekeeperError) -> str:
    """The address at which to dispute the hand that something would have changed, if one."""
    if not isinstance(error, Confirmed):
        return ""
    return url("dispute.page", session_id=session_id, match=error.match, hand=error.hand)


def marked(recorded: Recorded, session_id: str, holder: Holder, known: int) -> Response:
    """The table after something was recorded, with the version that this made.

    Empty where nobody looks: entries that waited for the network are sent one after the other.
    """
    if request.headers.get("Prefer") == "return=minimal":
        answer = make_response("", NO_CONTENT)
    else:
        news = service().see(session_id, lambda found: since(found, known))
        answer = shown(session_id, holder, said=news)
    answer.set_etag(str(recorded.version))
    return answer


def shown(
    session_id: str,
    holder: Holder,
    notice: Notice | None = None,
    status: int = OK,
    said: Sequence[str] = (),
) -> Response:
    """The table: the page, or where a script asks, what changes of it."""
    level = level_of(session_id)
    found: Board = service().see(session_id, lambda found: board(found, holder, level))
    asked = request.args.get("view")
    view = asked if asked in VIEWS else "entry"
    template = "table/state.html" if in_place() else "table/page.html"
    html = render_template(
        template,
        id=session_id,
        board=found,
        view=view,
        writes=found.writes and view != "watch",
        notice=notice,
        said=said,
    )
    answer = make_response(html, status)
    answer.vary.add("X-Fragment")
    return answer


def in_place() -> bool:
    """Whether a script asks, which puts the answer in the place of what it has."""
    return request.headers.get("X-Fragment") == "1"


def level_of(session_id: str) -> Level | None:
    """How fine this phone records; None where nobody chose."""
    return said_level() or kept_level(session_id)
