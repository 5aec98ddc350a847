"""``/t/<session_id>/settings``: who holds which key, how to join, and how this table is kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from scorekeeper.base.errors import SeatTakenError, UnknownKeyError, UnusableError
from scorekeeper.events.common import PlayerJoined
from scorekeeper.events.fields import NAME_LENGTH
from scorekeeper.http.access import ANY, holder_of, own_key
from scorekeeper.http.extensions import clubs, service
from scorekeeper.http.headers import unkept
from scorekeeper.http.problems import PROBLEMS
from scorekeeper.report.next_events import NextEvents
from scorekeeper.service import AppendRequest, Holder, NewEvent, Recorded
from scorekeeper.service.followers import following_clubs, stop_club
from scorekeeper.service.permissions import refuse_role
from scorekeeper.session.session import Session
from scorekeeper.store import Key, KeyRequest
from scorekeeper.store.keyring import in_use
from scorekeeper.web.frame.form_keys import (
    attempt,
    form_digest,
    record_after_others,
    recorded_before,
)
from scorekeeper.web.frame.refusals import SAID
from scorekeeper.web.opening.draft import ids_of, level_of, line
from scorekeeper.web.opening.share import A_WHILE, Link, link_of, way_in
from scorekeeper.web.phone.levels import keep_level, kept_level
from scorekeeper.web.phone.links import is_far
from scorekeeper.web.phone.own_seat import own_seat, sit, stand_up
from scorekeeper.web.wording.filters import ago

blueprint = Blueprint("settings", __name__, url_prefix="/t/<session_id>/settings")
blueprint.after_request(unkept)


@dataclass(frozen=True, slots=True)
class HeldKey:
    """A key as its host sees it: when it was used last, and whether it is the one that came."""

    key: Key
    used: str
    own: bool


@dataclass(frozen=True, slots=True)
class Person:
    """A player of the session, and the keys that speak for him."""

    id: str
    name: str
    keys: Sequence[HeldKey]

    @property
    def own(self) -> bool:
        """Whether this phone speaks for him."""
        return any(one.own for one in self.keys)

    @property
    def here(self) -> bool:
        """Whether a phone has used one of them."""
        return any(one.used for one in self.keys)


@dataclass(frozen=True, slots=True)
class Fresh:
    """What was made just now, and is shown only once."""

    link: Link | None = None
    code: str = ""


@blueprint.get("")
def page(session_id: str) -> str:
    """Show how the table is kept."""
    return shown(session_id, holder_of(session_id))


@blueprint.post("/level")
def level(session_id: str) -> Response:
    """Record so finely from this phone."""
    refuse_role(holder_of(session_id), "host", "seat")
    answer = back(session_id)
    keep_level(answer, session_id, level_of(request.form.get("level", "")))
    return answer


@blueprint.post("/seat")
def seat(session_id: str) -> Response | tuple[str, int]:
    """Say which seat is that of who keeps the table, or that he only keeps the score.

    Raises `UnusableError`.
    """
    holder, player = host_of(session_id), request.form.get("seat", "")
    if player and player not in names_of(session_id):
        raise UnusableError(_("Choose players of this table."))
    try:
        if player:
            sit(session_id, player)
        else:
            stand_up(session_id)
    except SeatTakenError as error:
        return shown(session_id, holder, wrong={"seat": str(SAID[error.code])}), (
            PROBLEMS[error.code].status
        )
    return back(session_id, "seated")


# ------------------------------------------------------------------------------ joining


@blueprint.post("/code")
def code(session_id: str) -> str:
    """Make a code by which one joins, and show it."""
    holder = host_of(session_id)
    made = service().store.new_code(session_id, A_WHILE, attempt())
    return shown(session_id, holder, Fresh(way_in(session_id, made), made))


@blueprint.post("/link")
def link(session_id: str) -> str:
    """Make a key, in the place of another or beside it, and show its link."""
    holder = host_of(session_id)
    wish = wish_of(request.form.get("for", ""))
    replaces = request.form.get("replaces") or None
    new = service().add_key(session_id, wish, replaces, attempt())
    return shown(session_id, holder, Fresh(link_of(new.key, new.secret)))


def wish_of(said: str) -> KeyRequest:
    """The key that a form asks for: for ``host``, to ``view``, or for the player after ``as ``."""
    if said.startswith("as "):
        return KeyRequest("seat", said.removeprefix("as "))
    if said in ("host", "view"):
        return KeyRequest("host" if said == "host" else "view")
    raise UnusableError(_("Say for whom the link is."), field="for")


@blueprint.get("/key/<key_id>")
def key(session_id: str, key_id: str) -> str:
    """Say what it means to take a key back, and ask."""
    host_of(session_id)
    names = names_of(session_id)
    found = next((one for one in held(session_id) if one.key.id == key_id), None)
    if found is None:
        raise UnknownKeyError(key_id)
    title = service().see(session_id, state)["title"]
    by_it = [one.name for one in following_clubs(clubs(), session_id)
             if one.stop is None and one.keys == (key_id,)]  # fmt: skip
    return render_template(
        "settings/key.html", session_id=session_id, held=found, names=names, title=title,
        clubs=by_it,
    )  # fmt: skip


@blueprint.post("/revoke")
def revoke(session_id: str) -> Response:
    """Let a key open nothing any more."""
    host_of(session_id)
    service().revoke_key(session_id, request.form.get("key", ""), ends_code=True)
    return back(session_id, "revoked")


@blueprint.post("/club")
def club(session_id: str) -> Response:
    """Let a club read what is on record by now, and nothing that comes later.

    Raises `UnknownClubError`.
    """
    host_of(session_id)
    stop_club(clubs(), session_id, request.form.get("club", ""))
    return back(session_id, "stopped")


@blueprint.post("/player")
def player(session_id: str) -> Response | tuple[str, int]:
    """Let somebody come late."""
    holder = host_of(session_id)
    name, names = line(request.form.get("name", "")), names_of(session_id)
    wrong = wrong_name(name, list(names.values()))
    if wrong and not recorded_before(session_id):
        return shown(session_id, holder, wrong={"name": wrong}), 422
    if wrong:
        return back(session_id, "joined")
    data = {"id": ids_of([name], names)[name], "name": name}
    record_by_host(session_id, holder, NewEvent(PlayerJoined.TYPE, data))
    return back(session_id, "joined")


def wrong_name(name: str, there: list[str]) -> str:
    """What is wrong with the name of somebody who comes; empty where nothing is."""
    if not name:
        return str(_("Type a name."))
    if len(name) > NAME_LENGTH:
        return str(_("This is longer than %(most)s letters.", most=NAME_LENGTH))
    return str(_("Somebody else has this name; add a letter.")) if name in there else ""


# ----------------------------------------------------------------------------------- the page


def shown(
    session_id: str, holder: Holder, fresh: Fresh | None = None, wrong: dict[str, str] | None = None
) -> str:
    """The page; keys for a host alone."""
    refuse_role(holder, *ANY)
    names = names_of(session_id)
    keys = held(session_id) if holder.role == "host" else []
    opening = [one for one in keys if one.key.revoked is None]
    return render_template(
        "settings/page.html",
        session_id=session_id, holder=holder, fresh=fresh or Fresh(), wrong=wrong or {},
        people=[
            Person(player, name, [one for one in opening if one.key.player == player])
            for player, name in names.items()
        ],
        others=[one for one in opening if one.key.player is None],
        gone=[one for one in keys if one.key.revoked is not None],
        clubs=following_clubs(clubs(), session_id) if holder.role == "host" else (),
        names=names, now=service().see(session_id, state), level=kept_level(session_id),
        quorum=service().quorum, minutes=A_WHILE // 60, far=is_far(),
        done=request.args.get("done", ""),
    )  # fmt: skip


def state(session: Session) -> dict[str, Any]:
    """How far the session is: its title, its last match, whether it goes on."""
    record = session.structure
    last = record.matches[-1] if record.matches else None
    return {
        "title": record.opened.title if record.opened else "",
        "closed": record.closed is not None,
        "game": last.game.name if last else "",
        "match": last.number if last else 0,
        "over": last.over if last else True,
        "unfinished": unfinished_hand(session).partition("-")[2],
    }


def unfinished_hand(session: Session) -> str:
    """The hand that is left unfinished if the match ends now, by match and number; else empty."""
    coming = NextEvents(session)
    if coming.match is None or coming.hand is None or coming.state not in ("open", "wrong"):
        return ""
    return f"{coming.match.number}-{coming.hand.number}"


def held(id_: str) -> list[HeldKey]:
    """The keys to a session or a club, as its host sees them."""
    store = service().store
    now = store.clock()
    own = {key.id for key in (own_key(id_), own_seat(id_)) if key is not None}
    return [
        HeldKey(one, ago(one.last_used, now) if in_use(one, now) else "", one.id in own)
        for one in store.keys(id_)
    ]


# -------------------------------------------------------------------------------- what is shared


def host_of(session_id: str) -> Holder:
    """Who is asking, if it is a host.

    Raises `ForbiddenError`.
    """
    holder = holder_of(session_id)
    refuse_role(holder, "host")
    return holder


def names_of(session_id: str) -> dict[str, str]:
    """The players of a session, and what they are called."""
    return service().see(session_id, lambda one: dict(one.structure.players))


def record_by_host(
    session_id: str, holder: Holder, *events: NewEvent, after: int | None = None
) -> None:
    """Put events on record, once for each form.

    They come after the version that somebody saw if one is named, else after whatever others
    record meanwhile.
    """
    digest = form_digest()

    def record(version: int) -> Recorded:
        asked = AppendRequest(version, events, as_played=True, key=digest.hex() or None,
                              digest=digest)  # fmt: skip
        return service().record(session_id, asked, holder)

    if after is None:
        record_after_others(session_id, record)
    else:
        record(after)


def back(session_id: str, done: str | None = None) -> Response:
    """To the page, which says what was done."""
    return to(url_for("settings.page", session_id=session_id, done=done), 303)
