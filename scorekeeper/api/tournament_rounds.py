"""``/api/tournaments/{id}/draw`` and so on: what comes next, a draw, its check, its publication."""

import secrets
from functools import partial
from hashlib import sha256

from flask import Response, g

from scorekeeper.answers import jobs
from scorekeeper.api.decorators import TOURNAMENT, opened_in_tournament, takes, takes_long
from scorekeeper.api.document import VERSION, Blueprint, asks, refuses
from scorekeeper.api.keys import private_json
from scorekeeper.api.sessions import IDEMPOTENCY_KEY, IF_MATCH, expected_version, idempotency_key
from scorekeeper.api.tournament_schemas import (
    CheckSchema,
    DrawSchema,
    PresetsSchema,
    PublishSchema,
)
from scorekeeper.api.tournament_views import (
    NextStepsView,
    TournamentRecordedView,
)
from scorekeeper.api.tournaments import PATH, recorded_answer
from scorekeeper.api.view_schemas import schema_of
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import to_json_values
from scorekeeper.games import GAMES
from scorekeeper.http.answering import compute
from scorekeeper.http.bodies import JSON
from scorekeeper.http.extensions import tournaments
from scorekeeper.http.headers import no_store
from scorekeeper.http.limits import refuse_many_tables
from scorekeeper.service.tournament_rights import ASSISTANT, DIRECTOR
from scorekeeper.service.tournaments import PublishRequest
from scorekeeper.tournaments.advancing import find_changed_advance
from scorekeeper.tournaments.checked_rounds import ProposedRoundView
from scorekeeper.tournaments.draws.draw import MAX_SEED
from scorekeeper.tournaments.next_steps import list_next_steps
from scorekeeper.tournaments.presets import TournamentPresetsView, list_presets, view_presets
from scorekeeper.tournaments.record import TournamentRecord

blueprint = Blueprint("tournament_rounds", __name__, description="The rounds of a tournament.")


@blueprint.route("/tournament-presets")
@blueprint.response(200, schema_of(TournamentPresetsView), description="The presets.")
@refuses("malformed")
@blueprint.query(PresetsSchema)
def list_tournament_presets(asked: JsonObject) -> JsonObject:
    """List plans that clubs really play, as far as they can be played in a game.

    Their stages are those of `tournament_opened`, and can be changed.
    """
    game = GAMES[asked["game"]]
    return to_json_values(view_presets(list_presets(game, asked.get("entrants"),
                                                    asked.get("minutes"))))  # fmt: skip


@blueprint.route(f"{PATH}/next", parameters=[TOURNAMENT])
@blueprint.response(200, schema_of(NextStepsView), description="The steps.")
@opened_in_tournament(DIRECTOR, ASSISTANT)
def get_tournament_next(tournament_id: str) -> Response:
    """Return the steps that can be taken now, the likeliest first."""
    return private_json(
        tournaments().see(
            tournament_id,
            lambda snapshot: NextStepsView.of(
                list_next_steps(snapshot.state),
                find_changed_advance(snapshot.state, snapshot.results, snapshot.scoreboard),
            ),
        )
    )


@blueprint.route(f"{PATH}/draw", methods=["POST"], parameters=[TOURNAMENT])
@blueprint.response(200, schema_of(ProposedRoundView), description="The round.")
@takes_long
@opened_in_tournament(DIRECTOR)
@takes(DrawSchema())
def draw_tournament_round(body: JsonObject, tournament_id: str) -> Response:
    """Propose the draw of the next round by the rules of its stage. Nothing is recorded.

    To draw it, record `draw` as the data of a `round_drawn`.
    """
    seed = body.get("seed", secrets.randbelow(MAX_SEED))
    position, state, results = tournaments().copy(tournament_id)
    key = (position, "draw", seed, tuple(played.head for played in results.values()))
    made = compute(tournament_id, key, jobs.propose_round, lambda: (state, results, seed))
    return no_store(Response(made, content_type=JSON))


@blueprint.route(f"{PATH}/check", methods=["POST"], parameters=[TOURNAMENT])
@blueprint.response(200, schema_of(ProposedRoundView), description="The round.")
@takes_long
@opened_in_tournament(DIRECTOR)
@takes(CheckSchema())
def check_tournament_round(body: JsonObject, tournament_id: str) -> Response:
    """Check a round that was drawn by hand, or a proposal that was changed. Nothing is recorded."""
    position, state, _ = tournaments().copy(tournament_id)
    drawn = body["round"], body["tables"], body.get("byes", ())
    key = position, "check", drawn
    made = compute(tournament_id, key, jobs.check_round, lambda: (state, *drawn))
    return no_store(Response(made, content_type=JSON))


@blueprint.route(f"{PATH}/publish", methods=["POST"], parameters=[TOURNAMENT])
@blueprint.response(
    201, schema_of(TournamentRecordedView), description="The publication.", headers=VERSION
)
@refuses(
    "too_often", "session_full", "stale_version", "idempotency_key_reused", "precondition_required"
)
@opened_in_tournament(DIRECTOR)
@asks(IF_MATCH, IDEMPOTENCY_KEY)
@takes(PublishSchema())
def publish_tournament_round(body: JsonObject, tournament_id: str) -> Response:
    """Publish a round that is drawn: the hall sees it, and its tables have their sessions.

    The event and all sessions are recorded together, or nothing is. Tables in `paper` have no
    session. Each entrant's key opens the session of their table.
    """
    number, paper, digest = body["round"], frozenset(body.get("paper", ())), sha256(g.body).digest()
    key = idempotency_key()
    if not (key and tournaments().find_answer(tournament_id, key, digest)):
        count = partial(count_tables, number=number, paper=paper)
        refuse_many_tables(tournaments().with_state(tournament_id, count))
    asked = PublishRequest(expected_version(), key=key, digest=digest, round=number, paper=paper)
    return recorded_answer(tournaments().record(tournament_id, asked, g.holder))


def count_tables(record: TournamentRecord, number: int, paper: frozenset[int]) -> int:
    """Return how many sessions the publication of a round opens; 0 if it cannot be published."""
    drawn = record.rounds.get(number)
    tables = range(1, len(drawn.tables) + 1) if drawn is not None and not drawn.published else ()
    return len(set(tables) - paper)
