"""``/join``: a link with a key; its button exchanges the key for a cookie.

Looking at the page changes nothing: programs that show previews of links look at them, too.
"""

from typing import Final

from flask import Blueprint, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from scorekeeper.api.access import cookie_name, refuse_wrong_key, service
from scorekeeper.errors import NoKey
from scorekeeper.store import Key
from scorekeeper.web.phone.levels import said_level, start_level
from scorekeeper.web.phone.remembered import keep

blueprint = Blueprint("join", __name__, url_prefix="/join")

A_YEAR: Final = 365 * 24 * 3600  # seconds


@blueprint.after_request
def unkept(answer: Response) -> Response:
    """Let nobody keep an answer that holds a key."""
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.get("/<key>")
def page(key: str) -> str:
    """Ask whether to join, with what the key opens."""
    found = the_key(key)
    session = service().see(found.session, lambda session: session.record)
    title = session.opened.title if session.opened else ""
    name = session.players.get(found.player or "", found.player)
    return render_template(
        "join.html", key=key, role=found.role, name=name, title=title, before=held_before(found),
        level=said_level(),
    )  # fmt: skip


def held_before(key: Key) -> Key | None:
    """The other key that this phone holds to the same session, if any."""
    secret = request.cookies.get(cookie_name(key.session), "")
    before = service().store.find_key(secret) if secret else None
    return before if before and before.session == key.session and before.id != key.id else None


@blueprint.post("")
def join() -> Response:
    """Exchange the key for a cookie, and go on to where no link holds it."""
    secret = request.form.get("key", "")
    found = the_key(secret)
    answer = redirect(url_for("table.page", session=found.session), 303)
    keep_key(answer, found.session, secret)
    start_level(answer, found.session)
    return answer


def keep_key(answer: Response, session: str, secret: str) -> None:
    """Let this phone hold a key to a session."""
    keep(answer, cookie_name(session), secret, A_YEAR)


def the_key(secret: str) -> Key:
    """The key with this secret; NoKey where it opens nothing (any more)."""
    found = service().store.find_key(secret)
    if found is None:
        refuse_wrong_key()
        raise NoKey(_("It was taken back, its time is over, or it is not whole. "
                      "Ask the host of the table for another one."))  # fmt: skip
    return found
