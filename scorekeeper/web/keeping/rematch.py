"""``/t/<session_id>/settings/match``: another match for the players at the table."""

from collections.abc import Mapping
from functools import partial

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from scorekeeper.base.errors import UnusableError, why_of
from scorekeeper.events.common import MatchStarted
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.http.extensions import service
from scorekeeper.http.headers import no_store
from scorekeeper.service import NewEvent
from scorekeeper.session.session import Session
from scorekeeper.web.forms.stopping import (
    PLAYED_ON,
    find_moment,
    find_open_match,
    refuse_played_on,
)
from scorekeeper.web.forms.widget import FormData
from scorekeeper.web.frame.form_keys import recorded_before
from scorekeeper.web.frame.ring import seats_in_ring, starting_with
from scorekeeper.web.keeping.settings import (
    player_names,
    record_of_form,
    require_host,
    session_state,
)
from scorekeeper.web.opening import options
from scorekeeper.web.opening.club_houses import houses_of_evening, lines_of_game, only_rules_text
from scorekeeper.web.opening.draft import (
    chosen_game,
    match_data,
    partners,
    seats_message,
    split_seats,
    validated_options,
)
from scorekeeper.web.opening.redrawing import redirect_if_redrawn
from scorekeeper.web.opening.stakes import chosen_stake, stake_as_form, stake_field
from scorekeeper.web.phone.viewer import viewer_of

blueprint = Blueprint("rematch", __name__, url_prefix="/t/<session_id>/settings/match")
blueprint.after_request(no_store)


@blueprint.get("")
def form(session_id: str) -> str:
    """Ask for the game, the seats, and the rules."""
    require_host(session_id)
    values = request.args.copy()
    if not values.getlist("seat"):
        before = partial(form_like_last_match, me=viewer_of(session_id).player)
        values = service().see(session_id, before) | values
    return render_form(session_id, values, {})


@blueprint.post("")
def start(session_id: str) -> Response | tuple[str, int]:
    """Start another match from the form, and redirect to the table.

    Asks how an open match ends, before it leaves a hand behind that is not finished, and if the
    table has played on since the form was shown.
    """
    holder = require_host(session_id)
    form_again = redirect_if_redrawn(url_for("rematch.form", session_id=session_id))
    if form_again is not None:
        return form_again
    game, values = chosen_game(request.form), request.form
    wrong: dict[str, str] = {}
    seats = chosen_seats(game, values, player_names(session_id), wrong)
    if len(seats) not in game.seats:
        wrong.setdefault("seats", seats_message(game, len(seats)))
    chosen, stake = validated_options(game, values, len(seats), wrong), chosen_stake(values, wrong)
    answer, again = values.get("result", ""), recorded_before(session_id)
    going_on = None if again else service().see(session_id, find_open_match)
    if going_on and not going_on.takes(answer):
        wrong["result"] = str(_("Choose one of the two."))
    if wrong:
        return render_form(session_id, values, wrong), 422
    unfinished = going_on.unfinished if going_on else None
    if unfinished and values.get("leaves") != unfinished.key:
        return render_form(session_id, values, wrong, leaves=unfinished.key), 422
    started = NewEvent(MatchStarted.TYPE, match_data(game, seats, chosen, stake))

    def build(session: Session) -> tuple[NewEvent, ...]:
        refuse_played_on(session, values.get("moment", ""))
        match = find_open_match(session)
        return (started,) if match is None else (match.end(answer), started)

    try:
        record_of_form(session_id, holder, build=build)
    except UnusableError as error:
        if why_of(error) != PLAYED_ON:
            raise
        return render_form(session_id, values, wrong, changed=True), 409
    return to(url_for("table.page", session_id=session_id), 303)


def render_form(
    session_id: str,
    values: FormData,
    wrong: dict[str, str],
    leaves: str = "",
    *,
    changed: bool = False,
) -> str:
    """Return the HTML form of another match with its present content.

    `leaves` names an unfinished hand, about which the form asks once more. ``changed`` is whether
    the table has played on since the form was shown.
    """
    game, club = chosen_game(values), houses_of_evening(session_id)
    houses = club.houses if club else ()
    values = options.apply_preset(game, values, only_rules_text(houses, game))
    seats, more_seats = split_seats(game, values.getlist("seat"))
    names = player_names(session_id)
    moment, going_on = service().see(
        session_id, lambda session: (find_moment(session), find_open_match(session))
    )
    return render_template(
        "rematch/form.html", session_id=session_id, game=game, games=GAMES.values(), wrong=wrong,
        partners=list(partners(game, [names[player] for player in seats if player in names])),
        names=names, seats=seats, more_seats=more_seats,
        drawn=seats_in_ring(max(game.seats), game.direction),
        asked=options.option_fields(game, values),
        most=options.most_by_form(game, values, sum(map(bool, seats))),
        kept=options.chosen_rules(game, values), called=values.get("called", "")[:60],
        houses=options.preset_fields(game, values),
        club=club, club_houses=lines_of_game(houses, game),
        stake=stake_field(game, values, sum(map(bool, seats))),
        title=service().see(session_id, session_state)["title"], leaves=leaves,
        going_on=going_on, answer=values.get("result", ""), moment=moment, changed=changed,
    )  # fmt: skip


def chosen_seats(
    game: Game, values: FormData, names: Mapping[str, str], wrong: dict[str, str]
) -> list[str]:
    """Return the players in order of play; ``wrong`` gets errors on double or unknown players."""
    seats = [player for player in split_seats(game, values.getlist("seat"))[0] if player]
    if len(set(seats)) < len(seats):
        wrong["seats"] = str(_("Somebody is in two seats."))
    if any(player not in names for player in seats):
        wrong["seats"] = str(_("Choose players of this table."))
    return seats


def form_like_last_match(session: Session, me: str | None) -> FormData:
    """Return form fields filled in with the previous match, else with all players.

    The viewer comes first.
    """
    record = session.structure
    if not record.matches:
        return MultiDict([("seat", player) for player in starting_with(record.players, me)])
    last = record.matches[-1]
    values = options.options_as_form(last.game, last.options)
    values.update(stake_as_form(last.stake))
    values["game"] = last.game.id
    values.setlist("seat", list(starting_with(last.seats, me)))
    return values
