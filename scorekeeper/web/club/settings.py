"""``/club/<club_id>/settings``: who is in the club, who holds which link, its seasons."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from scorekeeper.base.errors import SeatTakenError, UnknownKeyError, UnusableError
from scorekeeper.clubs.books import Books
from scorekeeper.clubs.events import MemberJoined, MemberLeft, MemberRenamed
from scorekeeper.clubs.roll import Member
from scorekeeper.http.extensions import clubs
from scorekeeper.http.headers import unkept
from scorekeeper.http.problems import PROBLEMS
from scorekeeper.service import NewEvent
from scorekeeper.web.club.bringing import ids_used
from scorekeeper.web.club.new import wrong_names
from scorekeeper.web.club.season_table import SeasonChoice, choices
from scorekeeper.web.club.visitor import Visitor, record_in_club, see, visitor_of
from scorekeeper.web.frame.form_keys import attempt
from scorekeeper.web.frame.refusals import SAID
from scorekeeper.web.keeping.settings import Fresh, held, wish_of
from scorekeeper.web.opening.club_houses import HouseLine, told
from scorekeeper.web.opening.draft import ids_of, line
from scorekeeper.web.opening.share import A_WHILE, link_of, way_in
from scorekeeper.web.phone.links import is_far
from scorekeeper.web.phone.own_seat import sit, stand_up
from scorekeeper.web.wording.refused import in_words

blueprint = Blueprint("club_settings", __name__, url_prefix="/club/<club_id>/settings")
blueprint.after_request(unkept)

WrongFields = dict[str, str]


@dataclass(frozen=True, slots=True)
class Roster:
    """Who is in a club, by name; who left; which ids were ever used; its seasons and houses."""

    members: Sequence[Member]
    gone: Sequence[Member]
    seasons: Sequence[SeasonChoice]
    evenings: int
    taken: frozenset[str]
    houses: Sequence[HouseLine]

    @property
    def names(self) -> dict[str, str]:
        """What each member is called, also those who left."""
        return {one.id: one.name for one in (*self.members, *self.gone)}


def roster_of(club_id: str) -> Roster:
    """Who is in a club."""
    return see(club_id, _roster)


def _roster(books: Books) -> Roster:
    everybody = sorted(books.roll.members.values(), key=lambda one: one.name.casefold())
    return Roster(
        [one for one in everybody if not one.left], [one for one in everybody if one.left],
        choices(books), len(books.roll.evenings),
        ids_used(books.roll), [told(one) for one in books.roll.houses.values()],
    )  # fmt: skip


# ------------------------------------------------------------------------------------ the page


@blueprint.get("")
def page(club_id: str) -> str:
    """Show who is in the club, and for its host how it is kept."""
    return shown(visitor_of(club_id))


def shown(visitor: Visitor, fresh: Fresh | None = None, wrong: WrongFields | None = None) -> str:
    """The page; keys for a host alone."""
    roster = roster_of(visitor.club_id)
    keys = held(visitor.club_id) if visitor.hosts else []
    return render_template(
        "club/settings.html", at=visitor, roster=roster, fresh=fresh or Fresh(), wrong=wrong or {},
        here={one.key.player for one in keys if one.key.player and one.used},
        others=[one for one in keys if one.key.player is None and one.key.revoked is None],
        names=roster.names, minutes=A_WHILE // 60, far=is_far(), done=request.args.get("done", ""),
    )  # fmt: skip


def back(club_id: str, done: str) -> Response:
    """To the page, which says what was done."""
    return to(url_for("club_settings.page", club_id=club_id, done=done), 303)


# ------------------------------------------------------------------------------------- members


@blueprint.post("/add")
def add(club_id: str) -> Response | tuple[str, int]:
    """Let people join, one name on each line."""
    visitor = visitor_of(club_id, "host")
    names = [name for name in map(line, request.form.get("names", "").splitlines()) if name]
    wrong = wrong_names(names) if names else str(_("Type a name."))
    if not wrong:
        ids = ids_of(names, roster_of(club_id).taken)
        joining = (NewEvent(MemberJoined.TYPE, {"id": ids[one], "name": one}) for one in names)
        try:
            record_in_club(visitor, *joining)
        except UnusableError as error:
            wrong = in_words(error)
    return (shown(visitor, wrong={"names": wrong}), 422) if wrong else back(club_id, "joined")


@blueprint.get("/member/<member>")
def person(club_id: str, member: str) -> str:
    """Show what can be done with a member."""
    return of_person(visitor_of(club_id, "host"), member)


@blueprint.post("/member/<member>")
def change(club_id: str, member: str) -> Response | tuple[str, int]:
    """Rename a member, let him leave, or come back."""
    visitor, act = visitor_of(club_id, "host"), request.form.get("act", "")
    name = line(request.form.get("name", ""))
    event = {
        "rename": NewEvent(MemberRenamed.TYPE, {"member": member, "name": name}),
        "leave": NewEvent(MemberLeft.TYPE, {"member": member}),
        "back": NewEvent(MemberJoined.TYPE, {"id": member, "name": name}),
    }.get(act)
    if event is None:
        raise NotFound
    wrong = "" if act == "leave" else wrong_names([name]) if name else str(_("Type a name."))
    try:
        if not wrong:
            record_in_club(visitor, event)
    except UnusableError as error:
        wrong = in_words(error)
    if wrong:
        return of_person(visitor, member, wrong={"name": wrong}), 422
    return to(url_for(".person", club_id=club_id, member=member, done=act), 303)


def of_person(
    visitor: Visitor, member: str, fresh: Fresh | None = None, wrong: WrongFields | None = None
) -> str:
    """The page of one member."""
    roster = roster_of(visitor.club_id)
    found = next((one for one in (*roster.members, *roster.gone) if one.id == member), None)
    if found is None:
        raise NotFound(_("There is no such member in this club."))
    keys = [one for one in held(visitor.club_id)
            if one.key.player == member and one.key.revoked is None]  # fmt: skip
    return render_template(
        "club/person.html", at=visitor, person=found, keys_held=keys, fresh=fresh or Fresh(),
        wrong=wrong or {}, far=is_far(), done=request.args.get("done", ""), names=roster.names,
        others=[one for one in roster.members if one.id != member], said=request.form,
        seasons=[one for one in roster.seasons if not one.closed],
    )  # fmt: skip


# --------------------------------------------------------------------------------------- links


@blueprint.post("/me")
def me(club_id: str) -> Response | tuple[str, int]:
    """Say which member the host is, or that he only keeps the books."""
    visitor, member = visitor_of(club_id, "host"), request.form.get("member", "")
    if member and member not in {one.id for one in roster_of(club_id).members}:
        raise UnusableError(_("Choose a member of the club."))
    try:
        if member:
            sit(club_id, member)
        else:
            stand_up(club_id)
    except SeatTakenError as error:
        said = {"me": str(SAID["member_taken"])}
        return shown(visitor, wrong=said), PROBLEMS[error.code].status
    return back(club_id, "me")


@blueprint.post("/code")
def code(club_id: str) -> str:
    """Make a code by which members come in, and show it."""
    visitor = visitor_of(club_id, "host")
    made = clubs().store.new_code(club_id, A_WHILE, attempt())
    return shown(visitor, Fresh(way_in(club_id, made), made))


@blueprint.post("/link")
def link(club_id: str) -> str:
    """Make a key, and show its link; of a member on his own page."""
    visitor = visitor_of(club_id, "host")
    wish = wish_of(request.form.get("for", ""))
    new = clubs().add_key(club_id, wish, request.form.get("replaces") or None, attempt())
    fresh = Fresh(link_of(new.key, new.secret))
    return of_person(visitor, wish.player, fresh) if wish.player else shown(visitor, fresh)


@blueprint.get("/key/<key_id>")
def key(club_id: str, key_id: str) -> str:
    """Say what it means to take a key back, and ask."""
    visitor = visitor_of(club_id, "host")
    found = next((one for one in held(club_id) if one.key.id == key_id), None)
    if found is None:
        raise UnknownKeyError(key_id)
    return render_template("club/key.html", at=visitor, held=found, names=roster_of(club_id).names)


@blueprint.post("/revoke")
def revoke(club_id: str) -> Response:
    """Let a key open nothing any more."""
    visitor_of(club_id, "host")
    clubs().revoke_key(club_id, request.form.get("key", ""))
    return back(club_id, "revoked")
