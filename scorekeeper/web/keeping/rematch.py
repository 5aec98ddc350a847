"""``/t/<session_id>/settings/match``: another match for those who are at the table."""

from collections.abc import Mapping
from functools import partial

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from scorekeeper.events.common import MatchStarted
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.http.extensions import service
from scorekeeper.http.headers import unkept
from scorekeeper.service import NewEvent
from scorekeeper.session.session import Session
from scorekeeper.web.frame.form_keys import recorded_before
from scorekeeper.web.frame.ring import ring, turned
from scorekeeper.web.keeping.settings import (
    host_of,
    names_of,
    record_by_host,
    state,
    unfinished_hand,
)
from scorekeeper.web.opening import options
from scorekeeper.web.opening.club_houses import of_evening, of_game, only
from scorekeeper.web.opening.draft import match_data, partners, seats_and_more, settled, too_few
from scorekeeper.web.opening.options import FormData
from scorekeeper.web.opening.redrawing import redrawn
from scorekeeper.web.opening.stakes import as_form, asked_stake, chosen_stake
from scorekeeper.web.phone.viewer import viewer_of

blueprint = Blueprint("rematch", __name__, url_prefix="/t/<session_id>/settings/match")
blueprint.after_request(unkept)


@blueprint.get("")
def form(session_id: str) -> str:
    """Ask for the game, the seats, and how it is played."""
    host_of(session_id)
    said = request.args.copy()
    if not said.getlist("seat"):
        before = partial(as_before, me=viewer_of(session_id).player)
        said = service().see(session_id, before) | said
    return page(session_id, said, {})


@blueprint.post("")
def start(session_id: str) -> Response | tuple[str, int]:
    """Start the match, and go to the table."""
    holder = host_of(session_id)
    form_again = redrawn(url_for("rematch.form", session_id=session_id))
    if form_again is not None:
        return form_again
    game, said = game_of(request.form), request.form
    wrong: dict[str, str] = {}
    seats = seats_of(game, said, names_of(session_id), wrong)
    if len(seats) not in game.seats:
        wrong.setdefault("seats", too_few(game, len(seats)))
    chosen, stake = settled(game, said, len(seats), wrong), chosen_stake(said, wrong)
    if wrong:
        return page(session_id, said, wrong), 422
    unfinished = service().see(session_id, unfinished_hand)
    if unfinished and said.get("leaves") != unfinished and not recorded_before(session_id):
        return page(session_id, said, wrong, leaves=unfinished), 422
    record_by_host(
        session_id, holder, NewEvent(MatchStarted.TYPE, match_data(game, seats, chosen, stake))
    )
    return to(url_for("table.page", session_id=session_id), 303)


def page(session_id: str, said: FormData, wrong: dict[str, str], leaves: str = "") -> str:
    """The form with what it says already; it asks whether to leave a hand that is not finished."""
    game, club = game_of(said), of_evening(session_id)
    houses = club.houses if club else ()
    said = options.with_house(game, said, only(houses, game))
    seats, more_seats = seats_and_more(game, said.getlist("seat"))
    names = names_of(session_id)
    return render_template(
        "rematch/form.html", session_id=session_id, game=game, games=GAMES.values(), wrong=wrong,
        partners=list(partners(game, [names[one] for one in seats if one in names])), names=names,
        seats=seats, more_seats=more_seats,
        drawn=ring(max(game.seats), game.direction), asked=options.asked(game, said),
        most=options.asked_most(game, said, sum(map(bool, seats))),
        kept=options.kept(game, said), called=said.get("called", "")[:60],
        houses=options.houses(game, said), club=club, club_houses=of_game(houses, game),
        stake=asked_stake(game, said, sum(map(bool, seats))),
        title=service().see(session_id, state)["title"], leaves=leaves,
    )  # fmt: skip


def game_of(said: FormData) -> Game:
    """The game that a form names, else the first."""
    return GAMES.get(said.get("pick") or said.get("game") or "") or next(iter(GAMES.values()))


def seats_of(
    game: Game, said: FormData, names: Mapping[str, str], wrong: dict[str, str]
) -> list[str]:
    """Who sits down, in order of play; ``wrong`` gets who sits twice, or is not there."""
    seats = [one for one in seats_and_more(game, said.getlist("seat"))[0] if one]
    if len(set(seats)) < len(seats):
        wrong["seats"] = str(_("Somebody sits in two seats."))
    if any(one not in names for one in seats):
        wrong["seats"] = str(_("Choose players of this table."))
    return seats


def as_before(session: Session, me: str | None) -> FormData:
    """The form filled in with the match before this one, else with whoever is there.

    Whose phone this is comes first.
    """
    record = session.structure
    if not record.matches:
        return MultiDict([("seat", one) for one in turned(record.players, me)])
    last = record.matches[-1]
    said = options.as_form(last.game, last.options)
    said.update(as_form(last.stake))
    said["game"] = last.game.id
    said.setlist("seat", list(turned(last.seats, me)))
    return said
