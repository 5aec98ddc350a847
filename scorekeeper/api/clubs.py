"""``/api/clubs``: open a club, record its events, read its tables, manage its keys."""

from hashlib import sha256
from typing import Final, TypeVar

from flask import Response, g, request

from scorekeeper.api.club_schemas import (
    MAX_FIRST_MEMBERS,
    OPENING,
    ClubAppendSchema,
    ClubKeyBodySchema,
    SeasonSchema,
)
from scorekeeper.api.club_views import (
    ClubKeysView,
    ClubKeyView,
    ClubOpenedView,
    ClubPageView,
    ClubRecordedView,
    ClubView,
    NewClubKeyView,
    view_club,
)
from scorekeeper.api.decorators import (
    CLUB,
    IF_NONE_MATCH,
    UNCHANGED,
    opened_in_club,
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
from scorekeeper.api.view_schemas import schema_of
from scorekeeper.base.errors import Cause, UnusableError, expected
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import DeclaredView, to_json_values
from scorekeeper.clubs.season_views import StandingsView
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.standings import view_season
from scorekeeper.clubs.values import Season
from scorekeeper.events.fields import PlayerId
from scorekeeper.http import headers
from scorekeeper.http.access import ANY, shown_keys
from scorekeeper.http.answering import bodiless_answer, json_answer
from scorekeeper.http.bodies import JSON, json_body
from scorekeeper.http.extensions import clubs
from scorekeeper.http.limits import refuse_many_sessions
from scorekeeper.log.schema import kind_schema
from scorekeeper.log.writing import as_json, encode_view
from scorekeeper.service import AppendRequest
from scorekeeper.service.club_rights import ROLE_OF
from scorekeeper.service.responses import events
from scorekeeper.store import KeyRequest, Opened, Position
from scorekeeper.streams.requests import UnderLock

blueprint = Blueprint("clubs", __name__, description="Clubs: seasons over many evenings.")

NEW_CLUB: Final = {**NEW, "Location": text_header("the address of the club", "^/api/clubs/")}
TAG: Final = {
    "ETag": text_header("changes with each change of the club or of one of its evenings",
                        r'^"[0-9]+-[0-9a-f]+"$'),
}  # fmt: skip
PARTS_OF_A_PATH: Final = {
    "member": {
        "name": "member", "in": "path", "schema": kind_schema(PlayerId()),
        "description": "the id of a member",
    },
}  # fmt: skip

T = TypeVar("T")


# ------------------------------------------------------------------------------------ opening


@blueprint.route("/clubs", methods=["POST"])
@blueprint.response(
    201,
    schema_of(ClubOpenedView),
    description="The club, and its keys, shown only once.",
    headers=NEW_CLUB,
)
@refuses("too_often", "idempotency_key_reused", "storage_unavailable")
@asks(SECRET_KEY)
@takes_json(OPENING)
def open_club() -> Response:
    """Open a club.

    It has a key for its host and a key to view; members get their keys from the host. The same
    `Idempotency-Key` and body again open nothing more, and are answered as the first time.
    """
    body = json_body()
    if type(body) is not dict:
        raise UnusableError(expected("an object with a name", body))
    members = body.pop("members", [])
    if type(members) is not list or len(members) > MAX_FIRST_MEMBERS:
        what = f"a list of at most {MAX_FIRST_MEMBERS} members"
        raise UnusableError(expected(what, members), field="members")
    refuse_many_sessions()
    return _answer_with_keys(clubs().open(body, members, attempt_of(g.body)))


def _answer_with_keys(club: Opened) -> Response:
    """Return the answer to an opening: the position of the club, and the secrets of its keys."""
    body = as_json(to_json_values(ClubOpenedView.of(club)))
    answer = json_answer(body, Position(club.version, club.head), 201)
    answer.headers["Location"] = f"/api/clubs/{club.id}"
    return headers.no_store(answer)


# ------------------------------------------------------------------------------------ reading


def of_club(club_id: str, name: str, make: UnderLock[ClubSnapshot, DeclaredView]) -> Response:
    """Return the JSON of ``make`` for a snapshot of a club, or 304 if the client has it.

    It is cached by ``name`` and query for each state of the club.
    """

    def write(snapshot: ClubSnapshot) -> tuple[bytes, str]:
        return encode_view(make(snapshot)).encode(), snapshot.tag

    body, tag = clubs().see(club_id, write, (name, request.query_string))
    if request.if_none_match.contains_weak(tag):
        answer = bodiless_answer(304)
    else:
        answer = Response(body, content_type=JSON)
    answer.headers["ETag"] = f'"{tag}"'
    return answer


def reads(
    path: str,
    schema: type,
    description: str,
    query: type[GivenSchema] | None = None,
    on: Blueprint = blueprint,
) -> Decorator:
    """Return a decorator that serves a view at a path of a club, and documents it.

    It requires any key to the club. With ``query`` the view gets the query, read by that schema,
    first.
    """
    named = [CLUB, *(part for name, part in PARTS_OF_A_PATH.items() if f"<{name}>" in path)]
    route = on.route(f"/clubs/<club>{path}", parameters=named)
    response = on.response(200, schema, description=description, headers=TAG)
    unchanged = Blueprint.doc(responses={304: {**UNCHANGED, "headers": TAG}})

    def decorate(view: Endpoint) -> Endpoint:
        documented = asks(IF_NONE_MATCH)(unchanged(view))
        if query is not None:
            documented = refuses("malformed", "unusable")(on.query(query)(documented))
        return route(response(opened_in_club(*ANY)(documented)))

    return decorate


@reads("", schema_of(ClubView), "The club.")
def get_club(club_id: str) -> Response:
    """Return the members, the counted evenings, the seasons and the house rules of a club."""
    return of_club(club_id, "club", lambda snapshot: view_club(club_id, snapshot))


@reads("/standings", schema_of(StandingsView), "The table.", SeasonSchema)
def get_standings(asked: JsonObject, club_id: str) -> Response:
    """Return the table of a season: each figure with its evenings and matches."""

    def make(snapshot: ClubSnapshot) -> StandingsView:
        return view_season(snapshot, season_of(snapshot, asked.get("season")))

    return of_club(club_id, "standings", make)


def season_of(snapshot: ClubSnapshot, season_id: str | None) -> Season:
    """Return the season of that id, by default the last one.

    Raises `UnusableError` if the club has no such season.
    """
    season = snapshot.find_season(season_id)
    if season is None:
        words = expected("a season of this club", season_id)
        raise UnusableError(Cause(words, "no_such_season"), field="season")
    return season


@blueprint.route("/clubs/<club>/events", parameters=[CLUB])
@blueprint.response(200, schema_of(ClubPageView), description="The events.", headers=VERSION)
@refuses("malformed")
@opened_in_club(*ANY)
@blueprint.query(AfterSchema)
def get_club_events(asked: JsonObject, club_id: str) -> Response:
    """Return the events of a club after a known one, at most 1,000 in one answer."""
    after, most = asked["after"], asked["limit"]
    stream = clubs().events(club_id, after, most)
    more = b',"more":true' if stream.version > after + len(stream.lines) else b""
    body = b'{"version":%d,"head":"%b","events":%b%b}' % (
        stream.version, stream.head.encode(), events(stream.lines), more,
    )  # fmt: skip
    return json_answer(body, Position(stream.version, stream.head))


@blueprint.route("/clubs/<club>/log.jsonl", parameters=[CLUB])
@blueprint.response(200, TEXT, content_type=NDJSON, description="The sealed log.", headers=VERSION)
@opened_in_club(*ANY)
def get_club_log(club_id: str) -> Response:
    """Export the log of a club, byte for byte as it is stored."""
    stream = clubs().events(club_id)
    body = b"".join(line + b"\n" for line in stream.lines)
    return download(body, NDJSON, f"club-{club_id}.jsonl", Position(stream.version, stream.head))


# ---------------------------------------------------------------------------------- recording


@blueprint.route("/clubs/<club>/events", methods=["POST"], parameters=[CLUB])
@blueprint.response(
    201, schema_of(ClubRecordedView), description="The recorded events.", headers=VERSION
)
@refuses("session_full", "stale_version", "idempotency_key_reused", "precondition_required")
@opened_in_club("host", "seat")
@asks(IF_MATCH, IDEMPOTENCY_KEY)
@takes(ClubAppendSchema())
def append_to_club(body: JsonObject, club_id: str) -> Response:
    """Record events of a club, all of them or none.

    To enter an evening, the client sends a key to it among `keys`, or its phone holds one: viewers
    of the club can read its report from then on. A member may enter evenings with the key of their
    host, with new guests who played there, and record their own payments. The host of the club may
    record everything.
    """
    asked = AppendRequest(
        expected=expected_version(),
        events=body["events"],
        key=idempotency_key(),
        digest=sha256(g.body).digest(),
    )
    recorded = clubs().record(club_id, asked, g.holder, shown_keys(body.get("keys", ())))
    answer = Response(recorded.answer.body, recorded.answer.status, content_type=JSON)
    answer.headers["ETag"] = f'"{recorded.version}"'
    return answer


# --------------------------------------------------------------------------------------- keys


@blueprint.route("/clubs/<club>/keys", parameters=[CLUB])
@blueprint.response(200, schema_of(ClubKeysView), description="The keys, without their secrets.")
@opened_in_club("host")
def list_club_keys(club_id: str) -> Response:
    """List the keys of a club, with their holders."""
    return private_json(ClubKeysView([ClubKeyView.of(key) for key in clubs().access.keys(club_id)]))


@blueprint.route("/clubs/<club>/keys", methods=["POST"], parameters=[CLUB])
@blueprint.response(201, schema_of(NewClubKeyView), description="The key, shown only once.")
@refuses("unknown_key", "last_key", "idempotency_key_reused")
@opened_in_club("host")
@asks(SECRET_KEY)
@takes(ClubKeyBodySchema())
def add_club_key(body: JsonObject, club_id: str) -> Response:
    """Make a key for host, member or view; with `replaces` another key is revoked."""
    if (body["role"] == "member") != ("whose" in body):
        raise UnusableError(
            "a key for a member names the member, and no other does", field="member"
        )
    request = KeyRequest(ROLE_OF[body["role"]], body.get("whose"), body.get("expires"))
    new = clubs().add_key(club_id, request, body.get("replaces"), attempt_of(g.body))
    return private_json(NewClubKeyView.of(new.key, key=new.secret), 201)


@blueprint.route("/clubs/<club>/keys/<key>", methods=["DELETE"], parameters=[CLUB, KEY])
@blueprint.response(204, description="It opens nothing any more.")
@refuses("unknown_key", "last_key", "cross_site")
@opened_in_club("host")
def revoke_club_key(club_id: str, key: str) -> Response:
    """Revoke a key. The host's last one stays."""
    clubs().revoke_key(club_id, key, ends_code=True)
    return bodiless_answer(204)
