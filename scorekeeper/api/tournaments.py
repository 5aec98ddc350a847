"""``/api/tournaments``: open a tournament, record its events, read its tables, manage its keys."""

from collections.abc import Callable
from hashlib import sha256
from typing import Final

from flask import Response, g, request

from scorekeeper.api.decorators import (
    IF_NONE_MATCH,
    TOURNAMENT,
    UNCHANGED,
    opened_in_tournament,
    takes,
    takes_json,
)
from scorekeeper.api.document import (
    VERSION,
    Blueprint,
    Decorator,
    Endpoint,
    asks,
    refuses,
    text_header,
)
from scorekeeper.api.event_schemas import AfterSchema, GivenSchema
from scorekeeper.api.exports import NDJSON, TEXT, download
from scorekeeper.api.keys import KEY, private_json
from scorekeeper.api.sessions import (
    IDEMPOTENCY_KEY,
    IF_MATCH,
    NEW,
    SECRET_KEY,
    attempt_of,
    expected_version,
    idempotency_key,
)
from scorekeeper.api.tournament_schemas import (
    OPENING,
    EntrantKeysSchema,
    EntrantsSchema,
    RoundSchema,
    StandingsSchema,
    TournamentAppendSchema,
    TournamentKeyBodySchema,
)
from scorekeeper.api.tournament_views import (
    NewTournamentKeysView,
    NewTournamentKeyView,
    TournamentKeysView,
    TournamentKeyView,
    TournamentOpenedView,
    TournamentPageView,
    TournamentRecordedView,
    TournamentView,
    view_tournament,
)
from scorekeeper.api.view_schemas import schema_of
from scorekeeper.base.errors import UnusableError, expected
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import DeclaredView, to_json_values
from scorekeeper.http import headers
from scorekeeper.http.answering import MASKED_SUFFIX, bodiless_answer, json_answer
from scorekeeper.http.bodies import JSON, json_body
from scorekeeper.http.extensions import tournaments
from scorekeeper.http.limits import refuse_many_sessions
from scorekeeper.log.writing import as_json
from scorekeeper.service.folded_tournament import TournamentSnapshot
from scorekeeper.service.responses import events
from scorekeeper.service.tournament_rights import ASSISTANT, DIRECTOR, ENTRANT, ROLES, request_key
from scorekeeper.store import Opened, Position
from scorekeeper.streams.requests import Recorded, StreamAppend
from scorekeeper.tournaments.events import MAX_ENTRANTS
from scorekeeper.tournaments.hall_views import (
    HallClockView,
    HallTablesView,
    view_clock,
    view_tables,
)
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.standings_views import (
    TournamentStandingsView,
    view_tournament_standings,
)
from scorekeeper.tournaments.values import TournamentRound

blueprint = Blueprint(
    "tournaments", __name__, description="Tournaments: many tables, one evening, a director."
)

NEW_TOURNAMENT: Final = {
    **NEW, "Location": text_header("the address of the tournament", "^/api/tournaments/"),
}  # fmt: skip
TAG: Final = {
    "ETag": text_header("changes with each change of the tournament or of one of its tables",
                        r'^"[0-9]+-[0-9a-f]+(-masked)?"$'),
}  # fmt: skip
PATH: Final = "/tournaments/<tournament>"


# ------------------------------------------------------------------------------------ opening


@blueprint.route("/tournaments", methods=["POST"])
@blueprint.response(
    201,
    schema_of(TournamentOpenedView),
    description="The tournament, and its keys, shown only once.",
    headers=NEW_TOURNAMENT,
)
@refuses("too_often", "idempotency_key_reused", "storage_unavailable")
@asks(SECRET_KEY)
@takes_json(OPENING)
def open_tournament() -> Response:
    """Open a tournament.

    It has a key for its director and a key to view; assistants and entrants get theirs from the
    director. The same `Idempotency-Key` and body again open nothing more, and are answered as the
    first time.
    """
    body = json_body()
    if type(body) is not dict:
        raise UnusableError(expected("an object with a name, a game and stages", body))
    entrants = body.pop("registered", [])
    if type(entrants) is not list or len(entrants) > MAX_ENTRANTS:
        what = f"a list of at most {MAX_ENTRANTS} entrants"
        raise UnusableError(expected(what, entrants), field="registered")
    refuse_many_sessions()
    return _answer_with_keys(tournaments().open(body, entrants, attempt_of(g.body)))


def _answer_with_keys(opened: Opened) -> Response:
    """Return the answer to an opening: the position, and the secrets of the keys."""
    body = as_json(to_json_values(TournamentOpenedView.of(opened)))
    answer = json_answer(body, Position(opened.version, opened.head), 201)
    answer.headers["Location"] = f"/api/tournaments/{opened.id}"
    return headers.no_store(answer)


# ------------------------------------------------------------------------------------ reading


def of_tournament(
    tournament_id: str, make: Callable[[TournamentSnapshot], DeclaredView]
) -> Response:
    """Return the JSON of ``make`` for a snapshot of a tournament, or 304 if the client has it."""

    def write(snapshot: TournamentSnapshot) -> tuple[bytes | None, str]:
        tag = snapshot.tag + (MASKED_SUFFIX if g.masked else "")
        if request.if_none_match.contains_weak(tag):
            return None, tag
        return as_json(to_json_values(make(snapshot))), tag

    body, tag = tournaments().see(tournament_id, write)
    answer = bodiless_answer(304) if body is None else Response(body, content_type=JSON)
    answer.headers["ETag"] = f'"{tag}"'
    return answer


def reads(
    path: str,
    view: type[DeclaredView],
    description: str,
    query: type[GivenSchema] | None = None,
    roles: tuple[str, ...] = ROLES,
) -> Decorator:
    """Return a decorator that serves a view at a path of a tournament, and documents it.

    It requires a key of one of the ``roles``. With ``query`` the view gets the query, read by that
    schema, first.
    """
    route = blueprint.route(f"{PATH}{path}", parameters=[TOURNAMENT])
    response = blueprint.response(200, schema_of(view), description=description, headers=TAG)
    unchanged = Blueprint.doc(responses={304: {**UNCHANGED, "headers": TAG}})

    def decorate(endpoint: Endpoint) -> Endpoint:
        documented = asks(IF_NONE_MATCH)(unchanged(endpoint))
        if query is not None:
            documented = refuses("malformed", "unusable")(blueprint.query(query)(documented))
        return route(response(opened_in_tournament(*roles)(documented)))

    return decorate


@reads("", TournamentView, "The tournament.")
def get_tournament(tournament_id: str) -> Response:
    """Return the stages, the entrants, the rounds and the calls of a tournament.

    Who sits where in a round that is not published is null, except for directors and assistants.
    """
    sees_all = not g.masked
    return of_tournament(
        tournament_id,
        lambda snapshot: view_tournament(tournament_id, snapshot, sees_all=sees_all),
    )


@reads("/standings", TournamentStandingsView, "The standings.", StandingsSchema)
def get_tournament_standings(asked: JsonObject, tournament_id: str) -> Response:
    """Return the standings of a stage: each line with its rounds, and what decided a tie."""

    def make(snapshot: TournamentSnapshot) -> TournamentStandingsView:
        stage = asked.get("stage")
        if stage is not None:
            snapshot.state.get_stage(stage)
        computed = snapshot.scoreboard.compute(
            snapshot.state, snapshot.results, stage, asked.get("round")
        )
        changed = snapshot.changed_after_close
        return view_tournament_standings(
            snapshot.state, computed, team=asked.get("team", 0), changed=changed
        )

    return of_tournament(tournament_id, make)


@reads("/tables", HallTablesView, "The tables.", RoundSchema)
def get_tournament_tables(asked: JsonObject, tournament_id: str) -> Response:
    """Return the tables of a published round: who sits there, and how far they are."""
    return of_tournament(
        tournament_id,
        lambda snapshot: view_tables(
            snapshot.state, find_published(snapshot.state, asked.get("round")), snapshot.results
        ),
    )


@blueprint.route(f"{PATH}/clock", parameters=[TOURNAMENT])
@blueprint.response(200, schema_of(HallClockView), description="The clock.")
@refuses("malformed", "unusable")
@opened_in_tournament(*ROLES)
@blueprint.query(RoundSchema)
def get_tournament_clock(asked: JsonObject, tournament_id: str) -> Response:
    """Return the clock of a published round, with the time of the server."""
    now = tournaments().now()
    clock = tournaments().with_state(
        tournament_id, lambda state: view_clock(find_published(state, asked.get("round")), now)
    )
    return headers.no_store(Response(as_json(to_json_values(clock)), content_type=JSON))


def find_published(record: TournamentRecord, number: int | None) -> TournamentRound | None:
    """Return a published round, by default the last one; None if there is none yet.

    Raises `UnusableError` if the round with this number is not published.
    """
    if number is not None:
        return record.require_published(number)
    return record.find_latest_published()


@blueprint.route(f"{PATH}/events", parameters=[TOURNAMENT])
@blueprint.response(200, schema_of(TournamentPageView), description="The events.", headers=VERSION)
@refuses("malformed")
@opened_in_tournament(*ROLES)
@blueprint.query(AfterSchema)
def get_tournament_events(asked: JsonObject, tournament_id: str) -> Response:
    """Return the events of a tournament after a known one, at most 1,000 in one answer.

    A draw that is not published has `data` null, except for directors and assistants. So has one
    that foretells later rounds, until the last of its stage is published.
    """
    after, most = asked["after"], asked["limit"]
    stream = tournaments().events(tournament_id, after, most, sees_all=not g.masked)
    more = b',"more":true' if stream.version > after + len(stream.lines) else b""
    body = b'{"version":%d,"head":"%b","events":%b%b}' % (
        stream.version, stream.head.encode(), events(stream.lines), more,
    )  # fmt: skip
    return json_answer(body, Position(stream.version, stream.head))


@blueprint.route(f"{PATH}/log.jsonl", parameters=[TOURNAMENT])
@blueprint.response(200, TEXT, content_type=NDJSON, description="The sealed log.", headers=VERSION)
@opened_in_tournament(*ROLES)
def get_tournament_log(tournament_id: str) -> Response:
    """Export the log of a tournament, byte for byte as it is stored for directors and assistants.

    For others a draw that is not published, or that foretells later rounds, has `data` null.
    """
    stream = tournaments().events(tournament_id, sees_all=not g.masked)
    body = b"".join(line + b"\n" for line in stream.lines)
    name = f"tournament-{tournament_id}.jsonl"
    return download(body, NDJSON, name, Position(stream.version, stream.head))


# ---------------------------------------------------------------------------------- recording


@blueprint.route(f"{PATH}/events", methods=["POST"], parameters=[TOURNAMENT])
@blueprint.response(
    201, schema_of(TournamentRecordedView), description="The recorded events.", headers=VERSION
)
@refuses("session_full", "stale_version", "idempotency_key_reused", "precondition_required")
@opened_in_tournament(DIRECTOR, ASSISTANT, ENTRANT)
@asks(IF_MATCH, IDEMPOTENCY_KEY)
@takes(TournamentAppendSchema())
def append_to_tournament(body: JsonObject, tournament_id: str) -> Response:
    """Record events of a tournament, all of them or none.

    A director records everything. An assistant calls and answers calls, records results from paper,
    and keeps the clock. An entrant calls the director to the table at which they sit. A round whose
    tables have sessions is published by the call for that.
    """
    asked = StreamAppend(
        expected_version(), body["events"], idempotency_key(), sha256(g.body).digest()
    )
    return recorded_answer(tournaments().record(tournament_id, asked, g.holder))


@blueprint.route(f"{PATH}/entrants", methods=["POST"], parameters=[TOURNAMENT])
@blueprint.response(
    201, schema_of(TournamentRecordedView), description="The recorded events.", headers=VERSION
)
@refuses("session_full", "stale_version", "idempotency_key_reused", "precondition_required")
@opened_in_tournament(DIRECTOR)
@asks(IF_MATCH, IDEMPOTENCY_KEY)
@takes(EntrantsSchema())
def register_tournament_entrants(body: JsonObject, tournament_id: str) -> Response:
    """Register the entrants of a pasted list, all of them or none.

    Their ids are made of their names. A refusal names the line.
    """
    asked = StreamAppend(expected_version(), key=idempotency_key(), digest=sha256(g.body).digest())
    recorded = tournaments().register_pasted(
        tournament_id, asked, body["text"], body.get("from_round"), g.holder
    )
    return recorded_answer(recorded)


def recorded_answer(recorded: Recorded) -> Response:
    """Return the answer to an append."""
    answer = Response(recorded.answer.body, recorded.answer.status, content_type=JSON)
    suffix = MASKED_SUFFIX if g.masked else ""
    answer.headers["ETag"] = f'"{recorded.version}{suffix}"'
    return answer


# --------------------------------------------------------------------------------------- keys


@blueprint.route(f"{PATH}/keys", parameters=[TOURNAMENT])
@blueprint.response(
    200, schema_of(TournamentKeysView), description="The keys, without their secrets."
)
@opened_in_tournament(DIRECTOR)
def list_tournament_keys(tournament_id: str) -> Response:
    """List the keys of a tournament, with their holders."""
    keys = tournaments().access.keys(tournament_id)
    return private_json(TournamentKeysView([TournamentKeyView.of(key) for key in keys]))


@blueprint.route(f"{PATH}/keys", methods=["POST"], parameters=[TOURNAMENT])
@blueprint.response(201, schema_of(NewTournamentKeyView), description="The key, shown only once.")
@refuses("unknown_key", "last_key", "idempotency_key_reused")
@opened_in_tournament(DIRECTOR)
@asks(SECRET_KEY)
@takes(TournamentKeyBodySchema())
def add_tournament_key(body: JsonObject, tournament_id: str) -> Response:
    """Make a key for a director, an assistant, an entrant's player or to view.

    With `replaces` another key is revoked.
    """
    asked = request_key(body["role"], body.get("player"), body.get("expires"))
    new = tournaments().add_key(tournament_id, asked, body.get("replaces"), attempt_of(g.body))
    return private_json(NewTournamentKeyView.of(new.key, key=new.secret), 201)


@blueprint.route(f"{PATH}/keys/entrants", methods=["POST"], parameters=[TOURNAMENT])
@blueprint.response(201, schema_of(NewTournamentKeysView), description="The keys, shown once.")
@refuses("idempotency_key_reused")
@opened_in_tournament(DIRECTOR)
@asks(SECRET_KEY)
@takes(EntrantKeysSchema())
def add_entrant_keys(body: JsonObject, tournament_id: str) -> Response:
    """Make a key for each player of the entrants who has none, for slips; all or none.

    The same `Idempotency-Key` and body return the same keys again.
    """
    made = tournaments().add_entrant_keys(tournament_id, body.get("expires"), attempt_of(g.body))
    views = [NewTournamentKeyView.of(new.key, key=new.secret) for new in made]
    return private_json(NewTournamentKeysView(views), 201)


@blueprint.route(f"{PATH}/keys/<key>", methods=["DELETE"], parameters=[TOURNAMENT, KEY])
@blueprint.response(204, description="It opens nothing any more.")
@refuses("unknown_key", "last_key", "cross_site")
@opened_in_tournament(DIRECTOR)
def revoke_tournament_key(tournament_id: str, key: str) -> Response:
    """Revoke a key. The director's last one stays."""
    tournaments().revoke_key(tournament_id, key, ends_code=True)
    return bodiless_answer(204)
