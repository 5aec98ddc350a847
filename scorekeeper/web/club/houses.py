"""``…/settings/houses``: the club's house rules, with which its new tables begin."""

from typing import Final

from flask import Blueprint, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from scorekeeper.base.errors import UnusableError
from scorekeeper.clubs.events import HouseDropped, HouseKept
from scorekeeper.http.extensions import clubs
from scorekeeper.http.headers import no_store
from scorekeeper.log import canonical
from scorekeeper.service import NewEvent
from scorekeeper.web.club.settings import redirect_to_settings, render_settings
from scorekeeper.web.club.visitor import Visitor, record_in_club, visitor_of
from scorekeeper.web.forms.typed import clean_line, name_error
from scorekeeper.web.opening import new
from scorekeeper.web.opening.draft import TableDraft, validated_options
from scorekeeper.web.opening.for_club import for_club
from scorekeeper.web.opening.redrawing import redirect_to_form
from scorekeeper.web.wording.refused import message_for_players

blueprint = Blueprint("club_houses", __name__, url_prefix="/club/<club_id>/settings/houses")
blueprint.after_request(no_store)

NAME_FIELD: Final = "club-house"  # in the form of a new table


@blueprint.post("")
def keep(club_id: str) -> Response | tuple[str, int]:
    """Store the rules in the form of a new table under a name, and return to that form."""
    visitor, draft = visitor_of(club_id, "host"), TableDraft.read(request.form)
    name = clean_line(request.form.get(NAME_FIELD, ""))
    options = validated_options(draft.game, draft.form, max(draft.game.seats), draft.wrong)
    if wrong := name_error(name, (), missing=_("Type a name.")):
        draft.wrong[NAME_FIELD] = wrong
    if not draft.wrong:
        house = {"name": name, "game": draft.game.id, "options": options}
        try:
            _record_house_rules(visitor, canonical.normalize(house))
        except UnusableError as error:
            draft.wrong[NAME_FIELD] = message_for_players(error)
    if draft.wrong:
        return new.render_form(draft, for_club(club_id)), 422
    without = ("club", NAME_FIELD, "saved")
    return redirect_to_form(url_for("new.form"), without, club=club_id, saved="yes")


def _record_house_rules(visitor: Visitor, data: dict[str, object]) -> None:
    """Record house rules, unless the club has them already: a form may be sent twice."""
    kept = NewEvent(HouseKept.TYPE, data)
    known = clubs().with_state(visitor.club_id, lambda state: [
        {"name": house_rules.name, "game": house_rules.game, "options": house_rules.options}
        for house_rules in state.house_rules.values()
    ])  # fmt: skip
    if data not in known:
        record_in_club(visitor, kept)


@blueprint.post("/drop")
def drop(club_id: str) -> Response | tuple[str, int]:
    """Remove house rules from the club."""
    visitor = visitor_of(club_id, "host")
    data = {"name": request.form.get("name", ""), "game": request.form.get("game", "")}
    try:
        record_in_club(visitor, NewEvent(HouseDropped.TYPE, data))
    except UnusableError as error:
        return render_settings(visitor, wrong={"houses": message_for_players(error)}), 422
    return redirect_to_settings(club_id, "dropped")
