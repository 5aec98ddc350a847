"""``/join``: a link with a key; its button exchanges the key for a cookie.

Looking at the page changes nothing: programs that show previews of links look at them, too.
"""

from flask import Blueprint, redirect, render_template, request
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from scorekeeper.base.errors import InvalidKeyError
from scorekeeper.http.access import cookie_name, own_key
from scorekeeper.http.extensions import service
from scorekeeper.http.headers import unkept
from scorekeeper.http.limits import refuse_wrong_key
from scorekeeper.store import Key
from scorekeeper.web.opening.led import address_of, led
from scorekeeper.web.phone.levels import requested_level, start_level
from scorekeeper.web.phone.my_tables import forget, take
from scorekeeper.web.phone.own_seat import stand_up

blueprint = Blueprint("join", __name__, url_prefix="/join")
blueprint.after_request(unkept)


@blueprint.get("")
def without_key() -> str:
    """Say how to join, to whoever came without the end of his link."""
    return render_template("join_how.html", level=requested_level(), code="", wrong="")


@blueprint.get("/<key>")
def page(key: str) -> str:
    """Ask whether to join, with what the key opens."""
    found = the_key(key)
    leads, before = led(found.session_id), held_before(found)
    name = leads.names.get(found.player or "", found.player)
    return render_template(
        "join.html", key=key, role=found.role, name=name,
        title=leads.title, club=leads.club, before=before, there=leads.address,
        level=requested_level(),
    )  # fmt: skip


def held_before(key: Key) -> Key | None:
    """The other key that this phone holds to the same session, if any."""
    before = own_key(key.session_id)
    return before if before and before.id != key.id else None


@blueprint.post("")
def join() -> Response:
    """Let this phone hold the key, and go on to where no link holds it.

    Raises `SeatTakenError`.
    """
    found = the_key(request.form.get("key", ""))
    answer = redirect(address_of(found.session_id), 303)
    start_level(answer, found.session_id)
    take(found)
    if found.role != "host":
        stand_up(found.session_id)
    forget_old(answer, found.session_id)
    return answer


def forget_old(answer: Response, session_id: str) -> None:
    """Delete the old cookie of a session, where it came: it would go before what is held now."""
    if cookie_name(session_id) in request.cookies:
        forget(answer, cookie_name(session_id))


def the_key(secret: str) -> Key:
    """The key with this secret.

    Raises `MissingKeyError` if it opens nothing (any more).
    """
    found = service().store.find_key(secret)
    if found is None:
        refuse_wrong_key()
        raise InvalidKeyError(
            _("It was taken back, has expired, or is incomplete. Ask the host for a new one.")
        )
    return found
