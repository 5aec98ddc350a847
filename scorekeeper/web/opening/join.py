"""``/join``: a link with a key; its button exchanges the key for a cookie.

Fetching the page changes nothing, since programs that preview links fetch it, too.
"""

from flask import Blueprint, redirect, render_template, request
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from scorekeeper.base.errors import InvalidKeyError
from scorekeeper.http.access import own_key
from scorekeeper.http.extensions import service
from scorekeeper.http.headers import no_store
from scorekeeper.http.limits import refuse_wrong_key
from scorekeeper.log.face_down import KEEPER
from scorekeeper.store import Key
from scorekeeper.web.opening.led import find_destination, first_page_url
from scorekeeper.web.phone.levels import requested_level, set_level_from_link
from scorekeeper.web.phone.my_tables import take_key
from scorekeeper.web.phone.viewer import give_up_own_seat

blueprint = Blueprint("join", __name__, url_prefix="/join")
blueprint.after_request(no_store)


@blueprint.get("")
def without_key() -> str:
    """Explain how to join, for a link without its key."""
    return render_template("join_how.html", level=requested_level(), code="", wrong="")


@blueprint.get("/<key>")
def page(key: str) -> str:
    """Ask whether to join, and show what the key opens."""
    held = find_key_or_refuse(key)
    place, before = find_destination(held.stream_id), other_key_held(held)
    name = place.names.get(held.player or "", held.player)
    return render_template(
        "join.html", key=key, role=held.role, name=name, assists=held.player == KEEPER,
        title=place.title, place=place, before=before, there=place.address,
        level=requested_level(),
    )  # fmt: skip


def other_key_held(key: Key) -> Key | None:
    """Return the key of this phone to the same session, unless it is this key; else None."""
    before = own_key(key.stream_id)
    return before if before and before.id != key.id else None


@blueprint.post("")
def join() -> Response:
    """Give this phone the key, and redirect to an address without it.

    Raises `SeatTakenError` if another phone holds the seat.
    """
    held = find_key_or_refuse(request.form.get("key", ""))
    answer = redirect(first_page_url(held.stream_id), 303)
    set_level_from_link(answer, held.stream_id)
    take_key(held)
    if held.role != "host":
        give_up_own_seat(held.stream_id)
    return answer


def find_key_or_refuse(secret: str) -> Key:
    """Return the key with this secret; a wrong secret is counted against the client.

    Raises `InvalidKeyError` if the secret opens nothing, or no longer does.
    """
    key = service().access.find_key(secret)
    if key is None:
        refuse_wrong_key()
        raise InvalidKeyError(
            _("It was taken back, has expired, or is incomplete. Ask for a new one.")
        )
    return key
