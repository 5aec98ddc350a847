"""Names that are markup, that run from right to left, that are sixty signs long, on every page."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.letters import Letters
from tests.browser.phones import WORKERS
from tests.browser.places import PLACES, REPORTED, WIDER, Sessions, watched
from tests.operation.serving import Server
from tests.web.pages import EXAMPLE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

MARKUP: Final = "<img src=x onerror=alert(1)>'\"><svg/onload=alert(2)>"
NAMES: Final = {
    "mara": MARKUP,
    "leo": "\u202eevil\u2066 {{ 7*7 }} ${x} javascript:alert(3)",
    "nina": "\N{GRINNING FACE}" * 60,
    "ugo": "W" * 60,
}
TITLE: Final = "</title><script>alert(4)</script>\u202e" + MARKUP
TEXTS: Final = ("reason", "text")
FOREIGN: Final = """() => [...document.querySelectorAll(
  "img, script:not([src]), iframe, [onload], [onerror]")]
  .filter((one) => !(one.tagName === "IMG" && one.src.startsWith("data:")))
  .map((one) => one.outerHTML.slice(0, 120))"""
OUTSIDE: Final = """(mark) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let one = walker.nextNode(); one; one = walker.nextNode()) {
    const at = one.parentElement;
    if (one.data.includes(mark) && !at.closest("bdi, title, desc, svg text, textarea, option, pre"))
      found.push(at.outerHTML.slice(0, 120));
  }
  return found;
}"""
# How far each name of a drawing goes beyond it.
BESIDE: Final = """() => [...document.querySelectorAll(".chart svg g > :last-child")].map((name) =>
  name.getBoundingClientRect().right - name.closest("svg").getBoundingClientRect().right)"""
# Where the most names stand, and the most that was typed; the other pages in the soak.
SUITE: Final = (
    "share",
    "table-cards",
    "table-flat",
    "hand-disputed",
    "audit",
    "dispute",
    "results",
)
OWN: Final = [
    pytest.param(place, marks=[] if place in SUITE else [pytest.mark.soak])
    for place, path in PLACES.items()
    if place == "home" or "{" in path
]


def hostile() -> str:
    """The evening of the example with these names, and with markup for every free text."""
    lines = [json.loads(line) for line in EXAMPLE.splitlines() if line.strip()]
    return "".join(json.dumps(said(one)) + "\n" for one in lines)


def said(one: Any) -> Any:
    """An event whose texts are hostile, those within corrections too."""
    if isinstance(one, list):
        return [said(each) for each in one]
    if not isinstance(one, dict):
        return one
    found = {key: MARKUP if key in TEXTS else said(value) for key, value in one.items()}
    if one.get("type") == "session_opened":
        players = [{"id": key, "name": name} for key, name in NAMES.items()]
        found["data"] = {"title": TITLE, "place": MARKUP, "players": players}
    return found


@pytest.fixture(scope="module")
def sessions(server: Server) -> Sessions:
    return Sessions.begin(server, hostile())


@pytest.fixture(scope="module")
def page(browser: "Browser", sessions: Sessions) -> Iterator["Page"]:
    with browser.new_context(
        base_url=sessions.origin,
        viewport={"width": 360, "height": 740},
        service_workers=WORKERS,
    ) as context:
        sessions.sit(context)
        with watched(context.new_page()) as page:
            yield page


@pytest.mark.parametrize("place", OWN)
def test_a_name_is_text_and_keeps_to_its_place(
    page: "Page", sessions: Sessions, letters: Letters, place: str
) -> None:
    page.goto(sessions.path(place))
    assert page.locator("h1").count() == 1
    assert page.evaluate(FOREIGN) == []
    assert page.evaluate(REPORTED) == []
    assert page.evaluate(OUTSIDE, "\u202e") == []
    assert max(letters.each(page, WIDER).values()) <= 0


def test_a_name_beside_a_line_keeps_to_the_drawing(
    page: "Page", sessions: Sessions, letters: Letters
) -> None:
    page.goto(sessions.path("results"))
    for beyond in letters.each(page, BESIDE).values():
        assert len(beyond) >= len(NAMES)
        assert max(beyond) <= 0


def test_the_names_are_there(page: "Page", sessions: Sessions) -> None:
    page.goto(sessions.path("table-tricks"))
    told = page.locator("#table").inner_text()
    assert all(name in told for name in NAMES.values())
