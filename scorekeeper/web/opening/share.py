"""``/t/<session_id>/share``: the links and codes with which other phones join a new table.

The store keeps only hashes of secrets. The phone that opened the table keeps those of its links for
15 minutes, in a cookie that is sent to this page alone.
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
from scorekeeper.http.headers import no_store
from scorekeeper.service.permissions import refuse_role
from scorekeeper.store import Key, Opened, Role
from scorekeeper.web.frame.form_keys import form_attempt
from scorekeeper.web.phone.levels import kept_level
from scorekeeper.web.phone.links import absolute_url, draw_qr_code, is_reachable_from_other_phones
from scorekeeper.web.phone.remembered import read_cookie_fields, session_cookie_name, set_cookie

blueprint = Blueprint("share", __name__, url_prefix="/t/<session_id>/share")
blueprint.after_request(no_store)

SHARE_SECONDS: Final = 15 * 60  # lifetime of the links' cookie and the code
ORDER: Final = ("seat", "view", "host")


@dataclass(frozen=True, slots=True)
class Link:
    """A link to hand out: its role, its address, and its QR code."""

    role: Role
    player: str | None
    href: str
    code: Markup


@blueprint.get("")
def page(session_id: str) -> str:
    """Show the links and the code of a new table that this phone still stores."""
    refuse_role(holder_of(session_id), "host")
    names, title = service().see(
        session_id, lambda session: (dict(session.structure.players), session.structure.opened)
    )
    code = kept_code(session_id)
    return render_template(
        "share/page.html", session_id=session_id, names=names, title=title.title if title else "",
        links=[make_link(*link) for link in kept_links(session_id)],
        way=link_with_code(session_id, code), code=code, minutes=SHARE_SECONDS // 60,
        far=is_reachable_from_other_phones(),
    )  # fmt: skip


@blueprint.post("")
def done(session_id: str) -> Response:
    """Delete the cookie with the links, and redirect to the table."""
    refuse_role(holder_of(session_id), "host")
    answer = to(url_for("table.page", session_id=session_id), 303)
    answer.delete_cookie(session_cookie_name("share", session_id), path=share_path(session_id))
    return answer


# -------------------------------------------------------------------------------- what is kept


def share_path(session_id: str) -> str:
    """Return the path of the page to which alone the cookie with the links is sent."""
    return url_for("share.page", session_id=session_id)


def keep_links(answer: Response, new: Opened, own: Key | None) -> None:
    """Store the links of a new session on this phone for a while, with a code to join it.

    The key to the phone's ``own`` seat is not handed out.
    """
    fields = [("code", service().access.new_code(new.id, SHARE_SECONDS, form_attempt()))]
    fields += [("key", new_key.secret) for new_key in new.keys if new_key.key != own]
    set_cookie(
        answer,
        session_cookie_name("share", new.id),
        urlencode(fields),
        SHARE_SECONDS,
        share_path(new.id),
    )


def kept_code(session_id: str) -> str:
    """Return the code in this phone's cookie; empty if it does not lead to the session now."""
    code = dict(_read_share_cookie(session_id)).get("code", "")
    return code if code and service().access.find_code(code) == session_id else ""


def kept_links(session_id: str) -> list[tuple[Key, str]]:
    """Return the stored keys that still open the session, with their secrets."""
    links = []
    for name, secret in _read_share_cookie(session_id):
        key = service().access.find_key(secret) if name == "key" else None
        if key is not None and key.stream_id == session_id:
            links.append((key, secret))
    return sorted(links, key=lambda link: ORDER.index(link[0].role))


def _read_share_cookie(session_id: str) -> list[tuple[str, str]]:
    """Return the names and values in the cookie that has the links and code of a session."""
    return read_cookie_fields(session_cookie_name("share", session_id))


# --------------------------------------------------------------------------------------- links


def make_link(key: Key, secret: str) -> Link:
    """Return the link with which a phone takes a key, with its QR code."""
    href = link_address(key, secret)
    return Link(key.role, key.player, href, draw_qr_code(href))


def link_address(key: Key, secret: str) -> str:
    """Return the address with which a phone takes a key."""
    return absolute_url(url_for("join.page", key=secret, level=kept_level(key.stream_id)))


def link_with_code(session_id: str, code: str) -> Link | None:
    """Return the link with a code, for anybody at the table; None without a code."""
    if not code:
        return None
    href = absolute_url(url_for("code.enter", code=code, level=kept_level(session_id)))
    return Link("seat", None, href, draw_qr_code(href))
