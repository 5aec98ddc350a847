"""The phone and its tables: one cookie for all of them.

Tests of ``web.phone.my_tables``.
"""

from collections.abc import Mapping
from http.cookies import SimpleCookie
from typing import Any, Final

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.store import KeyRequest
from tests.api.asking import Table, bearer, client_of, created
from tests.store.asking import OPENING, Clock
from tests.web.pages import page_of

MANY: Final = 500
MOST_BYTES: Final = 2048
OWN: Final = {"Origin": "http://localhost"}


class Phone:
    """A phone that keeps its cookies, as a browser does, each for its path."""

    def __init__(self, client: FlaskClient, **jar: str) -> None:
        self.client = client
        self.jar = {name: (value, "/") for name, value in jar.items()}
        self.most = 0  # bytes of cookies that it sent

    def header(self, path: str) -> dict[str, str]:
        sent = "; ".join(f"{name}={value}" for name, (value, under) in self.jar.items()
                         if path.startswith(under))  # fmt: skip
        self.most = max(self.most, len(sent))
        return {"Cookie": sent} if sent else {}

    def ask(self, path: str, data: Mapping[str, str] | None = None) -> TestResponse:
        method = "GET" if data is None else "POST"
        headers = {**OWN, **self.header(path)}
        answer = self.client.open(path, method=method, data=data, headers=headers)
        for header in answer.headers.getlist("Set-Cookie"):
            for name, morsel in SimpleCookie(header).items():
                self.jar[name] = morsel.value, morsel["path"]
                if morsel["max-age"] == "0":
                    del self.jar[name]
        return answer

    def join(self, table: Table, who: str = "view") -> int:
        status: int = self.ask("/join", {"key": table.keys[who]}).status_code
        return status

    def opens(self, table: Table) -> bool:
        return self.ask(table.path).status_code == 200


@pytest.fixture
def client() -> FlaskClient:
    return client_of(sessions_an_hour=100_000)


def test_phone_with_500_tables_sends_a_small_cookie_and_keeps_all(client: FlaskClient) -> None:
    store, phone = client.application.extensions["service"].store, Phone(client)
    opened = [store.open_session(OPENING, "keeper", [KeyRequest("view")]) for _ in range(MANY)]
    for number, opened_session_ in enumerate(opened):
        assert phone.ask("/join", {"key": opened_session_.keys[0].secret}).status_code == 303
        if number % 25 == 0:
            assert phone.ask(f"/t/{opened_session_.id}").status_code == 200
            assert phone.ask("/").status_code == 200
    first = f"/t/{opened[0].id}"
    for path in ("/", "/code", "/new", "/prefs", first, f"{first}/audit", f"{first}/results"):
        assert phone.ask(path).status_code == 200
    for opened_session_ in opened[::10]:
        assert phone.ask(f"/api/sessions/{opened_session_.id}").status_code == 200
    assert phone.most <= MOST_BYTES
    assert sum(path == "/" for _, path in phone.jar.values()) == 1
    held = store.held_keys(phone.jar["phone"][0], MANY + 1)
    assert {key.stream_id for key in held} == {opened_session.id for opened_session in opened}


def test_a_cookie_that_was_tampered_with_opens_nothing(client: FlaskClient) -> None:
    table, phone = Table.open(client), Phone(client)
    phone.join(table, "host")
    secret = phone.jar["phone"][0]
    for place in range(len(secret)):
        changed = f"{secret[:place]}{'x' if secret[place] != 'x' else 'y'}{secret[place + 1 :]}"
        assert not Phone(client, phone=changed).opens(table)
    for odd in ("", "x", secret[:-1], f"{secret}x", "a" * 5000, "\x7f" * 32, "é" * 32, "%00" * 10):
        other = Phone(client, phone=odd)
        assert other.ask("/").status_code == 200
        assert other.ask(f"/t/{table.id}").status_code == 401
        assert not other.opens(table)
    assert phone.opens(table)


def test_a_cookie_of_another_phone_opens_what_that_does_until_it_is_taken_back(
    client: FlaskClient,
) -> None:
    table, phone = Table.open(client), Phone(client)
    phone.join(table, "leo")
    thief = Phone(client, phone=phone.jar["phone"][0])
    assert thief.opens(table)
    (key,) = table.key_ids()["leo"]
    table.ask("DELETE", f"/keys/{key}")
    assert not thief.opens(table)
    assert not phone.opens(table)


def test_a_table_joined_twice_is_one_table(client: FlaskClient) -> None:
    table, phone = Table.open(client), Phone(client)
    assert [phone.join(table, "leo") for _ in range(3)] == [303] * 3
    page = page_of(phone.ask("/"))
    assert sum(a["href"].startswith("/t/") for a in page.all("a")) == 1
    assert phone.join(table, "host") == 303  # and goes on with what it came by last
    assert phone.ask(f"{table.path}/keys").status_code == 200


def test_a_link_to_a_seat_is_for_one_phone(client: FlaskClient) -> None:
    table, phone, other = Table.open(client), Phone(client), Phone(client)
    assert phone.join(table, "leo") == 303
    refused = other.ask("/join", {"key": table.keys["leo"]})
    assert refused.status_code == 409
    page = page_of(refused)
    assert page.wrong == []
    assert "This seat is taken" in page.words
    assert "ask the host to free it, or for a new link" in page.words
    assert "/code" in {a["href"] for a in page.all("a")}
    assert not other.opens(table)
    assert phone.opens(table)


def test_a_seat_that_the_host_frees_is_taken_by_another(client: FlaskClient) -> None:
    store = client.application.extensions["service"].store
    table, leo, nina = Table.open(client), Phone(client), Phone(client)
    leo.join(table, "leo")
    code = store.new_code(table.id, 900)
    sit = {"code": code, "seat": "leo"}
    assert nina.ask("/code", sit).status_code == 409
    (key,) = table.key_ids()["leo"]
    table.ask("DELETE", f"/keys/{key}")
    assert leo.ask(f"/t/{table.id}").status_code == 401
    sit["code"] = store.new_code(table.id, 900)
    assert nina.ask("/code", sit).status_code == 303
    assert nina.opens(table)
    assert leo.ask("/code", sit).status_code == 409
    new = store.add_key(table.id, KeyRequest("seat", "leo"))
    assert leo.ask("/join", {"key": new.secret}).status_code == 303
    assert leo.opens(table)


def test_the_cookie_lasts_while_it_is_used(client: FlaskClient) -> None:
    table, phone = Table.open(client), Phone(client)
    phone.join(table)
    for path in ("/", f"/t/{table.id}"):
        cookies = phone.ask(path).headers.getlist("Set-Cookie")
        (renewed,) = [cookie for cookie in cookies if cookie.startswith("phone=")]
        assert {"Max-Age=31536000", "HttpOnly", "SameSite=Lax"} <= set(renewed.split("; "))


def test_a_phone_that_holds_nothing_is_no_guess() -> None:
    """Nor is a phone with a revoked key, however often its page sends requests."""
    client = client_of(failed_keys_an_hour=3)
    table, phone, stranger = Table.open(client), Phone(client), Phone(client, phone="x" * 32)
    phone.join(table, "leo")
    (key,) = table.key_ids()["leo"]
    table.ask("DELETE", f"/keys/{key}")
    for each_phone in (phone, stranger):
        assert {each_phone.ask(table.path).status_code for _ in range(10)} == {401}


def test_a_key_that_ends_is_held_and_opens_nothing() -> None:
    client = created().test_client(use_cookies=False)
    table, phone = Table.open(client), Phone(client)
    body: Any = table.add_key("view", expires="2031-05-05T21:00:00.000Z").get_json()
    assert phone.ask("/join", {"key": body["key"]}).status_code == 303
    assert phone.opens(table)
    client.application.extensions["service"].store._store.clock = Clock("2031-05-05T21:00:00.000Z")
    assert not phone.opens(table)
    assert client.get(table.path, headers=bearer(table.keys["view"])).status_code == 200
