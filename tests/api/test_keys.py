"""``/api/sessions/{id}/keys``: list, make and revoke keys."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.store import Key, MemoryStore, Repeated
from tests.api.answers import complaints
from tests.api.asking import Table, bearer, client_of, problem_of
from tests.evenings import event
from tests.store.asking import Clock
from tests.store.homes import Home

PATH = "/api/sessions/{session}/keys"
ONE = PATH + "/{key}"


def works(table: Table, secret: str) -> bool:
    return table.client.get(table.path, headers=bearer(secret)).status_code == 200


def revoke(table: Table, key: str, who: str = "host") -> Any:
    return table.ask("DELETE", f"/keys/{key}", who)


def test_keys_are_listed_without_their_secrets(any_table: Table) -> None:
    answer = any_table.get("/keys")
    assert complaints(any_table.client, PATH, answer, "get") == []
    keys = answer.get_json()["keys"]
    assert sorted((key["role"], key["player"] or "") for key in keys) == [
        ("host", ""), ("seat", "leo"), ("seat", "mara"), ("seat", "nina"), ("view", ""),
    ]  # fmt: skip
    assert {(key["expires"], key["revoked"]) for key in keys} == {(None, None)}
    used = {key["player"] or key["role"] for key in keys if key["last_used"]}
    assert used == {"host"}
    assert not any(secret in answer.text for secret in any_table.keys.values())


@pytest.mark.parametrize(
    "body", [{"role": "view"}, {"role": "host"}, {"role": "seat", "player": "leo"}]
)
def test_a_key_is_made(any_table: Table, body: Any) -> None:
    answer = any_table.ask("POST", "/keys", json=body)
    assert answer.status_code == 201
    assert complaints(any_table.client, PATH, answer) == []
    key_ = answer.get_json()
    assert (key_["role"], key_["player"]) == (body["role"], body.get("player"))
    any_table.keys["new"] = key_["key"]
    assert any_table.get(who="new").status_code == 200
    status = any_table.get("/keys", "new").status_code
    assert status == (200 if body["role"] == "host" else 403)
    assert key_["id"] in {key["id"] for key in any_table.get("/keys").get_json()["keys"]}


BAD: dict[str, tuple[Any, str]] = {
    "a list": ([], ""),
    "nothing": ({}, "role"),
    "no such role": ({"role": "owner"}, "role"),
    "a number": ({"role": 1}, "role"),
    "null": ({"role": None}, "role"),
    "a seat for nobody": ({"role": "seat"}, "player"),
    "a view for somebody": ({"role": "view", "player": "leo"}, "player"),
    "a host for somebody": ({"role": "host", "player": "leo"}, "player"),
    "a seat for a stranger": ({"role": "seat", "player": "ugo"}, "player"),
    "a seat for no id": ({"role": "seat", "player": "Leo!"}, "player"),
    "null as player": ({"role": "seat", "player": None}, "player"),
    "an unknown member": ({"role": "view", "for": "leo"}, "for"),
    "a day": ({"role": "view", "expires": "2030-01-01"}, "expires"),
    "a time without milliseconds": ({"role": "view", "expires": "2030-01-01T00:00:00Z"}, "expires"),
    "a day that is not": ({"role": "view", "expires": "2030-02-30T00:00:00.000Z"}, "expires"),
    "a number as time": ({"role": "view", "expires": 1893456000}, "expires"),
    "no id": ({"role": "view", "replaces": "x"}, "replaces"),
    "null as id": ({"role": "view", "replaces": None}, "replaces"),
}


@pytest.mark.parametrize("name", BAD)
def test_invalid_key_request_is_refused(table: Table, name: str) -> None:
    body, field = BAD[name]
    before = table.get("/keys").get_json()
    answer = table.ask("POST", "/keys", data=json.dumps(body), content_type="application/json")
    assert problem_of(answer) == (422, "unusable")
    assert answer.get_json().get("field", "") == field
    assert complaints(table.client, PATH, answer) == []
    assert table.get("/keys").get_json() == before


def test_seat_key_for_a_player_who_joined_later(any_table: Table) -> None:
    assert any_table.add_key("seat", player="ugo").status_code == 422
    any_table.do(event("player_joined", id="ugo", name="Ugo"))
    any_table.keys["ugo"] = any_table.add_key("seat", player="ugo").get_json()["key"]
    body = any_table.do(event("note_added", text="hello"), who="ugo")
    assert body["events"][0]["by"] == "ugo"


# ------------------------------------------------------------------------------------- revoking


def test_a_revoked_key_opens_nothing(any_table: Table) -> None:
    ids = any_table.key_ids()
    for who in ("view", "leo"):
        answer = revoke(any_table, ids[who][0])
        assert (answer.status_code, answer.data) == (204, b"")
        assert complaints(any_table.client, ONE, answer, "delete") == []
        for path in ("", "/events", "/next", "/stream", "/log.jsonl"):
            assert problem_of(any_table.get(path, who)) == (401, "no_key")
        assert problem_of(any_table.append(event("note_added", text="x"), who=who)) == (
            401,
            "no_key",
        )
        assert revoke(any_table, ids[who][0]).status_code == 204  # a second time changes nothing
    revoked = {key["role"] for key in any_table.get("/keys").get_json()["keys"] if key["revoked"]}
    assert revoked == {"view", "seat"}


def test_key_revoked_by_another_process_records_and_reveals_nothing(home: Home) -> None:
    """The process that recorded with it a moment ago does not know yet."""
    here, elsewhere = (client_of(home.open()) for _ in range(2))
    table = Table.riparto(here)
    seen, bid = event("note_added", text="seen"), event("bid_made", player="leo", points=4)
    table.do(bid, who="leo", key="the bid")
    for revocation, more in (
        (seen, {}),
        (event("bid_made", player="leo", points=3), {}),  # is irregular
        (seen, {"at": 1}),  # is late
        (bid, {"at": 3, "key": "the bid"}),  # came before
        (event("bid_made", player="nobody", points=4), {}),
        ({"type": "bid_made", "data": "none"}, {}),
        (event("hand_abandoned", reason="misdeal"), {}),  # is not for a seat
    ):
        body = table.add_key("seat", player="leo").get_json()
        table.keys["leo"] = body["key"]
        for _ in range(3):  # its last use is stored and cached
            table.do(seen, who="leo")
        path = f"{table.path}/keys/{body['id']}"
        assert elsewhere.delete(path, headers=bearer(table.keys["host"])).status_code == 204
        assert problem_of(table.append(revocation, who="leo", **more)) == (401, "no_key")
        assert table.report()["session"]["events"] == table.version


class Broken(MemoryStore):
    """A store that refuses writes and records lookups of keys."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = 0

    def append(self, *_: Any, **__: Any) -> Repeated | None:
        raise StorageUnavailableError("the disk is full")

    def find_key(self, secret: str) -> Key | None:
        self.looks += 1
        return super().find_key(secret)


def test_key_is_not_looked_up_again_after_a_database_failure() -> None:
    """A writer would wait twice for a database that does not answer."""
    store = Broken()
    table = Table.open(client_of(store))
    for _ in range(3):  # its last use is stored and cached
        table.get()
    looks = store.looks
    assert problem_of(table.append(event("note_added", text="x"))) == (503, "storage_unavailable")
    assert store.looks == looks


def test_unknown_key_is_refused(any_table: Table) -> None:
    other = Table.open(any_table.client)
    for key in ("222222222222", "x", other.key_ids()["view"][0], "%00", "é", "a" * 3000):
        answer = revoke(any_table, key)
        assert problem_of(answer) == (404, "unknown_key")
        assert complaints(any_table.client, ONE, answer, "delete") == []
    assert works(other, other.keys["view"])


def test_last_key_of_the_host_cannot_be_revoked(any_table: Table) -> None:
    (last,) = any_table.key_ids()["host"]
    answer = revoke(any_table, last)
    assert problem_of(answer) == (409, "last_key")
    assert complaints(any_table.client, ONE, answer, "delete") == []
    any_table.add_key("host", expires="2999-01-01T00:00:00.000Z")
    assert problem_of(revoke(any_table, last)) == (409, "last_key")  # the other one expires
    secret = any_table.add_key("host").get_json()["key"]
    assert revoke(any_table, last).status_code == 204
    assert not works(any_table, any_table.keys["host"])
    assert works(any_table, secret)


@pytest.mark.parametrize(
    "body",
    [{"role": "view"}, {"role": "seat", "player": "leo"},
     {"role": "host", "expires": "2999-01-01T00:00:00.000Z"}],
)  # fmt: skip
def test_last_key_of_the_host_cannot_be_replaced_by_a_weaker_key(
    any_table: Table, body: Any
) -> None:
    (last,) = any_table.key_ids()["host"]
    before = any_table.get("/keys").get_json()
    answer = any_table.ask("POST", "/keys", json={**body, "replaces": last})
    assert problem_of(answer) == (409, "last_key")
    assert complaints(any_table.client, PATH, answer) == []
    assert any_table.get("/keys").get_json() == before


# ------------------------------------------------------------------------------------- renewing


def test_a_key_is_renewed(any_table: Table) -> None:
    ids = any_table.key_ids()
    for who, body in (("leo", {"role": "seat", "player": "leo"}), ("host", {"role": "host"})):
        wish = {**body, "replaces": ids[who][0]}
        key = any_table.ask("POST", "/keys", json=wish).get_json()
        assert not works(any_table, any_table.keys[who])
        any_table.keys[who] = key["key"]
        assert works(any_table, any_table.keys[who])
    assert sorted(any_table.key_ids()) == ["host", "leo", "mara", "nina", "view"]


def test_key_is_replaced_only_once(any_table: Table) -> None:
    """Two phones of the host that replace the same key do not make two keys."""
    (old,) = any_table.key_ids()["leo"]
    wish = {"role": "seat", "player": "leo", "replaces": old}
    assert any_table.ask("POST", "/keys", json=wish).status_code == 201
    before = any_table.get("/keys").get_json()
    assert problem_of(any_table.ask("POST", "/keys", json=wish)) == (404, "unknown_key")
    assert any_table.get("/keys").get_json() == before


def test_unknown_key_cannot_be_replaced(any_table: Table) -> None:
    before = any_table.get("/keys").get_json()
    other = Table.open(any_table.client).key_ids()["view"][0]
    for key in ("222222222222", other):
        assert problem_of(any_table.add_key("view", replaces=key)) == (404, "unknown_key")
    assert any_table.get("/keys").get_json() == before


def test_expired_key_opens_nothing(home: Home) -> None:
    clock = Clock("2031-05-05T20:00:00.000Z")
    table = Table.open(client_of(home.set_clock(clock), sessions_an_hour=10**6))
    body = table.add_key("seat", player="leo", expires="2031-05-05T21:00:00.000Z").get_json()
    table.keys["guest"] = body["key"]
    clock.go(3599)
    assert table.do(event("note_added", text="in time"), who="guest")["events"][0]["by"] == "leo"
    clock.go(1)
    assert problem_of(table.get(who="guest")) == (401, "no_key")
    assert table.get().status_code == 200


def test_keys_of_one_session_open_no_other(any_client: FlaskClient) -> None:
    one, other = Table.open(any_client), Table.open(any_client)
    for who, secret in one.keys.items():
        for path in ("", "/events", "/next", "/keys", "/stream", "/results.csv"):
            answer = any_client.get(other.path + path, headers=bearer(secret))
            assert problem_of(answer) == (403, "forbidden"), who


# --------------------------------------------------------------------------------- in requests


@pytest.mark.parametrize(
    "form", ["Bearer {}", "bearer {}", "BEARER {}", "Bearer   {}", "Bearer {} "]
)
def test_key_is_accepted_in_header_or_cookie(table: Table, form: str) -> None:
    headers = {"Authorization": form.format(table.keys["view"])}
    assert table.client.get(table.path, headers=headers).status_code == 200


@pytest.mark.parametrize(
    "form",
    ["", "Bearer", "Bearer ", "{}", "Basic {}", "Token {}", "Bearer: {}", "Bearer{}",
     'Bearer "{}"', "Bearer {}x", "Bearer {} {}", "Bearer é", "Bearer x\udcff"],
)  # fmt: skip
def test_malformed_key_is_ignored(table: Table, form: str) -> None:
    header = form.format(*[table.keys["view"]] * 2).encode("utf-8", "surrogateescape")
    answer = table.client.get(table.path, headers={"Authorization": header.decode("latin-1")})
    assert problem_of(answer) == (401, "no_key")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert complaints(table.client, "/api/sessions/{session}", answer, "get") == []


def test_malformed_header_is_not_replaced_by_a_cookie(table: Table) -> None:
    cookie = table.cookie("host")
    assert table.client.get(table.path, headers=cookie).status_code == 200
    for header in ("Bearer ", "Basic eDp5", "Bearer x"):
        answer = table.client.get(table.path, headers={**cookie, "Authorization": header})
        assert problem_of(answer) == (401, "no_key")


def test_a_cookie_is_for_its_session(table: Table) -> None:
    other, held = Table.open(table.client), table.cookie("view")["Cookie"].removeprefix("phone=")
    for name, secret, status in (
        ("phone", held, 200),
        ("phone", other.cookie("view")["Cookie"].removeprefix("phone="), 401),
        ("phone", "garbage", 401),
        ("phone", table.keys["view"], 401),
        ("__Host-phone", held, 401),
        (f"table-{table.id}", table.keys["view"], 401),
    ):
        answer = table.client.get(table.path, headers={"Cookie": f"{name}={secret}"})
        assert answer.status_code == status, name


# ----------------------------------------------------------------------------------------- limits


def test_guesses_of_keys_are_limited_and_right_keys_work(home: Home) -> None:
    store = home.open()
    client = client_of(store, sessions_an_hour=10**6, failed_keys_an_hour=20)
    address = {"REMOTE_ADDR": f"2001:db8::{home.kind[:1].encode().hex()}:{id(store) % 65536:x}"}
    table = Table.open(client)

    def ask(secret: str) -> Any:
        return client.get(table.path, headers=bearer(secret), environ_overrides=address)

    statuses = [ask(f"guess {n}").status_code for n in range(60)]
    assert statuses == [401] * 20 + [429] * 40
    answer = ask("one more")
    assert problem_of(answer) == (429, "too_often")
    assert 0 < int(answer.headers["Retry-After"]) <= 3600
    assert complaints(client, "/api/sessions/{session}", answer, "get") == []
    # Others at the same address are not limited, and the count survives the process.
    assert [ask(table.keys[who]).status_code for who in ("host", "leo", "view")] == [200] * 3
    again = client_of(store, failed_keys_an_hour=20)
    answer = again.get(table.path, headers=bearer("x"), environ_overrides=address)
    assert problem_of(answer) == (429, "too_often")
    link = again.get("/join/guess", environ_overrides=address)
    assert (link.status_code, link.mimetype) == (429, "text/html")
    assert link.headers["Retry-After"]
