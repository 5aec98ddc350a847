"""``/new``: a new table, from the game to the first deal, on one page."""

from contextlib import nullcontext, suppress
from functools import partial
from typing import Final

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from werkzeug.wrappers import Response

from scorekeeper.base.errors import NotInstalledError, SeatTakenError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import MatchStarted
from scorekeeper.events.names import player_ids
from scorekeeper.games import GAMES, IDS
from scorekeeper.http.extensions import service
from scorekeeper.http.limits import refuse_many_sessions
from scorekeeper.log import canonical
from scorekeeper.service import AppendRequest, Holder, NewEvent
from scorekeeper.store import Opened
from scorekeeper.web.frame.form_keys import form_attempt, form_digest
from scorekeeper.web.frame.ring import seats_in_ring
from scorekeeper.web.opening import options
from scorekeeper.web.opening.club_houses import lines_of_game, only_rules_text
from scorekeeper.web.opening.draft import TableDraft, default_title, partners
from scorekeeper.web.opening.for_club import ForClub, count_for_club, for_club
from scorekeeper.web.opening.redrawing import redirect_if_redrawn
from scorekeeper.web.opening.share import keep_links
from scorekeeper.web.opening.stakes import stake_field
from scorekeeper.web.phone.levels import keep_level
from scorekeeper.web.phone.my_tables import take_key
from scorekeeper.web.phone.remembered import Remembered, read_remembered, store_remembered
from scorekeeper.web.phone.viewer import take_own_seat_with_key

blueprint = Blueprint("new", __name__, url_prefix="/new")

HOST: Final = Holder("host")


@blueprint.get("")
def form() -> str:
    """Show the form for a new table, filled in from the last table of this phone or club."""
    club = for_club(request.args.get("club", ""))
    known = club.last if club else read_remembered()
    try:
        with GAMES.failures_as_not_installed():
            return render_form(initial_draft(club, known, known.game), club)
    except NotInstalledError:
        if "game" in request.args or "pick" in request.args:
            raise
        return render_form(
            initial_draft(club, known, IDS[0]), club
        )  # the game of the last table fails now


def initial_draft(club: ForClub | None, known: Remembered, game: str) -> TableDraft:
    """Return the draft with which the form begins: the query's values, and names to seat again."""
    draft = TableDraft.read(
        request.args, game, partial(only_rules_text, club.houses if club else ())
    )
    if "again" in request.args:
        draft.sit(known.seats)
    draft.sit(request.args.getlist("sit"))
    return draft


@blueprint.post("")
def create() -> Response | tuple[str, int]:
    """Open the session and start its match, then redirect to its links.

    Choosing buttons only redraw the form, and a form with errors is shown again.
    """
    form_again = redirect_if_redrawn(url_for("new.form"))
    if form_again is not None:
        return form_again
    draft, club = TableDraft.read(request.form), for_club(request.form.get("club", ""))
    chosen = draft.validate()
    if draft.wrong:
        return render_form(draft, club), 422
    refuse_many_sessions()
    new = open_table(draft, chosen)
    if club:
        count_for_club(
            club, new, {player: name for name, player in player_ids(draft.seats).items()}
        )
    return opened_response(draft, new)


def open_table(draft: TableDraft, chosen: JsonObject) -> Opened:
    """Open a session and start its match.

    If the same form is sent again, the session that it opened before is returned.
    """
    digest = form_digest()
    new = service().open(canonical.normalize(draft.opening()), form_attempt())
    match = NewEvent(MatchStarted.TYPE, canonical.normalize(draft.match(chosen)))
    append = AppendRequest(new.version, (match,), key=digest.hex() or None, digest=digest)
    service().record(new.id, append, HOST)
    return new


def opened_response(draft: TableDraft, new: Opened) -> Response:
    """Return the redirection to the links of a new session.

    Gives this phone the host's key and its own seat, and sets its cookies.
    """
    answer = to(url_for("share.page", session_id=new.id), 303)
    take_key(next(new_key.key for new_key in new.keys if new_key.key.role == "host"))
    own = next(
        (new_key.key for new_key in new.keys if new_key.key.player == own_player_id(draft)), None
    )
    if own is not None:
        # The host may have given the seat to another player before the form came again.
        with suppress(SeatTakenError) if new.repeated else nullcontext():
            take_own_seat_with_key(own)
    keep_links(answer, new, own)
    keep_level(answer, new.id, draft.level)
    store_remembered(answer, read_remembered().after(draft.game.id, draft.seats))
    return answer


def own_player_id(draft: TableDraft) -> str:
    """Return the id of the player who fills in the form; empty if they only keep the score."""
    name = draft.own_name
    return "" if name is None else player_ids(draft.seats)[name]


def render_form(draft: TableDraft, club: ForClub | None = None) -> str:
    """Return the HTML form of a new table with its present content.

    The members of a club can be tapped.
    """
    known = club.last if club else read_remembered()
    kept = options.chosen_rules(draft.game, draft.form)
    return render_template(
        "new/form.html", draft=draft, club=club, games=GAMES.values(), known=known,
        seats=seats_in_ring(len(draft.names), draft.game.direction),
        asked=options.option_fields(draft.game, draft.form),
        most=options.most_by_form(draft.game, draft.form, len(draft.seats)),
        houses=options.preset_fields(draft.game, draft.form), kept=kept,
        club_houses=lines_of_game(club.houses, draft.game) if club else (),
        called=draft.form.get("called", "")[:60], usual=default_title("{day}"),
        partners=list(partners(draft.game, draft.seats)),
        stake=stake_field(draft.game, draft.form, len(draft.seats)),
    )  # fmt: skip
