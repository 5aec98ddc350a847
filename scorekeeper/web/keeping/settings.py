"""``/t/<session_id>/settings``: the keys of a table, how to join, and this phone's settings."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from scorekeeper.base.errors import SeatTakenError, UnknownKeyError, UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import PlayerJoined
from scorekeeper.events.names import player_ids
from scorekeeper.http.access import ANY, holder_of, own_key
from scorekeeper.http.extensions import clubs, service
from scorekeeper.http.headers import no_store
from scorekeeper.http.problems import PROBLEMS
from scorekeeper.service import AppendRequest, Holder, NewEvent, Recorded
from scorekeeper.service.followers import following_clubs, stop_club
from scorekeeper.service.permissions import refuse_role
from scorekeeper.session.session import Session
from scorekeeper.store import Key, KeyRequest
from scorekeeper.store.keyring import is_in_use
from scorekeeper.streams.requests import UnderLock
from scorekeeper.web.forms.host_question import describe_lost_host
from scorekeeper.web.forms.typed import clean_line, name_error
from scorekeeper.web.frame.form_keys import (
    form_attempt,
    form_digest,
    record_after_others,
    recorded_before,
)
from scorekeeper.web.frame.refusals import MESSAGES
from scorekeeper.web.opening.draft import level_or_usual
from scorekeeper.web.opening.share import SHARE_SECONDS, Link, link_with_code, make_link
from scorekeeper.web.phone.levels import keep_level, kept_level
from scorekeeper.web.phone.links import is_reachable_from_other_phones
from scorekeeper.web.phone.viewer import give_up_own_seat, own_seat, take_own_seat
from scorekeeper.web.wording.filters import format_age

blueprint = Blueprint("settings", __name__, url_prefix="/t/<session_id>/settings")
blueprint.after_request(no_store)


@dataclass(frozen=True, slots=True)
class HeldKey:
    """A key as the host sees it, and whether this phone holds it.

    `used` is when it was used last, in words, empty if never.
    """

    key: Key
    used: str
    own: bool


@dataclass(frozen=True, slots=True)
class Person:
    """A player of the session, and the keys to their seat."""

    id: str
    name: str
    keys: Sequence[HeldKey]

    @property
    def own(self) -> bool:
        """Return whether this phone holds a key to the seat."""
        return any(held_key.own for held_key in self.keys)

    @property
    def has_phone(self) -> bool:
        """Return whether a phone has used one of the keys."""
        return any(held_key.used for held_key in self.keys)


@dataclass(frozen=True, slots=True)
class NewAccess:
    """A new link or code, which is shown only once."""

    link: Link | None = None
    code: str = ""


@blueprint.get("")
def page(session_id: str) -> str:
    """Show the settings of the table."""
    return render_settings(session_id, holder_of(session_id))


@blueprint.post("/level")
def level(session_id: str) -> Response:
    """Set the level at which this phone records."""
    refuse_role(holder_of(session_id), "host", "seat")
    answer = redirect_to_settings(session_id)
    keep_level(answer, session_id, level_or_usual(request.form.get("level", "")))
    return answer


@blueprint.post("/seat")
def seat(session_id: str) -> Response | tuple[str, int]:
    """Set the host's own seat, or that they only keep the score.

    Raises `UnusableError` if the player does not exist.
    """
    holder, player = require_host(session_id), request.form.get("seat", "")
    if player and player not in player_names(session_id):
        raise UnusableError(_("Choose players of this table."))
    try:
        if player:
            take_own_seat(session_id, player)
        else:
            give_up_own_seat(session_id)
    except SeatTakenError as error:
        return render_settings(session_id, holder, wrong={"seat": str(MESSAGES[error.code])}), (
            PROBLEMS[error.code].status
        )
    return redirect_to_settings(session_id, "seated")


# ------------------------------------------------------------------------------ joining


@blueprint.post("/code")
def code(session_id: str) -> str:
    """Create a code to join, and show it."""
    holder = require_host(session_id)
    new_code = service().access.new_code(session_id, SHARE_SECONDS, form_attempt())
    return render_settings(
        session_id, holder, NewAccess(link_with_code(session_id, new_code), new_code)
    )


@blueprint.post("/link")
def link(session_id: str) -> str:
    """Create a key, replacing another or in addition, and show its link."""
    holder = require_host(session_id)
    wish = requested_key(request.form.get("for", ""))
    replaces = request.form.get("replaces") or None
    new = service().add_key(session_id, wish, replaces, form_attempt())
    return render_settings(session_id, holder, NewAccess(make_link(new.key, new.secret)))


def requested_key(requested: str) -> KeyRequest:
    """Return the requested key: for the ``host``, to ``view``, or for the player after ``as ``.

    Raises `UnusableError` if the request is malformed.
    """
    if requested.startswith("as "):
        return KeyRequest("seat", requested.removeprefix("as "))
    if requested in ("host", "view"):
        return KeyRequest("host" if requested == "host" else "view")
    raise UnusableError(_("Say who the link is for."), field="for")


@blueprint.get("/key/<key_id>")
def key(session_id: str, key_id: str) -> str:
    """Show the effect of revoking a key, and ask."""
    require_host(session_id)
    names = player_names(session_id)
    held_key = next((item for item in list_held_keys(session_id) if item.key.id == key_id), None)
    if held_key is None:
        raise UnknownKeyError(key_id)
    title = service().see(session_id, session_state)["title"]
    clubs_with_key = [club_read.name for club_read in following_clubs(clubs(), session_id)
             if club_read.stop is None and club_read.keys == (key_id,)]  # fmt: skip
    return render_template(
        "settings/key.html", session_id=session_id, held=held_key, names=names, title=title,
        clubs=clubs_with_key,
    )  # fmt: skip


@blueprint.post("/revoke")
def revoke(session_id: str) -> Response:
    """Revoke a key."""
    require_host(session_id)
    service().revoke_key(session_id, request.form.get("key", ""), ends_code=True)
    return redirect_to_settings(session_id, "revoked")


@blueprint.post("/club")
def club(session_id: str) -> Response:
    """Stop a club from reading later entries; it keeps those recorded so far.

    Raises `UnknownClubError` if there is no such club.
    """
    require_host(session_id)
    stop_club(clubs(), session_id, request.form.get("club", ""))
    return redirect_to_settings(session_id, "stopped")


@blueprint.post("/player")
def player(session_id: str) -> Response | tuple[str, int]:
    """Add a player to the session."""
    holder = require_host(session_id)
    name, names = clean_line(request.form.get("name", "")), player_names(session_id)
    wrong = name_error(name, names.values(), missing=_("Type a name."))
    if wrong and not recorded_before(session_id):
        return render_settings(session_id, holder, wrong={"name": wrong}), 422
    if wrong:
        return redirect_to_settings(session_id, "joined")
    data = {"id": player_ids([name], names)[name], "name": name}
    record_of_form(session_id, holder, NewEvent(PlayerJoined.TYPE, data))
    return redirect_to_settings(session_id, "joined")


# ----------------------------------------------------------------------------------- the page


def render_settings(
    session_id: str,
    holder: Holder,
    fresh: NewAccess | None = None,
    wrong: dict[str, str] | None = None,
) -> str:
    """Return the HTML page of the settings; only a host sees the keys.

    `fresh` is a new link or code to show, `wrong` has errors by field.
    """
    refuse_role(holder, *ANY)
    names = player_names(session_id)
    keys = list_held_keys(session_id) if holder.role == "host" else []
    active = [held_key for held_key in keys if held_key.key.revoked is None]
    return render_template(
        "settings/page.html",
        session_id=session_id, holder=holder, fresh=fresh or NewAccess(), wrong=wrong or {},
        people=[
            Person(player, name, [held_key for held_key in active if held_key.key.player == player])
            for player, name in names.items()
        ],
        others=[held_key for held_key in active if held_key.key.player is None],
        gone=[held_key for held_key in keys if held_key.key.revoked is not None],
        clubs=following_clubs(clubs(), session_id) if holder.role == "host" else (),
        lost_host=describe_lost_host(session_id, holder),
        names=names, now=service().see(session_id, session_state), level=kept_level(session_id),
        quorum=service().quorum, minutes=SHARE_SECONDS // 60, far=is_reachable_from_other_phones(),
        done=request.args.get("done", ""),
    )  # fmt: skip


def session_state(session: Session) -> JsonObject:
    """Return template values about a session: its title, its last match, and whether it goes on."""
    record = session.structure
    last = record.matches[-1] if record.matches else None
    return {
        "title": record.opened.title if record.opened else "",
        "closed": record.closed is not None,
        "game": last.game.local_name if last else "",
        "match": last.number if last else 0,
        "over": last.over if last else True,
    }


def list_held_keys(id_: str) -> list[HeldKey]:
    """Return all keys to a session or a club, with last use and whether this phone holds them."""
    access = service().access
    now = access.clock()
    own = {key.id for key in (own_key(id_), own_seat(id_)) if key is not None}
    return [
        HeldKey(
            known_key,
            format_age(known_key.last_used, now) if is_in_use(known_key, now) else "",
            known_key.id in own,
        )
        for known_key in access.keys(id_)
    ]


# -------------------------------------------------------------------------------- what is shared


def require_host(session_id: str) -> Holder:
    """Return the holder of the request's key, who must be a host.

    Raises `ForbiddenError` otherwise.
    """
    holder = holder_of(session_id)
    refuse_role(holder, "host")
    return holder


def player_names(session_id: str) -> dict[str, str]:
    """Return the names of a session's players by their ids."""
    return service().see(session_id, lambda session: dict(session.structure.players))


def record_of_form(
    session_id: str, holder: Holder, *events: NewEvent, after: int | None = None,
    build: UnderLock[Session, tuple[NewEvent, ...]] | None = None,
) -> Recorded:  # fmt: skip
    """Record events for the form in the request, once for each form that has a key.

    With ``build`` they are those that it returns for the session. They follow version `after` if it
    is given; raises `StaleVersionError` if that is not the latest. Else they follow the latest
    entry, though others record meanwhile.
    """
    digest = form_digest()

    def record(version: int) -> Recorded:
        append = AppendRequest(version, events, as_played=True, key=digest.hex() or None,
                              digest=digest, build_events=build)  # fmt: skip
        return service().record(session_id, append, holder)

    return record_after_others(session_id, record) if after is None else record(after)


def redirect_to_settings(session_id: str, done: str | None = None) -> Response:
    """Return a redirection to the settings of the table, which confirm what was done."""
    return to(url_for("settings.page", session_id=session_id, done=done), 303)
