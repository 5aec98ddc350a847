"""``/tournament/<tournament_id>/standings``: places and their reasons, rounds, and rulings."""

from typing import Any, Final

from flask import Blueprint, render_template, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.exceptions import NotFound

from scorekeeper.exports.tournament import TournamentFile
from scorekeeper.exports.tournament_words import (
    MARK_WORDS,
    describe_prize,
    describe_progress,
    describe_protests,
    describe_row,
    list_notes,
)
from scorekeeper.http.extensions import tournaments
from scorekeeper.http.headers import no_store
from scorekeeper.http.preferences import reader_of
from scorekeeper.service.folded_tournament import TournamentSnapshot
from scorekeeper.tournaments.movement import compute_movement
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.web.tournament.drawn_from import compare_with_draw
from scorekeeper.web.tournament.new import DRAW_WORDS
from scorekeeper.web.tournament.standings_parts import (
    compute_figures,
    list_meetings,
    list_published,
    list_rounds,
    list_rulings,
)
from scorekeeper.web.tournament.visitor import see_tournament, tournament_visitor

blueprint = Blueprint(
    "tournament_standings", __name__, url_prefix="/tournament/<tournament_id>/standings"
)
blueprint.after_request(no_store)

MAX_IN_CROSS_TABLE: Final = 60  # entrants; a larger table cannot be read on a page
SECTIONS: Final = (
    ("tournament_standings.page", _l("Standings")),
    ("tournament_standings.rounds", _l("Rounds")),
    ("tournament_standings.more", _l("Rulings and figures")),
)


@blueprint.get("")
def page(tournament_id: str) -> str:
    """Show the standings of a stage, by default of the latest, after a round."""
    visitor = tournament_visitor(tournament_id)
    shown = see_tournament(tournament_id, lambda snapshot: _see_standings(tournament_id, snapshot))
    return render_template("tournament/standings.html", at=visitor, **shown)


def _see_standings(tournament_id: str, snapshot: TournamentSnapshot) -> dict[str, Any]:
    """Return the template values of the standings that the query names."""
    record, results, board = snapshot.state, snapshot.results, snapshot.scoreboard
    stage, number = asked_stage(record), request.args.get("round", type=int)
    file = TournamentFile.of(
        tournament_id, record, results, reader_of({}), scoreboard=board, stage=stage,
        after_round=number, changed=snapshot.changed_after_close,
    )  # fmt: skip
    computed = board.compute(record, results, stage, number)
    sessions = {(drawn.number, table): opened.session
                for drawn in list_published(record)
                for table, opened in (drawn.sessions or {}).items() if opened}  # fmt: skip
    return {
        **stage_values(record, file.standings.stage),
        "table": file.standings,
        "moved": compute_movement(board, record, results, computed),
        "sessions": sessions,
        "remarks": {row.entrant: list(describe_row(row, file.names))
                    for row in file.standings.rows},
        "qualified": {entrant for final in file.standings.qualifiers for entrant in final},
        "rounds": sorted({played.round for row in file.standings.rows for played in row.rounds}),
        "progress": describe_progress(file),
        "notes": list_notes_of_page(file),
        "prizes": [(line, describe_prize(file, line)) for line in file.prizes],
        "protests": describe_protests(file),
    }  # fmt: skip


def list_notes_of_page(file: TournamentFile) -> list[str]:
    """Return the notes below standings, without the marks of rounds: a page has words there."""
    kinds = {played.kind for row in file.standings.rows for played in row.rounds}
    notes = list(list_notes(file.standings, file.names))
    return notes[1:] if kinds & MARK_WORDS.keys() else notes


@blueprint.get("/rounds")
def rounds(tournament_id: str) -> str:
    """Show the rounds of a stage with results, or one round with the standings of its draw."""
    visitor = tournament_visitor(tournament_id)
    _position, record, results = tournaments().copy(tournament_id)
    number = request.args.get("round", type=int)
    drawn = record.rounds.get(number or 0)
    if number is not None and (drawn is None or not drawn.published):
        raise NotFound
    stage = drawn.stage if drawn is not None else asked_stage(record)
    values = stage_values(record, stage)
    listed = list_rounds(record, results, values["stage"])
    return render_template(
        "tournament/rounds.html", at=visitor, **values, number=number,
        listed=[one for one in listed if number in (None, one.view.round)],
        compared=compare_with_draw(record, results, drawn) if drawn is not None else [],
        knockout=record.stages[values["stage"] - 1].draw == "knockout" and number is None,
        draws={**DRAW_WORDS, "by_hand": _("by hand")},
    )  # fmt: skip


@blueprint.get("/more")
def more(tournament_id: str) -> str:
    """Show who met whom, what the director ruled, and how much was played."""
    visitor = tournament_visitor(tournament_id)
    shown = see_tournament(tournament_id, _see_more)
    return render_template("tournament/figures.html", at=visitor, **shown)


def _see_more(snapshot: TournamentSnapshot) -> dict[str, Any]:
    """Return the template values of the meetings, rulings and figures."""
    record, results = snapshot.state, snapshot.results
    computed = snapshot.standings(asked_stage(record))
    order = [row.entrant for row in computed.rows]
    return {
        **stage_values(record, computed.stage),
        "cross": list_meetings(record, computed.stage, order)
        if len(order) <= MAX_IN_CROSS_TABLE else [],
        "rulings": list_rulings(record),
        "figures": compute_figures(record, results),
    }  # fmt: skip


def asked_stage(record: TournamentRecord) -> int | None:
    """Return the stage that the query names; None for the latest. Raises `NotFound`."""
    stage = request.args.get("stage", type=int)
    if stage is not None and not 1 <= stage <= len(record.stages):
        raise NotFound
    return stage


def stage_values(record: TournamentRecord, stage: int | None) -> dict[str, Any]:
    """Return the template values that all pages share: the stages with a published round."""
    begun = sorted({drawn.stage for drawn in list_published(record)}) or [1]
    return {
        "stage": stage or begun[-1],
        "stages": [(number, record.stages[number - 1].name) for number in begun],
        "sections": [(url_for(name, **(request.view_args or {})), words,
                      request.endpoint == name) for name, words in SECTIONS],
    }  # fmt: skip
