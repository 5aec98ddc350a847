"""``/code``: a short code, read out at the table, leads to its seats; one tap sits down.

A code is guessed more easily than a key: it lives for minutes, and few may be tried.
"""

from typing import Any, Final

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from scorekeeper.api.access import AN_HOUR, cookie_name, refuse_often, service
from scorekeeper.errors import TooOften
from scorekeeper.replay import Session
from scorekeeper.store import Key, Wish
from scorekeeper.store.keyring import LETTERS, OF_A_CODE
from scorekeeper.web.opening.join import keep_key
from scorekeeper.web.phone.levels import said_level, start_level
from scorekeeper.web.wording.naming import distinct

blueprint = Blueprint("code", __name__, url_prefix="/code")

WRONG: Final = "wrong code"
MOST_WRONG: Final = 20  # from one address in an hour
JOINED: Final = "joined by code"
MOST_JOINED: Final = 200  # keys that one address may get in an hour


@blueprint.after_request
def unkept(answer: Response) -> Response:
    """Let nobody keep who sits where."""
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.get("")
def enter() -> str | tuple[str, int]:
    """Ask for a code; show the seats that it leads to."""
    if not request.args.get("code", "").strip():
        return render_template("code/enter.html", code="", wrong="")
    code = plain(request.args["code"])
    session = session_of(code)
    return seats(session, code) if session else nowhere(code)


@blueprint.post("")
def sit() -> Response | str | tuple[str, Any]:
    """Sit down where a code leads, or look on."""
    code = plain(request.form.get("code", ""))
    session = session_of(code)
    if session is None:
        return nowhere(code)
    player = request.form.get("seat", "")
    if player and player not in free_seats_of(session):
        return seats(session, code, _("Somebody sits there by now. Take another seat.")), 409
    refuse_often(JOINED, MOST_JOINED)
    new = service().add_key(session, Wish("seat", player) if player else Wish("view"))
    service().store.touch_key(new.key)
    answer = to(url_for("table.page", session=session), 303)
    keep_key(answer, session, new.secret)
    start_level(answer, session)
    return answer


def seats(session: str, code: str, wrong: str = "") -> str:
    """The seats of a session."""
    free = free_seats_of(session)
    title, names = service().see(session, title_and_names)
    return render_template(
        "code/seats.html", code=code, title=title, names=names, free=free, wrong=wrong,
        session=session, here=is_here(session), level=said_level(),
    )  # fmt: skip


def is_here(session: str) -> bool:
    """Whether this phone holds a key to a session already."""
    secret = request.cookies.get(cookie_name(session), "")
    key = service().store.find_key(secret) if secret else None
    return key is not None and key.session == session


def nowhere(code: str) -> tuple[str, int]:
    """The form again, as the code leads nowhere."""
    wrong = _("This code leads nowhere: it was mistyped, or is over. Ask the host for another.")
    return render_template("code/enter.html", code=code[:40], wrong=wrong), 404


def plain(typed: str) -> str:
    """A code as it is kept, however it was typed.

    >>> plain(" K7m-2PX")
    'k7m2px'
    """
    return "".join(one for one in typed.lower() if one.isalnum())


def session_of(code: str) -> str | None:
    """The session that a code leads to; TooOften for who tried too many."""
    if len(code) != OF_A_CODE or not set(code) <= set(LETTERS):
        return None
    store = service().store
    left = store.wait(WRONG, request.remote_addr or "", MOST_WRONG, AN_HOUR)
    if left:
        raise TooOften(_("too many codes that lead nowhere came from here"), left)
    found = store.find_code(code)
    if found is None:
        refuse_often(WRONG, MOST_WRONG)
    return found


def title_and_names(session: Session) -> tuple[str, dict[str, str]]:
    """What a session is called, and the names of who is there."""
    opened = session.record.opened
    return opened.title if opened else "", distinct(session.record.players)


def free_seats_of(session: str) -> list[str]:
    """The players whom no phone speaks for yet."""
    store = service().store
    now = store.clock()
    taken = {key.player for key in store.keys(session) if is_held(key, now)}
    players = service().see(session, lambda one: list(one.record.players))
    return [player for player in players if player not in taken]


def is_held(key: Key, now: str) -> bool:
    """Whether a key opens something, and a phone has used it."""
    over = key.revoked is not None or (key.expires is not None and key.expires <= now)
    return key.last_used is not None and not over
