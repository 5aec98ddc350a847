"""``/join``: a link with a key, and the button that exchanges it for a cookie."""

import re
from typing import Any

import pytest
from werkzeug.http import parse_cookie

from tests.api.asking import NO_KEY, Table, client_of
from tests.evenings import event
from tests.store.asking import Clock
from tests.web.looking import everybodys, look, page
from tests.web.pages import STATIC, page_of

ROLES = {"host": "Become the host", "view": "Look on", "leo": "Sit down as Leo"}


@pytest.fixture
def table() -> Table:
    return Table.open(everybodys())


def join(table: Table, who: str) -> dict[str, str]:
    """Return the header with the cookie of a phone that joined by a key."""
    answer = table.client.post("/join", data={"key": table.keys[who]})
    assert answer.status_code == 303
    cookies = parse_cookie(answer.headers["Set-Cookie"].partition(";")[0])
    return {"Cookie": f"phone={cookies['phone']}"}


@pytest.mark.parametrize("who", ROLES)
def test_the_page_says_what_the_button_does(table: Table, who: str) -> None:
    answer = table.client.get(f"/join/{table.keys[who]}")
    page = page_of(answer)
    assert answer.status_code == 200
    assert page.wrong == []
    assert page.words.count(ROLES[who]) >= 1
    assert "Friday" in page.words
    (form,) = page.all("form")
    assert (form["action"], form["method"]) == ("/join", "post")
    phone, key = page.all("input")
    assert (phone["type"], phone["name"]) == ("hidden", "phone")
    assert key == {"type": "hidden", "name": "key", "value": table.keys[who]}


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "The end of your link is missing"), ("it", "Manca la fine del tuo link"),
     ("fr", "Il manque la fin de votre lien")],
)  # fmt: skip
def test_a_link_without_its_key_says_what_to_do(table: Table, language: str, words: str) -> None:
    """It leads to the seats of a code, with the level of the link, if it has one."""
    answer = table.client.get("/join?level=tricks", headers={"Accept-Language": language})
    page = page_of(answer)
    assert (answer.status_code, page.wrong) == (200, [])
    assert words in page.words
    (form,) = page.all("form")
    assert (form["action"], form["method"]) == ("/code", "post")
    fields = {field.get("name"): field.get("value") for field in page.all("input")}
    assert fields.pop("key")
    assert fields == {"code": "", "level": "tricks"}
    assert "Set-Cookie" not in answer.headers
    assert table.client.get("/join/").status_code in {301, 308, 404}
    assert table.client.get("/join?key=x&code=%3Cb%3E&level=%3Cb%3E").status_code == 200


def test_looking_at_the_page_spends_nothing(table: Table) -> None:
    for _ in range(5):
        answer = table.client.get(f"/join/{table.keys['leo']}")
        assert answer.status_code == 200
        assert "Set-Cookie" not in answer.headers
        phone = {"Cookie": f"phone={page_of(answer).all('input')[0]['value']}"}  # holds nothing
        assert table.client.get(f"/t/{table.id}", headers=phone).status_code == 401
    used = [key["last_used"] for key in table.get("/keys").get_json()["keys"] if key["player"]]
    assert used == [None] * 3
    assert join(table, "leo")


def test_the_key_stands_in_no_other_place_of_the_page(table: Table) -> None:
    """Neither in its title nor in an address that a click would reveal to others."""
    page = page_of(table.client.get(f"/join/{table.keys['leo']}"))
    assert table.keys["leo"] not in page.text
    holders = [tag for tag, attrs in page.tags if table.keys["leo"] in str(attrs)]
    assert holders == ["input"]


@pytest.mark.parametrize("who", ROLES)
def test_the_button_gives_a_cookie_and_an_address_without_the_key(table: Table, who: str) -> None:
    answer = table.client.post("/join", data={"key": table.keys[who]})
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/t/{table.id}")
    assert table.keys[who] not in f"{answer.text} {answer.headers}"
    name, *attributes = answer.headers["Set-Cookie"].split("; ")
    assert re.fullmatch(r"phone=[A-Za-z0-9_-]{32}", name)
    assert {"HttpOnly", "Path=/", "SameSite=Lax", "Max-Age=31536000"} <= set(attributes)
    assert "Secure" not in attributes  # a phone at the table has no https
    assert not any(attribute.startswith("Domain") for attribute in attributes)


def test_by_https_the_cookie_keeps_to_it() -> None:
    table = Table.open(client_of(public_url="https://scores.example.org"))
    answer = table.client.post("/join", data={"key": table.keys["leo"]})
    name, *attributes = answer.headers["Set-Cookie"].split("; ")
    assert name.startswith("__Host-phone=")
    assert {"Secure", "HttpOnly", "Path=/"} <= set(attributes)
    assert table.client.get(f"/t/{table.id}", headers={"Cookie": name}).status_code == 200


def test_the_cookie_opens_what_the_key_does(table: Table) -> None:
    cookie = join(table, "leo")
    assert table.client.get(f"/t/{table.id}", headers=cookie).status_code == 200
    assert table.client.get(table.path, headers=cookie).status_code == 200
    assert table.client.get(f"{table.path}/keys", headers=cookie).status_code == 403
    headers = {**cookie, "If-Match": '"1"', "Sec-Fetch-Site": "same-origin"}
    body = {"events": [event("note_added", text="mine")]}
    answer = table.client.post(f"{table.path}/events", json=body, headers=headers)
    assert answer.get_json()["events"][0]["by"] == "leo"


def test_a_revoked_key_has_no_page_and_its_cookie_opens_nothing(table: Table) -> None:
    cookie = join(table, "leo")
    table.ask("DELETE", f"/keys/{table.key_ids()['leo'][0]}")
    assert table.client.get(f"/join/{table.keys['leo']}").status_code == 401
    answer = table.client.post("/join", data={"key": table.keys["leo"]})
    assert answer.status_code == 401
    assert "Set-Cookie" not in answer.headers
    assert table.client.get(f"/t/{table.id}", headers=cookie).status_code == 401


@pytest.mark.parametrize("key", ["x", "x" * 5000, "%00", "é", "..%2f", "<script>", "{{7*7}}"])
def test_a_link_that_opens_nothing(table: Table, key: str) -> None:
    for answer in (
        table.client.get(f"/join/{key}"),
        table.client.post("/join", data={"key": key}),
    ):
        assert answer.status_code in (401, 404)
        assert answer.mimetype == "text/html"
        assert "<script>" not in answer.text
        assert page_of(answer).wrong == []


def test_no_key_at_all(table: Table) -> None:
    sent: list[dict[str, Any]] = [
        {}, {"data": {}}, {"json": {"key": table.keys["leo"]}}, {"data": b"\xff"},
    ]  # fmt: skip
    for more in sent:
        answer = table.client.post("/join", **more)
        assert answer.status_code == 401
        assert "Set-Cookie" not in answer.headers


def test_a_key_that_ends(table: Table) -> None:
    clock = Clock("2031-05-05T20:00:00.000Z")
    store = table.client.application.extensions["service"].store
    body = table.add_key("view", expires="2031-05-05T21:00:00.000Z").get_json()
    assert table.client.get(f"/join/{body['key']}").status_code == 200
    clock.go(3600)
    store._store.clock = clock
    assert table.client.get(f"/join/{body['key']}").status_code == 401


def test_names_and_titles_are_only_text() -> None:
    client = client_of()
    name = "<script>alert(1)</script>"
    body = {"title": name, "players": [{"id": "leo", "name": name}]}
    table = Table(client, client.post("/api/sessions", json=body).get_json())
    answer = client.get(f"/join/{table.keys['leo']}")
    assert "<script>alert" not in answer.text
    assert name in page_of(answer).text


def test_link_with_a_missing_end_gives_advice() -> None:
    """Each option is an item of a visible list."""
    page_ = page_of(client_of().get("/join"))
    assert [element["class"] for element in page_.all("ul") if "class" in element] == ["plain-list"]
    assert "Ask for the link again, and copy all of it." in page_.words
    style = (STATIC / "pages.css").read_text(encoding="utf-8")
    assert re.search(r"\.plain-list \{[^}]*list-style: disc", style)


def test_guessing_links_is_rate_limited() -> None:
    client = client_of(failed_keys_an_hour=5)
    table = Table.open(client)
    statuses = [client.get(f"/join/guess{n}").status_code for n in range(10)]
    assert statuses == [401] * 5 + [429] * 5
    assert client.post("/join", data={"key": "x"}).headers["Retry-After"]
    assert client.get(f"/join/{table.keys['leo']}").status_code == 200


def test_joining_warns_before_another_key_is_given_up(table: Table) -> None:
    def join_page(held: str, link: str) -> str:
        cookie = table.cookie(held)
        answer = table.client.get(f"/join/{table.keys[link]}", headers=cookie)
        return page_of(answer).words

    assert "it no longer is" in join_page("host", "leo")
    assert "replaces the one it has" in join_page("view", "leo")
    assert "alert" not in table.client.get(f"/join/{table.keys['leo']}").text
    assert "no more" not in join_page("host", "host")


def test_phone_without_a_key_is_offered_the_code_form(table: Table) -> None:
    answer = table.client.get(f"/t/{table.id}")
    assert answer.status_code == 401
    assert "/code" in {a["href"] for a in page_of(answer).all("a")}


def test_a_phone_whose_key_was_taken_back_learns_what_happened_and_what_to_do(
    table: Table,
) -> None:
    (key,) = table.key_ids()["leo"]
    assert look(table, "", "leo").status_code == 200
    assert table.ask("DELETE", f"/keys/{key}").status_code == 204
    words = page(table, "/results", "leo", status=401).words
    assert "This phone’s key opens nothing any more" in words
    assert "Ask the host for a new link" in words
    stranger = page(table, "/results", NO_KEY, status=401).words
    assert "This phone is not at the table" in stranger
    assert "took back" not in stranger


def test_a_link_that_opens_nothing_says_so(table: Table) -> None:
    answer = table.client.get("/join/no-such-key")
    assert answer.status_code == 401
    assert "This link opens nothing It was taken back" in page_of(answer).words


def test_forbidden_request_links_back_to_the_table(table: Table) -> None:
    page_ = page(table, "/share", "view", status=403)
    assert f"/t/{table.id}" in [link["href"] for link in page_.all("a")]
