"""``/new``: a new table, from the game to the first deal, on one page."""

from contextlib import nullcontext, suppress
from functools import partial
from typing import Any, Final

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from werkzeug.wrappers import Response

from scorekeeper.base.errors import NotInstalledError, SeatTakenError
from scorekeeper.events.common import MatchStarted
from scorekeeper.games import GAMES, IDS
from scorekeeper.http.extensions import service
from scorekeeper.http.limits import refuse_many_sessions
from scorekeeper.log import canonical
from scorekeeper.service import AppendRequest, Holder, NewEvent
from scorekeeper.store import Opened
from scorekeeper.web.frame.form_keys import attempt, form_digest
from scorekeeper.web.frame.ring import ring
from scorekeeper.web.opening import options
from scorekeeper.web.opening.club_houses import of_game, only
from scorekeeper.web.opening.draft import TableDraft, evening_of, ids_of, partners
from scorekeeper.web.opening.for_club import ForClub, enter, for_club
from scorekeeper.web.opening.redrawing import redrawn
from scorekeeper.web.opening.share import keep_links
from scorekeeper.web.opening.stakes import stake_field
from scorekeeper.web.phone.levels import keep_level
from scorekeeper.web.phone.my_tables import take
from scorekeeper.web.phone.own_seat import sit_with
from scorekeeper.web.phone.remembered import Remembered, remember, remembered

blueprint = Blueprint("new", __name__, url_prefix="/new")

HOST: Final = Holder("host")


@blueprint.get("")
def form() -> str:
    """Ask for the game, the players, and the rules."""
    club = for_club(request.args.get("club", ""))
    known = club.last if club else remembered()
    try:
        with GAMES.failures_as_not_installed():
            return page(begun(club, known, known.game), club)
    except NotInstalledError:
        if "game" in request.args or "pick" in request.args:
            raise
        return page(begun(club, known, IDS[0]), club)  # the game of the last table fails now


def begun(club: ForClub | None, known: Remembered, game: str) -> TableDraft:
    """Return the table with which the form begins."""
    draft = TableDraft.read(request.args, game, partial(only, club.houses if club else ()))
    if "again" in request.args:
        draft.sit(known.seats)
    draft.sit(request.args.getlist("sit"))
    return draft


@blueprint.post("")
def create() -> Response | tuple[str, int]:
    """Open the session, start its match, and redirect to its links."""
    form_again = redrawn(url_for("new.form"))
    if form_again is not None:
        return form_again
    draft, club = TableDraft.read(request.form), for_club(request.form.get("club", ""))
    chosen = draft.validate()
    if draft.wrong:
        return page(draft, club), 422
    refuse_many_sessions()
    new = open_table(draft, chosen)
    if club:
        enter(club, new, {player: name for name, player in ids_of(draft.seats).items()})
    return opened_response(draft, new)


def open_table(draft: TableDraft, chosen: dict[str, Any]) -> Opened:
    """Open a session and start its match.

    If the same form is sent again, the session that it opened before is returned.
    """
    digest = form_digest()
    new = service().open(canonical.normalize(draft.opening()), attempt())
    match = NewEvent(MatchStarted.TYPE, canonical.normalize(draft.match(chosen)))
    append = AppendRequest(new.version, (match,), key=digest.hex() or None, digest=digest)
    service().record(new.id, append, HOST)
    return new


def opened_response(draft: TableDraft, new: Opened) -> Response:
    """Redirect the host of a new session to its links, with the host's key on this phone."""
    answer = to(url_for("share.page", session_id=new.id), 303)
    take(next(new_key.key for new_key in new.keys if new_key.key.role == "host"))
    own = next(
        (new_key.key for new_key in new.keys if new_key.key.player == own_player(draft)), None
    )
    if own is not None:
        # The host may have given the seat to another player before the form came again.
        with suppress(SeatTakenError) if new.repeated else nullcontext():
            sit_with(own)
    keep_links(answer, new, own)
    keep_level(answer, new.id, draft.level)
    remember(answer, remembered().after(draft.game.id, draft.seats))
    return answer


def own_player(draft: TableDraft) -> str:
    """Return the player id of the host; empty if they only keep the score."""
    name = draft.own_name
    return "" if name is None else ids_of(draft.seats)[name]


def page(draft: TableDraft, club: ForClub | None = None) -> str:
    """Return the form with its present content; the members of a club can be tapped."""
    known = club.last if club else remembered()
    kept = options.kept(draft.game, draft.form)
    return render_template(
        "new/form.html", draft=draft, club=club, games=GAMES.values(), known=known,
        seats=ring(len(draft.names), draft.game.direction),
        asked=options.option_fields(draft.game, draft.form),
        most=options.most_by_form(draft.game, draft.form, len(draft.seats)),
        houses=options.houses(draft.game, draft.form), kept=kept,
        club_houses=of_game(club.houses, draft.game) if club else (),
        called=draft.form.get("called", "")[:60], usual=evening_of("{day}"),
        partners=list(partners(draft.game, draft.seats)),
        stake=stake_field(draft.game, draft.form, len(draft.seats)),
    )  # fmt: skip
