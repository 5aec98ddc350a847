"""``/t/<session_id>/chat``: the results as a text and a picture, to send to a chat.

The text has a link for viewing only if the host requests it. The link contains a new key to view,
which is shown in this response alone.
"""

from flask import Blueprint, render_template, url_for

from scorekeeper.answers import jobs
from scorekeeper.http.access import ANY
from scorekeeper.http.answering import compute_from_session
from scorekeeper.http.extensions import service
from scorekeeper.http.headers import no_store
from scorekeeper.http.preferences import request_language, request_zone
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.reader import Reader
from scorekeeper.service import Holder
from scorekeeper.service.permissions import refuse_role
from scorekeeper.store.contract import KeyRequest
from scorekeeper.web.frame.form_keys import form_attempt
from scorekeeper.web.keeping.settings import require_host, session_state
from scorekeeper.web.phone.links import absolute_url
from scorekeeper.web.phone.viewer import viewer_of

blueprint = Blueprint("chat", __name__, url_prefix="/t/<session_id>/chat")
blueprint.after_request(no_store)


@blueprint.get("")
def page(session_id: str) -> str:
    """Show the text and picture to send."""
    holder = viewer_of(session_id)
    refuse_role(holder, *ANY)
    return render_chat_page(session_id, holder)


@blueprint.post("")
def with_link(session_id: str) -> str:
    """Show them with a new link for viewing."""
    require_host(session_id)
    holder = viewer_of(session_id)
    new = service().add_key(session_id, KeyRequest("view"), attempt=form_attempt())
    return render_chat_page(session_id, holder, absolute_url(url_for("join.page", key=new.secret)))


def render_chat_page(session_id: str, holder: Holder, link: str = "") -> str:
    """Return the HTML page with the text and picture for a chat; `link` is added to the text."""
    reader = Reader(request_language(), request_zone())
    text, _position = compute_from_session(
        session_id, holder, jobs.export_session, session_id, "text", reader
    )
    chat_text = text.decode("utf-8").rstrip()
    if link:
        chat_text += "\n\n" + _("Look on: %(link)s", link=link)
    return render_template(
        "chat/page.html", session_id=session_id, now=service().see(session_id, session_state),
        said=chat_text, may_link=holder.role == "host", linked=bool(link),
        picture=url_for("exports.get_picture", session=session_id, language=reader.language),
    )  # fmt: skip
