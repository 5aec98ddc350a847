"""``/tournament/<tournament_id>/settings``: the keys of a tournament, and how people join."""

from collections.abc import Mapping

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from werkzeug.wrappers import Response

from scorekeeper.base.errors import UnknownKeyError
from scorekeeper.http.extensions import tournaments
from scorekeeper.http.headers import no_store
from scorekeeper.service.tournament_rights import (
    ASSISTANT,
    DIRECTOR,
    ENTRANT,
    VIEW,
    request_key,
    tournament_role,
)
from scorekeeper.web.frame.form_keys import form_attempt
from scorekeeper.web.keeping.settings import HeldKey, NewAccess, list_held_keys
from scorekeeper.web.opening.share import SHARE_SECONDS, link_with_code, make_link
from scorekeeper.web.phone.links import is_reachable_from_other_phones
from scorekeeper.web.tournament.visitor import TournamentVisitor, tournament_visitor

blueprint = Blueprint(
    "tournament_settings", __name__, url_prefix="/tournament/<tournament_id>/settings"
)
blueprint.after_request(no_store)


@blueprint.get("")
def page(tournament_id: str) -> str:
    """Show the code, the links, and who has a phone here."""
    return render_settings(tournament_visitor(tournament_id, DIRECTOR))


def render_settings(visitor: TournamentVisitor, fresh: NewAccess | None = None) -> str:
    """Return the HTML page of the settings; ``fresh`` is a new link or code to show."""
    held = [key for key in list_held_keys(visitor.tournament_id) if key.key.revoked is None]
    players = find_players(visitor.tournament_id)
    return render_template(
        "tournament/settings.html", at=visitor, fresh=fresh or NewAccess(), players=players,
        keys=[(role_of(key), key) for key in held],
        here={key.key.player for key in held if key.used and role_of(key) == ENTRANT},
        minutes=SHARE_SECONDS // 60, far=is_reachable_from_other_phones(),
        done=request.args.get("done", ""),
    )  # fmt: skip


def find_players(tournament_id: str) -> Mapping[str, str]:
    """Return the names of the players by id, sorted by name."""
    players = tournaments().with_state(
        tournament_id, lambda state: {player: name for player, name, _ in state.list_players()}
    )
    return dict(sorted(players.items(), key=lambda player: player[1].casefold()))


def role_of(held: HeldKey) -> str:
    """Return the role of a key in the tournament."""
    return tournament_role(held.key.role, held.key.player)


@blueprint.post("/code")
def code(tournament_id: str) -> str:
    """Create a code with which players join by their names, and show it."""
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    new_code = tournaments().access.new_code(tournament_id, SHARE_SECONDS, form_attempt())
    return render_settings(visitor, NewAccess(link_with_code(tournament_id, new_code), new_code))


@blueprint.post("/link")
def link(tournament_id: str) -> str:
    """Create a key of a role and show its link; an entrant's is that of a player.

    Raises `UnusableError` if there is no such player.
    """
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    role = request.form.get("for", "")
    player = request.form.get("player") if role == ENTRANT else None
    wanted = request_key(role if role in (DIRECTOR, ASSISTANT, ENTRANT) else VIEW, player)
    new = tournaments().add_key(
        tournament_id, wanted, request.form.get("replaces") or None, form_attempt()
    )
    return render_settings(visitor, NewAccess(make_link(new.key, new.secret)))


@blueprint.get("/key/<key_id>")
def key(tournament_id: str, key_id: str) -> str:
    """Show the effect of revoking a key, and ask."""
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    held = next((each for each in list_held_keys(tournament_id) if each.key.id == key_id), None)
    if held is None:
        raise UnknownKeyError(key_id)
    return render_template(
        "tournament/key.html", at=visitor, held=held, role=role_of(held),
        players=find_players(tournament_id),
    )  # fmt: skip


@blueprint.post("/revoke")
def revoke(tournament_id: str) -> Response:
    """Revoke a key. The last one of the directors stays."""
    tournament_visitor(tournament_id, DIRECTOR)
    tournaments().revoke_key(tournament_id, request.form.get("key", ""), ends_code=True)
    return to(url_for(".page", tournament_id=tournament_id, done="revoked"), 303)
