"""The one next step of each page, as listed in ``next_steps.md``."""

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.games import GAMES
from scorekeeper.languages import catalogue_files as catalogue
from scorekeeper.languages.catalogues import DEFAULT, LANGUAGES
from tests.api.asking import Table, client_of
from tests.api.hall import Hall
from tests.evenings import event
from tests.thinned import thinned_rows
from tests.web.club.visiting import OWN, Visit, riparto
from tests.web.looking import brought_in, cookie
from tests.web.pages import EXAMPLE
from tests.web.tournament.visiting import Person, opened

TABLE = (Path(__file__).parent / "next_steps.md").read_text("utf-8")
STEPS = re.findall(r"^\| `(/\S*)` \| [^|]+ \| ([^|]+) \|$", TABLE, re.MULTILINE)
OPENED = 2  # events of the example after which a match is open
# Addresses that are for programs, or that a page or a browser asks for, and nobody opens; and
# those of strangers, who only read.
NO_PAGES = re.compile(
    r"/(api|static|healthz|readyz|metrics|manifest|pictures|published|sw\.js|verify\.py|favicon|"
    r"apple-touch-icon|robots|\.well-known)"
)
NAMES = {game.name for game in GAMES.values()}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6, computations_an_hour=10**6)


@pytest.fixture(scope="module")
def tables(client: FlaskClient) -> dict[str, Table]:
    """An open table, and one whose session is closed."""
    lines = EXAMPLE.splitlines(keepends=True)
    return {"OPEN": brought_in("".join(lines[:OPENED]), client),
            "PLAYED": brought_in(EXAMPLE, client)}  # fmt: skip


@pytest.fixture(scope="module")
def club() -> Visit:
    """A club with money, a season, and an evening."""
    visit = Visit.found("Mara", "Leo", "Nina", money="yes", currency="EUR")
    season = {"name": "Autumn", "from": "2026-10-01", "game": "riparto", "by": "points"}
    visit.done("/settings/season", **season)
    visit.other("seat", "leo")
    visit.enter(riparto(stake={"currency": "EUR", "point": 10, "match": 100}))
    hall = Hall.open(visit.app.test_client(use_cookies=False), "mara", "leo", "nina")
    hall.draw(1, "mara leo nina")
    hall.publish()
    visit.phone.post("/join", data={"key": hall.keys["view"]}, headers=OWN)
    players = {f"as-{player}": player for player in ("mara", "leo", "nina")}
    visit.done("/enter", session=hall.id, **players)
    return visit


@pytest.fixture(scope="module")
def director() -> Person:
    """The director's phone of a tournament whose second round is drawn."""
    hall = opened("mara", "leo", "nina")
    hall.draw(1, "mara leo nina")
    hall.publish()
    hall.do(event("round_closed", stage=1, round=1))
    hall.draw(2, "nina mara leo")
    return Person(hall)


def seen_by_host(
    path: str, client: FlaskClient, tables: dict[str, Table], language: str
) -> TestResponse:
    """Return a page of a table, or another page, as its host sees it."""
    name = path.split("/")[2] if path.startswith("/t/") else "OPEN"
    table = tables[name]
    headers = {} if path.startswith("/join") else cookie(table, "host")
    path = path.replace(name, table.id).replace("/join/KEY", f"/join/{table.keys['mara']}")
    if "HOST" in path:
        asked = {"Authorization": f"Bearer {table.keys['host']}"}
        body = client.get(f"/api/sessions/{table.id}/keys", headers=asked).get_json()
        path = path.replace("HOST", body["keys"][0]["id"])
    return client.get(path, headers={**headers, "Accept-Language": language})


def seen_in_club(path: str, club: Visit, language: str) -> TestResponse:
    """Return a page of a club as its host sees it."""
    path = path.replace("CLUB", club.club_id)
    for what, where, link in (
        ("EVENING", "/evenings", r"/evenings/([^/]+)/withdraw"),
        ("HALL", "/tournaments", r"/tournaments/([^/\"]+)"),
        ("HELD", "/settings/member/leo", r"/settings/key/([^/\"]+)"),
        ("ACCOUNT", "/money", r"/money/of\?([^\"]+)"),
    ):
        if what in path:
            link_found = re.search(link, club.look(where).text)
            assert link_found is not None
            path = path.replace(what, unescape(link_found[1]))
    return club.phone.get(path, headers={"Accept-Language": language})


def seen_in_hall(path: str, director: Person, language: str) -> TestResponse:
    """Return a page of a tournament as its director sees it."""
    path = path.replace("HALL", director.tournament_id)
    if "THEIRS" in path:
        link_found = re.search(r"/settings/key/([^/\"]+)", director.look("/settings").text)
        assert link_found is not None
        path = path.replace("THEIRS", link_found[1])
    return director.phone.get(path, headers={"Accept-Language": language})


def prominent_texts(page: str) -> Iterator[str]:
    """Return the buttons and links of a page, and its notices."""
    main = page.partition("<main")[2].partition("</main>")[0]
    for html in re.findall(r"<(?:a|button|h1|h2|h3|legend|p|b)\b[^>]*>(.*?)</", main, re.DOTALL):
        yield " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())
    yield from re.findall(r'aria-label="([^"]*)"', main)


@cache
def translated(language: str) -> dict[str, str]:
    """Return the texts of the pages in another language."""
    return {
        str(message.id): str(message.string)
        for message in catalogue.read_catalogue(language)
        if not message.context
    }


def in_language(words: str, language: str) -> str:
    """Return the words in another language; of those that end in “…” the part before a fact."""
    start, open_end, _ = words.partition(" …")
    if language == DEFAULT or start in NAMES:
        return start
    known = translated(language)
    if not open_end:
        return known[start]
    shortest = min((text for text in known if text.startswith(f"{start} ")), key=len)
    return re.split(r"%\(|<", known[shortest])[0].strip()


@pytest.mark.parametrize(
    ("path", "words", "language"),
    thinned_rows(((*step, language) for step in STEPS for language in LANGUAGES), 2),
)
def test_page_names_its_next_step(
    client: FlaskClient, tables: dict[str, Table], club: Visit, director: Person, path: str,
    words: str, language: str,
) -> None:  # fmt: skip
    if path.startswith("/club/CLUB"):
        answer = seen_in_club(path, club, language)
    elif path.startswith("/tournament/HALL"):
        answer = seen_in_hall(path, director, language)
    else:
        answer = seen_by_host(path, client, tables, language)
    assert answer.status_code == (422 if path.endswith("/preview") else 200)
    texts = list(prominent_texts(answer.text))
    wanted = " ".join(in_language(words, language).split())
    assert any(text.startswith(wanted) for text in texts), (wanted, texts)


def test_each_page_has_its_next_step(client: FlaskClient) -> None:
    shown = re.compile(
        r"\b(OPEN|PLAYED|KEY|HOST|CLUB|HALL|EVENING|HELD|THEIRS|riparto|leo|mara|autumn|exchange_player|[1-9]+)\b"
    )
    paths = [shown.sub("X", path.partition("?")[0]) for path, _ in STEPS]
    rules = {
        re.sub(r"<[^>]*>", "X", rule.rule)
        for rule in client.application.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not NO_PAGES.match(rule.rule)
    }
    assert rules - set(paths) - {"/t/X/h/X"} == set()
