"""``/t/<session_id>/share``: the links and codes that bring the other phones to a new table.

Secrets are stored only hashed. The phone that opened the table keeps those of its links for a
while in a cookie that is sent to this page alone.
"""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from flask import Blueprint, render_template, url_for
from flask import redirect as to
from markupsafe import Markup
from werkzeug.wrappers import Response

from scorekeeper.http.access import holder_of
from scorekeeper.http.extensions import service
from scorekeeper.http.headers import unkept
from scorekeeper.service.permissions import refuse_role
from scorekeeper.store import Key, Opened, Role
from scorekeeper.web.frame.form_keys import attempt
from scorekeeper.web.phone.levels import kept_level
from scorekeeper.web.phone.links import drawn, is_far, outside
from scorekeeper.web.phone.remembered import cookie_of, fields_of, keep

blueprint = Blueprint("share", __name__, url_prefix="/t/<session_id>/share")
blueprint.after_request(unkept)

A_WHILE: Final = 15 * 60  # seconds
ORDER: Final = ("seat", "view", "host")


@dataclass(frozen=True, slots=True)
class Link:
    """A link to be handed out: what it is for, where it leads, and its code for a camera."""

    role: Role
    player: str | None
    href: str
    code: Markup


@blueprint.get("")
def page(session_id: str) -> str:
    """Show the links that are still kept here."""
    refuse_role(holder_of(session_id), "host")
    names, title = service().see(
        session_id, lambda one: (dict(one.structure.players), one.structure.opened)
    )
    code = kept_code(session_id)
    return render_template(
        "share/page.html", session_id=session_id, names=names, title=title.title if title else "",
        links=[link_of(*one) for one in kept_links(session_id)], way=way_in(session_id, code),
        code=code, minutes=A_WHILE // 60, far=is_far(),
    )  # fmt: skip


@blueprint.post("")
def done(session_id: str) -> Response:
    """Forget the links, and go to the table."""
    refuse_role(holder_of(session_id), "host")
    answer = to(url_for("table.page", session_id=session_id), 303)
    answer.delete_cookie(cookie_of("share", session_id), path=path_of(session_id))
    return answer


# -------------------------------------------------------------------------------- what is kept


def path_of(session_id: str) -> str:
    """Where alone that cookie is sent."""
    return url_for("share.page", session_id=session_id)


def keep_links(answer: Response, new: Opened, own: Key | None) -> None:
    """Let this phone keep the links of a session just opened, and a code to join it, a while.

    That to the seat which is its ``own`` is for nobody else.
    """
    said = [("code", service().store.new_code(new.id, A_WHILE, attempt()))]
    said += [("key", one.secret) for one in new.keys if one.key != own]
    keep(answer, cookie_of("share", new.id), urlencode(said), A_WHILE, path_of(new.id))


def kept_code(session_id: str) -> str:
    """The code to join that is kept, while it leads to the session."""
    code = dict(_kept(session_id)).get("code", "")
    return code if code and service().store.find_code(code) == session_id else ""


def kept_links(session_id: str) -> list[tuple[Key, str]]:
    """The keys that are kept and still open the session, with their secrets."""
    found = []
    for name, secret in _kept(session_id):
        key = service().store.find_key(secret) if name == "key" else None
        if key is not None and key.session_id == session_id:
            found.append((key, secret))
    return sorted(found, key=lambda one: ORDER.index(one[0].role))


def _kept(session_id: str) -> list[tuple[str, str]]:
    return fields_of(cookie_of("share", session_id))


# --------------------------------------------------------------------------------------- links


def link_of(key: Key, secret: str) -> Link:
    """The link with a key."""
    href = outside(url_for("join.page", key=secret, level=kept_level(key.session_id)))
    return Link(key.role, key.player, href, drawn(href))


def way_in(session_id: str, code: str) -> Link | None:
    """The way in by a code, for whoever is at the table; None without a code."""
    if not code:
        return None
    href = outside(url_for("code.enter", code=code, level=kept_level(session_id)))
    return Link("seat", None, href, drawn(href))
