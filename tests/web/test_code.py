"""``/code``: a short code leads to the seats of a table, and one of them can be taken."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.store.keyring import LETTERS
from tests.api.asking import Table, client_of, created
from tests.conftest import SOAK
from tests.store.asking import Clock
from tests.web.pages import page_of

OURS = {"Sec-Fetch-Site": "same-origin"}
GUESSES = 1000 if SOAK else 100  # of which fifteen may be wrong


@pytest.fixture
def table() -> Table:
    return Table.open(created().test_client(use_cookies=False))


@pytest.fixture
def code(table: Table) -> str:
    return made(table)


def made(table: Table) -> str:
    """Return a new code of a table."""
    code_: str = table.client.application.extensions["service"].store.new_code(table.id, 900)
    return code_


def phone_of(table: Table) -> FlaskClient:
    """Return another phone."""
    return table.client.application.test_client()


def sit(phone: FlaskClient, code: str, seat: str) -> Any:
    """Return the response to taking a seat."""
    return phone.post("/code", data={"code": code, "seat": seat}, headers=OURS)


def free(phone: FlaskClient, code: str) -> set[str]:
    """Return the seats that can still be taken."""
    page = page_of(phone.get(f"/code?code={code}"))
    return {button["value"] for button in page.all("button") if button.get("name") == "seat"} - {""}


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


def test_seat_can_be_taken_by_one_phone_only(table: Table, code: str) -> None:
    assert sit(phone_of(table), code, "leo").status_code == 303
    late = phone_of(table)
    assert free(late, code) == {"mara", "nina"}
    answer = sit(late, code, "leo")
    assert answer.status_code == 409
    assert page_of(answer).wrong == []
    words = page_of(answer).words
    assert "This seat was taken just now, on another phone" in words
    assert "you can take another seat or look on" in words
    assert "ask the host" in words
    assert late.get(f"/t/{table.id}").status_code == 401


def test_a_seat_whose_link_was_used_is_taken(table: Table, code: str) -> None:
    table.get(who="nina")
    assert free(phone_of(table), code) == {"mara", "leo"}


def test_a_seat_whose_key_was_taken_back_is_free_again(table: Table) -> None:
    table.get(who="nina")
    for key in table.key_ids()["nina"]:
        table.ask("DELETE", f"/keys/{key}")
    assert "nina" in free(phone_of(table), made(table))


def test_phone_can_join_as_a_viewer(table: Table, code: str) -> None:
    phone = phone_of(table)
    assert sit(phone, code, "").status_code == 303
    assert phone.get(table.path).status_code == 200
    assert free(phone, code) == {"mara", "leo", "nina"}


@pytest.mark.parametrize("seat", ["host", "keeper", "nobody", "<b>", "\x00"])
def test_unknown_seat_cannot_be_taken(table: Table, code: str, seat: str) -> None:
    answer = sit(phone_of(table), code, seat)
    assert answer.status_code == 409
    assert "<b>" not in answer.text.replace("<b><bdi>", "")
    assert table.client.get(f"/t/{table.id}").status_code == 401


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


@pytest.mark.parametrize("how", ["revoked", "replaced"])
def test_a_phone_whose_key_is_taken_back_does_not_come_again_by_the_code(
    table: Table, code: str, how: str
) -> None:
    """The host may show a new code to the others."""
    phone = phone_of(table)
    assert sit(phone, code, "leo").status_code == 303
    key = next(key["id"] for key in table.get("/keys").get_json()["keys"]
               if key["player"] == "leo" and key["last_used"])  # fmt: skip
    if how == "revoked":
        assert table.ask("DELETE", f"/keys/{key}").status_code == 204
    else:
        assert table.add_key("seat", player="leo", replaces=key).status_code == 201
    for seat in ("leo", "mara", ""):
        assert sit(phone, code, seat).status_code == 404
    assert sit(phone_of(table), made(table), "mara").status_code == 303


def test_a_new_code_ends_the_one_before(table: Table, code: str) -> None:
    made(table)
    assert phone_of(table).get(f"/code?code={code}").status_code == 404


@pytest.mark.parametrize(
    "code", ["abc", "x" * 5000, "<script>", "{{7*7}}", "é" * 6, "\x00", "0o1l1i"]
)
def test_malformed_code_is_not_found(table: Table, code: str) -> None:
    for answer in (
        table.client.get("/code", query_string={"code": code}),
        sit(table.client, code, "leo"),
    ):
        assert answer.status_code == 404
        assert page_of(answer).wrong == []
        assert "<script>" not in answer.text.replace("<script src", "")


def test_a_second_tap_sits_down_where_the_first_did(table: Table, code: str) -> None:
    """The first response is lost, as when a browser continues with the second."""
    phone = phone_of(table)
    assert free(phone, code) == {"mara", "leo", "nina"}
    assert [sit(phone, code, "leo").status_code for _ in range(3)] == [303] * 3
    assert phone.get(f"/t/{table.id}").status_code == 200
    assert sum(key["player"] == "leo" for key in table.get("/keys").get_json()["keys"]) == 2


# ---------------------------------------------------------------------------------- guessing


def wrongs(beginning: str = "") -> Iterator[str]:
    """Return codes that almost certainly lead nowhere, each with another beginning if possible."""
    for number in count():
        tail = "".join(
            LETTERS[number // len(LETTERS) ** place % len(LETTERS)] for place in range(4)
        )
        yield f"{beginning}{tail}" if beginning else f"{tail}22"


def post(client: FlaskClient, code: str, address: str = "192.0.2.1") -> TestResponse:
    """Return the response to a code posted from an address."""
    return client.post(
        "/code", data={"code": code, "show": "seats"}, headers=OURS,
        environ_overrides={"REMOTE_ADDR": address},
    )  # fmt: skip


def test_right_code_is_accepted_after_any_number_of_wrong_ones(table: Table, code: str) -> None:
    client = table.client
    statuses = [
        post(client, wrong).status_code for wrong, _ in zip(wrongs(), range(40), strict=False)
    ]
    assert statuses == [404] * 15 + [429] * 25
    answer = post(client, next(wrongs()))
    assert int(answer.headers["Retry-After"]) > 0
    assert page_of(answer).wrong == []
    assert "Too many wrong codes came from here" in page_of(answer).words
    assert [post(client, code).status_code for _ in range(30)] == [200] * 30
    assert sit(client, code, "leo").status_code == 303


def test_requests_triggered_by_another_site_lock_no_phone_out(table: Table, code: str) -> None:
    """Another site makes the browsers of honest phones fetch addresses, many times."""
    for wrong, _ in zip(wrongs(), range(100), strict=False):
        answer = table.client.get(f"/code?code={wrong}")
        assert answer.status_code in (404, 200)
        assert "Friday" not in answer.text
    for wrong, _ in zip(wrongs(), range(100), strict=False):
        forged = {"Sec-Fetch-Site": "cross-site", "Cookie": "prefs=x"}
        assert table.client.post("/code", data={"code": wrong}, headers=forged).status_code == 403
    link = page_of(table.client.get(f"/code?code={code}"))  # which has no seats any more
    assert "Friday" not in link.text
    (field,) = [field for field in link.all("input") if field["name"] == "code"]
    assert field["value"] == code
    assert page_of(post(table.client, code, "127.0.0.1")).words.count("Friday") == 1
    assert [post(table.client, "zzzzz2", "127.0.0.1").status_code for _ in range(15)] == [404] * 15


def test_attacker_can_try_only_a_few_codes_in_an_hour(table: Table, code: str) -> None:
    """The codes begin like the right one, which the attacker cannot know, from one address."""
    client = table.client
    guesses = [
        wrong for wrong, _ in zip(wrongs(code[:2]), range(GUESSES), strict=False) if wrong != code
    ]
    looked = [client.get(f"/code?code={guess}", environ_overrides={"REMOTE_ADDR": "192.0.2.1"})
              for guess in guesses[:50]]  # fmt: skip
    learned = sum(answer.status_code == 404 for answer in looked)
    for elsewhere, _ in zip(wrongs(), range(15), strict=False):
        assert (
            post(client, elsewhere).status_code == 404
        )  # the attacker spends their tries on other codes first
    answers = [post(client, guess) for guess in guesses]
    assert {answer.status_code for answer in answers} == {429}
    store = client.application.extensions["service"].store
    assert learned + 15 <= 20
    assert store.wait("wrong code begun so", code[:2], 15, 3600) > 0
    assert post(client, code, "192.0.2.2").status_code == 200  # and nobody else notices
    other = made(Table.open(client))
    if other[:2] != code[:2]:
        assert post(client, other).status_code == 200


def test_attacker_slows_other_phones_of_the_address_but_locks_none_out(
    table: Table, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stranger in a pub overheard how the code begins, or tries all beginnings.

    In the fifteen minutes for which a code lives, this attacker can try one code in five seconds,
    and so guesses a certain code of 31 ** 4 with a chance of 1 in 4,000. An attacker who tries all
    beginnings can also try 15 codes of each of the 31 ** 2 in an hour: a chance of 1 in 50,000 of
    31 ** 6.
    """
    client, store = table.client, table.client.application.extensions["service"].store
    clock = store._store.clock = Clock("2031-05-05T20:00:00.000Z")
    code, compared, find = made(table), list[str](), store._store.find_code

    def counted(guess: str) -> str | None:
        compared.append(guess)
        code_: str | None = find(guess)
        return code_

    monkeypatch.setattr(store._store, "find_code", counted)
    guesses = (wrong for wrong in wrongs(code[:2]) if wrong != code)
    for _ in range(60):
        post(client, next(guesses))
    for _ in range(20):  # for a hundred seconds
        for _ in range(3):
            assert post(client, next(guesses)).status_code == 429
        refused = post(client, code)
        assert refused.status_code == 429
        assert 0 < int(refused.headers["Retry-After"]) <= 5
        clock.go(5)
    assert len(compared) <= 15 + 15 + 1 + 20
    assert (15 + 15 + 900 // 5) / len(LETTERS) ** 4 < 1 / 4_000
    assert (20 + 15 * len(LETTERS) ** 2 + 3600 // 5) / len(LETTERS) ** 6 < 1 / 50_000
    assert [post(client, code).status_code for _ in range(3)] == [200] * 3
    assert sit(client, code, "leo").status_code == 303


def test_ports_and_addresses_of_one_network_share_a_limit() -> None:
    client = client_of(proxies=1)
    for written in ("[2001:db8:5::{}]:99", "192.0.2.7:{}"):
        statuses = [
            client.post("/code", data={"code": wrong, "show": "seats"},
                        headers={**OURS, "X-Forwarded-For": written.format(number)}).status_code
            for number, wrong in zip(range(1, 21), wrongs(), strict=False)
        ]  # fmt: skip
        assert statuses == [404] * 15 + [429] * 5


@pytest.mark.parametrize(("written", "factor"), [
    ("2001:db8:0:50{:02x}::1", 4), ("2001:db8:0:{:02x}00::1", 8),
])  # fmt: skip
def test_networks_of_one_ipv6_customer_share_a_limit(
    table: Table, monkeypatch: pytest.MonkeyPatch, written: str, factor: int
) -> None:
    """An attacker has a network of 56 or 48 bits, and overheard how the code begins.

    The chances are those of the 15 minutes for which a code lives, and of an hour in which the
    attacker tries all beginnings. Five codes of an address may also be fetched.
    """
    client, store = table.client, table.client.application.extensions["service"].store
    clock = store._store.clock = Clock("2031-05-05T20:00:00.000Z")
    code, compared, find = made(table), list[str](), store._store.find_code

    def counted(guess: str) -> str | None:
        compared.append(guess)
        code_: str | None = find(guess)
        return code_

    monkeypatch.setattr(store._store, "find_code", counted)
    addresses = [written.format(number) for number in range(24)]
    guesses = (wrong for wrong in wrongs(code[:2]) if wrong != code)
    for address in addresses:
        for _ in range(14):  # fewer than any single address may try
            post(client, next(guesses), address)
    assert len(compared) == (15 + 1) * factor
    for _ in range(3):
        clock.go(5)
        for address in addresses:
            post(client, next(guesses), address)
    assert len(compared) == (15 + 1 + 3) * factor
    assert post(client, code, addresses[-1]).status_code == 429
    assert post(client, code, "2001:db8:1::1").status_code == 200  # another customer
    other = next(
        code_ for code_ in iter(lambda: made(Table.open(client)), "") if code_[:2] != code[:2]
    )
    assert post(client, other, addresses[-1]).status_code == 200
    clock.go(5)
    assert post(client, code, addresses[-1]).status_code == 200
    chance = 1_100 if factor == 4 else 570
    assert ((5 + 15 + 900 // 5) * factor + 15) / len(LETTERS) ** 4 < 1 / chance
    assert ((5 + 15 + 3600 // 5) * factor + 15 * len(LETTERS) ** 2) / len(LETTERS) ** 6 < 1 / 40_000


def test_phones_of_one_provider_may_mistype_a_code_each() -> None:
    """Their addresses have 56 bits in common."""
    client, guesses = client_of(), wrongs()
    statuses = [post(client, next(guesses), f"2001:db8:0:{number:x}::1").status_code
                for number in range(60)]  # fmt: skip
    assert statuses == [404] * 60


def test_fetched_codes_of_one_ipv6_customer_share_a_limit(table: Table, code: str) -> None:
    for number, wrong in zip(range(20), wrongs(), strict=False):
        address = {"REMOTE_ADDR": f"2001:db8:0:{number:x}::1"}
        answer = table.client.get(f"/code?code={wrong}", environ_overrides=address)
        assert answer.status_code == 404
    address = {"REMOTE_ADDR": "2001:db8:0:ff::1"}
    answer = table.client.get(f"/code?code={code}", environ_overrides=address)
    assert "Friday" not in answer.text


def test_a_mistyped_code_of_another_length_is_no_guess(table: Table, code: str) -> None:
    for _ in range(30):
        table.client.get("/code?code=abc")
    assert table.client.get(f"/code?code={code}").status_code == 200


def test_page_of_the_seats_is_not_cached(table: Table, code: str) -> None:
    assert table.client.get(f"/code?code={code}").headers["Cache-Control"] == "no-store"


def test_another_sites_page_can_not_sit_down(table: Table, code: str) -> None:
    answer = table.client.post(
        "/code", data={"code": code, "seat": "leo"}, headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert answer.status_code == 403


def test_phone_with_a_key_gets_a_link_to_the_table(table: Table, code: str) -> None:
    def shown(cookie: dict[str, str]) -> bool:
        answer = table.client.get(f"/code?code={code}", headers=cookie)
        return f"/t/{table.id}" in {a["href"] for a in page_of(answer).all("a")}

    assert shown(table.cookie("leo"))
    assert not shown({"Cookie": "phone=nonsense"})
    assert not shown({"Cookie": "other=1"})
