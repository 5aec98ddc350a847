"""``/api/sessions/{id}/clubs``: the clubs that count a session; the host may stop one."""

from flask import Response

from scorekeeper.api.decorators import CLUB, SESSION, opened
from scorekeeper.api.document import Blueprint, refuses
from scorekeeper.api.keys import private_json
from scorekeeper.api.session_views import FollowersView, FollowerView
from scorekeeper.api.view_schemas import schema_of
from scorekeeper.http.answering import bodiless_answer
from scorekeeper.http.extensions import clubs
from scorekeeper.service.followers import following_clubs, stop_club

blueprint = Blueprint("followers", __name__, description="The clubs that count a session.")


@blueprint.route("/sessions/<session:session>/clubs", parameters=[SESSION])
@blueprint.response(200, schema_of(FollowersView), description="The clubs.")
@opened("host")
def list_followers(session_id: str) -> Response:
    """List the clubs that count a session, and the keys with which it was entered.

    A club reads the session for as long as one of these keys opens it. After that it keeps the
    session as it was at `version` and `head`, and reads nothing newer.
    """
    following = following_clubs(clubs(), session_id)
    return private_json(FollowersView(list(map(FollowerView.of, following))))


@blueprint.route(
    "/sessions/<session:session>/clubs/<club>", methods=["DELETE"], parameters=[SESSION, CLUB]
)
@blueprint.response(204, description="The club reads nothing newer.")
@refuses("unknown_club", "cross_site")
@opened("host")
def stop_follower(session_id: str, club: str) -> Response:
    """Stop a club from following a session: it keeps the session as it is now.

    The club follows it again after a member enters it again with a key that opens it.
    """
    stop_club(clubs(), session_id, club)
    return bodiless_answer(204)
