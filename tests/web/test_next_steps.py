"""The one next step of each page, as the table in ``docs/developers.md`` has it."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from scorekeeper.games import GAMES
from scorekeeper.languages.catalogues import DEFAULT, LANGUAGES
from scorekeeper.web.translating import catalogue
from tests.api.asking import Table, client_of
from tests.web.looking import brought_in, cookie
from tests.web.pages import EXAMPLE

DOCS = Path(__file__).parents[2] / "docs" / "developers.md"
SECTION = DOCS.read_text("utf-8").partition("\n## Pages\n")[2].partition("\n## ")[0]
STEPS = re.findall(r"^\| `(/\S*)` \| [^|]+ \| ([^|]+) \|$", SECTION, re.MULTILINE)
OPENED = 2  # events of the example after which a match is open
# Addresses that are for programs, or that a page or a browser asks for, and nobody opens.
NO_PAGES = re.compile(r"/(api|static|healthz|readyz|metrics|manifest|pictures|sw\.js|verify\.py)")
NAMES = {game.name for game in GAMES.values()}
CLUBS = re.compile(r"/(c|club|clubs)(/|$)")  # their pages are told of by themselves


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6, computations_an_hour=10**6)


@pytest.fixture(scope="module")
def tables(client: FlaskClient) -> dict[str, Table]:
    """A table that is open, and one whose evening is over."""
    lines = EXAMPLE.splitlines(keepends=True)
    return {"OPEN": brought_in("".join(lines[:OPENED]), client),
            "PLAYED": brought_in(EXAMPLE, client)}  # fmt: skip


def seen(path: str, client: FlaskClient, tables: dict[str, Table], language: str) -> str:
    """A page as its host sees it."""
    name = path.split("/")[2] if path.startswith("/t/") else "OPEN"
    table = tables[name]
    path = path.replace(name, table.id).replace("/join/KEY", f"/join/{table.keys['mara']}")
    headers = cookie(table, "host")
    if "HOST" in path:
        told = client.get(f"/api/sessions/{table.id}/keys", headers={
            "Authorization": f"Bearer {table.keys['host']}"}).get_json()  # fmt: skip
        path = path.replace("HOST", told["keys"][0]["id"])
    if path.startswith("/join"):
        headers = {}
    answer = client.get(path, headers={**headers, "Accept-Language": language})
    assert answer.status_code in (200, 422), (path, answer.status_code)
    return answer.text


def heard(page: str) -> Iterator[str]:
    """What can be pressed on a page, and what it says in a line of its own."""
    main = page.partition("<main")[2].partition("</main>")[0]
    for told in re.findall(r"<(?:a|button|h1|h2|h3|legend|p|b)\b[^>]*>(.*?)</", main, re.DOTALL):
        yield " ".join(unescape(re.sub(r"<[^>]*>", "", told)).split())
    yield from re.findall(r'aria-label="([^"]*)"', main)


def in_language(words: str, language: str) -> str:
    """The words in another language; of those that end in “…” what stands before a fact."""
    start, open_end, _ = words.partition(" …")
    if language == DEFAULT or start in NAMES:
        return start
    known = {str(one.id): str(one.string) for one in catalogue.read(language) if not one.context}
    if not open_end:
        return known[start]
    shortest = min((one for one in known if one.startswith(f"{start} ")), key=len)
    return re.split(r"%\(|<", known[shortest])[0].strip()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("path", "words"), STEPS, ids=[path for path, _ in STEPS])
def test_a_page_says_what_comes_next(
    client: FlaskClient, tables: dict[str, Table], path: str, words: str, language: str
) -> None:
    said = list(heard(seen(path, client, tables, language)))
    wanted = " ".join(in_language(words, language).split())
    assert any(one.startswith(wanted) for one in said), (wanted, said)


def test_each_page_has_its_next_step(client: FlaskClient) -> None:
    told = [re.sub(r"(OPEN|PLAYED|KEY|HOST|riparto|\d+)", "X", path) for path, _ in STEPS]
    rules = {
        re.sub(r"<[^>]*>", "X", rule.rule)
        for rule in client.application.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not NO_PAGES.match(rule.rule)
        if not CLUBS.match(rule.rule)
    }
    assert rules - set(told) - {"/t/X/h/X"} == set()
