"""Requirements of every page: well formed, complete without scripts, and self-contained."""

import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.games import GAMES
from tests.api.asking import Table
from tests.web.looking import cookie, shown
from tests.web.pages import EXAMPLE, STATIC, Page, page_of, score

GOLDEN = Path(__file__).parents[1] / "golden"
PATHS = ["/", "/new", "/new?pick=knock", "/new?pick=briscola_regina&name=Mara", "/code", "/join",
         "/code?code=abcdef", "/prefs", "/verify", "/score", "/score/example",
         "/score/mistake", "/guide", "/rules", "/api/docs", "/nothing", "/rules/bridge",
         *(f"/rules/{game}" for game in GAMES)]  # fmt: skip
POSTED = {
    "a sheet": EXAMPLE,
    "nothing": "",
    "no match": EXAMPLE.splitlines()[0],
    "an unusable log": EXAMPLE.replace("riparto", "bridge"),
    **{game: (GOLDEN / game / "evening.jsonl").read_text(encoding="utf-8") for game in GAMES
       if (GOLDEN / game / "evening.jsonl").exists()},
}  # fmt: skip


def every_page(client: FlaskClient) -> list[tuple[str, Any]]:
    got = [(path, client.get(path)) for path in PATHS]
    return got + [(name, score(client, log)) for name, log in POSTED.items()]


@pytest.fixture(scope="module")
def pages(request: pytest.FixtureRequest) -> list[tuple[str, Page]]:
    client = request.getfixturevalue("app").test_client()
    return [(name, page_of(response)) for name, response in every_page(client)]


def test_every_page_is_well_formed(pages: list[tuple[str, Page]]) -> None:
    assert {name: page.wrong for name, page in pages if page.wrong} == {}


def test_every_page_has_one_heading_a_title_a_language_and_a_skip_link(
    pages: list[tuple[str, Page]],
) -> None:
    for name, page in pages:
        assert len(page.all("h1")) == 1, name
        assert len(page.all("title")) == 1, name
        assert page.all("html") == [{"lang": "en"}], name
        assert page.all("a")[0] == {"class": "skip", "href": "#main"}, name


def test_ids_are_unique_and_links_within_a_page_have_targets(
    pages: list[tuple[str, Page]],
) -> None:
    for name, page in pages:
        ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
        assert len(ids) == len(set(ids)), name
        inner = {a["href"][1:] for a in page.all("a") if a.get("href", "").startswith("#")}
        assert inner <= set(ids), name


def test_nothing_in_a_page_is_fetched_from_elsewhere(pages: list[tuple[str, Page]]) -> None:
    for name, page in pages:
        for tag, attrs in page.tags:
            for attribute in ("href", "src", "action", "srcset", "poster", "data", "formaction"):
                if attribute in attrs:
                    where = attrs[attribute]
                    assert re.match(r"/(?!/)|#", where), f"{name}: <{tag} {attribute}={where}>"


def test_no_script_or_style_stands_in_a_page(pages: list[tuple[str, Page]]) -> None:
    for name, page in pages:
        assert page.all("style") == [], name
        assert all("src" in script for script in page.all("script")), name
        for tag, attrs in page.tags:
            wrong = [attr for attr in attrs if attr == "style" or attr.startswith("on")]
            assert wrong == [], f"{name}: <{tag}>"


def test_every_link_to_a_page_leads_to_one(client: FlaskClient, pages: Any) -> None:
    links = {a["href"] for _, page in pages for a in page.all("a")} - {"#main"}
    for link in sorted(links):
        path, _, anchor = link.partition("#")
        if path:
            answer = client.get(path)
            assert answer.status_code == 200, link
            if anchor:
                ids = {attrs.get("id") for _, attrs in page_of(answer).tags}
                assert anchor in ids, link


def test_every_label_has_its_field_and_every_field_its_label(
    pages: list[tuple[str, Page]],
) -> None:
    for name, page in pages:
        labelled = {label["for"] for label in page.all("label")}
        fields = {
            element["id"]
            for tag in ("input", "textarea", "select")
            for element in page.all(tag)
            if element.get("type") != "hidden"
        }
        assert labelled == fields, name


# ------------------------------------------------------------------------------ static files


def test_styles_and_scripts_contact_no_other_site() -> None:
    for path in (*STATIC.glob("*.css"), *STATIC.glob("*.js")):
        text = path.read_text(encoding="utf-8")
        assert "//" not in re.sub(r"(^|\s)//\s.*$", "", text, flags=re.MULTILINE), path.name
        assert "@import" not in text
        assert "url(" not in text


def test_drawings_hold_no_script_and_no_address_but_the_name_of_their_language() -> None:
    for path in STATIC.glob("*.svg"):
        text = path.read_text(encoding="utf-8")
        assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}
        assert "script" not in text
        assert "style=" not in text


def test_what_the_page_of_a_table_loads_is_light() -> None:
    table = shown((GOLDEN / "picchetto" / "evening.jsonl").read_bytes())
    sent, page = as_sent(table, f"/t/{table.id}?level=cards")
    styles = [link["href"] for link in page.all("link") if link["rel"] == "stylesheet"]
    scripts = [script["src"] for script in page.all("script") if "src" in script]
    css = [as_sent(table, style)[0] for style in styles]
    js = [as_sent(table, script)[0] for script in scripts]
    drawings = [as_sent(table, "/static/cards.svg")[0]]
    assert sent <= 14 << 10
    assert 0 < sum(css) <= 14 << 10
    assert 0 < sum(js) <= 25 << 10
    assert sum(drawings) <= 4 << 10
    assert len([sent, *css, *js, *drawings]) <= 6


def as_sent(table: Table, path: str) -> tuple[int, Page]:
    """Return the number of bytes in which a file or page is sent, and the page itself."""
    headers = cookie(table, "host")
    short = table.client.get(path, headers={**headers, "Accept-Encoding": "br"}, buffered=True)
    assert (short.status_code, short.headers["Content-Encoding"]) == (200, "br")
    return len(short.data), Page.of(table.client.get(path, headers=headers, buffered=True).text)


def test_static_files_are_kept_under_an_address_that_changes_with_them(
    client: FlaskClient,
) -> None:
    style = page_of(client.get("/")).all("link")[1]["href"]
    answer = client.get(style, buffered=True)
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert (
        "immutable" not in client.get("/static/style.css", buffered=True).headers["Cache-Control"]
    )
    assert "immutable" not in client.get("/static/none.css?v=1").headers["Cache-Control"]
