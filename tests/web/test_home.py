"""``/``: the introduction, the games, and the ways of joining a table."""

from io import BytesIO

import pytest
from flask.testing import FlaskClient
from PIL import Image

from scorekeeper.games import GAMES
from scorekeeper.languages.catalogues import LANGUAGES
from tests.api.asking import Table, client_of, cookie_of, hand, match
from tests.store.asking import Clock
from tests.web.looking import everybodys
from tests.web.pages import page_of
from tools.pictures import SIZE, THEMES, file_of


def test_every_game_is_named_and_leads_to_its_rules(client: FlaskClient) -> None:
    page = page_of(client.get("/"))
    links = {a["href"] for a in page.all("a")}
    for game in GAMES.values():
        assert game.name in page.words
        assert game.summary in page.words
        assert f"/rules/{game.id}" in links
    assert {"/score", "/score/example", "/rules", "/api/docs"} <= links


def test_home_page_links_to_the_ways_of_joining_a_table(client: FlaskClient) -> None:
    links = {a["href"] for a in page_of(client.get("/")).all("a")}
    assert {"/new", "/code", "/verify", "/prefs"} <= links


# ------------------------------------------------------------------------------ first screen

HEAVIEST = 60 << 10  # bytes of all that the first page loads, compressed


def test_newcomers_read_what_they_need_for_it(client: FlaskClient) -> None:
    page = page_of(client.get("/"))
    assert "No account Nothing to install Works without internet, in your own network" in page.words
    assert ", ".join(game.name for game in GAMES.values()) in page.words
    hrefs = [a["href"] for a in page.all("a")]
    assert {"/club/new", "/score/example", "/score/mistake", "#games"} <= set(hrefs)
    secure = client_of(public_url="https://scores.example.org")
    words = page_of(secure.get("/", base_url="https://scores.example.org")).words
    assert "Works without internet" in words
    assert "in your own network" not in words


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("theme", ["", *THEMES, "black"])
def test_table_on_the_first_page_is_shown_in_language_and_colours_of_the_reader(
    language: str, theme: str
) -> None:
    client = everybodys()
    header = {"Cookie": f"prefs=lang={language}" + f"&theme={theme}" * bool(theme)}
    page = page_of(client.get("/", headers=header))
    shown = [tag["srcset"] for tag in page.all("source")] + [tag["src"] for tag in page.all("img")]
    expected = {"": ["dark", "light"], "black": ["dark"]}.get(theme, [theme])
    assert [source.partition("?")[0] for source in shown] == [
        "/static/" + file_of("table", f"{language}-{colours}") for colours in expected
    ]
    for source in shown:
        answer = client.get(source, buffered=True)
        assert answer.mimetype == "image/png"
        assert Image.open(BytesIO(answer.data)).size == (SIZE["width"], SIZE["height"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_first_page_is_light(client: FlaskClient, language: str) -> None:
    def sent(path: str) -> int:
        headers = {"Accept-Language": language, "Accept-Encoding": "br"}
        return len(client.get(path, headers=headers, buffered=True).data)

    page = page_of(client.get("/", headers={"Accept-Language": language}))
    sheets = [link["href"] for link in page.all("link") if link["rel"] == "stylesheet"]
    scripts = [script["src"] for script in page.all("script")]
    pictures = [tag["src"] for tag in page.all("img")]
    assert len(pictures) == 1
    files = ["/", *sheets, *scripts, *pictures, "/static/cards.svg", "/static/icon.svg"]
    assert sum(map(sent, files)) <= HEAVIEST


# ---------------------------------------------------------------------------- my tables


def cookies(*tables: Table, who: str = "host") -> dict[str, str]:
    """Return the header of a phone with a key to each of these tables."""
    return cookie_of(tables[0].client, *(table.keys[who] for table in tables))


def test_the_tables_of_this_phone_with_how_they_stand() -> None:
    client = everybodys()
    table = Table.open(client)
    table.do(match(), *hand())
    page = page_of(client.get("/", headers=cookies(table)))
    assert page.wrong == []
    assert f"/t/{table.id}" in {a["href"] for a in page.all("a")}
    assert "Friday Riparto · just now · host Mara 0 Leo 5 Nina 0" in page.words
    assert len(page.all("h1")) == 1
    assert "Friday" not in page_of(client.get("/")).words


def test_of_a_table_without_a_match_no_game_is_named() -> None:
    client = everybodys()
    assert (
        "Friday just now · host"
        in page_of(client.get("/", headers=cookies(Table.open(client)))).words
    )


def test_player_of_this_phone_is_named() -> None:
    client = everybodys()
    table = Table.open(client)
    assert "just now · Leo" in page_of(client.get("/", headers=cookies(table, who="leo"))).words
    assert "looking on" in page_of(client.get("/", headers=cookies(table, who="view"))).words


def test_the_table_played_last_comes_first() -> None:
    client = client_of()
    clock = Clock("2031-05-05T20:00:00.000Z")
    client.application.extensions["service"].store._store.clock = clock
    client.application.extensions["service"]._clock = clock
    first, second = Table.open(client), Table.open(client)
    clock.go(3600)
    first.do(match())
    clock.go(7200)
    page = page_of(client.get("/", headers=cookies(second, first)))
    hrefs = [a["href"] for a in page.all("a") if a["href"].startswith("/t/")]
    assert hrefs == [f"/t/{first.id}", f"/t/{second.id}"]
    assert "2 hours ago" in page.words


def test_a_key_that_opens_nothing_is_passed_over() -> None:
    client = everybodys()
    table = Table.open(client)
    revoked = table.add_key("host").get_json()
    held = cookie_of(client, revoked["key"])
    table.ask("DELETE", f"/keys/{revoked['id']}")
    for header in (held, {"Cookie": "phone=nonsense"}, {"Cookie": "phone=" + "x" * 32}):
        answer = client.get("/", headers=header)
        assert answer.status_code == 200
        assert "Friday" not in answer.text


def test_by_https_the_cookies_of_https_count() -> None:
    client = client_of(public_url="https://scores.example.org")
    table = Table.open(client)
    held = cookies(table)["Cookie"]
    assert held.startswith("__Host-phone=")
    assert "Friday" in client.get("/", headers={"Cookie": held}).text
    by_http = held.removeprefix("__Host-")
    assert "Friday" not in client.get("/", headers={"Cookie": by_http}).text


def test_a_hostile_title_is_only_text() -> None:
    client = everybodys()
    body = {"title": "<script>alert(1)</script>", "players": [{"id": "a", "name": "\u202eevil"}]}
    table = Table(client, client.post("/api/sessions", json=body).get_json())
    answer = client.get("/", headers=cookies(table))
    assert "<script>alert" not in answer.text
    assert page_of(answer).wrong == []
