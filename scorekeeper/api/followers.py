"""``/api/sessions/{id}/clubs``: the clubs that count a session; the host may stop one."""

from typing import Any

from flask import Response

from scorekeeper.api.decorators import CLUB, SESSION, opened
from scorekeeper.api.document import Blueprint, refuses
from scorekeeper.api.keys import private_json
from scorekeeper.api.session_schemas import FollowersSchema
from scorekeeper.http.answering import bodiless_answer
from scorekeeper.http.extensions import clubs
from scorekeeper.service.followers import FollowingClub, following_clubs, stop_club

blueprint = Blueprint("followers", __name__, description="The clubs that count a session.")


@blueprint.route("/sessions/<session:session>/clubs", parameters=[SESSION])
@blueprint.response(200, FollowersSchema, description="The clubs.")
@opened("host")
def list_followers(session_id: str) -> Response:
    """List the clubs that count a session, and the keys with which it was entered.

    A club reads the session for as long as one of these keys opens it. After that it keeps the
    session as it was at `version` and `head`, and reads nothing newer.
    """
    return private_json(
        {"clubs": [_club_as_json(club) for club in following_clubs(clubs(), session_id)]}
    )


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


def _club_as_json(club: FollowingClub) -> dict[str, Any]:
    """Return a following club as plain values."""
    version, head = club.stop or (None, None)
    return {"club": club.id, "name": club.name, "keys": list(club.keys),
            "followed": club.stop is None, "version": version, "head": head}  # fmt: skip
