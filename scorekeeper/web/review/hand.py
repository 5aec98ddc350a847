"""``/t/<session_id>/h/<match>-<hand>``: one hand, from its score down to every card."""

from flask import Blueprint, render_template

from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.web.frame.form_keys import new_key
from scorekeeper.web.phone.witness import remember_head
from scorekeeper.web.review.acceptance import Acceptance, find_acceptance
from scorekeeper.web.review.hand_story import HandReview, review_hand
from scorekeeper.web.review.review import find_hand, see_as_viewer

blueprint = Blueprint("hand", __name__, url_prefix="/t/<session_id>/h")
blueprint.after_request(remember_head)


@blueprint.get("/<int:hand>")
@blueprint.get("/<int:match>-<int:hand>")
def page(session_id: str, hand: int, match: int | None = None) -> str:
    """Show a hand of a match, by default of the match that was begun last."""
    shown, accepts, version = see_as_viewer(
        session_id,
        lambda session, holder: hand_in_review(
            session, find_hand(session, match, hand), holder.player
        ),
    )
    return render_template(
        "hand/page.html", id=session_id, seen=shown, accepts=accepts, version=version,
        key=new_key(),
    )  # fmt: skip


def hand_in_review(
    session: Session, hand: HandRecord, player: str | None
) -> tuple[HandReview, Acceptance | None, int]:
    """Return a hand in review, how a player can accept it, and the version of the session."""
    accepts = None if player is None else find_acceptance(session, hand, player)
    return review_hand(session, hand, player), accepts, session.events
