"""``/tournament/<tournament_id>/hall``: the address of the hall's screen, which a director ends."""

from typing import Final

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from werkzeug.wrappers import Response

from scorekeeper.http.extensions import tournaments
from scorekeeper.http.headers import no_store
from scorekeeper.http.preferences import request_language
from scorekeeper.service.tournament_rights import DIRECTOR
from scorekeeper.store import PublicView
from scorekeeper.web.opening.share import Link
from scorekeeper.web.phone.links import (
    draw_qr_code,
    is_reachable_from_other_phones,
    public_url,
)
from scorekeeper.web.tournament.visitor import tournament_visitor

blueprint = Blueprint("tournament_hall", __name__, url_prefix="/tournament/<tournament_id>/hall")
blueprint.after_request(no_store)

SHOWN: Final = PublicView("full")
HIDDEN: Final = PublicView("full", left_out="standings")


@blueprint.get("")
def page(tournament_id: str) -> str:
    """Show the address of the screen, and what it shows."""
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    latest = tournaments().publishing.latest_publication(tournament_id)
    address = public_url(latest)
    lasting = f"{address}?language={request_language()}"
    return render_template(
        "tournament/hall.html", at=visitor, latest=latest, done=request.args.get("done", ""),
        link=Link("view", None, lasting, draw_qr_code(lasting)) if address else None,
        hidden=latest is not None and latest.left_out == HIDDEN.left_out,
        far=is_reachable_from_other_phones(),
    )  # fmt: skip


@blueprint.post("")
def publish(tournament_id: str) -> Response:
    """Make an address, or change what the screen at the address in the form shows."""
    tournament_visitor(tournament_id, DIRECTOR)
    view = HIDDEN if request.form.get("standings") == "hidden" else SHOWN
    address = request.form.get("address")
    if address is not None:
        tournaments().publishing.change_publication(tournament_id, address, view)
        return to(url_for(".page", tournament_id=tournament_id, done="changed"), 303)
    after = request.form.get("after", 0, type=int)
    tournaments().publishing.publish(tournament_id, after, view)
    return to(url_for(".page", tournament_id=tournament_id, done="published"), 303)


@blueprint.post("/end")
def end(tournament_id: str) -> Response:
    """End the address in the form; it opens nothing any more."""
    tournament_visitor(tournament_id, DIRECTOR)
    tournaments().publishing.end_publication(tournament_id, request.form.get("address", ""))
    return to(url_for(".page", tournament_id=tournament_id, done="ended"), 303)
