"""Every refusal under ``/api`` is a problem document; no request causes a 5xx."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.app import create_app
from scorekeeper.base import errors
from scorekeeper.config import read_settings
from scorekeeper.http.problems import PROBLEMS
from scorekeeper.store import MemoryStore
from tests.api.answers import EVENING, NDJSON

OPENED = b'{"type":"session_opened","data":{"title":"Friday","players":[]}}\n'
NOTE = b'{"type":"note_added","data":{"text":"%s"}}\n'

# Bodies that no honest client sends; the message must name the fault of each.
HOSTILE = {
    "nul": (OPENED + b"\x00\n", "not JSON"),
    "nul in a text": (OPENED + NOTE % b"\x00", "not JSON"),
    "nul in a text, escaped": (OPENED + NOTE % b"\\u0000", "control character"),
    "lone surrogate": (OPENED + NOTE % b"\\ud800", "surrogate"),
    "lone surrogate in a key": (
        OPENED + b'{"type":"note_added","data":{"\\udfff":1}}', "surrogate"),
    "surrogate in UTF-8": (OPENED + NOTE % b"\xed\xa0\x80", "UTF-8"),
    "bad UTF-8": (OPENED + b"\xff\xfe\n", "UTF-8"),
    "UTF-16": ("{}".encode("utf-16"), "UTF-8"),
    "deep lists": (OPENED + b"[" * 100_000, "nested"),
    "deep objects": (OPENED + b'{"a":' * 100_000, "nested"),
    "deep data": (
        OPENED + b'{"type":"note_added","data":{"text":' + b"[" * 90 + b"]" * 90 + b"}}", "text"),
    "data that is too deep": (
        OPENED + b'{"type":"note_added","data":{"text":' + b"[" * 500 + b"]" * 500 + b"}}",
        "nested"),
    "2^53": (OPENED + b'{"type":"note_added","data":{"text":9007199254740992}}', "number"),
    "2^63": (OPENED + b'{"type":"note_added","data":{"text":9223372036854775808}}', "number"),
    "10^5 digits": (OPENED + NOTE[:36] + b"9" * 100_000 + b"}}", "number"),
    "1e999": (OPENED + b'{"type":"note_added","data":{"text":1e999}}', "whole number"),
    "NaN": (OPENED + b'{"type":"note_added","data":{"text":NaN}}', "whole number"),
    "key twice": (OPENED + b'{"type":"note_added","type":"note_added"}', "twice"),
    "prototype": (
        OPENED + b'{"type":"note_added","data":{"text":"x","__proto__":{}}}', "__proto__"),
    "unknown type": (OPENED + b'{"type":"constructor","data":{}}', "constructor"),
    "no object": (OPENED + b"[1,2,3]\n", "object"),
    "a number": (OPENED + b"42\n", "object"),
    "text": (OPENED + b"hello\n", "not JSON"),
    "two events a line": (OPENED + b'{"type":"session_closed"}{"type":"session_closed"}', "JSON"),
    "a zip file": (b"PK\x03\x04" + b"\x00" * 100, "JSON"),
    "CR only": (EVENING.replace(b"\n", b"\r"), "JSON"),
    "half sealed": (OPENED + b'{"type":"session_closed","hash":"0"}', "hash"),
    "correction of nothing": (
        OPENED + b'{"type":"event_struck","data":{"seq":99,"reason":""}}', "99"),
    "correction of itself": (
        OPENED + b'{"type":"event_struck","data":{"seq":2,"reason":""}}', "2"),
    "right to left": (OPENED + '{"type":"\u202eevil","data":{}}'.encode(), "type"),
    "a million blanks and a fault": (OPENED + b"\n" * 1_000_000 + b"x", "JSON"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_body_is_refused_with_its_fault(client: FlaskClient, name: str) -> None:
    body, words = HOSTILE[name]
    answer = client.post("/api/score", data=body, content_type=NDJSON)
    assert answer.status_code == 422
    problem = answer.get_json()
    assert (answer.mimetype, problem["code"]) == ("application/problem+json", "unusable")
    assert words in problem["detail"] + problem.get("field", "")
    assert problem["line"] >= 1
    assert problem["detail"].isprintable()
    assert len(problem["detail"]) < 400


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_body_is_no_sealed_log(client: FlaskClient, name: str) -> None:
    answer = client.post("/api/verify", data=HOSTILE[name][0], content_type=NDJSON)
    problem = answer.get_json()
    if answer.status_code == 200:
        assert not problem["ok"]
    else:
        assert (answer.status_code, problem["code"]) == (422, "not_a_sealed_log")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nothing", 404, "not_found"),
        ("GET", "/api/games/", 404, "not_found"),
        ("GET", "/api/games/%00", 404, "not_found"),
        ("GET", "/api/games/..%2f", 404, "not_found"),
        ("GET", "/api/score", 405, "method_not_allowed"),
        ("DELETE", "/api/games", 405, "method_not_allowed"),
        ("POST", "/api/openapi.json", 405, "method_not_allowed"),
    ],
)
def test_unknown_resource_is_a_problem(
    client: FlaskClient, method: str, path: str, status: int, code: str
) -> None:
    answer = client.open(path, method=method)
    problem = answer.get_json()
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["title"]
    assert problem["detail"]
    assert problem["type"] == f"/api/docs#problem-{code}"
    if status == 405:
        assert answer.headers["Allow"]


def test_every_problem_type_has_a_page(client: FlaskClient) -> None:
    page = client.get("/api/docs").get_data(as_text=True)
    for code in PROBLEMS:
        assert f'id="problem-{code}"' in page


def tree(root: type[errors.ScorekeeperError]) -> list[type[errors.ScorekeeperError]]:
    return [root, *(error for below in root.__subclasses__() for error in tree(below))]


@pytest.mark.parametrize(
    "error", tree(errors.ScorekeeperError), ids=lambda error_type: error_type.code
)
def test_every_error_of_the_tree_has_a_status(error: type[errors.ScorekeeperError]) -> None:
    assert error.code in PROBLEMS


def created(**settings: Any) -> Flask:
    return create_app(read_settings(**settings), MemoryStore())


def failing(error: Exception) -> Flask:
    def fail() -> Any:
        raise error

    app = created()
    app.add_url_rule("/api/fails", view_func=fail)
    return app


def test_server_error_reveals_no_details() -> None:
    answer = failing(ValueError("the password is swordfish")).test_client().get("/api/fails")
    assert (answer.status_code, answer.get_json()["code"]) == (500, "error")
    assert b"swordfish" not in answer.data


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.UnusableError("x"), 422),
        (errors.TooLargeError("x"), 413),
        (errors.NotALogError("x"), 422),
    ],
)
def test_error_is_answered_with_its_status(error: errors.ScorekeeperError, status: int) -> None:
    answer = failing(error).test_client().get("/api/fails")
    assert (answer.status_code, answer.get_json()["code"]) == (status, error.code)


def test_untrusted_host_is_refused() -> None:
    client = created(trusted_hosts=("table.example",)).test_client()
    assert client.get("/api/games", base_url="http://table.example").status_code == 200
    answer = client.get("/api/games", base_url="http://evil.example")
    assert (answer.status_code, answer.get_json()["code"]) == (400, "malformed")
