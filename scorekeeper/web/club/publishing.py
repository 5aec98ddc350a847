"""``/club/<club_id>/settings/public``: publish the season's table, and take it back."""

from typing import Final

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from scorekeeper.base.origins import parse_origin
from scorekeeper.http.extensions import clubs
from scorekeeper.http.headers import no_store
from scorekeeper.http.preferences import request_language
from scorekeeper.store import Publication, PublicView
from scorekeeper.web.club.settings import WrongFields
from scorekeeper.web.club.visitor import Visitor, visitor_of
from scorekeeper.web.opening.share import Link
from scorekeeper.web.phone.links import (
    draw_qr_code,
    is_reachable_from_other_phones,
    public_url,
)

blueprint = Blueprint("club_publishing", __name__, url_prefix="/club/<club_id>/settings/public")
blueprint.after_request(no_store)

MAX_SITES: Final = 10
MAX_SITE_CHARACTERS: Final = 150


@blueprint.get("")
def page(club_id: str) -> str:
    """Show whether the table is public, and at which address; a host changes it."""
    visitor = visitor_of(club_id)
    latest = clubs().publishing.latest_publication(club_id)
    return render_page(visitor, latest, latest.parents.replace(" ", "\n") if latest else "")


@blueprint.post("")
def publish(club_id: str) -> Response | tuple[str, int]:
    """Publish the table at a new address, or change the page at the address in the form."""
    visitor = visitor_of(club_id, "host")
    typed, names = request.form.get("sites", ""), request.form.get("names", "")
    sites, wrong = read_sites(typed)
    if wrong:
        latest = clubs().publishing.latest_publication(club_id)
        return render_page(visitor, latest, typed, names, {"sites": wrong}), 422
    view = PublicView("full" if names == "full" else "initials", sites)
    address = request.form.get("address")
    if address is not None:
        clubs().publishing.change_publication(club_id, address, view)
        return to(url_for(".page", club_id=club_id, done="changed"), 303)
    after = request.form.get("after", 0, type=int)
    clubs().publishing.publish(club_id, after, view)
    return to(url_for(".page", club_id=club_id, done="published"), 303)


@blueprint.post("/end")
def end(club_id: str) -> Response:
    """End the address in the form; nobody can read the table there any more."""
    visitor_of(club_id, "host")
    clubs().publishing.end_publication(club_id, request.form.get("address", ""))
    return to(url_for(".page", club_id=club_id, done="ended"), 303)


def read_sites(typed: str) -> tuple[tuple[str, ...], str]:
    """Return the origins of typed web sites, one on each line, or the error about them."""
    lines = [line.strip() for line in typed.splitlines() if line.strip()]
    if len(lines) > MAX_SITES:
        return (), str(_("At most %(most)s websites.", most=MAX_SITES))
    origins = dict.fromkeys(map(parse_origin, lines))
    if None in origins or any(len(line) > MAX_SITE_CHARACTERS for line in lines):
        return (), str(_("Type the address of each website, such as www.example.org."))
    return tuple(filter(None, origins)), ""


def render_page(
    visitor: Visitor,
    latest: Publication | None,
    sites: str,
    names: str = "",
    wrong: WrongFields | None = None,
) -> str:
    """Return the HTML page; ``sites`` and ``names`` are what the form shows."""
    address = public_url(latest)
    return render_template(
        "club/public.html", at=visitor, latest=latest, sites=sites,
        names=names or (latest.names if latest else "initials"), wrong=wrong or {},
        link=Link("view", None, address, draw_qr_code(address)) if address else None,
        far=is_reachable_from_other_phones(), done=request.args.get("done", ""),
        lasting=f"{address}?language={request_language()}",
    )  # fmt: skip
