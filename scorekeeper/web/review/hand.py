"""``/t/<session_id>/h/<match>-<hand>``: one hand, from its score down to every card."""

from flask import Blueprint, render_template

from scorekeeper.web.phone.witness import remember
from scorekeeper.web.review.common import hand_at, look
from scorekeeper.web.review.hand_story import hindsight

blueprint = Blueprint("hand", __name__, url_prefix="/t/<session_id>/h")
blueprint.after_request(remember)


@blueprint.get("/<int:hand>")
@blueprint.get("/<int:match>-<int:hand>")
def page(session_id: str, hand: int, match: int | None = None) -> str:
    """Show a hand, without a match one of the match that was begun last."""
    shown = look(
        session_id,
        lambda found, holder: hindsight(found, hand_at(found, match, hand), holder.player),
    )
    return render_template("hand/page.html", id=session_id, seen=shown)
