"""``/club/<club_id>/settings``: the members of a club, its keys, and its seasons."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from scorekeeper.base.errors import SeatTakenError, UnknownKeyError, UnusableError
from scorekeeper.clubs.events import MemberJoined, MemberLeft, MemberRenamed
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.values import Member
from scorekeeper.events.names import player_ids
from scorekeeper.http.extensions import clubs
from scorekeeper.http.headers import no_store
from scorekeeper.http.problems import PROBLEMS
from scorekeeper.service import NewEvent
from scorekeeper.web.club.bringing import ids_used
from scorekeeper.web.club.new import wrong_names
from scorekeeper.web.club.season_table import SeasonChoice, season_choices
from scorekeeper.web.club.visitor import Visitor, record_in_club, see_club, visitor_of
from scorekeeper.web.forms.typed import clean_line
from scorekeeper.web.frame.form_keys import form_attempt, recorded_before
from scorekeeper.web.frame.refusals import MESSAGES
from scorekeeper.web.keeping.settings import NewAccess, list_held_keys, requested_key
from scorekeeper.web.opening.club_houses import HouseLine, summarize_house_rules
from scorekeeper.web.opening.share import SHARE_SECONDS, link_with_code, make_link
from scorekeeper.web.phone.links import is_reachable_from_other_phones, public_url
from scorekeeper.web.phone.viewer import give_up_own_seat, take_own_seat
from scorekeeper.web.wording.refused import message_for_players

blueprint = Blueprint("club_settings", __name__, url_prefix="/club/<club_id>/settings")
blueprint.after_request(no_store)

WrongFields = dict[str, str]


@dataclass(frozen=True, slots=True)
class Roster:
    """The members and guests of a club by name, those who left, all ids ever used, and the rest."""

    members: Sequence[Member]
    guests: Sequence[Member]
    former: Sequence[Member]
    seasons: Sequence[SeasonChoice]
    evenings: int
    taken: frozenset[str]
    houses: Sequence[HouseLine]
    zone: str

    @property
    def names(self) -> dict[str, str]:
        """The names of all members and guests, including former ones."""
        return {member.id: member.name for member in self.everybody}

    @property
    def everybody(self) -> Sequence[Member]:
        """All members and guests, and those who left."""
        return (*self.members, *self.guests, *self.former)


def club_roster(club_id: str) -> Roster:
    """Return the members, seasons and house rules of a club for its settings."""
    return see_club(club_id, _roster)


def _roster(snapshot: ClubSnapshot) -> Roster:
    """Return the members, seasons and house rules of a club, sorted for its settings."""
    members = sorted(snapshot.state.members.values(), key=lambda person: person.name.casefold())
    return Roster(
        [member for member in members if not (member.left or member.guest)],
        [member for member in members if member.guest and not member.left],
        [member for member in members if member.left],
        season_choices(snapshot), len(snapshot.state.evenings),
        ids_used(snapshot.state),
        [summarize_house_rules(rules) for rules in snapshot.state.house_rules.values()],
        str(snapshot.zone),
    )  # fmt: skip


# ------------------------------------------------------------------------------------ the page


@blueprint.get("")
def page(club_id: str) -> str:
    """Show the members of the club, and its host's settings."""
    return render_settings(visitor_of(club_id))


def render_settings(
    visitor: Visitor, fresh: NewAccess | None = None, wrong: WrongFields | None = None
) -> str:
    """Return the HTML page of a club's settings; only a host sees the keys.

    `fresh` is a new link or code to show.
    """
    roster = club_roster(visitor.club_id)
    keys = list_held_keys(visitor.club_id) if visitor.hosts else []
    return render_template(
        "club/settings.html", at=visitor, roster=roster, fresh=fresh or NewAccess(),
        wrong=wrong or {},
        here={held_key.key.player for held_key in keys if held_key.key.player and held_key.used},
        others=[held_key for held_key in keys
                if held_key.key.player is None and held_key.key.revoked is None],
        public=public_url(clubs().publishing.latest_publication(visitor.club_id)),
        names=roster.names, minutes=SHARE_SECONDS // 60, far=is_reachable_from_other_phones(),
        done=request.args.get("done", ""),
    )  # fmt: skip


def redirect_to_settings(club_id: str, done: str) -> Response:
    """Return a redirection to the club's settings, which confirm what was `done`."""
    return to(url_for("club_settings.page", club_id=club_id, done=done), 303)


# ------------------------------------------------------------------------------------- members


@blueprint.post("/add")
def add(club_id: str) -> Response | tuple[str, int]:
    """Add members, one name on each line."""
    visitor = visitor_of(club_id, "host")
    names = [name for name in map(clean_line, request.form.get("names", "").splitlines()) if name]
    wrong = wrong_names(names) if names else str(_("Type a name."))
    if not wrong:
        ids = player_ids(names, club_roster(club_id).taken)
        joining = (NewEvent(MemberJoined.TYPE, {"id": ids[name], "name": name}) for name in names)
        try:
            record_in_club(visitor, *joining)
        except UnusableError as error:
            wrong = message_for_players(error)
    return (
        (render_settings(visitor, wrong={"names": wrong}), 422)
        if wrong
        else redirect_to_settings(club_id, "joined")
    )


@blueprint.get("/member/<member>")
def person(club_id: str, member: str) -> str:
    """Show the settings page of a member."""
    return render_member(visitor_of(club_id, "host"), member)


@blueprint.post("/member/<member>")
def change(club_id: str, member: str) -> Response | tuple[str, int]:
    """Rename a member, or record that they left, came back, or are a guest no more.

    The field `act` of the form says which.
    """
    visitor, act = visitor_of(club_id, "host"), request.form.get("act", "")
    guests, listed = clubs().with_state(club_id, lambda state: (state.guests, {*state.members}))
    if member not in listed and not recorded_before(club_id):
        raise NotFound(_("There is no such member in this club."))  # merged into another one
    name = clean_line(request.form.get("name", ""))
    event = {
        "rename": NewEvent(MemberRenamed.TYPE, {"member": member, "name": name}),
        "leave": NewEvent(MemberLeft.TYPE, {"member": member}),
        "back": NewEvent(
            MemberJoined.TYPE,
            {"id": member, "name": name, **({"guest": True} if member in guests else {})},
        ),
        "member": NewEvent(MemberJoined.TYPE, {"id": member, "name": name}),
    }.get(act)
    if event is None:
        raise NotFound
    wrong = "" if act == "leave" else wrong_names([name]) if name else str(_("Type a name."))
    try:
        if not wrong:
            record_in_club(visitor, event)
    except UnusableError as error:
        wrong = message_for_players(error)
    if wrong:
        return render_member(visitor, member, wrong={"name": wrong}), 422
    return to(url_for(".person", club_id=club_id, member=member, done=act), 303)


def render_member(
    visitor: Visitor, member: str, fresh: NewAccess | None = None, wrong: WrongFields | None = None
) -> str:
    """Return the page of a member. Raises `NotFound` if the club has no such member."""
    roster = club_roster(visitor.club_id)
    chosen_member = next(
        (candidate for candidate in roster.everybody if candidate.id == member),
        None,
    )
    if chosen_member is None:
        raise NotFound(_("There is no such member in this club."))
    keys = [held_key for held_key in list_held_keys(visitor.club_id)
            if held_key.key.player == member and held_key.key.revoked is None]  # fmt: skip
    return render_template(
        "club/person.html", at=visitor, person=chosen_member, keys_held=keys,
        fresh=fresh or NewAccess(), wrong=wrong or {}, far=is_reachable_from_other_phones(),
        done=request.args.get("done", ""), names=roster.names,
        others=[other for other in (*roster.members, *roster.guests) if other.id != member],
        said=request.form,
        seasons=[season for season in roster.seasons if not season.closed],
    )  # fmt: skip


# --------------------------------------------------------------------------------------- links


@blueprint.post("/me")
def me(club_id: str) -> Response | tuple[str, int]:
    """Set which member the host is, or that they only keep the records."""
    visitor, member = visitor_of(club_id, "host"), request.form.get("member", "")
    if member and member not in {known_member.id for known_member in club_roster(club_id).members}:
        raise UnusableError(_("Choose a member of the club."))
    try:
        if member:
            take_own_seat(club_id, member)
        else:
            give_up_own_seat(club_id)
    except SeatTakenError as error:
        wrong = {"me": str(MESSAGES["member_taken"])}
        return render_settings(visitor, wrong=wrong), PROBLEMS[error.code].status
    return redirect_to_settings(club_id, "me")


@blueprint.post("/code")
def code(club_id: str) -> str:
    """Create a code with which members join, and show it."""
    visitor = visitor_of(club_id, "host")
    new_code = clubs().access.new_code(club_id, SHARE_SECONDS, form_attempt())
    return render_settings(visitor, NewAccess(link_with_code(club_id, new_code), new_code))


@blueprint.post("/link")
def link(club_id: str) -> str:
    """Create a key and show its link; a member's link is shown on the member's page."""
    visitor = visitor_of(club_id, "host")
    wish = requested_key(request.form.get("for", ""))
    new = clubs().add_key(club_id, wish, request.form.get("replaces") or None, form_attempt())
    fresh = NewAccess(make_link(new.key, new.secret))
    return (
        render_member(visitor, wish.player, fresh)
        if wish.player
        else render_settings(visitor, fresh)
    )


@blueprint.get("/key/<key_id>")
def key(club_id: str, key_id: str) -> str:
    """Show the effect of revoking a key, and ask."""
    visitor = visitor_of(club_id, "host")
    held_key = next((item for item in list_held_keys(club_id) if item.key.id == key_id), None)
    if held_key is None:
        raise UnknownKeyError(key_id)
    return render_template(
        "club/key.html", at=visitor, held=held_key, names=club_roster(club_id).names
    )


@blueprint.post("/revoke")
def revoke(club_id: str) -> Response:
    """Revoke a key."""
    visitor_of(club_id, "host")
    clubs().revoke_key(club_id, request.form.get("key", ""), ends_code=True)
    return redirect_to_settings(club_id, "revoked")
