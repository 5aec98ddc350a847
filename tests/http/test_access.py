"""Rights: the expected status of every route for seven roles.

Tests of ``api.decorators``.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.live import event_streams
from tests.api import club_routes, tournament_routes
from tests.api.asking import Table, bearer, cookie_of
from tests.api.hall import Hall
from tests.api.routes import REQUESTS, TOURNAMENT_FILES, Request, all_routes
from tests.conftest import SOAK

ROLES = ("none", "garbage", "revoked", "view", "seat", "host", "another session's host")
# The statuses of the roles, in that order.
READS = (401, 401, 401, 200, 200, 200, 403)
SEATS = (401, 401, 401, 403, 200, 200, 403)
HOSTS = (401, 401, 401, 403, 403, 200, 403)
SEAT_GOES_ON = (401, 401, 401, 403, 303, 303, 403)
ONLY_SEAT_GOES_ON = (401, 401, 401, 403, 303, 403, 403)
HOST_GOES_ON = (401, 401, 401, 403, 403, 303, 403)
OPEN: dict[str, int] = {
    "GET /": 200,
    "GET /static/<path:filename>": 200,
    "GET /verify.py": 200,
    "GET /favicon.ico": 200,
    "GET /apple-touch-icon.png": 200,
    "GET /apple-touch-icon-precomposed.png": 200,
    "GET /robots.txt": 200,
    "GET /.well-known/security.txt": 404,  # no contact is set
    "GET /score": 200,
    "POST /score": 200,
    "GET /score/example": 200,
    "GET /score/mistake": 200,
    "GET /rules": 200,
    "GET /guide": 200,
    "GET /guide/tournaments": 200,
    "GET /pictures/<name>": 200,
    "GET /rules/<game>": 200,
    "GET /api": 302,
    "GET /api/docs": 200,
    "GET /api/openapi.json": 200,
    "GET /api/games": 200,
    "GET /api/games/<game>": 200,
    "GET /api/schemas/<log_kind>": 200,
    "GET /api/samples": 200,
    "GET /api/samples/<sample>.jsonl": 200,
    "GET /healthz": 200,
    "GET /readyz": 200,
    "POST /api/score": 200,
    "POST /api/verify": 200,
    "POST /api/what-if": 200,
    "POST /api/sessions": 201,
    "POST /api/sessions/import": 201,
    "POST /api/clubs": 201,
    "POST /api/tournaments": 201,
    "GET /api/tournament-presets": 200,
    "GET /join": 200,  # explains how to join
    "GET /join/<key>": 200,  # the path contains the key
    "POST /join": 303,
    "GET /manifest.webmanifest": 200,
    "GET /new": 200,
    "POST /new": 303,
    "POST /demo/table": 303,
    "POST /demo/club": 303,
    "GET /code": 200,
    "POST /code": 303,  # the code opens its session
    "GET /prefs": 200,
    "POST /prefs": 303,
    "GET /verify": 200,
    "POST /verify": 200,
    "GET /club/new": 200,
    "POST /club/new": 303,
    "GET /tournament/new": 200,
    "POST /tournament/new": 303,
    "GET /sw.js": 200,
    "GET /static/joined/<group>.js": 200,
    "GET /published/<address>": 200,
    "GET /published/<address>/standings.html": 200,
    "GET /published/<address>/picture.png": 200,
    "GET /api/published/<address>": 200,
}
CLUB = "/api/clubs/<club>"
HALL = "/api/tournaments/<tournament>"
SESSION = "/api/sessions/<session:session>"
DESK = "/t/<session_id>/d/<int:match>-<int:hand>"
TABLE: dict[str, tuple[int, ...]] = {
    **{name: (status,) * len(ROLES) for name, status in OPEN.items()},
    f"GET {SESSION}": READS,
    f"GET {SESSION}/events": READS,
    f"POST {SESSION}/events": (401, 401, 401, 403, 201, 201, 403),
    f"GET {SESSION}/next": READS,
    f"GET {SESSION}/audit": READS,
    f"GET {SESSION}/explain": READS,
    f"POST {SESSION}/what-if": READS,
    f"GET {SESSION}/stream": READS,
    f"GET {SESSION}/witness": READS,
    f"GET {SESSION}/log.jsonl": READS,
    f"GET {SESSION}/results.csv": READS,
    f"GET {SESSION}/lines.csv": READS,
    f"GET {SESSION}/payments.csv": READS,
    f"GET {SESSION}/results.xlsx": READS,
    f"GET {SESSION}/sheet.pdf": READS,
    f"GET {SESSION}/bundle.zip": READS,
    f"GET {SESSION}/evening.ics": READS,
    f"GET {SESSION}/text": READS,
    f"GET {SESSION}/picture.png": READS,
    "GET /t/<session_id>/chat": READS,
    "POST /t/<session_id>/chat": HOSTS,
    f"GET {SESSION}/keys": HOSTS,
    f"POST {SESSION}/keys": (401, 401, 401, 403, 403, 201, 403),
    f"DELETE {SESSION}/keys/<key>": (401, 401, 401, 403, 403, 204, 403),
    f"GET {SESSION}/clubs": HOSTS,
    f"DELETE {SESSION}/clubs/<club>": (401, 401, 401, 403, 403, 204, 403),
    f"GET {CLUB}": READS,
    f"GET {CLUB}/events": READS,
    f"POST {CLUB}/events": (401, 401, 401, 403, 201, 201, 403),
    f"GET {CLUB}/standings": READS,
    f"GET {CLUB}/members/<member>": READS,
    f"GET {CLUB}/records": READS,
    f"GET {CLUB}/money": READS,
    **{f"GET {CLUB}/exports/{form}": READS for form in ("csv", "xlsx", "pdf", "text", "ics")},
    f"GET {CLUB}/log.jsonl": READS,
    f"GET {CLUB}/stream": READS,
    f"GET {CLUB}/keys": HOSTS,
    f"POST {CLUB}/keys": (401, 401, 401, 403, 403, 201, 403),
    f"DELETE {CLUB}/keys/<key>": (401, 401, 401, 403, 403, 204, 403),
    **{
        f"GET {HALL}{rest}": READS
        for rest in ("", "/events", "/standings", "/tables", "/clock", "/log.jsonl", "/stream")
    },
    f"POST {HALL}/events": (401, 401, 401, 403, 403, 201, 403),  # an entrant only calls
    f"POST {HALL}/entrants": (401, 401, 401, 403, 403, 201, 403),
    **{
        f"GET {HALL}/{before}<any({','.join(forms)}):form>{after}": READS
        for before, forms, after, _form in TOURNAMENT_FILES
    },
    f"POST {HALL}/slips.pdf": HOSTS,
    f"POST {HALL}/draw": HOSTS,
    f"POST {HALL}/check": HOSTS,
    f"POST {HALL}/publish": (401, 401, 401, 403, 403, 201, 403),
    f"GET {HALL}/next": HOSTS,
    f"GET {HALL}/keys": HOSTS,
    f"POST {HALL}/keys": (401, 401, 401, 403, 403, 201, 403),
    f"POST {HALL}/keys/entrants": (401, 401, 401, 403, 403, 201, 403),
    f"DELETE {HALL}/keys/<key>": (401, 401, 401, 403, 403, 204, 403),
    **{
        f"{method} /club/<club_id>{rule}": may
        for method, rule, may, _path, _data in club_routes.PAGES
    },
    **{
        f"{method} /tournament/<tournament_id>{rule}": may
        for method, rule, may, _path, _data in tournament_routes.PAGES
    },
    "GET /t/<session_id>": READS,
    "GET /t/<session_id>/log": READS,
    "GET /t/<session_id>/share": HOSTS,
    "GET /t/<session_id>/export": READS,
    "GET /t/<session_id>/settings": READS,
    "POST /t/<session_id>/share": HOST_GOES_ON,
    "POST /t/<session_id>/settings/level": SEAT_GOES_ON,
    "POST /t/<session_id>/settings/seat": HOST_GOES_ON,
    "POST /t/<session_id>/settings/code": HOSTS,
    "POST /t/<session_id>/settings/link": HOSTS,
    "GET /t/<session_id>/settings/key/<key_id>": HOSTS,
    "POST /t/<session_id>/settings/revoke": HOST_GOES_ON,
    "POST /t/<session_id>/settings/club": HOST_GOES_ON,
    "POST /t/<session_id>/settings/player": HOST_GOES_ON,
    "POST /t/<session_id>/settings/new-host/ask": ONLY_SEAT_GOES_ON,
    "POST /t/<session_id>/settings/new-host/agree": ONLY_SEAT_GOES_ON,
    "POST /t/<session_id>/settings/new-host/end": SEAT_GOES_ON,
    "POST /t/<session_id>/settings/new-host/take": SEAT_GOES_ON,
    "GET /t/<session_id>/settings/names": SEATS,
    "POST /t/<session_id>/settings/names": SEAT_GOES_ON,
    "GET /t/<session_id>/settings/match": HOSTS,
    "POST /t/<session_id>/settings/match": HOST_GOES_ON,
    "GET /t/<session_id>/settings/end": HOSTS,
    "POST /t/<session_id>/settings/end": HOST_GOES_ON,
    "GET /t/<session_id>/settings/close": HOSTS,
    "POST /t/<session_id>/settings/close": HOST_GOES_ON,
    "GET /t/<session_id>/audit": READS,
    "GET /t/<session_id>/results": READS,
    "GET /t/<session_id>/h/<int:match>-<int:hand>": READS,
    "GET /t/<session_id>/h/<int:hand>": READS,
    f"GET {DESK}": READS,
    f"GET {DESK}/e/<int:seq>": (*READS[:3], 303, *READS[4:]),  # a view key may change nothing
    f"GET {DESK}/whole/<kind>": (*READS[:3], 303, *READS[4:]),
    f"GET {DESK}/preview": READS,
    f"POST {DESK}/preview": READS,
    f"POST {DESK}/open": SEAT_GOES_ON,
    f"POST {DESK}/propose": SEAT_GOES_ON,
    f"POST {DESK}/correct": HOST_GOES_ON,
    f"POST {DESK}/sign": SEAT_GOES_ON,
    f"POST {DESK}/apply": SEAT_GOES_ON,
    f"POST {DESK}/decline": SEAT_GOES_ON,
    f"POST {DESK}/settle": HOST_GOES_ON,
    "POST /t/<session_id>/record": SEAT_GOES_ON,
    "POST /t/<session_id>/undo": (401, 401, 401, 403, 422, 303, 403),  # only the seat's own entry
}


@pytest.fixture(autouse=True)
def streams_end_immediately(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "STREAM_LIFE_SECONDS", 0)


def secret_of(role: str, there: Any) -> str:
    """Return the key of a role; the role "seat" is a member in a club."""
    if role == "garbage":
        return "x" * 32
    if role == "revoked":
        most = "director" if isinstance(there, Hall) else "host"
        body = there.ask("POST", "/keys", json={"role": most}).get_json()
        cookie_of(there.client, body["key"])  # a phone held it
        assert there.ask("DELETE", f"/keys/{body['id']}").status_code == 204
        return str(body["key"])
    if role == "another session's host":
        return Table.open(there.client).keys["host"]
    secret: str = there.keys[{"seat": "leo"}.get(role, role)]
    return secret


def test_every_route_is_listed(on_memory: FlaskClient) -> None:
    assert set(TABLE) == all_routes(on_memory.application)
    assert {request.name for request in REQUESTS} == set(TABLE)


def senders(request: Request) -> Iterator[tuple[str, str]]:
    """Yield the roles that send a request, and whether the key is in a header or a cookie.

    Public routes are requested only by roles whose key could be checked. In the suite most keys are
    sent in the usual way: to the API in a header, to a page in a cookie. A club's key is in a
    cookie only on its pages.
    """
    for role, by in product(ROLES, ("header", "cookie")):
        usual = (by == "header") is request.rule.startswith("/api")
        looked_at = role in ("none", "garbage", "host")
        few = request.name in OPEN and not looked_at
        apart = "<club" in request.name or "<tournament" in request.name
        few = few or (apart and not usual and role != "host")
        soaked = not usual and not looked_at
        if not few and (role, by) != ("none", "cookie") and (SOAK or not soaked):
            yield role, by


def make_body(table: Table, request: Request, role: str, by: str) -> dict[str, Any]:
    """Return the request of a role with the key in a header or a cookie."""
    path, more, there = request.path(table), request.more(table), request.about(table)
    headers = {**more.pop("headers", {}), "Sec-Fetch-Site": "same-origin"}
    if role != "none":
        secret = secret_of(role, there)
        headers |= bearer(secret) if by == "header" else cookie_of(there.client, secret)
    return {"path": path, "method": request.method, "headers": headers, **more}


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda unsafe: unsafe.name)
def test_route_has_the_listed_status_for_each_role(
    on_memory: FlaskClient, request_: Request
) -> None:
    """A refused request changes and reveals nothing.

    Refused and reading requests share one session, as neither changes it.
    """
    shared = Table.open(on_memory)
    for role, by in senders(request_):
        status = TABLE[request_.name][ROLES.index(role)]
        if (role, by, status) == ("another session's host", "cookie", 403):
            status = 401  # this phone holds no key to the session
        refused = status in (401, 403)
        table = shared if refused or request_.method == "GET" else Table.open(on_memory)
        request, there = make_body(table, request_, role, by), request_.about(table)
        before = there.get("/events").get_json()["version"] if refused else None
        answer = on_memory.open(buffered=True, **request)
        assert answer.status_code == status, (role, by)
        if refused:
            assert there.get("/events").get_json()["version"] == before, (role, by)
            assert "nina" in there.key_ids(), (role, by)
            assert "Friday" not in answer.text, (role, by)
        if answer.status_code == 401:
            assert answer.headers["WWW-Authenticate"] == "Bearer", (role, by)
