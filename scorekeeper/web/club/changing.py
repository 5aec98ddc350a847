"""``…/settings/club`` and ``…/settings/season/<season>/change``: change a club or a season."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from flask import Blueprint, render_template, request
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from scorekeeper.base.errors import UnusableError
from scorekeeper.clubs.events import ClubChanged, SeasonChanged
from scorekeeper.clubs.season_effects import SeasonEffect, preview_effects
from scorekeeper.clubs.state import CLUB_FIELDS, ClubState
from scorekeeper.clubs.values import Season
from scorekeeper.http.extensions import clubs
from scorekeeper.http.headers import no_store
from scorekeeper.languages.reader import time_zones
from scorekeeper.log import canonical, codec
from scorekeeper.service import NewEvent
from scorekeeper.web.club.settings import WrongFields, redirect_to_settings
from scorekeeper.web.club.visitor import Visitor, record_in_club, see_club, visitor_of
from scorekeeper.web.forms.typed import clean_line, currency_error, line_error
from scorekeeper.web.frame.form_keys import recorded_before
from scorekeeper.web.opening.draft import LONGEST_TITLE
from scorekeeper.web.wording.refused import message_for_players

blueprint = Blueprint("club_changing", __name__, url_prefix="/club/<club_id>/settings")
blueprint.after_request(no_store)

FieldTexts = Mapping[str, str]
MAX_ZONE_CHARACTERS: Final = 64
SEEN: Final = "seen"  # the form field with the zone or last day whose effect was shown


# --------------------------------------------------------------------------------------- the club


@blueprint.get("/club")
def form(club_id: str) -> str:
    """Ask for the name, place, currency and time zone of the club."""
    return render_form(visitor_of(club_id, "host"), read_club(club_id))


@blueprint.post("/club")
def change(club_id: str) -> Response | str | tuple[str, int]:
    """Change the club; before its days move, show which evenings enter or leave the seasons."""
    visitor, now = visitor_of(club_id, "host"), read_club(club_id)
    if recorded_before(club_id):
        return redirect_to_settings(club_id, "changed")
    typed = {name: clean_line(request.form.get(name, now[name])) for name in CLUB_FIELDS}
    typed["currency"] = typed["currency"].upper()
    changes = {name: value for name, value in typed.items() if value != now[name]}
    wrong = find_errors(now, changes)
    if not wrong and changes:
        try:
            if "zone" in changes and request.form.get(SEEN) != typed["zone"]:
                return render_form(visitor, typed, effects=preview(club_id, ClubChanged, changes))
            record_in_club(visitor, NewEvent(ClubChanged.TYPE, changes))
        except UnusableError as refused:
            wrong[refused.field.rpartition(".")[2] or "name"] = message_for_players(refused)
    if wrong:
        return render_form(visitor, typed, wrong), 422
    return redirect_to_settings(club_id, "changed")


def read_club(club_id: str) -> FieldTexts:
    """Return the present name, place, currency and time zone of a club; empty if there is none."""

    def read(state: ClubState) -> FieldTexts:
        return {name: getattr(state.opened, name, None) or "" for name in CLUB_FIELDS}

    values = clubs().with_state(club_id, read)
    return {**values, "zone": values["zone"] or "UTC"}


def find_errors(now: FieldTexts, changes: FieldTexts) -> WrongFields:
    """Return the errors of changed fields; a value that is on record cannot be removed."""
    kept = _("Type another one, or leave it as it was.")
    errors = {
        "name": _("Give the club a name.") if changes.get("name") == "" else "",
        "place": kept if changes.get("place") == "" else "",
        "zone": "" if changes.get("zone", "UTC") in time_zones()
        else _("Choose a time zone, such as Europe/Rome."),
        "currency": currency_error(changes["currency"]) if "currency" in changes else "",
    }  # fmt: skip
    for name in ("name", "place"):
        errors[name] = errors[name] or line_error(changes.get(name, "") or "-", LONGEST_TITLE)
    return {name: str(error) for name, error in errors.items() if error}


def render_form(
    visitor: Visitor,
    typed: FieldTexts,
    wrong: WrongFields | None = None,
    effects: Sequence[SeasonEffect] | None = None,
) -> str:
    """Return the form, with the present values beside it, and the effects of another zone."""
    paid = clubs().with_state(visitor.club_id, lambda state: bool(state.payments))
    return render_template(
        "club/change.html", at=visitor, said=typed, now=read_club(visitor.club_id),
        wrong=wrong or {}, effects=effects, zones=sorted(time_zones()), paid=paid,
    )  # fmt: skip


# --------------------------------------------------------------------------------------- a season


@blueprint.get("/season/<season>/change")
def season_form(club_id: str, season: str) -> str:
    """Ask for the name and the last day of an open season."""
    visitor, now = visitor_of(club_id, "host"), read_season(club_id, season)
    return render_season_form(visitor, now, {"name": now.name, "to": now.to or ""})


@blueprint.post("/season/<season>/change")
def change_season(club_id: str, season: str) -> Response | str | tuple[str, int]:
    """Change a season; before its last day moves, show which evenings enter or leave it."""
    visitor = visitor_of(club_id, "host")
    if recorded_before(club_id):
        return redirect_to_settings(club_id, "changed")
    now = read_season(club_id, season)
    typed = {"name": clean_line(request.form.get("name", now.name)),
             "to": request.form.get("to", now.to or "").strip()}  # fmt: skip
    changes: dict[str, str | None] = {}
    if typed["name"] != now.name:
        changes["name"] = typed["name"]
    if typed["to"] != (now.to or ""):
        changes["to"] = typed["to"] or None
    wrong = find_season_errors(typed)
    if not wrong and changes:
        data = {"season": season, **changes}
        try:
            if "to" in changes and request.form.get(SEEN) != (typed["to"] or "-"):
                effects = preview(club_id, SeasonChanged, data)
                return render_season_form(visitor, now, typed, effects=effects)
            record_in_club(visitor, NewEvent(SeasonChanged.TYPE, data))
        except UnusableError as refused:
            wrong["to"] = message_for_players(refused)
    if wrong:
        return render_season_form(visitor, now, typed, wrong), 422
    return redirect_to_settings(club_id, "changed")


def read_season(club_id: str, season_id: str) -> Season:
    """Return an open season. Raises `NotFound` if there is none with this id."""
    season = clubs().with_state(club_id, lambda state: state.seasons.get(season_id))
    if season is None or season.heads is not None:
        raise NotFound(_("There is no such season in this club."))
    return season


def find_season_errors(typed: FieldTexts) -> WrongFields:
    """Return the errors of the name and the last day of a season."""
    missing = _("Give the season a name, such as Autumn.")
    wrong = {"name": line_error(typed["name"], LONGEST_TITLE, missing)}
    try:
        if typed["to"]:
            date.fromisoformat(typed["to"])
    except ValueError:
        wrong["to"] = str(_("Choose a day."))
    return {name: error for name, error in wrong.items() if error}


def render_season_form(
    visitor: Visitor,
    now: Season,
    typed: FieldTexts,
    wrong: WrongFields | None = None,
    effects: Sequence[SeasonEffect] | None = None,
) -> str:
    """Return the form of a season, with the effects of another last day."""
    return render_template(
        "club/change_season.html", at=visitor, season=now, said=typed, wrong=wrong or {},
        effects=effects,
    )  # fmt: skip


def preview(
    club_id: str, event_type: type[ClubChanged | SeasonChanged], data: Mapping[str, str | None]
) -> list[SeasonEffect]:
    """Return the effects of an event with this data. Raises `UnusableError` if it is refused."""
    event = codec.build_declared(event_type, canonical.normalize(dict(data)))
    return see_club(club_id, lambda snapshot: preview_effects(snapshot, event))
