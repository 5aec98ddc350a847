"""Who may do what: every route for seven roles, as it is written down here."""

import pytest
from flask.testing import FlaskClient

from scorekeeper.live import streams
from tests.api.asking import Table, bearer
from tests.api.routes import REQUESTS, Request, all_routes

ROLES = ("none", "garbage", "revoked", "view", "seat", "host", "another session's host")
# The statuses of the roles, in that order.
READS = (401, 401, 401, 200, 200, 200, 403)
HOSTS = (401, 401, 401, 403, 403, 200, 403)
OPEN: dict[str, int] = {
    "GET /": 200,
    "GET /static/<path:filename>": 200,
    "GET /verify.py": 200,
    "GET /score": 200,
    "POST /score": 200,
    "GET /score/example": 200,
    "GET /rules": 200,
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
    "GET /join/<key>": 200,  # it holds a key of its own
    "POST /join": 303,
}
SESSION = "/api/sessions/<session:session>"
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
    f"GET {SESSION}/keys": HOSTS,
    f"POST {SESSION}/keys": (401, 401, 401, 403, 403, 201, 403),
    f"DELETE {SESSION}/keys/<key>": (401, 401, 401, 403, 403, 204, 403),
    "GET /t/<session>": READS,
}


@pytest.fixture(autouse=True)
def streams_end_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LIFE", 0)


def secret_of(role: str, table: Table) -> str:
    """A key that this role has, for the session of this table or not."""
    if role == "garbage":
        return "x" * 32
    if role == "revoked":
        made = table.add_key("host").get_json()
        assert table.ask("DELETE", f"/keys/{made['id']}").status_code == 204
        return str(made["key"])
    if role == "another session's host":
        return Table.open(table.client).keys["host"]
    return table.keys[{"seat": "leo"}.get(role, role)]


def test_every_route_is_in_the_table(on_memory: FlaskClient) -> None:
    assert set(TABLE) == all_routes(on_memory.application)
    assert {request.name for request in REQUESTS} == set(TABLE)


@pytest.mark.parametrize("by", ["header", "cookie"])
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("request_", REQUESTS, ids=lambda one: one.name)
def test_who_may(on_memory: FlaskClient, request_: Request, role: str, by: str) -> None:
    table = Table.open(on_memory)
    path, more = request_.path(table), request_.more(table)
    headers = {**more.pop("headers", {}), "Sec-Fetch-Site": "same-origin"}
    if role != "none":
        secret = secret_of(role, table)
        cookie = {"Cookie": f"table-{table.id}={secret}"}
        headers |= bearer(secret) if by == "header" else cookie
    before = table.get("/events").get_json()["version"]
    answer = on_memory.open(path, method=request_.method, headers=headers, buffered=True, **more)
    assert answer.status_code == TABLE[request_.name][ROLES.index(role)]
    if answer.status_code in (401, 403):
        assert table.get("/events").get_json()["version"] == before
        assert "nina" in table.key_ids()
        assert "Friday" not in answer.text
    if answer.status_code == 401:
        assert answer.headers["WWW-Authenticate"] == "Bearer"
