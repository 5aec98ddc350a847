"""``Idempotency-Key`` on requests that make keys: done once, with the same keys in each answer."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.asking import Table, bearer, client_of, session_body
from tests.evenings import Raw, event
from tests.web.pages import log_of

KEY: Final = "5b0f6c1e-8f0e-4b5f-9d55-0d6f0c3f7a11"
OTHER: Final = "c1e07fd0-1bb8-4d0c-8a3e-2f4a3d1b9e22"
EVENING: Final = session_body("mara", "leo", "nina")
LOG: Final = log_of(("session_opened", EVENING), ("note_added", {"text": "a note"}))

Send = Callable[..., TestResponse]


def open_session(client: FlaskClient, key: str = KEY, **more: Any) -> TestResponse:
    return client.post("/api/sessions", json={**EVENING, **more}, headers={"Idempotency-Key": key})


def open_club(client: FlaskClient, key: str = KEY, **more: Any) -> TestResponse:
    members = [{"id": "mara", "name": "Mara"}]
    body = {"name": "Circolo", "members": members, **more}
    return client.post("/api/clubs", json=body, headers={"Idempotency-Key": key})


def import_log(client: FlaskClient, key: str = KEY, title: str = "") -> TestResponse:
    log = LOG.replace("Friday", title) if title else LOG
    return client.post(
        "/api/sessions/import",
        data=log, content_type="application/x-ndjson", headers={"Idempotency-Key": key},
    )  # fmt: skip


OPENINGS: Final[dict[str, tuple[Send, Raw]]] = {
    "session": (open_session, {"title": "Saturday"}),
    "club": (open_club, {"name": "Another"}),
    "import": (import_log, {"title": "Saturday"}),
}
every_opening = pytest.mark.parametrize(("send", "other"), OPENINGS.values(), ids=OPENINGS)


def streams(client: FlaskClient) -> int:
    store = client.application.extensions["service"].store
    return len(store.sessions()) + len(store.clubs())


@every_opening
def test_repeated_opening_opens_nothing_more(send: Send, other: Raw, any_table: Table) -> None:
    client, before = any_table.client, streams(any_table.client)
    first = send(client)
    with ThreadPoolExecutor(6) as pool:
        again = list(pool.map(lambda _: send(client.application.test_client()), range(6)))
    assert [(repeated.status_code, repeated.data) for repeated in again] == [(201, first.data)] * 6
    assert {repeated.headers["ETag"] for repeated in again} == {first.headers["ETag"]}
    assert {repeated.headers["Cache-Control"] for repeated in again} == {"no-store"}
    assert streams(client) == before + 1


@every_opening
def test_idempotency_key_of_an_opening_with_another_body_is_refused(send: Send, other: Raw) -> None:
    client = client_of()
    assert send(client).status_code == 201
    refused = send(client, **other)
    assert (refused.status_code, refused.get_json()["code"]) == (422, "idempotency_key_reused")
    assert send(client, OTHER, **other).status_code == 201
    assert streams(client) == 2


@every_opening
def test_guessable_idempotency_key_is_refused(send: Send, other: Raw) -> None:
    client = client_of()
    refused = send(client, "order-17", **other)
    assert (refused.status_code, refused.get_json()["code"]) == (400, "malformed")
    assert streams(client) == 0


def test_repeated_opening_gets_the_first_answer_after_later_appends() -> None:
    client = client_of()
    first = open_session(client)
    table = Table(client, first.get_json())
    table.do(event("note_added", text="a note"))
    assert open_session(client).data == first.data
    secrets = [*first.get_json()["keys"]["seats"].values(), first.get_json()["keys"]["view"]]
    for secret in secrets:
        assert client.get(table.path, headers=bearer(secret)).status_code == 200


def test_openings_without_an_idempotency_key_are_different() -> None:
    client = client_of()
    bodies = [client.post("/api/sessions", json=EVENING).get_json() for _ in range(2)]
    assert bodies[0]["id"] != bodies[1]["id"]
    assert bodies[0]["keys"]["host"] != bodies[1]["keys"]["host"]


def test_keys_of_two_openings_are_different() -> None:
    client = client_of()
    bodies = [answer.get_json() for answer in (open_session(client), open_session(client, OTHER))]
    secrets = [{**body["keys"], **body["keys"]["seats"]} for body in bodies]
    values = [value for secret in secrets for value in secret.values() if isinstance(value, str)]
    assert len(set(values)) == len(values) == 10


def test_repeated_key_request_returns_the_same_key_to_the_same_host(any_table: Table) -> None:
    headers = {"Idempotency-Key": KEY}
    view = {"role": "view"}
    first = any_table.ask("POST", "/keys", json=view, headers=headers)
    secret = first.get_json()["key"]
    assert any_table.client.get(any_table.path, headers=bearer(secret)).status_code == 200
    again = any_table.ask("POST", "/keys", json=view, headers=headers)
    assert (again.status_code, again.data) == (201, first.data)
    reused = any_table.ask("POST", "/keys", json={"role": "host"}, headers=headers)
    assert (reused.status_code, reused.get_json()["code"]) == (422, "idempotency_key_reused")
    host = any_table.ask("POST", "/keys", json={"role": "host"}).get_json()["key"]
    any_table.keys["other"] = host
    theirs = any_table.ask("POST", "/keys", "other", json=view, headers=headers)
    assert theirs.get_json()["key"] != secret


def test_repeated_replacement_of_a_key_replaces_it_one_time(any_table: Table) -> None:
    keys = any_table.get("/keys").get_json()["keys"]
    (old,) = [key["id"] for key in keys if key["player"] == "leo"]
    body = {"role": "seat", "player": "leo", "replaces": old}
    headers = {"Idempotency-Key": KEY}
    answers = [any_table.ask("POST", "/keys", json=body, headers=headers) for _ in range(3)]
    assert len({answer.data for answer in answers}) == 1
    assert len(any_table.get("/keys").get_json()["keys"]) == len(keys) + 1


def test_repeated_key_request_of_a_club_returns_the_same_key() -> None:
    client = client_of()
    opened = open_club(client).get_json()
    headers = {**bearer(opened["keys"]["host"]), "Idempotency-Key": KEY}
    path, body = f"/api/clubs/{opened['id']}/keys", {"role": "member", "member": "mara"}
    answers = [client.post(path, json=body, headers=headers) for _ in range(2)]
    assert answers[0].status_code == 201, answers[0].text
    assert answers[0].data == answers[1].data
