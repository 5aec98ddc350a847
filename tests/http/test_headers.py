"""The security headers, on every route and every kind of answer."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper import __version__
from scorekeeper.http.headers import HEADERS
from scorekeeper.live import event_streams
from tests.api.asking import NO_KEY, Table, bearer, client_of, created
from tests.api.routes import disputed
from tests.evenings import event

NOTE = event("note_added", text="a note")
WANTED = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src "
    "'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; "
    "base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), screen-wake-lock=(self)",
    "X-Robots-Tag": "noindex",
}
REQUESTS: list[tuple[str, str, dict[str, Any], int]] = [
    ("GET", "/static/style.css", {}, 200),
    ("GET", "/static/style.css", {"headers": {"If-None-Match": "*"}}, 304),
    ("GET", "/static/", {}, 404),
    ("GET", "/static/../app.py", {}, 404),
    ("GET", "/nothing", {}, 404),
    ("GET", "/api", {}, 302),
    ("GET", "/api/nothing", {}, 404),
    ("HEAD", "/", {}, 200),
    ("OPTIONS", "/score", {}, 200),
    ("DELETE", "/", {}, 405),
    ("POST", "/score", {}, 422),
    ("POST", "/score", {"data": {"text": "x"}}, 422),
    ("POST", "/score", {"data": b"x" * ((8 << 20) + 1)}, 413),
    ("POST", "/api/score", {"data": b"x"}, 415),
    ("POST", "/api/score", {"data": b"x", "content_type": "text/plain"}, 422),
    ("POST", "/api/verify?count=x", {"data": b"x", "content_type": "text/plain"}, 400),
]


def missing(answer: Any) -> dict[str, list[str]]:
    """Return the headers with wrong or repeated values."""
    values_by_name = {name: answer.headers.getlist(name) for name in WANTED}
    return {name: values for name, values in values_by_name.items() if values != [WANTED[name]]}


def test_tested_headers_are_the_published_ones() -> None:
    assert HEADERS == WANTED


NEEDS = {
    "witness": f"?version=1&head={'0' * 64}",
    "preview": "?seq=5&strike=1",
    "tournament-presets": "?game=riparto",
}  # queries without which a call is malformed


def paths_of(table: Table) -> list[str]:
    """Return a path of every readable route."""
    values = {
        "game": "riparto", "group": "table", "filename": "style.css", "name": "table-en.png",
        "session": table.id, "session_id": table.id,
        "key": table.keys["leo"], "key_id": table.key_ids()["leo"][0],
        "match": 1, "hand": 1, "seq": 5, "kind": "exchange_player",
        "log_kind": "session", "sample": "club",
    }  # fmt: skip
    paths = []
    for rule in table.client.application.url_map.iter_rules():
        elsewhere = rule.arguments & {"club", "club_id", "tournament", "tournament_id", "address"}
        if "GET" in (rule.methods or ()) and not elsewhere:  # only of sessions
            _, path = rule.build({name: values[name] for name in rule.arguments}, False) or ("", "")
            paths.append(path + NEEDS.get(path.rpartition("/")[2], ""))
    return paths


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(event_streams, "STREAM_LIFE_SECONDS", 0)
    return Table.open(client_of(metrics=True, security_contact="a@example.org"))


def test_every_route_has_the_security_headers(table: Table) -> None:
    disputed(table)
    paths = paths_of(table)
    assert len(paths) > 20
    for path in paths:
        answer = table.client.get(path, headers=bearer(table.keys["host"]), buffered=True)
        assert answer.status_code < 400, path
        assert missing(answer) == {}, path


def test_refusals_of_every_session_route_have_the_security_headers(table: Table) -> None:
    for path in paths_of(table):
        if table.id in path:
            answer = table.client.get(path)
            assert answer.status_code == 401
            assert missing(answer) == {}, path


SESSION_REQUESTS: list[tuple[str, str, str, dict[str, Any], int]] = [
    ("POST", "/events", "host", {"json": {"events": [NOTE]}}, 428),
    ("POST", "/events", "host", {"json": {"events": [NOTE]}, "headers": {"If-Match": "1"}}, 400),
    ("POST", "/events", "host", {"json": {"events": [NOTE]}, "headers": {"If-Match": '"7"'}}, 412),
    ("POST", "/events", "host", {"json": {"events": [NOTE]}, "headers": {"If-Match": '"1"'}}, 201),
    ("POST", "/events", "view", {"json": {"events": [NOTE]}}, 403),
    ("POST", "/events", NO_KEY, {"json": {"events": [NOTE]}}, 401),
    ("GET", "", "view", {"headers": {"If-None-Match": "*"}}, 304),
    ("GET", "/stream", "view", {}, 200),
    ("DELETE", "/keys/none", "host", {}, 404),
]


@pytest.mark.parametrize(("method", "path", "who", "more", "status"), SESSION_REQUESTS)
def test_every_kind_of_answer_about_a_session_has_the_security_headers(
    table: Table, method: str, path: str, who: str, more: dict[str, Any], status: int
) -> None:
    answer = table.ask(method, path, who, buffered=True, **more)
    assert answer.status_code == status
    assert missing(answer) == {}


def test_answers_with_a_key_are_not_cached(table: Table) -> None:
    link = f"/join/{table.keys['leo']}"
    kept = [
        table.client.post("/api/sessions", json={"title": "x", "players": []}),
        table.add_key("view"),
        table.get("/keys"),
        table.client.get(link),
        table.client.post("/join", data={"key": table.keys["leo"]}),
    ]
    assert [answer.headers["Cache-Control"] for answer in kept] == ["no-store"] * len(kept)


@pytest.mark.parametrize(("method", "path", "more", "status"), REQUESTS)
def test_every_kind_of_answer_has_the_security_headers(
    client: FlaskClient, method: str, path: str, more: dict[str, Any], status: int
) -> None:
    answer = client.open(path, method=method, buffered=True, **more)
    assert answer.status_code == status
    assert missing(answer) == {}
    assert answer.headers["Cache-Control"]
    assert "Set-Cookie" not in answer.headers


@pytest.fixture
def failing() -> Flask:
    app = created()
    app.testing = False

    def fail() -> Any:
        raise ValueError("the password is swordfish")

    app.add_url_rule("/fails", view_func=fail)
    return app


def test_server_error_has_the_security_headers_and_no_details(failing: Flask) -> None:
    answer = failing.test_client().get("/fails")
    assert answer.status_code == 500
    assert missing(answer) == {}
    assert "swordfish" not in answer.get_data(as_text=True)


@pytest.mark.parametrize("host", ["evil.example", "a b", "[", "<script>", "x" * 300, "", "é"])
def test_untrusted_host_is_refused(host: str) -> None:
    client = client_of(trusted_hosts=("table.example",))
    assert client.get("/", headers={"Host": "table.example"}).status_code == 200
    for path in ("/", "/nothing", "/static/style.css", "/score"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == 400
        assert answer.mimetype == "text/plain"
        assert missing(answer) == {}


@pytest.mark.parametrize("host", ["evil.example", "a b", "[", "<script>", "x" * 300, "", "é"])
@pytest.mark.parametrize("path", ["/", "/nothing", "/score/example", "/api/games", "/api/nothing"])
def test_no_host_header_causes_a_server_error(client: FlaskClient, path: str, host: str) -> None:
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code in (200, 400, 404)
    assert missing(answer) == {}
    assert b"evil.example" not in answer.data


def test_strict_transport_security_is_sent_only_over_https(client: FlaskClient) -> None:
    assert "Strict-Transport-Security" not in client.get("/").headers
    secure = client.get("/", base_url="https://localhost")
    assert secure.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_health_endpoint_answers(client: FlaskClient) -> None:
    assert client.get("/healthz").get_json() == {"status": "ok", "version": __version__}
