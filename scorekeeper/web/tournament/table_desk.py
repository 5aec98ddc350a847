"""``…/direct/<round>/<table>``: one table for the director: its result from paper, and rulings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from scorekeeper.base.errors import UnusableError
from scorekeeper.http.headers import no_store
from scorekeeper.log import canonical
from scorekeeper.service import NewEvent
from scorekeeper.service.folded_tournament import TournamentSnapshot
from scorekeeper.service.tournament_rights import ASSISTANT, DIRECTOR
from scorekeeper.tournaments.events import HandRuled, ResultRecorded, SeatingCorrected
from scorekeeper.tournaments.hall_views import HallTableView, view_tables
from scorekeeper.tournaments.played_tables import TableHand
from scorekeeper.tournaments.stage_rules import require_game
from scorekeeper.tournaments.time_limits import list_counting
from scorekeeper.tournaments.values import DirectorCall, PaperResult
from scorekeeper.web.forms.typed import clean_line, parse_points
from scorekeeper.web.tournament.direct import read_number
from scorekeeper.web.tournament.visitor import (
    TournamentVisitor,
    record_in_tournament,
    see_tournament,
    tournament_visitor,
)
from scorekeeper.web.wording.refused import message_in_tournament

blueprint = Blueprint(
    "tournament_table", __name__,
    url_prefix="/tournament/<tournament_id>/direct/<int:number>/<int:table>",
)  # fmt: skip
blueprint.after_request(no_store)

SCORE: Final = "score."  # prefix of the names of score fields
SEAT: Final = "seat."  # prefix of the names of the fields with the entrant of a player
COUNTS: Final = ("yes", "no")


@dataclass(frozen=True, slots=True)
class TableDesk:
    """A table of a published round, as the director sees it.

    ``players`` are the players of its session by id, each with the entrant as whom they count.
    ``hands`` are those on record, each with whether it counts.
    """

    number: int
    view: HallTableView
    paper: PaperResult | None
    zero_sum: bool
    hands: Sequence[tuple[TableHand, bool]]
    players: Mapping[str, tuple[str, str]]
    entrants: Mapping[str, str]
    calls: Sequence[DirectorCall]
    clock: bool


def view_table(snapshot: TournamentSnapshot, number: int, table: int) -> TableDesk | None:
    """Return a table of a round; None if the round is not published, or has no such table."""
    state = snapshot.state
    drawn = state.rounds.get(number)
    if drawn is None or not drawn.published or not 1 <= table <= len(drawn.tables):
        return None
    view = view_tables(state, drawn, snapshot.results).tables[table - 1]
    played = snapshot.results.get(view.session or "")
    counting = set[int]()
    if played is not None:
        stage = state.stages[drawn.stage - 1]
        counting = {hand.number for hand in list_counting(played, stage, drawn, table)}
    names = {player: name for player, name, _ in state.list_players()}
    drawn_as = {player: entrant for entrant in drawn.tables[table - 1]
                for player in state.entrants[entrant].list_players(number)}  # fmt: skip
    seating = {**drawn_as, **drawn.seating.get(table, {})}
    return TableDesk(
        number, view, drawn.paper.get(table),
        bool(require_game(state.opening.game).settlement.zero_sum),
        [(hand, hand.number in counting) for hand in (played.hands if played else ())],
        {player: (names.get(player, player), seating[player]) for player in drawn_as},
        {entrant.id: entrant.name for entrant in state.entrants.values()},
        [call for call in state.calls.values()
         if (call.round, call.table, call.answered) == (number, table, None)],
        bool(drawn.clock),
    )  # fmt: skip


@blueprint.get("")
def page(tournament_id: str, number: int, table: int) -> str:
    """Show a table, with the forms for its result and for rulings about it."""
    visitor = tournament_visitor(tournament_id, DIRECTOR, ASSISTANT)
    return render_table(visitor, number, table)


def render_table(
    visitor: TournamentVisitor, number: int, table: int, wrong: Mapping[str, str] | None = None
) -> str:
    """Return the HTML page of a table. Raises `NotFound` if it is not published."""
    desk = see_tournament(
        visitor.tournament_id, lambda snapshot: view_table(snapshot, number, table)
    )
    if desk is None:
        raise NotFound(_("There is no such table in this tournament."))
    return render_template(
        "tournament/table.html", at=visitor, desk=desk, wrong=wrong or {}, typed=request.form,
        done=request.args.get("done", ""),
    )  # fmt: skip


def record_at_table(
    visitor: TournamentVisitor, where: tuple[int, int], act: str, kind: str, data: dict[str, Any]
) -> Response | tuple[str, int]:
    """Record an event about a table, and return to it; ``act`` is its form for an error."""
    number, table = where
    try:
        event = NewEvent(kind, canonical.normalize({"round": number, "table": table, **data}))
        record_in_tournament(visitor, event)
    except UnusableError as error:
        return render_table(visitor, number, table, {act: message_in_tournament(error)}), 422
    if act == "result":
        return to(url_for("tournament_direct.page", tournament_id=visitor.tournament_id), 303)
    return to(url_for(".page", tournament_id=visitor.tournament_id, number=number, table=table,
                      done=act), 303)  # fmt: skip


@blueprint.post("/result")
def result(tournament_id: str, number: int, table: int) -> Response | tuple[str, int]:
    """Record the result of a table on paper."""
    visitor = tournament_visitor(tournament_id, DIRECTOR, ASSISTANT)
    parts = see_tournament(
        tournament_id, lambda snapshot: require_game(snapshot.state.opening.game).parts
    )
    scores = {name.removeprefix(SCORE): parse_points(text.strip()[:9], parts)
              for name, text in request.form.items() if name.startswith(SCORE)}  # fmt: skip
    data: dict[str, Any] = {"scores": scores}
    if request.form.get("hands"):
        data["hands"] = read_number("hands")
    return record_at_table(visitor, (number, table), "result", ResultRecorded.TYPE, data)


@blueprint.post("/ruling")
def ruling(tournament_id: str, number: int, table: int) -> Response | tuple[str, int]:
    """Rule whether a hand counts."""
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    reason = clean_line(request.form.get("reason", ""))
    if not reason:
        return render_table(visitor, number, table, {"ruling": str(_("Say why."))}), 422
    data: dict[str, Any] = {"hand": read_number("hand"), "reason": reason}
    if request.form.get("counts") in COUNTS:
        data["counts"] = request.form["counts"] == COUNTS[0]
    return record_at_table(visitor, (number, table), "ruling", HandRuled.TYPE, data)


@blueprint.post("/seating")
def seating(tournament_id: str, number: int, table: int) -> Response | tuple[str, int]:
    """Record that they sat otherwise than drawn."""
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    players = {name.removeprefix(SEAT): entrant for name, entrant in request.form.items()
               if name.startswith(SEAT)}  # fmt: skip
    data = {"players": players}
    return record_at_table(visitor, (number, table), "seating", SeatingCorrected.TYPE, data)
