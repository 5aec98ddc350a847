"""``/t/<session_id>/settings/new-host``: another seat becomes the host, whose phone is lost.

A seat asks on its own phone, and every other seat that has a phone agrees on its own. Then the
phone that asked takes the last step itself, because only its own form brings it a new secret.
"""

from flask import Blueprint, request, url_for
from flask import redirect as to
from werkzeug.wrappers import Response

from scorekeeper.base.errors import ForbiddenError
from scorekeeper.http.access import holder_of, phone_secret
from scorekeeper.http.extensions import service
from scorekeeper.http.headers import no_store
from scorekeeper.service.permissions import refuse_role
from scorekeeper.store import Key, Role
from scorekeeper.web.frame.form_keys import form_attempt
from scorekeeper.web.phone.viewer import become_host

blueprint = Blueprint("new_host", __name__, url_prefix="/t/<session_id>/settings/new-host")
blueprint.after_request(no_store)


@blueprint.post("/ask")
def ask(session_id: str) -> Response:
    """Ask that this phone becomes the host."""
    key, after = require_key(session_id, "seat"), request.form.get("after", "")
    service().hosting.ask_to_host(phone_secret() or "", key, after, form_attempt())
    return redirect_back(session_id)


@blueprint.post("/agree")
def agree(session_id: str) -> Response:
    """Agree that the seat that asked becomes the host."""
    key = require_key(session_id, "seat")
    service().hosting.agree_to_host(key, request.form.get("request", ""))
    return redirect_back(session_id)


@blueprint.post("/end")
def end(session_id: str) -> Response:
    """End the request: a seat does not agree or takes its own back, or the host refuses it."""
    key = require_key(session_id, "seat", "host")
    service().hosting.end_host_request(key, request.form.get("request", ""))
    return redirect_back(session_id)


@blueprint.post("/take")
def take(session_id: str) -> Response:
    """Make this phone the host's, if all have agreed."""
    key = require_key(session_id, "seat", "host")
    became = key.role == "host" or become_host(key, request.form.get("request", ""))
    done = "hosting" if became else None
    return to(url_for("settings.page", session_id=session_id, done=done), 303)


def require_key(session_id: str, *roles: Role) -> Key:
    """Return the key of the request, with one of these roles at this table.

    Raises `ForbiddenError` otherwise, and for a key to the tournament of the table: its director
    is replaced by nobody's agreement.
    """
    holder = holder_of(session_id)
    refuse_role(holder, *roles)
    key = holder.key
    if key is None or key.stream_id != session_id:
        raise ForbiddenError("the director of the tournament is the host of its tables")
    return key


def redirect_back(session_id: str) -> Response:
    """Return a redirection to the page with the form: the table or its settings."""
    if request.form.get("back") == "table":
        return to(url_for("table.page", session_id=session_id), 303)
    return to(url_for("settings.page", session_id=session_id, _anchor="new-host"), 303)
