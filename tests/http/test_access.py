"""Who may do what: every route for seven roles, as it is written down here.

Tests of ``api.decorators``.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.live import streams
from tests.api import club_routes
from tests.api.asking import Table, bearer
from tests.api.routes import REQUESTS, Request, all_routes

ROLES = ("none", "garbage", "revoked", "view", "seat", "host", "another session's host")
# The statuses of the roles, in that order.
READS = (401, 401, 401, 200, 200, 200, 403)
HOSTS = (401, 401, 401, 403, 403, 200, 403)
SEAT_GOES_ON = (401, 401, 401, 403, 303, 303, 403)
HOST_GOES_ON = (401, 401, 401, 403, 403, 303, 403)
OPEN: dict[str, int] = {
    "GET /": 200,
    "GET /static/<path:filename>": 200,
    "GET /verify.py": 200,
    "GET /score": 200,
    "POST /score": 200,
    "GET /score/example": 200,
    "GET /rules": 200,
    "GET /guide": 200,
    "GET /pictures/<name>": 200,
    "GET /rules/<game>": 200,
    "GET /api": 302,
    "GET /api/docs": 200,
    "GET /api/openapi.json": 200,
    "GET /api/games": 200,
    "GET /api/games/<game>": 200,
    "GET /healthz": 200,
    "GET /readyz": 200,
    "POST /api/score": 200,
    "POST /api/verify": 200,
    "POST /api/what-if": 200,
    "POST /api/sessions": 201,
    "POST /api/sessions/import": 201,
    "POST /api/clubs": 201,
    "GET /join": 200,  # it says how
    "GET /join/<key>": 200,  # it holds a key of its own
    "POST /join": 303,
    "GET /manifest.webmanifest": 200,
    "GET /new": 200,
    "POST /new": 303,
    "GET /code": 200,
    "POST /code": 303,  # a code opens what it leads to
    "GET /prefs": 200,
    "POST /prefs": 303,
    "GET /verify": 200,
    "POST /verify": 200,
    "GET /club/new": 200,
    "POST /club/new": 303,
    "GET /sw.js": 200,
    "GET /static/joined/table.js": 200,
}
CLUB = "/api/clubs/<club>"
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
        f"{method} /club/<club_id>{rule}": may
        for method, rule, may, _path, _data in club_routes.PAGES
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
    "POST /t/<session_id>/settings/player": HOST_GOES_ON,
    "GET /t/<session_id>/settings/match": HOSTS,
    "POST /t/<session_id>/settings/match": HOST_GOES_ON,
    "POST /t/<session_id>/settings/end": HOST_GOES_ON,
    "GET /t/<session_id>/settings/close": HOSTS,
    "POST /t/<session_id>/settings/close": HOST_GOES_ON,
    "GET /t/<session_id>/audit": READS,
    "GET /t/<session_id>/results": READS,
    "GET /t/<session_id>/h/<int:match>-<int:hand>": READS,
    "GET /t/<session_id>/h/<int:hand>": READS,
    f"GET {DESK}": READS,
    f"GET {DESK}/e/<int:seq>": (*READS[:3], 303, *READS[4:]),  # nothing to change by a view's
    f"GET {DESK}/preview": READS,
    f"POST {DESK}/open": SEAT_GOES_ON,
    f"POST {DESK}/propose": SEAT_GOES_ON,
    f"POST {DESK}/correct": HOST_GOES_ON,
    f"POST {DESK}/sign": SEAT_GOES_ON,
    f"POST {DESK}/apply": SEAT_GOES_ON,
    f"POST {DESK}/decline": SEAT_GOES_ON,
    f"POST {DESK}/settle": HOST_GOES_ON,
    "POST /t/<session_id>/record": SEAT_GOES_ON,
    "POST /t/<session_id>/undo": (401, 401, 401, 403, 422, 303, 403),  # of one's own
}


@pytest.fixture(autouse=True)
def streams_end_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LIFE", 0)


def secret_of(role: str, there: Any) -> str:
    """A key that this role has, for this session or club, or not; in a club a member has a seat."""
    if role == "garbage":
        return "x" * 32
    if role == "revoked":
        return revoked(there)
    if role == "another session's host":
        return Table.open(there.client).keys["host"]
    secret: str = there.keys[{"seat": "leo"}.get(role, role)]
    return secret


@cache
def revoked(there: Any) -> str:
    """A key that opens nothing any more."""
    made = there.ask("POST", "/keys", json={"role": "host"}).get_json()
    assert there.ask("DELETE", f"/keys/{made['id']}").status_code == 204
    return str(made["key"])


def test_every_route_is_in_the_table(on_memory: FlaskClient) -> None:
    assert set(TABLE) == all_routes(on_memory.application)
    assert {request.name for request in REQUESTS} == set(TABLE)


def asking(request: Request) -> Iterator[tuple[str, str]]:
    """Every role, and how it shows its key; what is open to all is asked by few.

    A club's key comes in a cookie to its pages alone.
    """
    for role, by in product(ROLES, ("header", "cookie")):
        few = request.name in OPEN and role not in ("none", "garbage", "host")
        few = few or ("<club" in request.name and by != usual(request) and role != "host")
        if not few and (role, by) != ("none", "cookie"):
            yield role, by


def usual(request: Request) -> str:
    """How a key is mostly shown: to the API in a header, to a page in a cookie."""
    return "header" if request.rule.startswith("/api") else "cookie"


class Door:
    """A request, and a session that it is about."""

    def __init__(self, client: FlaskClient, request: Request) -> None:
        self.table = Table.open(client)
        self.request = request
        self.path = request.path(self.table)
        request.more(self.table)  # which may record what must be there before
        self.there = request.about(self.table)

    def version(self) -> int:
        """Of the session or club, whose keys open it."""
        found: int = self.there.get("/events").get_json()["version"]
        return found

    def ask(self, role: str, by: str) -> TestResponse:
        """The answer to who has this role, and comes from a page of ours."""
        more = self.request.more(self.table)  # anew: a file is sent once
        headers = {**more.get("headers", {}), "Sec-Fetch-Site": "same-origin"}
        if role != "none":
            secret = secret_of(role, self.there)
            cookie = {"Cookie": f"table-{self.there.id}={secret}"}
            headers |= bearer(secret) if by == "header" else cookie
        asked = {**more, "headers": headers, "method": self.request.method, "buffered": True}
        return self.table.client.open(self.path, **asked)


def is_let_in_as_written(
    client: FlaskClient, request: Request, asked: Iterable[tuple[str, str]]
) -> None:
    """Who is refused shares a session with who only reads: none of them changes anything in it."""
    shared = Door(client, request)
    before = shared.version()
    for role, by in asked:
        status = TABLE[request.name][ROLES.index(role)]
        changes = status < 400 and request.method != "GET"
        answer = (Door(client, request) if changes else shared).ask(role, by)
        assert (role, by, answer.status_code) == (role, by, status)
        assert status not in (401, 403) or "Friday" not in answer.text, (role, by)
        assert status != 401 or answer.headers["WWW-Authenticate"] == "Bearer", (role, by)
    assert shared.version() == before
    assert "nina" in shared.there.key_ids()


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: one.name)
def test_who_may(on_memory: FlaskClient, request_: Request) -> None:
    """Most come as they usually do there."""
    some = [(role, by) for role, by in asking(request_)
            if by == usual(request_) or role in ("none", "garbage", "host")]  # fmt: skip
    is_let_in_as_written(on_memory, request_, some)


@pytest.mark.soak
@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: one.name)
def test_who_may_however_they_come(on_memory: FlaskClient, request_: Request) -> None:
    is_let_in_as_written(on_memory, request_, asking(request_))
