"""The security headers, on every route and every kind of answer."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.app import HEADERS, create_app

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
    """The headers that are not, or not once, what they should be."""
    found = {name: answer.headers.getlist(name) for name in WANTED}
    return {name: values for name, values in found.items() if values != [WANTED[name]]}


def test_the_table_of_headers_is_the_published_one() -> None:
    assert HEADERS == WANTED


def test_every_route_has_them(client: FlaskClient) -> None:
    values = {"game": "riparto", "filename": "style.css"}
    for rule in client.application.url_map.iter_rules():
        if "GET" in (rule.methods or ()):
            _, path = rule.build({name: values[name] for name in rule.arguments}, False) or ("", "")
            answer = client.get(path, buffered=True)
            assert answer.status_code < 400
            assert missing(answer) == {}, path


@pytest.mark.parametrize(("method", "path", "more", "status"), REQUESTS)
def test_every_kind_of_answer_has_them(
    client: FlaskClient, method: str, path: str, more: dict[str, Any], status: int
) -> None:
    answer = client.open(path, method=method, buffered=True, **more)
    assert answer.status_code == status
    assert missing(answer) == {}
    assert answer.headers["Cache-Control"]
    assert "Set-Cookie" not in answer.headers


@pytest.fixture
def failing() -> Flask:
    app = create_app()

    def fail() -> Any:
        raise ValueError("the password is swordfish")

    app.add_url_rule("/fails", view_func=fail)
    return app


def test_a_failure_has_them_too_and_tells_nothing(failing: Flask) -> None:
    answer = failing.test_client().get("/fails")
    assert answer.status_code == 500
    assert missing(answer) == {}
    assert "swordfish" not in answer.get_data(as_text=True)


@pytest.mark.parametrize("host", ["evil.example", "a b", "[", "<script>", "x" * 300, "", "é"])
def test_a_host_that_is_not_trusted_is_refused(host: str) -> None:
    client = create_app({"TRUSTED_HOSTS": ["table.example"]}).test_client()
    assert client.get("/", headers={"Host": "table.example"}).status_code == 200
    for path in ("/", "/nothing", "/static/style.css", "/score"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == 400
        assert answer.mimetype == "text/plain"
        assert missing(answer) == {}


@pytest.mark.parametrize("host", ["evil.example", "a b", "[", "<script>", "x" * 300, "", "é"])
@pytest.mark.parametrize("path", ["/", "/nothing", "/score/example", "/api/games", "/api/nothing"])
def test_no_host_brings_it_down_where_any_is_trusted(
    client: FlaskClient, path: str, host: str
) -> None:
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code in (200, 400, 404)
    assert missing(answer) == {}
    assert b"evil.example" not in answer.data


def test_transport_security_is_asked_for_only_where_there_is_any(client: FlaskClient) -> None:
    assert "Strict-Transport-Security" not in client.get("/").headers
    secure = client.get("/", base_url="https://localhost")
    assert secure.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_the_process_says_that_it_is_up(client: FlaskClient) -> None:
    assert client.get("/healthz").get_json() == {"status": "ok"}
