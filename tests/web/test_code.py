"""``/code``: a short code leads to the seats of a table, and one of them can be taken."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.asking import Table, created
from tests.store.asking import Clock
from tests.web.pages import page_of

OURS = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def table() -> Table:
    return Table.open(created().test_client(use_cookies=False))


@pytest.fixture
def code(table: Table) -> str:
    return made(table)


def made(table: Table) -> str:
    """A new code of a table."""
    found: str = table.client.application.extensions["service"].store.new_code(table.id, 900)
    return found


def phone_of(table: Table) -> FlaskClient:
    """One more phone."""
    return table.client.application.test_client()


def sit(phone: FlaskClient, code: str, seat: str) -> Any:
    """The answer to who sits down."""
    return phone.post("/code", data={"code": code, "seat": seat}, headers=OURS)


def free(phone: FlaskClient, code: str) -> set[str]:
    """The seats that can still be taken."""
    page = page_of(phone.get(f"/code?code={code}"))
    return {one["value"] for one in page.all("button") if one.get("name") == "seat"} - {""}


def test_a_code_shows_the_seats_and_one_of_them_is_taken(table: Table, code: str) -> None:
    phone = phone_of(table)
    page = page_of(phone.get(f"/code?code={code}"))
    assert page.wrong == []
    assert "Friday" in page.words
    assert free(phone, code) == {"mara", "leo", "nina"}
    answer = sit(phone, code, "leo")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/t/{table.id}")
    keys = {key["id"]: key for key in table.get("/keys").get_json()["keys"]}
    assert [key["player"] for key in keys.values() if key["last_used"] and key["player"]] == ["leo"]
    assert phone.get(f"/t/{table.id}").status_code == 200
    assert phone.get(f"{table.path}/keys").status_code == 403


def test_a_seat_is_taken_once(table: Table, code: str) -> None:
    assert sit(phone_of(table), code, "leo").status_code == 303
    late = phone_of(table)
    assert free(late, code) == {"mara", "nina"}
    answer = sit(late, code, "leo")
    assert answer.status_code == 409
    assert page_of(answer).wrong == []
    assert "Set-Cookie" not in answer.headers


def test_a_seat_whose_link_was_used_is_taken(table: Table, code: str) -> None:
    table.get(who="nina")
    assert free(phone_of(table), code) == {"mara", "leo"}


def test_a_seat_whose_key_was_taken_back_is_free_again(table: Table, code: str) -> None:
    table.get(who="nina")
    for key in table.key_ids()["nina"]:
        table.ask("DELETE", f"/keys/{key}")
    assert "nina" in free(phone_of(table), code)


def test_who_only_looks_on(table: Table, code: str) -> None:
    phone = phone_of(table)
    assert sit(phone, code, "").status_code == 303
    assert phone.get(table.path).status_code == 200
    assert free(phone, code) == {"mara", "leo", "nina"}


@pytest.mark.parametrize("seat", ["host", "keeper", "nobody", "<b>", "\x00"])
def test_nobody_sits_where_no_seat_is(table: Table, code: str, seat: str) -> None:
    answer = sit(phone_of(table), code, seat)
    assert answer.status_code == 409
    assert "<b>" not in answer.text.replace("<b><bdi>", "")
    assert "Set-Cookie" not in answer.headers


def test_a_code_is_read_however_it_is_typed(table: Table, code: str) -> None:
    typed = f"  {code[:3].upper()}-{code[3:]} "
    assert free(phone_of(table), typed) == {"mara", "leo", "nina"}


def test_a_code_ends(table: Table) -> None:
    store = table.client.application.extensions["service"].store._store
    clock = store.clock = Clock("2031-05-05T20:00:00.000Z")
    code = made(table)
    assert phone_of(table).get(f"/code?code={code}").status_code == 200
    clock.go(900)
    answer = phone_of(table).get(f"/code?code={code}")
    assert answer.status_code == 404
    assert page_of(answer).wrong == []
    assert sit(phone_of(table), code, "leo").status_code == 404


def test_a_new_code_ends_the_one_before(table: Table, code: str) -> None:
    made(table)
    assert phone_of(table).get(f"/code?code={code}").status_code == 404


@pytest.mark.parametrize(
    "code", ["abc", "x" * 5000, "<script>", "{{7*7}}", "é" * 6, "\x00", "0o1l1i"]
)
def test_what_is_no_code(table: Table, code: str) -> None:
    for answer in (
        table.client.get("/code", query_string={"code": code}),
        sit(table.client, code, "leo"),
    ):
        assert answer.status_code == 404
        assert page_of(answer).wrong == []
        assert "<script>" not in answer.text.replace("<script src", "")


def test_who_guesses_is_stopped_and_who_was_told_is_not_counted(table: Table, code: str) -> None:
    assert [phone_of(table).get(f"/code?code={code}").status_code for _ in range(30)] == [200] * 30
    wrong = [
        table.client.get(f"/code?code=22222{n}").status_code for n in "abcdefghjkmnpqrstuvwxyz"
    ]
    assert wrong == [404] * 20 + [429] * 3
    answer = table.client.get(f"/code?code={code}")
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0
    assert sit(table.client, code, "leo").status_code == 429


def test_a_mistyped_code_of_another_length_is_no_guess(table: Table, code: str) -> None:
    for _ in range(30):
        table.client.get("/code?code=abc")
    assert table.client.get(f"/code?code={code}").status_code == 200


def test_nobody_keeps_the_page_of_the_seats(table: Table, code: str) -> None:
    assert table.client.get(f"/code?code={code}").headers["Cache-Control"] == "no-store"


def test_another_sites_page_can_not_sit_down(table: Table, code: str) -> None:
    answer = table.client.post(
        "/code", data={"code": code, "seat": "leo"}, headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert answer.status_code == 403


def test_a_phone_that_is_here_is_shown_to_the_table(table: Table, code: str) -> None:
    def shown(cookie: str) -> bool:
        answer = table.client.get(f"/code?code={code}", headers={"Cookie": cookie})
        return f"/t/{table.id}" in {a["href"] for a in page_of(answer).all("a")}

    assert shown(f"table-{table.id}={table.keys['leo']}")
    assert not shown(f"table-{table.id}=nonsense")
    assert not shown("other=1")
