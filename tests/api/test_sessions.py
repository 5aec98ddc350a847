"""``POST /api/sessions``: open a session."""

import json
import unicodedata
from secrets import token_hex
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.answers import complaints
from tests.api.asking import Table, bearer, client_of, problem_of, session_body


def opened(client: FlaskClient, body: Any) -> Any:
    return client.post("/api/sessions", data=json.dumps(body), content_type="application/json")


GOOD = {
    "three": session_body("mara", "leo", "nina"),
    "nobody": session_body(),
    "a place": session_body("mara", place="Bar Sport"),
    "a format": session_body("mara", format=1),
    "a day": session_body("mara", date="2024-02-29"),
    "the longest": {"title": "t" * 200, "players": [{"id": "a" * 32, "name": "n" * 60}]},
    "right to left": {"title": "ערב", "players": [{"id": "a", "name": "דינה"}]},
    "wide": {"title": "🂡" * 200, "players": [{"id": "0", "name": "🂡" * 60}]},
}  # fmt: skip
BAD: dict[str, tuple[Any, str, str]] = {
    "a list": ([], "", "an object"),
    "null": (None, "", "an object"),
    "nothing": ({}, "title", "missing"),
    "no players": ({"title": "x"}, "players", "missing"),
    "no title": ({"players": []}, "title", "missing"),
    "an empty title": (session_body() | {"title": ""}, "title", "1 to 200"),
    "a title of blanks": (session_body() | {"title": "  "}, "title", "1 to 200"),
    "an invisible title": (session_body() | {"title": "\u200b\u2060"}, "title", "visible"),
    "an invisible place": (session_body(place="\u2063"), "place", "visible characters"),
    "an invisible name": (
        {"title": "x", "players": [{"id": "a", "name": "A"}, {"id": "b", "name": "\u3164"}]},
        "players.1.name", "visible characters"),
    "a title of 201": (session_body() | {"title": "x" * 201}, "title", "1 to 200"),
    "a title of two lines": (session_body() | {"title": "a\nb"}, "title", "control"),
    "a number as title": (session_body() | {"title": 7}, "title", "a text"),
    "null as place": (session_body(place=None), "place", "got null"),
    "players by name": ({"title": "x", "players": {"mara": "Mara"}}, "players", "a list"),
    "a player's id alone": ({"title": "x", "players": ["mara"]}, "players.0", "an object"),
    "no name": ({"title": "x", "players": [{"id": "mara"}]}, "players.0.name", "missing"),
    "a name of 61": (
        {"title": "x", "players": [{"id": "a", "name": "n" * 61}]}, "players.0.name", "1 to 60"),
    "two of one name": (
        {"title": "x", "players": [{"id": "a", "name": "Al"}, {"id": "b", "name": "al "}]},
        "players.1.name", "called Al already"),
    "a day that never was": (session_body(date="2025-02-29"), "date", "a day such as"),
    "a capital": ({"title": "x", "players": [{"id": "Mara", "name": "x"}]}, "players.0.id", "id"),
    "a reserved id": (
        {"title": "x", "players": [{"id": "keeper", "name": "x"}]}, "players.0.id", "id"),
    "the same id twice": (session_body("mara", "mara"), "players.1.id", "mara"),
    "an unknown member": (session_body(colour="red"), "colour", "unknown field"),
    "an unknown member of a player": (
        {"title": "x", "players": [{"id": "a", "name": "A", "age": 7}]}, "players.0.age", "nknown"),
    "another format": (session_body(format=2), "format", "1"),
    "1001 players": (session_body(*[f"p{n}" for n in range(1001)]), "players", "a list"),
}  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_a_session_is_opened(on_memory: FlaskClient, name: str) -> None:
    body = GOOD[name]
    answer = opened(on_memory, body)
    assert answer.status_code == 201
    assert complaints(on_memory, "/api/sessions", answer) == []
    table = Table(on_memory, answer.get_json())
    assert answer.headers["Location"] == table.path
    assert answer.headers["ETag"] == '"1"'
    assert set(table.keys) == {"host", "view", *(player["id"] for player in body["players"])}
    assert len(set(table.keys.values())) == len(table.keys)
    report = table.report()["session"]
    assert (report["title"], report["place"]) == (body["title"], body.get("place"))
    assert (report["players"], report["events"]) == (body["players"], 1)
    assert report["head"] == table.head


@pytest.mark.parametrize("name", BAD)
def test_unusable_opening_is_refused_with_its_field(on_memory: FlaskClient, name: str) -> None:
    body, field, words = BAD[name]
    answer = opened(on_memory, body)
    assert problem_of(answer) == (422, "unusable")
    problem = answer.get_json()
    assert problem.get("field", "") == field
    assert words in problem["detail"]
    assert complaints(on_memory, "/api/sessions", answer) == []


def test_texts_are_kept_in_nfc(on_memory: FlaskClient) -> None:
    name = unicodedata.normalize("NFD", "Zoë")
    body = {"title": unicodedata.normalize("NFD", "Così"), "players": [{"id": "z", "name": name}]}
    session = Table(on_memory, opened(on_memory, body).get_json()).report()["session"]
    assert (session["title"], session["players"][0]["name"]) == ("Così", "Zoë")


def test_keys_are_valid_on_every_store_and_not_stored(any_table: Table) -> None:
    for who in ("host", "view", "mara", "leo", "nina"):
        assert any_table.get(who=who).status_code == 200
    stored = any_table.get("/keys").get_data(as_text=True) + any_table.get("/log.jsonl").text
    assert not any(secret in stored for secret in any_table.keys.values())


@pytest.mark.parametrize("path", ["", "/events", "/next", "/stream", "/keys", "/log.jsonl"])
def test_unknown_session_is_refused(any_client: FlaskClient, path: str) -> None:
    table = Table.open(any_client)
    for name in ("222222222222", "x", "%00", "a" * 5000, "é", "'; DROP TABLE event; --"):
        address = f"/api/sessions/{name}{path}"
        for headers in ({}, bearer(table.keys["host"]), bearer("garbage")):
            answer = any_client.get(address, headers=headers)
            assert problem_of(answer) == (404, "unknown_session")
            assert complaints(any_client, f"/api/sessions/{{session}}{path}", answer, "get") == []


def test_openings_are_limited_by_the_hour(any_client: FlaskClient) -> None:
    client = client_of(any_client.application.extensions["service"].store, sessions_an_hour=3)
    network = f"2001:db8:{token_hex(2)}"  # the store may be shared
    address = {"REMOTE_ADDR": f"{network}::1"}
    for _ in range(3):
        body = session_body("mara")
        assert client.post("/api/sessions", json=body, environ_overrides=address).status_code == 201
    again = client_of(any_client.application.extensions["service"].store, sessions_an_hour=3)
    for each_client in (client, again):  # the count survives the process
        answer = each_client.post(
            "/api/sessions", json=session_body("mara"), environ_overrides=address
        )
        assert problem_of(answer) == (429, "too_often")
        assert 0 < int(answer.headers["Retry-After"]) <= 3600
        assert complaints(client, "/api/sessions", answer) == []
    elsewhere = {"REMOTE_ADDR": f"{network}:1::1"}
    body = session_body("mara")
    assert client.post("/api/sessions", json=body, environ_overrides=elsewhere).status_code == 201


def test_forged_address_is_ignored(on_memory: FlaskClient) -> None:
    client = client_of(sessions_an_hour=2)
    answers = [
        client.post(
            "/api/sessions",
            json=session_body("mara"),
            headers={"X-Forwarded-For": f"203.0.113.{n}"},
        ).status_code
        for n in range(4)
    ]
    assert answers == [201, 201, 429, 429]


def test_limits_behind_a_proxy_apply_to_each_phone() -> None:
    client = client_of(sessions_an_hour=1, proxies=1)
    for n in range(4):
        headers = {"X-Forwarded-For": f"198.51.100.9, 203.0.113.{n}"}
        answer = client.post("/api/sessions", json=session_body("mara"), headers=headers)
        assert answer.status_code == 201
